import { isDeepStrictEqual } from 'node:util';
import type { Agent, Machine } from '../agent.ts';
import { isGroup } from '../edit/value.ts';
import type { Entry } from '../entry.ts';
import type { Trust, Trusted } from '../trust.ts';
import { presentAt } from './present.ts';

/** Of an agent that has hooks: whether they are there, and are run. */
export interface HooksStatus {
  /** Whether all are there as setup would enter them. */
  hooks?: boolean;
  /** Whether they are run; left out where an agent asks nobody. */
  trusted?: Trusted;
}

/** What a person does so that setup enters a part as it should be, behind what is amiss. */
export type Mend = (part: Entry['part'], does: string) => string;

/** Looks at the hooks of an agent. @param entries all that setup enters for it, hooks included @throws Unreadable */
export function hooksOf(
  agent: Agent,
  entries: readonly Entry[],
  machine: Machine,
  mend: Mend,
): HooksStatus & { notes: string[] } {
  const hooks = entries.filter(({ part, isFileHeader }) => part === 'hooks' && !isFileHeader);
  if (hooks.length === 0) return { notes: [] };
  if (!hooks.every(isThere)) {
    const isOther = hooks.some((hook) => isThere(hook) || isOurs(presentAt(hook)));
    const renewed = `its hooks are not as setup enters them; ${mend('hooks', 'renews them')}`;
    return { hooks: false, notes: isOther ? [renewed] : [] };
  }
  const server = entries.find(({ part }) => part === 'server');
  const { trust } = agent;
  if (!trust || !server) return { hooks: true, notes: [] };
  const groupIn = (entry: Entry) => {
    const whole = presentAt({ ...entry, path: [] });
    return isGroup(whole) ? whole : {};
  };
  const [hook] = hooks;
  const trusted = hook ? trust.read(hooks, groupIn(hook), groupIn(server)) : 'unknown';
  return { hooks: true, trusted, notes: trustNotes(agent, trust, trusted, machine) };
}

function trustNotes(
  { name, programs }: Agent,
  { byHand }: Trust,
  trusted: Trusted,
  machine: Machine,
): string[] {
  if (trusted === 'trusted') return [];
  if (trusted === 'unknown') return [`whether it trusts the hooks cannot be told from its files: ${byHand}`];
  // Setup asks its program.
  const setup = programs.some(machine.hasProgram) ? `, or run "precedent setup ${name} --trust"` : '';
  return [`it skips the hooks until they are trusted: ${byHand}${setup}`];
}

function isThere(entry: Entry): boolean {
  const present = presentAt(entry);
  if (!entry.isItem) return isDeepStrictEqual(present, entry.value);
  return Array.isArray(present) && present.some((each) => isDeepStrictEqual(each, entry.value));
}

/** Whether something in there starts a hook of Precedent, in whatever form. */
const isOurs = (present: unknown): boolean =>
  /precedent(?:\.cjs)?\b.*\bhook\b/.test(JSON.stringify(present) ?? '');
