import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** A folder of Windows that is meant whatever the working folder and its drive are. */
const WHOLE = /^(?:[a-z]:[\\/]|[\\/]{2})/i;
/** What Windows can start, in the order in which it looks. */
const ENDINGS = ['.com', '.exe'];

/**
 * Where a program may be, by the list of folders that the environment names. The system would look further: Windows for
 * a program in the working folder before all others, and every system in folders that are relative to it. That is the
 * repository, and what lies in it is somebody else's.
 * @param path the variable PATH
 * @param endings the ones that count on Windows
 */
export function candidates(
  name: string,
  path: string,
  platform: NodeJS.Platform,
  endings: readonly string[] = ENDINGS,
): string[] {
  if (platform !== 'win32')
    return path
      .split(posix.delimiter)
      .filter((folder) => posix.isAbsolute(folder))
      .map((folder) => posix.join(folder, name));
  return path
    .split(win32.delimiter)
    .map((folder) => folder.replaceAll('"', ''))
    .filter((folder) => WHOLE.test(folder))
    .flatMap((folder) => endings.map((ending) => win32.join(folder, name + ending)));
}

/** The program itself, wherever the working folder is; undefined when there is none. */
export function findProgram(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  return candidates(name, environment.PATH ?? '', process.platform).find(isProgram);
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
