import { spawnSync } from 'node:child_process';
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { openMemory } from '../src/index.ts';
import { readTotals, type Totals } from './test-totals.ts';

/**
 * Builds, since the faces are tested as they ship, then runs the tests with the Node that runs this script: those of `src`
 * in one process, the others several files to a process (a file that is named has one of its own), several processes at a
 * time. All of them run to the end, whatever fails. The last lines say what passed and failed, and what it took of the
 * processor.
 *
 *   npm test [-- [--deep] [options of Node's test runner] [test files]]
 *
 * Of cases that repeat each other a part is tried, another with each commit (test/support/part.ts): --deep tries all, and
 * PRECEDENT_TEST_SEED, which the last lines name, the same part again.
 */
const given = process.argv.slice(2).filter((argument) => argument !== '--deep');
const named = given.filter((argument) => !argument.startsWith('-'));
const options = given.filter((argument) => argument.startsWith('-'));
const files = named.length > 0 ? named : globSync(['src/**/*.test.ts', 'test/**/*.test.ts']).sort();
const noTest = named.find((file) => !file.endsWith('.test.ts'));
if (noTest !== undefined) {
  // Such a file ends green, since it registers no test by itself.
  process.stderr.write(
    `Expected files that end in .test.ts, found ${noTest}. The files of test/contract/ and test/spec/ are run by the test of that name, one test by its name: npm test -- test/contract.test.ts --test-name-pattern='recall'\n`,
  );
  process.exit(2);
}
const isUnit = (file: string) => /^(\.\/)?src\//.test(file);

/** Milliseconds after which a test is taken to hang: no test takes a tenth of it, however busy the machine is. */
const LIMIT = 900_000;
/** One more than there are processors: a test often waits for a disk, a server or a program that it started. */
const FILES_AT_ONCE = availableParallelism() + 1;

/** Files that share a process: to load what they all import takes each about a second of the processor. */
const SHARING = 30;
/** Those that share none: they change it (its timers, its environment, what it sends), or take as long as thirty others. */
const ALONE =
  /\/(as-of|config|contract|full-disk|hook.*|hostile|look|opencode-plugin|patience|postgres-(many|prepared|rows)|questions|setup-at-once|spec|sync-git|waiting)\.test\.ts$/;
