import { isAbsolute, join } from 'node:path';
import { here, homeHere } from './surroundings.ts';

/** The platform's folder for data of this account; undefined without a home: never a folder below the working one. */
export function dataFolderHere(environment: NodeJS.ProcessEnv = here().env): string | undefined {
  try {
    const folder = folderIn(homeHere(), environment);
    return isAbsolute(folder) ? folder : undefined;
  } catch {
    return undefined;
  }
}

function folderIn(home: string, { XDG_DATA_HOME, LOCALAPPDATA }: NodeJS.ProcessEnv): string {
  if (process.platform === 'darwin') return join(home, 'Library', 'Application Support', 'precedent');
  if (process.platform === 'win32')
    return join(LOCALAPPDATA || join(home, 'AppData', 'Local'), 'precedent', 'Data');
  // The XDG specification says that a relative folder counts as none.
  const data = isAbsolute(XDG_DATA_HOME ?? '') ? String(XDG_DATA_HOME) : join(home, '.local', 'share');
  return join(data, 'precedent');
}
