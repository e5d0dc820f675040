import { posix, win32 } from 'node:path';

/**
 * A path as the places of decisions have it (F-1): from the top folder of the repository on, with `/`, in composed Unicode;
 * empty for that folder itself.
 * @param written as it was typed in `cwd`; where it ends with a slash, the path does
 * @returns undefined outside of the repository
 */
export function pathIn(
  top: string,
  cwd: string,
  written: string,
  platform: NodeJS.Platform = process.platform,
): string | undefined {
  const path = platform === 'win32' ? win32 : posix;
  const within = path.relative(top, path.resolve(cwd, written));
  const isOut = within === '..' || within.startsWith(`..${path.sep}`) || path.isAbsolute(within);
  const slash = within !== '' && ['/', path.sep].some((each) => written.endsWith(each)) ? '/' : '';
  return isOut ? undefined : within.split(path.sep).join('/').normalize('NFC') + slash;
}
