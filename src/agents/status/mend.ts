import type { Agent } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { type Change, planAgent } from '../plan.ts';
import type { Here } from './agent-status.ts';
import type { Mend } from './hooks.ts';

/**
 * Advice that can work: setup leaves what was entered by hand, and what others changed of ours, so a plan of it is asked.
 * @param meant what setup would enter
 * @throws PrecedentError as {@link planAgent}
 */
export function mendFor(agent: Agent, { machine, manifest }: Here, meant: readonly Entry[]): Mend {
  const plan = planAgent(manifest, agent.name, agent.folder(machine), meant);
  const setup = `"precedent setup ${agent.name}"`;
  return (part, does) => {
    const left = plan.find((change) => leaves(change, part));
    if (!left) return `${setup} ${does}`;
    const isOurs = left.changed.some((each) => each.part === part);
    const why = isOurs
      ? 'this was changed since setup, which leaves it'
      : 'setup leaves what was entered by hand';
    // An item that was ours and is gone stays away: setup without hooks forgets it.
    const isItem = meant.some((entry) => entry.file === left.file && entry.part === part && entry.isItem);
    const forget = isOurs && isItem ? `"precedent setup ${agent.name} --no-hooks" and then ` : '';
    return `${why}: take it out of ${left.file}, then ${forget}${setup} ${does}`;
  };
}

const leaves = ({ userEntries, changed }: Change, part: Entry['part']): boolean =>
  [...userEntries, ...changed].some((each) => each.part === part);
