import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openMemory } from '../src/index.ts';
import { generator } from '../test/support/random.ts';
import { conditionsIn } from './conditions.ts';

/**
 * Takes one condition out of the store's SQL at a time, and asks the nearest tests whether anybody sees it (B-8):
 *
 *   npm run test:mutants [-- [--sample N] [--seed S] [files of src/store]]
 *
 * A mutant is caught when a test fails, and not when it hangs its tests. They run in a copy of the sources, on SQLite; the
 * folders of the engines are left out.
 */
const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

/** Seconds after which the tests of a mutant are taken to hang: none takes a tenth of it, however busy the machine is. */
const LIMIT = 900;
const LEFT_OUT = /\/(sqlite|postgres|migrations)\/|\.test\.ts$/;

/** Groups of the contract on SQLite, by how their titles begin, and test files. */
interface Nearest {
  groups?: string[];
  files?: string[];
}

/** What asks a file of the store most: that is tried first, then what asks its folder most. */
const OF_FILE: Record<string, Nearest> = {
  names: { groups: ['names of', 'setting right', 'export and'] },
  prefix: { groups: ['references', 'show'] },
  record: { groups: ['mistakes', 'undo'] },
  reviewed: { groups: ['review'] },
  writer: { groups: ['writers', 'asked by'] },
  'decisions/anchor': { groups: ['what hangs', 'evidence and', 'undo'], files: ['test/export-madr.test.ts'] },
  'decisions/annotation': { groups: ['what a save says', 'outcomes', 'entries'] },
  'decisions/checkpoint': { groups: ['checkpoints', 'asked by', 'briefing', 'history that'] },
  'decisions/decision': { groups: ['what of a', 'what hangs', 'tiers', 'review', 'retrieval'] },
  'decisions/edge': { groups: ['reasoning graph', 'mistakes', 'what hangs'] },
  'decisions/fork': { files: ['test/sync.test.ts'] },
  'decisions/naming': { groups: ['files of', 'briefing'] },
  'decisions/outcome': { groups: ['briefing', 'outcomes', 'history that'] },
  'decisions/overridden': { files: ['test/sync.test.ts'] },
  'decisions/overriding': { groups: ['what a save says', 'axes'] },
  'decisions/settle': { files: ['test/sync.test.ts'] },
  'decisions/topic': { groups: ['names of', 'setting right', 'lists of'] },
  'kinds/checkpoint': { groups: ['asked by', 'history that'] },
  'kinds/condition': { groups: ['outcomes', 'lists', 'what nothing'] },
  'lists/names': { groups: ['undo', 'lists of', 'setting right'] },
  'lists/agent-saves': { groups: ['review'] },
  'lists/graph': { groups: ['graphs', 'keywords'] },
  'lists/sessions': { groups: ['undo of'] },
  'lists/timeline': { groups: ['the log', 'how much'] },
  'observations/relation': { groups: ['relations', 'context'] },
  'search/chains': { groups: ['pages', 'lists', 'search'] },
  'search/everything': { groups: ['recall', 'search over', 'pages', 'entries'] },
  'search/observations': { groups: ['observations', 'search over', 'pages'] },
  'search/successors': { groups: ['observations that'] },
};

const OF_FOLDER: Record<string, Nearest> = {
  '': {
    groups: ['chains', 'search', 'undo', 'observations', 'writers', 'conversations', 'changes'],
    files: ['test/meaning.test.ts'],
  },
  decisions: {
    groups: [
      'chains',
      'reasoning graph',
      'outcomes',
      'evidence and',
      'axes and locks',
      'references',
      'names of',
      'setting right',
      'recall',
      'redaction of',
    ],
  },
  observations: {
    groups: ['observations', 'relations', 'context', 'conversations', 'search over', 'undo', 'history that'],
  },
  memos: { groups: ['memos', 'keywords', 'conversations', 'recall'] },
  kinds: { groups: ['lists', 'the log', 'show', 'review', 'mistakes', 'search over', 'undo of'] },
  search: {
    groups: ['search', 'what of a', 'what a save', 'ranking', 'recall', 'retrieval', 'limits'],
    files: ['test/meaning.test.ts'],
  },
  lists: { groups: ['lists', 'the log', 'pages', 'show', 'graphs', 'what nothing', 'names of', 'how much'] },
  undo: { groups: ['undo', 'mistakes', 'as it stood'], files: ['test/undo-properties.test.ts'] },
  past: {
    groups: ['as it stood', 'history that', 'show'],
    files: ['test/as-of.test.ts', 'test/cli-as-of.test.ts'],
  },
  export: { groups: ['export and'], files: ['test/export-madr.test.ts', 'test/export-past.test.ts'] },
  merge: { groups: ['export and'], files: globSync('test/{merge,import-}*.test.ts').sort() },
  maintenance: { groups: ['redaction', 'undo'], files: ['test/texts.test.ts', 'test/stale-index.test.ts'] },
  invariants: { groups: ['forged', 'a database that'], files: ['test/sqlite-tampered.test.ts'] },
};

