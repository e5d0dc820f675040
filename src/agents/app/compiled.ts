import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isRunning, versionsIn } from './versions.ts';

/** The compiled code of a bundle, as the launcher names it: after the bundle, for a version of Node. */
const OF_BUNDLE = /^(.+-[0-9A-Za-z]{8}\.cjs)-v/;

/**
 * Takes compiled code of versions away that are gone, when another one moved in: it is 1.3 MB of each. What the launcher keeps
 * stays for as long as a copy has the bundle. What Node keeps does not say whose it is: it goes as a whole, unless a server
 * runs from a copy and loads more of it when it needs it. Who misses some compiles it once more.
 * @param cache where the launcher keeps it; undefined when it keeps nothing
 */
export function sweepCompiled(cache: string | undefined, app: string): void {
  // What else the environment may name is not ours.
  if (cache === undefined || basename(cache) !== 'precedent') return;
  const versions = versionsIn(app).map((version) => join(app, version));
  const isServing = versions.some(isRunning);
  for (const entry of readdirSync(cache, { withFileTypes: true })) {
    const path = join(cache, entry.name);
    const [, bundle] = OF_BUNDLE.exec(entry.name) ?? [];
    const isHad = (folder: string) => existsSync(join(folder, 'dist', bundle ?? ''));
    if (entry.isFile() && bundle !== undefined && !versions.some(isHad)) rmSync(path, { force: true });
    if (entry.isDirectory() && /^v\d/.test(entry.name) && !isServing)
      for (const name of readdirSync(path)) rmSync(join(path, name), { force: true });
  }
}

/** Where the launcher keeps compiled code; undefined where it keeps none. */
export function compiledIn(): string | undefined {
  return (globalThis as { [key: symbol]: string | undefined })[Symbol.for('precedent.cache')];
}
