import { memoryHash } from '../cli/agents/hook-sessions.ts';
import { findPlace, type PlaceOptions } from '../cli/place.ts';
import { offHere } from '../cli/repository/off.ts';
import { type Briefing, openBriefing } from '../memory/briefing.ts';
import { memoryExists } from '../memory/engines.ts';

/** Options that say which memory is meant: one of this machine or of a database, or that of a server. */
export interface HookOptions extends PlaceOptions {
  url?: string | undefined;
  /** Whether a lock asks before a file that it binds is changed (RE-15). */
  asksLocks?: boolean;
}

/** The memory that is meant, before it is opened. */
export interface Meant {
  /** Whether there is one; a server says that with its answers. */
  isThere: boolean;
  /** Whether it is that of a repository: then an agent is shown the tools even where there is none. */
  isOfRepository: boolean;
  open(): Promise<Briefing>;
  /** The key by which `doctor` finds what was shown last of it; undefined on a server. */
  hash?: string;
}

/** The session that is shown something. */
interface Listener {
  environment: NodeJS.ProcessEnv;
  cwd: string;
  /** The session of the agent; its name without one. */
  session: string;
  client: string;
  /** Where it is kept what was shown; undefined for nowhere. */
  dataFolder: string | undefined;
}

/** Finds out which memory is meant; undefined where Precedent is off (V-6). @throws PrecedentError as {@link findPlace} */
export async function findMeant(
  { url, asksLocks: _, ...options }: HookOptions,
  { environment, cwd, session, client, dataFolder }: Listener,
): Promise<Meant | undefined> {
  if (url !== undefined) {
    if (offHere(undefined, cwd, dataFolder).length > 0) return undefined;
    const token = environment.PRECEDENT_TOKEN || undefined;
    const { workspace } = options;
    const server = { url, token, client, ...(workspace !== undefined && { workspace }) };
    return {
      isThere: true,
      isOfRepository: false,
      // Loaded here: most hooks ask a memory of this machine.
      open: async () => (await import('./briefing-there.ts')).briefingThere(server, session),
    };
  }
  const place = await findPlace(options, environment, cwd);
  if (place.off.length > 0) return undefined;
  return {
    isThere: await memoryExists(place),
    isOfRepository: place.repository?.repository.isGit ?? false,
    open: () => openBriefing({ ...place, session, client }),
    hash: memoryHash(place),
  };
}