/** Those that share one with their like: those of the page share one Chromium, too. */
const ALIKE = [/\/page\//, /\/http\//];

/** How the runner knows which test some code belongs to, at less than it takes by itself. */
const CONTEXT = pathToFileURL(join(import.meta.dirname, 'test-context.js')).href;

const tell = (line: string) => process.stdout.write(`${line}\n`);
if (process.argv.includes('--deep')) process.env.PRECEDENT_TEST_DEEP = '1';
process.env.PRECEDENT_TEST_SEED ||= seedOfCommit();

const folder = mkdtempSync(join(tmpdir(), 'precedent-suite-'));
/** Compiled code of the programs that tests start (test/support/program.ts). */
const cache = join(folder, 'cache');
/** That of the tests themselves, whose types Node takes off once for all of them: a fifth of what a small file takes. */
const compiled = join(folder, 'compiled');
/** What tests copy where they need a new memory (test/support/engines.ts). */
const template = join(folder, 'empty.db');
mkdirSync(cache, { mode: 0o700 });
Object.assign(process.env, {
  PRECEDENT_TEST_CACHE: cache,
  PRECEDENT_TEST_TEMPLATE: template,
  NODE_COMPILE_CACHE: compiled,
});
const began = performance.now();
const server = postgresProcess();
const [spent, spentByServer] = [childrenSeconds('self'), processSeconds(server)];
try {
  process.exitCode = run(['scripts/build.ts']) || (await test());
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns the exit code: 0 when everything passed */
async function test(): Promise<number> {
  await (await openMemory({ db: template })).close();
  const groups: [name: string, how: string[], files: string[]][] = [
    // The name that Node 22 has for it, too.
    ['units, in one process', ['--experimental-test-isolation=none'], files.filter(isUnit)],
    [
      'files, in processes',
      [`--test-concurrency=${FILES_AT_ONCE}`],
      shared(files.filter((each) => !isUnit(each))),
    ],
  ];
  const results = groups
    .filter(([, , own]) => own.length > 0)
    .map(([name, how, own], at) => {
      const totals = join(folder, String(at));
      const reporters = options.some((option) => option.startsWith('--test-reporter'))
        ? []
        : ['spec', 'stdout', join(import.meta.dirname, 'test-totals.ts'), totals];
      const code = run([
        '--test',
        '--disable-warning=ExperimentalWarning',
        `--import=${CONTEXT}`,
        `--test-timeout=${LIMIT}`,
        ...how,
        ...reporters.map((value, place) =>
          place % 2 === 0 ? `--test-reporter=${value}` : `--test-reporter-destination=${value}`,
        ),
        ...options,
        ...own,
      ]);
      return { name, code, totals: readTotals(totals) };
    });
  const failed = results.flatMap(({ totals }) => totals?.failed ?? []);
  if (failed.length > 0) tell(`\nFailed:\n${failed.map((each) => `  ✖ ${each}`).join('\n')}`);
  tell('');
  for (const { name, code, totals } of results) tell(`${code === 0 ? '✔' : '✖'} ${name}: ${said(totals)}`);
  if (process.env.PRECEDENT_TEST_DEEP !== '1')
    tell(
      `a part of what repeats itself: PRECEDENT_TEST_SEED=${process.env.PRECEDENT_TEST_SEED}, or --deep for all`,
    );
  tell(cost());
  return results.some(({ code }) => code !== 0) ? 1 : 0;
}

/** @returns what is run as files: those that run alone, then files that only import those that share a process */
function shared(tests: string[]): string[] {
  if (named.length > 0) return tests;
  const alone = tests.filter((each) => ALONE.test(each));
  const alike = ALIKE.map((kind) => tests.filter((each) => kind.test(each)));
  const rest = tests.filter((each) => !alone.includes(each) && !alike.flat().includes(each));
  const chunks = Array.from({ length: Math.ceil(rest.length / SHARING) }, (_, at) =>
    rest.slice(at * SHARING, (at + 1) * SHARING),
  );
  const together = [...alike, ...chunks].map((own, at) => {
    const file = join(folder, `${at}.test.mjs`);
    writeFileSync(
      file,
      own.map((each) => `import ${JSON.stringify(pathToFileURL(resolve(each)))};\n`).join(''),
    );
    return file;
  });
  return [...alone, ...together];
}

/** The same for everybody who runs the same commit: what failed fails again. */
function seedOfCommit(): string {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' });
  return String(Number.parseInt(stdout || '0', 16) || 0);
}

function run(args: string[]): number {
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1;
}

function said(totals: Totals | undefined): string {
  if (!totals) return 'see its own summary above';
  const { tests, passed, failed, skipped } = totals;
  return `${tests} tests, ${passed} passed, ${failed.length} failed, ${skipped} skipped`;
}

/** What everything took since this script began, with the programs that tests have started and waited for. */
function cost(): string {
  const seconds = (value: number) => `${Math.round(value)} s`;
  const took = `in ${seconds((performance.now() - began) / 1_000)}`;
  const own = childrenSeconds('self');
  if (own === undefined || spent === undefined) return took;
  const ofServer = processSeconds(server);
  const beside =
    ofServer === undefined || spentByServer === undefined
      ? ''
      : `, ${seconds(ofServer - spentByServer)} more by PostgreSQL`;
  return `${seconds(own - spent)} of the processor${beside}, ${took}`;
}

/** The process of a PostgreSQL that `scripts/postgres.sh` started; undefined without one. */
function postgresProcess(): string | undefined {
  const [, root] = /^\S+ run (.+)$/.exec(process.env.PRECEDENT_TEST_POSTGRES_RUN ?? '') ?? [];
  const file = join(root ?? '', 'srv/postgres/data/postmaster.pid');
  return root !== undefined && existsSync(file) ? readFileSync(file, 'utf8').split('\n')[0] : undefined;
}

/** Seconds of the processor that the ended children of a process took, and theirs; undefined but on Linux. */
function childrenSeconds(pid: string): number | undefined {
  return timesOf(pid)?.children;
}

/** The same with the process itself. */
function processSeconds(pid: string | undefined): number | undefined {
  const times = pid === undefined ? undefined : timesOf(pid);
  return times && times.own + times.children;
}

function timesOf(pid: string): { own: number; children: number } | undefined {
  const file = `/proc/${pid}/stat`;
  if (!existsSync(file)) return undefined;
  // The name of the program, which may hold blanks, ends with the last bracket: see proc(5). A tick is 10 ms.
  const fields = readFileSync(file, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15).map(Number);
  return { own: (user + system) / 100, children: (childUser + childSystem) / 100 };
}
