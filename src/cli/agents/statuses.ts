import type { Agent } from '../../agents/agent.ts';
import { AGENTS, agentsFound } from '../../agents/agents.ts';
import { readManifest } from '../../agents/manifest.ts';
import type { Registered } from '../../agents/registered.ts';
import {
  bearer,
  endpointOf,
  failureOf,
  noServerOfOurs,
  type Remote,
  refusal,
  TOKEN,
} from '../../agents/remote.ts';
import { type AgentStatus, statusOf } from '../../agents/status.ts';
import { PrecedentError } from '../../domain/error.ts';
import { here as surroundings } from '../../files/surroundings.ts';
import { asking, shown } from '../open.ts';
import { findPlace, type Place, type PlaceOptions } from '../place.ts';
import { findDataFolder } from '../settings.ts';
import { machineHere, requestHere } from './here.ts';
import { becomeCurrent, packageHere } from './package.ts';

/** What an agent has of Precedent, and whether that is the memory that is meant here. */
export interface AgentHere extends AgentStatus {
  /** Left out where it has no server, or where that cannot be found out. */
  same_memory?: boolean;
  /** Of one that reaches a server: whether it answers with what the agent shows it. */
  answers?: boolean;
}

/**
 * What the agents of this machine have of Precedent; none where that cannot be found out, as without a home.
 * @param place the memory that is meant here
 */
export async function agentsHere(options: PlaceOptions, place: Place): Promise<AgentHere[]> {
  try {
    await becomeCurrent();
    const machine = machineHere();
    const dataFolder = await findDataFolder(surroundings().env);
    const manifest = readManifest(dataFolder);
    const { version } = packageHere();
    const here = { machine, manifest, dataFolder, version, request: requestHere(options, dataFolder) };
    const found = agentsFound(machine);
    const isSetUp = ({ name }: Agent) => manifest.written.some(({ agent }) => agent === name);
    const asked = new Map<string, Promise<ServerAnswer>>();
    const all = AGENTS.filter((agent) => found.includes(agent) || isSetUp(agent))
      .map((agent) => ({ agent, ...statusOf(agent, here) }))
      .filter(({ agent, status }) => !agent.isPerProject || status.server !== 'missing')
      .map(({ status, registered }) =>
        registered?.remote
          ? withServer(status, registered.remote, asked)
          : registered
            ? withMemory(status, registered, options, place)
            : status,
      );
    return await Promise.all(all);
  } catch (error) {
    if (error instanceof PrecedentError) return [];
    throw error;
  }
}

/**
 * Asks the server that it reaches. One that a file of a project names was chosen by somebody else: it is neither asked nor
 * shown a token (Z-1). Which memory of this machine that is the same as cannot be found out.
 * @param asked the answers so far: several agents reach one server
 */
async function withServer(
  status: AgentStatus,
  { hasToken, ...remote }: NonNullable<Registered['remote']>,
  asked: Map<string, Promise<ServerAnswer>>,
): Promise<AgentHere> {
  if (status.server === 'project')
    return {
      ...status,
      notes: ['a file of this project names its server, which was not asked', ...status.notes],
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
      ? [`${TOKEN} is not set here: the agent needs it where it starts`]
      : []),
  ];
  return { ...status, answers, notes: [...notes, ...status.notes] };
}

/** Compares the memory that its server answers from in this folder with the one that is meant here. */
async function withMemory(
  status: AgentStatus,
  { options, environment, lost }: Registered,
  given: PlaceOptions,
  place: Place,
): Promise<AgentHere> {
  const its = await findPlace(options, environment, surroundings().cwd(), asking).catch((error: unknown) =>
    error instanceof PrecedentError ? error : undefined,
  );
  if (its instanceof PrecedentError)
    return { ...status, same_memory: false, notes: [its.message, ...status.notes] };
  if (!its) return status;
  // The data folder is that of this process, whatever the other one has.
  const isElsewhere = its.home?.db === undefined && its.home !== undefined && lost.includes('XDG_DATA_HOME');
  if (shown(its) === shown(place) && !isElsewhere) return { ...status, same_memory: true };
  const typed = Object.entries(given).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name} ${value}`],
  );
  const setup = ['precedent', ...typed, 'setup', status.agent].join(' ');
  const mend = status.server === 'setup' ? `; "${setup}" enters this one` : '';
  const note = `it uses another memory: ${shown(its)}${mend}`;
  return { ...status, same_memory: false, notes: lost.length > 0 ? status.notes : [note, ...status.notes] };
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
    const response = await fetch(`${url}/api/v1${place}/briefing_start`, {
      ...limits(),
      method: 'POST',
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: '{}',
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
