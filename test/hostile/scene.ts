import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { workbench } from '../support/program.ts';

/** One thing that a stranger tries, and the faces of Precedent that can meet it. */
export interface Attack {
  /** What it tries, and in brackets the promise that it would break. */
  tries: string;
  /** Whether it is tried beside others on one machine, whose home and projects no attack changes. */
  isAmongOthers?: boolean;
  /** What a command may take, where more has to be done than to refuse something. */
  spends?: typeof AT_MOST;
  /** Why it cannot be tried here; undefined where it can. */
  skip?: string | undefined;
  /**
   * Each face by name: `npm test` tries one, in turn, `npm run test:deep` all. A face asserts what is particular to it;
   * that nothing ran, nothing outside changed and little was spent is asserted of every one.
   */
  faces: Record<string, (scene: Scene) => Promise<void> | void>;
}

/** Programs that git, a shell or this project might start because a folder says so. */
const TEMPTING = ['ssh', 'less', 'more', 'vi', 'nano', 'notepad', 'npx', 'gpg', 'git-remote-evil', 'evil'];

/** Processor seconds and bytes of memory that a command may take to refuse something, where `list` takes {@link LIST}. */
const AT_MOST = { cpu: 1, rss: 200 * 1024 * 1024 };
/** Processor seconds of `list` in an empty home, on a machine that does nothing else. */
const LIST = 0.4;

export type Scene = ReturnType<typeof newScene>;

type Cleaner = { after: (clean: () => Promise<void>) => void };

/** The machine of somebody, with a home and projects, on which many attacks are tried one after the other. */
export function newMachine(): { neighbours: string; home: string } {
  const neighbours = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-hostile-machine-')));
  const home = join(neighbours, 'home');
  mkdirSync(home);
  return { neighbours, home };
}

/**
 * A folder for one attack on one face: a place for what the stranger made, beside the other projects of a machine, and files
 * that are none of its business.
 */
export function newScene(test: Cleaner, machine?: ReturnType<typeof newMachine>) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-hostile-')));
  const bench = workbench(test, 'in a process', { isOfPerson: false });
  const calls = workbench(test, 'here', { isOfPerson: false });
  test.after(async () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));
  const neighbours = machine?.neighbours ?? folder;
  const [home, outside, bin] = [
    machine?.home ?? join(folder, 'home'),
    join(folder, 'outside'),
    join(folder, 'bin'),
  ];
  const stranger = machine ? mkdtempSync(join(neighbours, 'stranger-')) : join(folder, 'stranger');
  for (const each of [home, stranger, outside, bin]) mkdirSync(each, { recursive: true });
  const mark = join(folder, 'TRIPPED');
  const tripwire = join(bin, 'tripwire');
  writeFileSync(tripwire, `#!/bin/sh\necho "$0 $*" >> '${mark}'\nexit 1\n`);
  chmodSync(tripwire, 0o755);
  for (const name of TEMPTING) symlinkSync(tripwire, join(bin, name));
  writeFileSync(join(outside, 'precious.txt'), 'nobody else may read or change this\n');
  const spent = join(folder, 'spent');
  /** What `spent.js` wrote down. */
  const notes = () =>
    (existsSync(spent) ? readFileSync(spent, 'utf8') : '')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  /** By how much this machine is slower now: beside others a core does less in its second. */
  const slowness = async () => {
    const cwd = join(folder, 'ordinary');
    mkdirSync(cwd, { recursive: true });
    await bench.run(['list'], { cwd, env: { ...environment, HOME: cwd } });
    return Math.max(1, notes().at(-1).cpu / LIST);
  };
  const environment = {
    HOME: home,
    PATH: `${bin}${delimiter}${process.env.PATH ?? ''}`,
    PRECEDENT_DB: undefined,
    PRECEDENT_WORKSPACE: undefined,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'spent.js')}`,
    PRECEDENT_TEST_SPENT: spent,
  };
  return {
    folder,
    home,
    /** Where the projects of the machine are, the stranger's folder among them. */
    neighbours,
    /** Where the stranger's files go. */
    stranger,
    /** What no attack may read or change: `precious.txt` is in it; a test may put more there before it acts. */
    outside,
    /** A program that leaves a mark when it is started, for settings that name one. */
    tripwire,
    environment,
    /** Does something after the test. */
    cleanUp: (work: () => Promise<void> | void) => test.after(async () => work()),
    /** Writes a file of the stranger's, with the folders above it. @param path from `stranger` */
    put(path: string, text: string | Uint8Array): string {
      const file = join(stranger, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text);
      return file;
    },
    /** Runs the command line as a person with this home would, in the stranger's folder. */
    run: (
      args: string[],
      {
        cwd = stranger,
        stdin,
        env = {},
      }: { cwd?: string; stdin?: string; env?: Record<string, string | undefined> } = {},
    ) => bench.run(args, { cwd, env: { ...environment, ...env }, ...(stdin !== undefined && { stdin }) }),
    /** The same as a call, for what starts nothing, and for what a person does before the attack. */
    call: (args: string[]) =>
      calls.run(args, { cwd: stranger, env: { ...environment, NODE_OPTIONS: undefined } }),
    /** A server for an agent that works in a folder. */
    connect: (cwd = stranger, client: { name?: string; version?: string } = {}) =>
      bench.connect({ cwd, env: environment, ...client }),
    /** How the processes of the program called others. */
    calls: (): string[][] => notes().flatMap(({ asked }) => (asked ? [asked] : [])),
    /** What is outside now, to be compared afterwards. */
    look: () => filesIn(outside),
    /** That nothing of the stranger's ran, nothing outside changed, and no process took more than it may. One that waits for git does not end. */
    async assertHarmless(before: Record<string, string>, most = AT_MOST): Promise<void> {
      assert.equal(
        existsSync(mark) ? readFileSync(mark, 'utf8') : '',
        '',
        'something of the stranger was started',
      );
      assert.deepEqual(filesIn(outside), before, 'files outside changed');
      for (const { args, cpu = 0, rss = 0, away } of notes()) {
        assert.equal(away, undefined, `${args} looked at another machine`);
        assert(cpu < most.cpu || cpu < most.cpu * (await slowness()), `${args}: ${cpu} s of the processor`);
        assert(rss < most.rss, `${args}: ${rss} bytes`);
      }
    },
  };
}

/** Every file below a folder, with its text; links are not followed. */
function filesIn(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [path, entry.isFile() ? readFileSync(path, 'utf8') : 'no file'];
    }),
  );
}
