import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import envPaths from 'env-paths';
import type { Agent } from './agent.ts';

/** Where the agents are kept, outside of any project: they are large. */
const CACHE = process.env.PRECEDENT_AGENTS_CACHE || envPaths('precedent-agents', { suffix: '' }).cache;

/**
 * Installs an agent from the registry, once for each version.
 * @returns its program, or why there is none
 */
export function install({ name, package: from, version }: Agent): { program: string } | { missing: string } {
  const folder = join(CACHE, `${name}-${version}`);
  const program = join(folder, 'node_modules', '.bin', name);
  try {
    if (!existsSync(program)) {
      mkdirSync(folder, { recursive: true });
      const options = ['--no-audit', '--no-fund', '--no-save', '--loglevel=error'];
      // `npm exec` of a project sets variables that lead this npm to that project.
      const env = Object.entries(process.env).filter(([key]) => !/^npm_/i.test(key));
      execFileSync('npm', ['install', '--prefix', folder, ...options, `${from}@${version}`], {
        env: Object.fromEntries(env),
        stdio: 'pipe',
        encoding: 'utf8',
      });
    }
    execFileSync(program, ['--version'], { stdio: 'pipe' });
    return { program };
  } catch (error) {
    const reason = error instanceof Error ? error.message.trim().split('\n').slice(0, 3).join(' ') : '';
    return { missing: `${from}@${version} cannot be had here: ${reason}` };
  }
}
