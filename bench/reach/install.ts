import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Installs a package of a peer into a folder of its own below `home`. Its install scripts do not run: they download models and
 * more from elsewhere.
 * @param spec name and exact version
 * @param native a package of which the install script does run; then the optional packages, which bring models, are left out
 * @returns the folder that holds `node_modules`
 */
export function install(home: string, spec: string, native?: string): string {
  const folder = join(home, spec.replaceAll('/', '+'));
  if (existsSync(join(folder, 'done'))) return folder;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const npm = (...args: string[]) => {
    const { status, stderr, error } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' });
    if (status !== 0)
      throw new Error(
        `${spec} could not be installed; is the registry within reach? ${error?.message ?? stderr.trim().split('\n')[0]}`,
      );
  };
  const options = [
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    ...(native ? ['--omit=optional', native] : []),
  ];
  npm('install', ...options, spec);
  if (native) npm('rebuild', native.replace(/@[^@]*$/, ''));
  writeFileSync(join(folder, 'done'), '');
  return folder;
}
