import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { text } from 'node:stream/consumers';
import { commit, git } from '../support/machine.ts';
import { ROOT, workbench } from '../support/program.ts';
import type { Agent } from './agent.ts';
import type { fakeModel } from './fake-model.ts';

export type Rig = Awaited<ReturnType<typeof rigOf>>;
type Model = Awaited<ReturnType<typeof fakeModel>>;

/**
 * A machine of one account with an agent, a project and an installation of Precedent, and nothing of whoever runs this.
 * @param program of the agent; it is on the path
 */
export async function rigOf(
  test: { after: (clean: () => Promise<void>) => void },
  agent: Agent,
  program: string,
  model: Model,
) {
  const bench = workbench(test);
  const home = join(bench.folder, 'home');
  const project = join(home, 'project');
  const installed = join(bench.folder, 'installed');
  const launcher = join(installed, 'dist/precedent.cjs');
  /** What setup makes agents start. */
  const copy = join(home, '.local', 'share', 'precedent', 'app');
  mkdirSync(project, { recursive: true });
  for (const part of ['dist', 'skills', 'package.json'])
    cpSync(join(ROOT, part), join(installed, part), { recursive: true });
  // On a busy machine a hook would give up. The agents, some of which are programs of Node, keep their own deadlines.
  const hook = join(installed, 'dist/hook.cjs');
  const patient = join(ROOT, 'test/support/patient.cjs');
  const hurry = join(bench.folder, 'hurry');
  const [asked, given] = [hurry, patient].map((path) => JSON.stringify(path));
  const first = `if (!require('node:fs').existsSync(${asked})) require(${given});`;
  writeFileSync(hook, `${first}\n${readFileSync(hook, 'utf8')}`);
  const spent = join(bench.folder, 'spent');
  mkdirSync(spent);
  const [noting, into] = [join(import.meta.dirname, 'spent.cjs'), spent].map((path) => JSON.stringify(path));
  writeFileSync(launcher, readFileSync(launcher, 'utf8').replace('\n', `\nrequire(${noting})(${into});\n`));
  git(project, 'init', '--quiet');
  commit(project, 'Begin');
  for (const [name, content] of Object.entries(agent.settings(model.url))) put(name, content);
  const environment = {
    HOME: home,
    PATH: [dirname(program), dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    TERM: 'dumb',
    ...agent.environment(model.url),
  };

  function put(name: string, content: string): void {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), content);
  }

  /** Starts the agent with nobody to ask, in the project, and waits for its end. */
  async function run(words: string[]): Promise<{ code: number | null; stdout: string; stderr: string }> {
    const child = spawn(program, words, {
      cwd: project,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 300_000,
      killSignal: 'SIGKILL',
    });
    const [[code], stdout, stderr] = await Promise.all([
      once(child, 'exit'),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, stdout, stderr };
  }

  /** Runs the installed Precedent in the project. @returns its answer for programs */
  async function precedent(...args: string[]) {
    const ran = await bench.run([...args, '--json'], {
      cwd: project,
      program: launcher,
      env: { ...environment, PRECEDENT_DB: undefined, PRECEDENT_WORKSPACE: undefined },
    });
    assert.equal(ran.code, 0, ran.stderr + ran.stdout);
    return JSON.parse(ran.stdout);
  }

  return {
    home,
    project,
    installed,
    copy,
    program,
    environment,
    model,
    run,
    precedent,
    /** Gives hooks their deadline. @returns takes it away again */
    hurry(): () => void {
      writeFileSync(hurry, '');
      return () => rmSync(hurry);
    },
    /** What hooks could not do, as they noted it. */
    failures(): string {
      const log = join(home, '.local', 'share', 'precedent', 'hooks.log');
      return existsSync(log) ? readFileSync(log, 'utf8') : '';
    },
    /** The files that a setup writes, by their path below the home. */
    async filesOf(...setup: string[]): Promise<string[]> {
      const { agents } = await precedent(...setup);
      return agents.flatMap(({ files }: { files: { file: string }[] }) =>
        files.map(({ file }) => relative(home, file)),
      );
    },
    /** What stands in files of the home; undefined for one that is not there. */
    bytesOf: (files: string[]): Record<string, string | undefined> =>
      Object.fromEntries(
        files.map((file) => {
          const path = join(home, file);
          return [file, existsSync(path) ? readFileSync(path, 'latin1') : undefined];
        }),
      ),
    /** The processes of Precedent that ended or ran since this was asked last, each with its milliseconds of the processor. */
    spent(): string {
      const processes = readdirSync(spent).sort();
      const each = processes.map((name) => {
        const time = Math.round(Number(readFileSync(join(spent, name), 'utf8')));
        rmSync(join(spent, name));
        return `${name.replace(/-.*/, '')} ${time}`;
      });
      return each.join(', ');
    },
    /** Every folder of the home, and every file with its bytes; not what is compiled. */
    everything(): Record<string, string> {
      const names = readdirSync(home, { recursive: true, encoding: 'utf8' });
      const kept = names.filter((name) => !name.startsWith('.cache'));
      const bytesOf = (path: string) => (statSync(path).isFile() ? readFileSync(path, 'latin1') : 'a folder');
      return Object.fromEntries(kept.map((name) => [name, bytesOf(join(home, name))]));
    },
    /** Kills the servers that the agent started. */
    killServers(): void {
      const processes = execFileSync('ps', ['-axo', 'pid=,args='], { encoding: 'utf8' }).split('\n');
      const servers = processes.filter((line) => line.includes(copy) && / mcp$/.test(line));
      assert(servers.length > 0, 'no server runs');
      for (const line of servers) process.kill(Number.parseInt(line, 10), 'SIGKILL');
    },
    /** Takes the program away that agents start. @returns puts it back */
    uninstall(): () => void {
      renameSync(copy, `${copy}.gone`);
      return () => renameSync(`${copy}.gone`, copy);
    },
  };
}
