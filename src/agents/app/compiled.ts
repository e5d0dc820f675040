import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isRunning, versionsIn } from './versions.ts';

/** The compiled code of a bundle of hooks, as the launcher names it: after the bundle, for a version of Node. */
const OF_HOOKS = /^(hook.*-[A-Z0-9]{8}\.cjs)-v/;

/**
 * Takes compiled code of versions away that are gone, when another one moved in: it is 1.3 MB of each. What hooks keep
 * stays for as long as a copy has the bundle. What Node keeps does not say whose it is: it goes as a whole, unless a server
 * runs from a copy and loads more of it when it needs it. Who misses some compiles it once more.
 * @param used the folder in which Node keeps what this process compiles; undefined when it keeps nothing
 */
export function sweepCompiled(used: string | undefined, app: string): void {
  const cache = used === undefined ? '' : dirname(used);
  // What else the environment may name is not ours.
  if (basename(cache) !== 'precedent') return;
  const versions = versionsIn(app).map((version) => join(app, version));
  const isServing = versions.some(isRunning);
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    const path = join(cache, entry.name);
    const [, bundle] = OF_HOOKS.exec(entry.name) ?? [];
    const isHad = (folder: string) => existsSync(join(folder, 'dist', bundle ?? ''));
    if (entry.isFile() && bundle !== undefined && !versions.some(isHad)) rmSync(path, { force: true });
    if (entry.isDirectory() && /^v\d/.test(entry.name) && !isServing)
      for (const name of readdirSync(path)) rmSync(join(path, name), { force: true });
  }
}
