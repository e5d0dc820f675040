import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a package of a peer into a folder of its own below `home`. Neither its install scripts run, nor are its optional
 * packages fetched: those bring models and native code.
 * @param spec name and exact version
 * @returns the folder that holds `node_modules`
 */
export function install(home: string, spec: string): string {
  const folder = join(home, spec.replaceAll('/', '+'));
  if (existsSync(join(folder, 'done'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const options = ['--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund'];
  const { status, stderr, error } = spawnSync('npm', ['install', ...options, spec], {
    cwd: folder,
    encoding: 'utf8',
  });
  if (status !== 0)
    throw new Error(
      `${spec} could not be installed; is the registry within reach? ${error?.message ?? stderr.trim().split('\n')[0]}`,
    );
  writeFileSync(join(folder, 'done'), '');
  return folder;
}
