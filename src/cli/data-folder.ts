import { isAbsolute, join } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { here } from '../files/surroundings.ts';

/** The platform's folder for data. @throws PrecedentError `invalid` without a home: never a folder below `cwd` */
export async function findDataFolder(environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    const folder = folderIn(here().home(), environment);
    if (isAbsolute(folder)) return folder;
  } catch {
    // No home: said below.
  }
  const found = environment.HOME === undefined ? 'none' : JSON.stringify(environment.HOME);
  throw new PrecedentError(
    'invalid',
    `Expected a home folder for the memory, found ${found}. Set HOME, or name a file with --db.`,
  );
}

function folderIn(home: string, { XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'precedent');
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'precedent', 'Data');
  // The XDG specification says that a relative folder counts as none.
  const data = isAbsolute(XDG_DATA_HOME ?? '') ? String(XDG_DATA_HOME) : join(home, '.local', 'share');
  return join(data, 'precedent');
}
