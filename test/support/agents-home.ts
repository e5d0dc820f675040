import assert from 'node:assert/strict';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ran, type RunOptions, type Where, workbench } from './program.ts';

/**
 * A home with agents in it, a project in which the command line is used, and nothing of the machine's own agents.
 */
export function agentsHome(test: TestContext, agents: readonly string[] = [], where?: Where) {
  const bench = workbench(test, where, { isOfPerson: false });
  const home = join(bench.folder, '집');
  const project = join(home, 'project');
  const programs = join(bench.folder, 'bin');
  const data = join(home, '.local', 'share', 'precedent');
  for (const folder of [join(project, '.git'), programs]) mkdirSync(folder, { recursive: true });
  for (const agent of agents) {
    writeFileSync(join(programs, agent), '#!/bin/sh\n');
    chmodSync(join(programs, agent), 0o755);
  }
  const env = {
    HOME: home,
    PATH: programs,
    PRECEDENT_DB: undefined,
    PRECEDENT_WORKSPACE: undefined,
    XDG_DATA_HOME: undefined,
    XDG_CONFIG_HOME: undefined,
  };
  const run = (args: string[], options: RunOptions = {}): Promise<Ran> =>
    bench.run(args, { cwd: project, ...options, env: { ...env, ...options.env } });

  return {
    bench,
    home,
    project,
    data,
    /** What setup enters, whatever program it was run from. */
    entered: join(data, 'app', 'current', 'precedent.cjs'),
    env,
    run,
    /** Runs what must succeed. @returns its answer for programs */
    async json(args: string[], options?: RunOptions) {
      const { code, stdout, stderr } = await run([...args, '--json'], options);
      assert.equal(code, 0, stderr + stdout);
      return JSON.parse(stdout);
    },
    /** Writes a file in the home, and the folders above it. @returns its path */
    put(name: string, content: string | Uint8Array): string {
      const path = join(home, name);
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, content);
      return path;
    },
    read: (name: string) => readFileSync(join(home, name), 'utf8'),
    /** All that is in the home and not the program's own: files with their bytes and modes, links, folders. */
    snapshot: () => snapshotOf(home, ['.cache', '.local']),
    /** All that is in the home, what the program keeps for itself too. */
    everything: () => snapshotOf(home, ['.cache']),
  };
}

function snapshotOf(folder: string, without: string[]): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !without.includes(name));
  return Object.assign(
    {},
    ...entries.map((entry) => {
      const path = join(folder, entry.name);
      if (entry.isSymbolicLink()) return { [path]: `link to ${readlinkSync(path)}` };
      if (entry.isDirectory()) return { [path]: 'folder', ...snapshotOf(path, []) };
      return {
        [path]: `${(lstatSync(path).mode & 0o777).toString(8)} ${readFileSync(path).toString('base64')}`,
      };
    }),
  );
}
