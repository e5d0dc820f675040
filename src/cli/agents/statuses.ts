import type { Agent, Machine } from '../../agents/agent.ts';
import { AGENTS, agentsFound } from '../../agents/agents.ts';
import { readManifest } from '../../agents/manifest.ts';
import {
  bearer,
  endpointOf,
  failureOf,
  noServerOfOurs,
  type Remote,
  refusal,
  TOKEN,
} from '../../agents/remote.ts';
import { type AgentStatus, type Reached, statusOf } from '../../agents/status.ts';
import { PrecedentError } from '../../domain/error.ts';
import { iso } from '../../domain/text/moment.ts';
import { here as surroundings } from '../../files/surroundings.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { localTime } from '../output/date.ts';
import type { PlaceOptions } from '../place.ts';
import { findDataFolder } from '../settings.ts';
import { machineHere, requestHere } from './here.ts';
import { packageHere } from './package.ts';

/** What an agent has of Precedent. */
export interface AgentHere extends AgentStatus {
  /** Of one that reaches a server: whether it answers with what the agent shows it. */
  answers?: boolean;
  /** The options that name a memory for all projects, as `--db /tmp/a.db`. */
  options?: string;
}

/** What the agents of this machine have of Precedent; none where that cannot be found out, as without a home. */
export async function agentsHere(): Promise<AgentHere[]> {
  try {
    const machine = machineHere();
    const dataFolder = await findDataFolder(surroundings().env);
    const manifest = readManifest(dataFolder);
    const { version } = packageHere();
    const here = { machine, manifest, dataFolder, version, request: requestHere({}, dataFolder) };
    const found = agentsFound(machine);
    const isSetUp = ({ name }: Agent) => manifest.written.some(({ agent }) => agent === name);
    const asked = new Map<string, Promise<ServerAnswer>>();
    const all = AGENTS.filter((agent) => found.includes(agent) || isSetUp(agent))
      .map((agent) => ({ agent, ...statusOf(agent, here) }))
      .filter(({ agent, status }) => !agent.isPerProject || status.server !== 'missing')
      .map(({ agent, status, remote, options = {} }) => {
        const noted = withSkipped(agent, machine, status);
        return remote ? withServer(noted, remote, asked) : withOptions(noted, options);
      });
    return await Promise.all(all);
  } catch (error) {
    if (error instanceof PrecedentError) return [];
    throw error;
  }
}

/** Says until when the agent skips its server (RE-12). */
function withSkipped(agent: Agent, machine: Machine, status: AgentStatus): AgentStatus {
  const skips = status.server === 'missing' ? undefined : agent.skips?.(machine);
  if (!skips) return status;
  const until = localTime(iso(skips.until)).split(' ').at(-1);
  const note = `it got no answer from its server, and silently skips it until ${until}: check that "node" and "precedent" start in a terminal, then remove ${skips.notedIn} and restart it`;
  return { ...status, notes: [note, ...status.notes] };
}

/** The address of a database may hold a password. */
function withOptions(status: AgentStatus, { db, workspace }: PlaceOptions): AgentHere {
  const options = [
    ...(db === undefined ? [] : [`--db ${describeDatabase(db).shown}`]),
    ...(workspace === undefined ? [] : [`--workspace ${workspace}`]),
  ];
  return { ...status, ...(options.length > 0 && { options: options.join(' ') }) };
}

/**
 * Asks the server that it reaches. One that a file of a project names was chosen by somebody else: it is neither asked nor
 * shown a token (Z-1).
 * @param asked the answers so far: several agents reach one server
 */
async function withServer(
  status: AgentStatus,
  { hasToken, ...remote }: Reached,
  asked: Map<string, Promise<ServerAnswer>>,
): Promise<AgentHere> {
  if (status.server === 'project')
    return {
      ...status,
      notes: ['a file of this project names its server, which was not contacted', ...status.notes],
    };
  const held = surroundings().env[TOKEN] || undefined;
  const token = hasToken ? held : undefined;
  const key = `${endpointOf(remote)} ${token !== undefined}`;
  const answer = asked.get(key) ?? tryServer(remote, token);
  asked.set(key, answer);
  const { answers, note } = await answer;
  const notes = [
    ...(note === undefined ? [] : [note]),
    ...(hasToken && held === undefined
      ? [`${TOKEN} is not set in this shell: set it where the agent starts`]
      : []),
  ];
  return { ...status, answers, notes: [...notes, ...status.notes] };
}

/** How long a server is waited for, in milliseconds. */
const PATIENCE = 2_000;

/** Whether a server answers an agent, and what is to be done where it does not. */
interface ServerAnswer {
  answers: boolean;
  /** The memory from which it answers, where it was shown a token. */
  workspace?: string;
  note?: string;
}

/**
 * Tries what an agent would meet at a server: whether it is there and ours, whether it takes the token, and whether that token
 * may see the memory.
 * @param token undefined where there is none to be shown: then only whether it is there
 */
export async function tryServer(remote: Remote, token: string | undefined): Promise<ServerAnswer> {
  const { url, workspace } = remote;
  try {
    if (token === undefined) {
      const response = await fetch(`${url}/readyz`, limits());
      const isOurs = /^(not )?ready\n$/.test(await response.text());
      const note = isOurs ? refusal(remote, response.status, false) : noServerOfOurs(url);
      return isOurs && response.ok ? { answers: true } : { answers: false, note };
    }
    const place = workspace === undefined ? '' : `/${encodeURIComponent(workspace)}`;
    const response = await fetch(`${url}/api/v1${place}/briefing_get`, {
      ...limits(),
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: '{"at":"start"}',
    });
    const body = (await response.json().catch(() => undefined)) as
      | { workspace?: unknown; error?: unknown }
      | undefined;
    if (response.ok && typeof body?.workspace === 'string')
      return { answers: true, workspace: body.workspace };
    // A proxy in front of it has answers of its own.
    const isOurs = !response.ok && (body?.error !== undefined || response.status >= 500);
    if (!isOurs) return { answers: false, note: noServerOfOurs(url) };
    return { answers: false, note: refusal(remote, response.status, true) };
  } catch (error) {
    return { answers: false, note: failureOf(url, error) };
  }
}

/** A token is shown to nobody but the server that it was meant for. */
const limits = () => ({ redirect: 'manual', signal: AbortSignal.timeout(PATIENCE) }) as const;
