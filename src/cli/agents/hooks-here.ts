import { iso } from '../../domain/text/moment.ts';
import { dataFolderHere } from '../../files/data-folder.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Result } from '../../operations/index.ts';
import { counted, date, dim, line, type View, warn } from '../../operations/view.ts';
import type { Place } from '../place.ts';
import { type Mode, modeHere } from './hook-mode.ts';
import { type LastShown, lastShown } from './hook-sessions.ts';

/** That hooks say or record less in this folder than they could, for `doctor`. */
export interface QuietHooks {
  mode: Exclude<Mode, 'on'>;
  /** The settings that say so, each with its value. */
  by: Record<string, string>;
  /** What a person does to have them again. */
  mend: string[];
}

/** What turns hooks off in this folder, or down; undefined where nothing does. */
export function quietHooks(environment: NodeJS.ProcessEnv, cwd: string): QuietHooks | undefined {
  const { mode, quieter } = modeHere(environment, cwd);
  if (mode === 'on') return undefined;
  const mend = quieter.map(({ name, isOfAccount }) =>
    name.includes('.') ? `git config ${isOfAccount ? '--global ' : ''}${name} on` : `unset ${name}`,
  );
  return { mode, by: Object.fromEntries(quieter.map(({ name, value }) => [name, value])), mend };
}

/** "! hooks are off here, by PRECEDENT_HOOKS=off: \"unset PRECEDENT_HOOKS\" turns them on" */
export function quietHooksView(quiet: QuietHooks | undefined): View {
  if (!quiet) return [];
  const by = Object.entries(quiet.by).map(([name, value]) => `${name}=${value}`);
  const what = quiet.mode === 'off' ? 'are off here' : 'only tell here, and record nothing';
  const mend = quiet.mend.map((each) => `"${each}"`).join(' and ');
  return [line(warn(`! hooks ${what}, by ${by.join(' and ')}; ${mend} turns them on`))];
}

/** What an agent was shown last of a memory, for `doctor`. */
interface ShownHere {
  at: string;
  agent: string;
  event: LastShown['event'];
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
  const dataFolder = dataFolderHere();
  const shown = dataFolder === undefined ? undefined : lastShown(dataFolder, place);
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
  const { at, agent, records } = shown;
  const names = records.slice(0, SHOWN).map(({ id, topic }) => topic ?? id.slice(0, SHORT));
  const more = records.length > SHOWN ? `, and ${records.length - SHOWN} more` : '';
  const what = records.length === 0 ? 'no record' : counted(records.length, 'record');
  const which = names.length > 0 ? `: ${names.join(', ')}${more}` : ', only that there is a memory';
  return [line(dim(`last shown: ${what} to ${agent}, `), date(at), dim(which))];
}
