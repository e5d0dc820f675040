import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { devNull } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Ran, type Where, workbench } from './program.ts';

const GIT = { GIT_CONFIG_GLOBAL: devNull, GIT_CONFIG_NOSYSTEM: '1' };
const ME = ['-c', 'user.name=tester', '-c', 'user.email=tester@localhost'];

/** Runs git with nothing of whoever runs the tests. */
export function git(cwd: string, ...args: string[]): string {
  return gitWith({}, cwd, ...args);
}

/** {@link git} with more variables of the environment. */
export function gitWith(more: Record<string, string>, cwd: string, ...args: string[]): string {
  const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('GIT_'));
  const env = { ...Object.fromEntries(environment), ...GIT, ...more };
  return execFileSync('git', [...ME, ...args], { cwd, env, stdio: 'pipe', encoding: 'utf8' }).trim();
}

export function commit(folder: string, message: string): void {
  git(folder, 'commit', '--quiet', '--allow-empty', '--message', message);
}

export type Machine = ReturnType<typeof machine>;
/** Variables of the environment, over those of the machine. */
type More = Record<string, string | undefined>;

/**
 * A machine with a home of its own, on which the command line is used in some folder.
 * @param db the server that its memories are on; in the data folder without one
 * @param team a part of every name, so that names on a server are of this test alone; machines of one team share them
 */
export function machine(
  test: TestContext,
  db: string | undefined,
  team = randomBytes(6).toString('hex'),
  where?: Where,
) {
  const bench = workbench(test, where);
  const env = { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: undefined, XDG_DATA_HOME: undefined, ...GIT };
  const run = (cwd: string, args: string[], more: More = {}) =>
    bench.run(args, { cwd, env: { ...env, ...more } });
  const json = async (cwd: string, args: string[], more?: More) => {
    const { code, stdout, stderr } = await run(cwd, [...args, '--json'], more);
    assert.equal(code, 0, stderr);
    return { ...JSON.parse(stdout), stderr };
  };
  /** A folder, whose name is of this test alone. */
  const folder = (name: string) => {
    const path = join(bench.folder, `${name}-${team}`);
    mkdirSync(path, { recursive: true });
    return path;
  };
  return {
    team,
    data: join(bench.folder, '.local', 'share', 'precedent'),
    run,
    json,
    connect: (cwd: string) => bench.connect({ cwd, env }),
    folder,
    /** A new repository with a commit of its own, if that has a message. */
    repository(name: string, message?: string): string {
      const path = folder(name);
      git(path, 'init', '--quiet');
      if (message !== undefined) commit(path, message);
      return path;
    },
    /** A clone of a repository, with another URL as that of its remote. */
    clone(from: string, name: string, url: string, ...options: string[]): string {
      const path = join(bench.folder, `${name}-${team}`);
      git(from, 'clone', '--quiet', ...options, `file://${from}`, path);
      git(path, 'remote', 'set-url', 'origin', url);
      return path;
    },
    /** The URL of a remote, and the name that it gives. */
    url: (name: string) => `git@github.com:acme-${team}/${name}.git`,
    nameOf: (name: string) => `github.com~acme-${team}~${name}`,
    /** Saves in a folder. @returns what was said on standard error, but that a memory was made */
    async save(cwd: string, text: string, more?: More): Promise<string> {
      const { stderr } = await json(cwd, ['tool', 'mem_save', text, text], more);
      return stderr.replace(/^precedent: New workspace ".*\n/, '');
    },
    /** What is known in a folder, by title, oldest first. */
    async known(cwd: string, more?: More): Promise<string[]> {
      const { results } = await json(cwd, ['tool', 'mem_search', 'saved'], more);
      return (results as { id: number; title: string }[])
        .sort((a, b) => a.id - b.id)
        .map(({ title }) => title);
    },
    async workspace(cwd: string, more?: More): Promise<string> {
      return (await json(cwd, ['doctor'], more)).workspace;
    },
    /** What `doctor` says of the repository. */
    async note(cwd: string): Promise<string | undefined> {
      return (await json(cwd, ['doctor'])).note;
    },
    registry: () =>
      JSON.parse(
        readFileSync(join(bench.folder, '.local', 'share', 'precedent', 'repositories.json'), 'utf8'),
      ),
  };
}

/** Asserts that a command refused. @returns what it said */
export function refused({ code, stderr }: Ran, expected: number): string {
  assert.equal(code, expected, stderr);
  return stderr;
}
