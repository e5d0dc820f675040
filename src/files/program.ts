import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';

/** A folder of Windows that is meant whatever the working folder and its drive are. */
const WHOLE = /^(?:[a-z]:[\\/]|[\\/]{2})/i;
/** The endings of programs that Windows can start, in the order in which it looks. */
const ENDINGS = ['.com', '.exe'];

/**
 * Where a program may be, by the list of folders that the environment names. The system would look further: Windows for
 * a program in the working folder before all others, and every system in folders that are relative to it. That is the
 * repository, and its content is somebody else's.
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

/** The list of folders; Windows calls it Path, and a copy of the environment knows it by that name alone. */
export const pathOf = ({ PATH, Path = '' }: NodeJS.ProcessEnv): string => PATH ?? Path;

/** The program itself, wherever the working folder is; undefined when there is none. */
export function findProgram(name: string, environment: NodeJS.ProcessEnv): string | undefined {
  return candidates(name, pathOf(environment), process.platform).find(isProgram);
}

/** The endings that a shell of Windows tries for a bare name, in the order in which it looks. */
const SHELL_ENDINGS = ['.com', '.exe', '.bat', '.cmd'];

/**
 * A command line that a person named for a shell, such as `code --wait`, with its program found: the shell would look in
 * the working folder as well, on Windows before all others. Anything but a plain name is left as it is: a path, or a line that
 * begins in a way of the shell's own.
 * @returns undefined when there is no such program
 */
export function commandLine(
  line: string,
  environment: NodeJS.ProcessEnv,
  { platform = process.platform, isThere = isProgram } = {},
): string | undefined {
  const [, name, rest = ''] = /^([\w.+-]+)(\s[\s\S]*)?$/.exec(line.trim()) ?? [];
  if (name === undefined || /^\.+$/.test(name)) return line;
  const isWindows = platform === 'win32';
  const endings = isWindows && !win32.extname(name) ? SHELL_ENDINGS : [''];
  const file = candidates(name, pathOf(environment), platform, endings).find(isThere);
  if (file === undefined) return undefined;
  return `${isWindows ? `"${file}"` : `'${file.replaceAll("'", `'\\''`)}'`}${rest}`;
}

/** The environment of a shell: that of Windows looks in the working folder no more. */
export function shellEnvironment(environment: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return { ...environment, NoDefaultCurrentDirectoryInExePath: '1' };
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}