type Fate = 'caught' | 'lives' | 'hangs';

interface Mutant {
  file: string;
  line: number;
  condition: string;
  source: string;
}

function mutantsOf(file: string): Mutant[] {
  const source = readFileSync(file, 'utf8');
  return conditionsIn(source).map(({ from, to, instead }) => ({
    file,
    line: source.slice(0, from).split('\n').length,
    condition: source.slice(from, to).replaceAll(/\s+/g, ' '),
    source: source.slice(0, from) + instead + source.slice(to),
  }));
}

/** What the tests of a mutant say: whether one failed, or why none did. */
function judge({ file, source }: Mutant, copy: string): Fate {
  const original = readFileSync(join(copy, file), 'utf8');
  writeFileSync(join(copy, file), source);
  try {
    const [, path = '', folder = ''] = /^src\/store\/((?:(.*)\/)?[^/]+)\.ts$/.exec(file) ?? [];
    const [own, others] = [runsOf(OF_FILE[path] ?? {}), runsOf(OF_FOLDER[folder] ?? {})];
    for (const run of [...own, ...others]) {
      const fate = runTests(copy, run);
      if (fate !== 'lives') return fate;
    }
    return 'lives';
  } finally {
    writeFileSync(join(copy, file), original);
  }
}

/** The arguments of each run of the tests. */
const runsOf = ({ groups, files = [] }: Nearest): string[][] => [
  ...(groups
    ? [[`--test-name-pattern=contract on SQLite (${groups.join('|')})`, 'test/contract.test.ts']]
    : []),
  ...files.map((each) => [each]),
];

function runTests(copy: string, args: string[]): Fate {
  const { status, signal } = spawnSync(
    process.execPath,
    [
      '--test',
      '--experimental-test-isolation=none',
      '--disable-warning=ExperimentalWarning',
      `--import=${join(copy, 'scripts/test-context.js')}`,
      ...args,
    ],
    {
      cwd: copy,
      stdio: 'ignore',
      timeout: LIMIT * 1_000,
      killSignal: 'SIGKILL',
      env: {
        ...process.env,
        PRECEDENT_TEST_POSTGRES: '',
        PRECEDENT_TEST_TEMPLATE: join(copy, 'empty.db'),
        NODE_COMPILE_CACHE: join(copy, 'compiled'),
      },
    },
  );
  if (signal) return 'hangs';
  return status === 0 ? 'lives' : 'caught';
}

function sampleOf(all: Mutant[], size: number, seed: number): Mutant[] {
  const random = generator(seed);
  return all
    .map((mutant) => ({ mutant, at: random() }))
    .sort((a, b) => a.at - b.at)
    .slice(0, size)
    .map(({ mutant }) => mutant);
}

const named = positionals.length > 0 ? positionals : globSync('src/store/**/*.ts').sort();
const all = named.filter((file) => !LEFT_OUT.test(file)).flatMap(mutantsOf);
const chosen = values.sample === undefined ? all : sampleOf(all, Number(values.sample), Number(values.seed));
const copy = mkdtempSync(join(tmpdir(), 'precedent-mutants-'));
try {
  for (const each of ['src', 'test', 'scripts', 'package.json', 'tsconfig.json', 'docs', 'bench'])
    cpSync(each, join(copy, each), { recursive: true });
  symlinkSync(join(process.cwd(), 'node_modules'), join(copy, 'node_modules'));
  await (await openMemory({ db: join(copy, 'empty.db') })).close();
  process.stdout.write(`${chosen.length} of ${all.length} conditions, seed ${values.seed}\n`);
  const judged = chosen.map((mutant) => {
    const fate = judge(mutant, copy);
    process.stdout.write(`${fate.padEnd(7)} ${mutant.file}:${mutant.line}  ${mutant.condition}\n`);
    return fate;
  });
  const caught = judged.filter((fate) => fate === 'caught');
  process.stdout.write(`caught ${caught.length} of ${judged.length}\n`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
