import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { fillWithCommonWords } from './common-words.ts';
import { machine, print } from './measure.ts';
import { nearest, wordsOf } from './words.ts';

/** What a command costs above a Node that does nothing (U-9): medians of processor time, 10,000 records on SQLite. */
const ROUNDS = 15;
const RECORDS = 10_000;
/** In which share of the records each word of an ordinary question stands; of the other memory's words, in nearly all. */
const USUAL = 0.01;
/** The processor time of a whole process is known to the process alone. */
const REPORT = `--import=data:text/javascript,${encodeURIComponent(
  "process.on('exit',()=>{const{user,system}=process.cpuUsage();process.stderr.write('cpu '+(user+system)+'\\n')})",
)}`;

const folder = mkdtempSync(join(tmpdir(), 'precedent-cli-'));
const db = join(folder, 'why.db');
const usual = join(folder, 'usual.db');
try {
  machine();
  await fillWithCommonWords(db);
  const words = await fillWithUsualWords();
  const command = (...args: string[]) => ['dist/precedent.cjs', ...args];
  const cases: [name: string, bar: number | undefined, args: string[]][] = [
    ['node -e 0', undefined, ['-e', '0']],
    ['--version', undefined, command('--version')],
    ['--help', undefined, command('--help')],
    ['decide --help', undefined, command('decide', '--help')],
    ['complete', undefined, command('complete', '--', 'why', 'cache:')],
    ['why', undefined, command('why', 'cache:0')],
    ['list', undefined, command('list')],
    ['tool mama_search', undefined, command('tool', 'mama_search', 'webhook seat')],
    ['search', 100, command('search', 'webhook seat')],
    ['recall', undefined, command('recall', 'webhook seat', '--scope', 'cache')],
    ['tool mama_search, words of 1 %', undefined, command('tool', 'mama_search', words, '--db', usual)],
    ['search, words of 1 %', 100, command('search', words, '--db', usual)],
    ['recall, words of 1 %', undefined, command('recall', words, '--db', usual)],
  ];
  const times = new Map(cases.map(([name]) => [name, [] as number[]]));
  // In turns, so that all meet the same state of the machine.
  // The first turn compiles.
  for (let round = -1; round < ROUNDS; round++)
    for (const [name, , args] of cases) {
      const time = cpuOf(args);
      if (round >= 0) times.get(name)?.push(time);
    }
  const median = (name: string) => times.get(name)?.toSorted((a, b) => a - b)[ROUNDS >> 1] ?? 0;
  print('\n| command | processor time | above bare Node | bar |\n|---|---|---|---|');
  for (const [name, bar] of cases) {
    const above = median(name) - median('node -e 0');
    const verdict = bar === undefined ? '–' : `≤ ${bar} ${above <= bar ? '✔' : '✘'}`;
    print(`| ${name} | ${median(name).toFixed(0)} ms | ${above.toFixed(0)} ms | ${verdict} |`);
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Fills another memory, whose words are as frequent as words are. @returns three of them to ask for */
async function fillWithUsualWords(): Promise<string> {
  await (await openMemory({ db: usual })).close();
  const raw = new DatabaseSync(usual);
  fillSearch(raw, RECORDS);
  const words = nearest(wordsOf(raw), RECORDS, USUAL, 3);
  raw.close();
  return words.join(' ');
}

/** Milliseconds of processor time. */
function cpuOf(args: string[]): number {
  const { stderr } = spawnSync(process.execPath, [REPORT, ...args], {
    env: { ...process.env, XDG_CACHE_HOME: folder, PRECEDENT_DB: db },
    encoding: 'utf8',
  });
  return Number(stderr.match(/cpu (\d+)/)?.[1]) / 1000;
}
