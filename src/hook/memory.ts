import { claimOnce, type LastBriefing, saveLastBriefing } from '../cli/agents/last-briefing.ts';
import { findPlace, type Place, type PlaceOptions } from '../cli/place.ts';
import { offHere } from '../cli/repository/off.ts';
import { PrecedentError } from '../domain/error.ts';
import { SETUP_OF_NEWEST } from '../domain/release.ts';
import { shortHash } from '../domain/text/short-hash.ts';
import { type Briefing, openBriefing } from '../memory/briefing.ts';
import { memoryExists } from '../memory/engines.ts';
import { briefingThere } from './briefing-there.ts';

/** Options that say which memory is meant: one of this machine or of a database, or that of a server. */
export interface HookOptions extends PlaceOptions {
  url?: string | undefined;
}

/** The memory that is meant, before it is opened. */
export interface Meant {
  /** Whether there is one; a server says that with its answers. */
  isThere: boolean;
  /** Whether it is that of a repository: then an agent is shown the tools even where there is none. */
  isOfRepository: boolean;
  /** @param tell gives the agent its context, where the memory cannot be shown; whether it could */
  open(tell: (context: string) => Promise<boolean>): Promise<Briefing>;
  /** Keeps what was shown last, for `doctor`. */
  keep(shown: LastBriefing): void;
}

/** Who is shown something. */
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
  { url, ...options }: HookOptions,
  { environment, cwd, session, client, dataFolder }: Listener,
): Promise<Meant | undefined> {
  if (url !== undefined) {
    if (isFolderOff(cwd, dataFolder)) return undefined;
    const token = environment.PRECEDENT_TOKEN || undefined;
    const server = { url, token, workspace: options.workspace, client };
    return {
      isThere: true,
      isOfRepository: false,
      open: async () => briefingThere(server, session),
      // It would be next to what was shown of memories here, which doctor reports.
      keep: () => {},
    };
  }
  const place = await findPlace(options, environment, cwd);
  if (place.isOff) return undefined;
  return {
    isThere: await memoryExists(place),
    isOfRepository: place.repository?.repository.isGit ?? false,
    open: (tell) =>
      openBriefing({ ...place, session, client }).catch(async (error) => {
        if (dataFolder !== undefined) await announceNewerMemory(error, dataFolder, place, tell);
        throw error;
      }),
    keep(shown) {
      if (dataFolder !== undefined) saveLastBriefing(dataFolder, place, shown);
    },
  };
}

/** Whether nothing is shown or kept in a folder, whatever memory is meant (V-6). */
export const isFolderOff = (cwd: string, dataFolder: string | undefined): boolean =>
  offHere(undefined, cwd, dataFolder).length > 0;

const NEWER = `The memory of this project (Precedent) was written by a newer version than the one that runs here, so nothing is shown. Ask the user to run ${SETUP_OF_NEWEST}.`;

/**
 * Says that a memory is newer than this program: once for each schema that this program does not know, which the
 * message names, then never again.
 * @param error what happened instead of an answer
 * @param tell gives the agent its context; whether it could
 */
async function announceNewerMemory(
  error: unknown,
  dataFolder: string,
  place: Place,
  tell: (context: string) => Promise<boolean>,
): Promise<void> {
  if (!(error instanceof PrecedentError) || error.reason !== 'newer') return;
  const takeBack = claimOnce(dataFolder, place, `newer-${shortHash(error.message)}`);
  if (takeBack && !(await tell(NEWER))) takeBack();
}
