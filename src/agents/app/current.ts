import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { passingIn, versionsIn } from './versions.ts';

/** The folder of copies: one for each version, and `current`, through which agents start the newest. */
export function appIn(dataFolder: string): string {
  return join(dataFolder, 'app');
}

/**
 * The path of the program that is entered everywhere: a small file that starts the version of the day. It never changes,
 * so that what names it goes on working; Codex trusts a hook by it. A link would do the same, where links may be made.
 */
export function launcherIn(dataFolder: string): string {
  return join(appIn(dataFolder), 'current', 'precedent.cjs');
}

/** The version that agents start; undefined where there is none. */
export function currentVersion(dataFolder: string): string | undefined {
  try {
    return readFileSync(launcherIn(dataFolder), 'utf8').match(/'\.\.\/([^/']+)\/dist\//)?.[1];
  } catch {
    return undefined;
  }
}

/**
 * Lets agents start the newest version that is there, in one step. A process that was slower, and wrote an older one,
 * looks again after it wrote: whoever writes last, the newest is there.
 */
export function switchToNewest(dataFolder: string): void {
  for (;;) {
    const [newest] = versionsIn(appIn(dataFolder));
    if (newest === undefined || newest === currentVersion(dataFolder)) return;
    const partial = passingIn(appIn(dataFolder), 'current');
    mkdirSync(dirname(launcherIn(dataFolder)), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(partial, `#!/usr/bin/env node\nrequire('../${newest}/dist/precedent.cjs');\n`);
      renameSync(partial, launcherIn(dataFolder));
    } finally {
      rmSync(partial, { force: true });
    }
  }
}
