import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folder of the copy: one named by its version, and `current`, through which agents start it. */
export function appIn(dataFolder: string): string {
  return join(dataFolder, 'app');
}

/** The name of the folder through which the copy is started. */
export const CURRENT = 'current';

/**
 * The path of the program that is entered everywhere: a small file that starts the copy. It never changes, so that what
 * names it goes on working; Codex trusts a hook by it. A link would do the same, where links may be made.
 */
export function launcherIn(dataFolder: string): string {
  return join(appIn(dataFolder), CURRENT, 'precedent.cjs');
}

/** The version that agents start; undefined where there is none. */
export function currentVersion(dataFolder: string): string | undefined {
  try {
    return readFileSync(launcherIn(dataFolder), 'utf8').match(/'\.\.\/([^/']+)\/dist\//)?.[1];
  } catch {
    return undefined;
  }
}
