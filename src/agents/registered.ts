import { dirname, join } from 'node:path';
import { jsonIn } from '../domain/text/json.ts';
import { readIfOrdinary } from '../files/bounded.ts';
import { machineIn, statHere } from '../files/machines.ts';
import { wordsOf } from './agent.ts';
import { currentVersion, launcherIn } from './app/current.ts';
import { Unreadable } from './edit/format.ts';
import { textsIn } from './edit/settings.ts';
import { isGroup, valueAt } from './edit/value.ts';
import { type Entry, FORMATS } from './entry.ts';
import { settingsIn } from './files.ts';

/** The value of an entry, or the list that it is an item of. @throws Unreadable */
export function presentAt({ file, project, format, path }: Entry): unknown {
  const text = settingsIn(file, project);
  if (text === undefined || format === 'text') return text;
  try {
    return valueAt(FORMATS[format].read(text), path);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${file}: ${error.message}`) : error;
  }
}

/** The server under our name, else one under another that starts Precedent all the same. */
export function serverIn(server: Entry): Record<string, unknown> | undefined {
  const servers = presentAt({ ...server, path: server.path.slice(0, -1) });
  if (!isGroup(servers)) return undefined;
  const all = Object.entries(servers).filter((each): each is [string, Record<string, unknown>] =>
    isGroup(each[1]),
  );
  const [, found] =
    all.find(([name]) => name === server.path.at(-1)) ??
    all.find(([, each]) => wordsOf(each).some((word) => PROGRAM.test(word))) ??
    [];
  return found;
}

const PROGRAM = /(?:^|[\\/])precedent(?:-memory)?(?:\.cjs|@[^/]*)?$/;

/**
 * A program that an entry starts and that is not there. Nobody looks at another machine (Z-15).
 * @param present the entry as it is in the settings
 */
export function goneIn(present: unknown): string | undefined {
  const named = textsIn(present).flatMap((text) => text.match(STARTED) ?? []);
  return named.find((file) => machineIn(file) === undefined && !statHere(file));
}

/** The absolute paths of Node and of the program, also in a line for a shell. */
const STARTED = /(?<=^|['" ])(?:\/|[a-z]:\\)[^'"]*?(?:\.cjs|node(?:\.exe)?)(?=['" ]|$)/gi;

/** The version that a server starts; undefined where that cannot be found out, as of one that is fetched. */
export function versionIn(server: Record<string, unknown>, dataFolder: string): string | undefined {
  const program = wordsOf(server).find((word) => /[\\/]precedent\.cjs$/.test(word));
  if (program === undefined || machineIn(program) !== undefined) return undefined;
  if (program === launcherIn(dataFolder)) return currentVersion(dataFolder);
  const described = jsonIn(`${readIfOrdinary(join(dirname(program), '..', 'package.json'))}`);
  return isGroup(described) && typeof described.version === 'string' ? described.version : undefined;
}
