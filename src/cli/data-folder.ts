import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';
import { PrecedentError } from '../domain/error.ts';

/** The platform's folder for data. @throws PrecedentError `invalid` without a home: never a folder below `cwd` */
export async function findDataFolder(environment: NodeJS.ProcessEnv): Promise<string> {
  try {
    // Asks for the home of the account as soon as it is loaded.
    const { default: envPaths } = await import('env-paths');
    const { data } = envPaths('precedent', { suffix: '' });
    // The XDG specification says that a relative folder counts as none.
    const folder = isAbsolute(data) ? data : join(homedir(), '.local', 'share', 'precedent');
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
