import { iso } from '../../domain/text/moment.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { dim, line, type View } from '../../operations/view.ts';
import { findDataFolder } from '../data-folder.ts';
import type { Place } from '../place.ts';
import { lastBriefing } from './last-briefing.ts';

/** What an agent was shown last of a memory, for `doctor`. */
interface ShownHere {
  at: string;
  agent: string;
  event: 'start' | 'prompt';
  /** Each by its topic where it has one now. */
  records: { id: string; topic?: string }[];
  tokens: number;
}

/** Names that are shown; a start tells up to a dozen. */
const SHOWN = 5;
/** Characters of an id by which it is called. */
const SHORT = 8;

/** What hooks showed last of the memory at a place; undefined when they showed nothing. */
export async function shownHere(place: Place, memory: MemoryCore): Promise<ShownHere | undefined> {
  const dataFolder = await findDataFolder(here().env).catch(() => undefined);
  const shown = dataFolder === undefined ? undefined : lastBriefing(dataFolder, place);
  if (!shown) return undefined;
  const { at, ids, ...others } = shown;
  const records = ids.map(async (id) => {
    const topic = id.startsWith('#') ? undefined : await topicOf(memory, id);
    return { id, ...(topic !== undefined && { topic }) };
  });
  return { at: iso(at), records: await Promise.all(records), ...others };
}

/** A record that is gone, or that has no topic, as a checkpoint, is called by its id. */
async function topicOf(memory: MemoryCore, id: string): Promise<string | undefined> {
  const found = await memory.call('decision_get', { id }).catch(() => undefined);
  return (found as { decision: { topic: string | null } } | undefined)?.decision.topic ?? undefined;
}

/** "last shown: 2 records to claude, 5 minutes ago: auth:token, db:engine". */
export function shownView(shown: ShownHere | undefined, now: number): View {
  if (!shown) return [];
  const { at, agent, records } = shown;
  const names = records.slice(0, SHOWN).map(({ id, topic }) => topic ?? id.slice(0, SHORT));
  const more = records.length > SHOWN ? `, and ${records.length - SHOWN} more` : '';
  const what =
    records.length === 0 ? 'no record' : `${records.length} record${records.length > 1 ? 's' : ''}`;
  const which = names.length > 0 ? `: ${names.join(', ')}${more}` : ', only that there is a memory';
  return [line(dim(`last shown: ${what} to ${agent}, ${ago(now - Date.parse(at))}${which}`))];
}

const UNITS = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

function ago(milliseconds: number): string {
  const [unit, length] = UNITS.find(([, each]) => milliseconds >= each) ?? ['second', 1_000];
  const count = Math.max(0, Math.floor(milliseconds / length));
  return new Intl.RelativeTimeFormat('en').format(-count, unit);
}
