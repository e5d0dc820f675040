import type { Agent, Machine, SetupRequest } from '../../agents/agent.ts';
import type { Entry } from '../../agents/entry.ts';
import { entriesFor, notPinned } from '../../agents/plugin.ts';
import { carryOutAll, type Outcome } from './carried-out.ts';
import { trustHooks, withTrust } from './trusting.ts';

/**
 * Enters all that the agents shall have.
 * @param trusts whether an agent that asks its user first shall trust the hooks
 * @param isDry only says what would be done
 */
export async function enterAll(
  agents: readonly Agent[],
  machine: Machine,
  dataFolder: string,
  request: SetupRequest,
  { trusts, isDry }: { trusts: boolean; isDry: boolean },
): Promise<Outcome[]> {
  const requested = new Map<string, Entry[]>();
  const requestedFor = (agent: Agent) => {
    const entries = withTrust(agent, dataFolder, entriesFor(agent, machine, request));
    requested.set(agent.name, entries);
    return entries;
  };
  const outcomes: Outcome[] = [];
  for (const done of carryOutAll(agents, machine, dataFolder, requestedFor, isDry)) {
    const agent = agents.find(({ name }) => name === done.agent);
    const lost = agent ? notPinned(agent, machine, request.launch.pins) : [];
    const entries = requested.get(done.agent) ?? [];
    const hasHooks = entries.some(({ part }) => part === 'hooks');
    // Beside the plugin there are none.
    if (agent?.trust && trusts && !hasHooks)
      lost.push(`setup enters no hooks here that it could trust: ${agent.trust.byHand}`);
    const outcome = { ...done, left: [...done.left, ...lost] };
    if (!agent?.trust || !hasHooks || outcome.error || (trusts && isDry)) outcomes.push(outcome);
    else if (trusts)
      outcomes.push(await trustHooks(agent, agent.trust, outcome, machine, dataFolder, entries));
    else outcomes.push({ ...outcome, trusted: entries.some(({ part }) => part === 'trust') });
  }
  return outcomes;
}
