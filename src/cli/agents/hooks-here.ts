import { iso } from '../../domain/text/moment.ts';
import { dataFolderHere } from '../../files/data-folder.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { type Off, remedyOf } from '../../memory/off.ts';
import type { Result } from '../../operations/index.ts';
import { counted, date, dim, line, type View, warn } from '../../operations/view.ts';
import type { Place } from '../place.ts';
import { lastTold, type Told } from './hook-sessions.ts';

const QUIET: Record<NonNullable<Off['only']>, string> = {
  hooks: 'hooks are off here',
  recording: 'hooks record nothing here',
  files: 'hooks show nothing about files here',
};

/** "! hooks are off here; "precedent on" turns them on" */
export function quietHooksView(off: readonly Off[]): View {
  return off.flatMap((each) =>
    each.only ? [line(warn(`! ${QUIET[each.only]}; ${remedyOf([each])} turns that on`))] : [],
  );
}

/** What an agent was shown last of a memory, for `doctor`. */
interface ShownHere {
  at: string;
  agent: string;
  event: Told['event'];
  /** Each by its topic where it has one now. */
  records: { id: string; topic?: string }[];
  tokens: number;
}

/** Names that are shown; a start tells up to a dozen. */
const MOST_RECORDS = 5;
/** Characters of an id by which it is called. */
const SHORT = 8;

/** What hooks showed last of the memory at a place; undefined when they showed nothing. */
export async function shownHere(place: Place, memory: MemoryCore): Promise<ShownHere | undefined> {
  const dataFolder = dataFolderHere();
  const shown = dataFolder === undefined ? undefined : lastTold(dataFolder, place);
  if (!shown) return undefined;
  const { at, ids, memory: _, ...others } = shown;
  const records = ids.map(async (id) => {
    const topic = id.startsWith('#') ? undefined : await topicOf(memory, id);
    return { id, ...(topic !== undefined && { topic }) };
  });
  return { at: iso(at), records: await Promise.all(records), ...others };
}

/** A record that is gone, or that has no topic, as a checkpoint, is called by its id. */
async function topicOf(memory: MemoryCore, id: string): Promise<string | undefined> {
  const found = await memory.call('decision_get', { id }).catch(() => undefined);
  return (found as Result<'decision_get'> | undefined)?.decision.topic ?? undefined;
}

/** "last shown: 2 records to claude, today 14:02: auth:token, db:engine". */
export function shownView(shown: ShownHere | undefined): View {
  if (!shown) return [];
  const { at, agent, event, records } = shown;
  const names = records.slice(0, MOST_RECORDS).map(({ id, topic }) => topic ?? id.slice(0, SHORT));
  const more = records.length > MOST_RECORDS ? `, and ${records.length - MOST_RECORDS} more` : '';
  const what = records.length === 0 ? 'no record' : counted(records.length, 'record');
  const without = event === 'start' ? ', only that there is a memory' : ', only a reminder';
  const which = names.length > 0 ? `: ${names.join(', ')}${more}` : without;
  return [line(dim(`last shown: ${what} to ${agent}, `), date(at), dim(which))];
}
