import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generator } from '../test/support/random.ts';
import { conditionsIn } from './conditions.ts';
import { readTotals } from './test-totals.ts';

/**
 * Takes one condition out of the store's SQL at a time, and asks the nearest tests whether anybody sees it (B-8):
 *
 *   npm run test:mutants [-- [--sample N] [--seed S] [files of src/store]]
 *
 * A mutant is caught when a test fails. One that hangs its tests is not, nor one that breaks a test file as a whole. They
 * run in a copy of the sources, on SQLite; the folders of the engines are left out.
 */
const { values, positionals } = parseArgs({
  options: { sample: { type: 'string' }, seed: { type: 'string', default: '1' } },
  allowPositionals: true,
});

/** Seconds that the tests of one mutant may take. */
const LIMIT = 300;
const LEFT_OUT = /\/(sqlite|postgres|migrations)\/|\.test\.ts$/;

/** The groups of the contract on SQLite, by their titles, and the test files that ask a folder of the store most. */
const NEAREST: Record<string, { groups: string[]; files?: string[] }> = {
  '': {
    files: ['test/meaning.test.ts'],
    groups: ['chains', 'search', 'undo', 'observations', 'writers', 'conversations', 'changes'],
  },
  decisions: {
    groups: [
      'chains',
      'reasoning graph',
      'outcomes',
      'evidence and anchors',
      'axes and locks',
      'references',
      'names of',
      'setting right',
      'recall',
      'redaction of',
    ],
  },
  observations: { groups: ['observations', 'relations', 'context', 'conversations', 'search over', 'undo'] },
  memos: { groups: ['memos', 'keywords', 'conversations', 'recall'] },
  search: {
    groups: ['search', 'what of a', 'what a save', 'ranking', 'recall', 'retrieval', 'limits'],
    files: ['test/meaning.test.ts'],
  },
  lists: { groups: ['lists', 'the log', 'pages', 'show', 'graphs', 'what nothing', 'names of', 'how much'] },
  undo: { groups: ['undo', 'mistakes', 'as it stood'], files: ['test/undo-properties.test.ts'] },
  past: { groups: ['as it stood', 'show'], files: ['test/as-of.test.ts'] },
  export: { groups: ['export and'], files: ['test/export-madr.test.ts', 'test/export-past.test.ts'] },
  merge: { groups: ['export and'], files: globSync('test/{merge,import-}*.test.ts').sort() },
  maintenance: { groups: ['redaction', 'undo'], files: ['test/texts.test.ts', 'test/stale-index.test.ts'] },
  invariants: { groups: ['forged', 'a database that'], files: ['test/sqlite-tampered.test.ts'] },
};

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

/** What the tests of a mutant say: a name of one that failed, or why none did. */
function judge({ file, source }: Mutant, copy: string): 'caught' | 'lives' | 'hangs' | 'breaks' {
  const original = readFileSync(join(copy, file), 'utf8');
  writeFileSync(join(copy, file), source);
  try {
    const [, folder = ''] = /^src\/store\/(?:(.*)\/)?[^/]+$/.exec(file) ?? [];
    const { groups, files = [] } = NEAREST[folder] ?? { groups: [] };
    const contract = [
      `--test-name-pattern=contract on SQLite (${groups.join('|')})`,
      'test/contract.test.ts',
    ];
    const runs = [...(groups.length > 0 ? [contract] : []), ...files.map((each) => [each])];
    for (const run of runs) {
      const said = runTests(copy, run);
      if (said !== 'lives') return said;
    }
    return 'lives';
  } finally {
    writeFileSync(join(copy, file), original);
  }
}

function runTests(copy: string, args: string[]): ReturnType<typeof judge> {
  const file = join(copy, 'totals.json');
  rmSync(file, { force: true });
  const reporter = join(import.meta.dirname, 'test-totals.ts');
  const { signal } = spawnSync(
    process.execPath,
    [
      '--test',
      '--disable-warning=ExperimentalWarning',
      `--test-reporter=${reporter}`,
      `--test-reporter-destination=${file}`,
      ...args,
    ],
    {
      cwd: copy,
      stdio: 'ignore',
      timeout: LIMIT * 1_000,
      env: { ...process.env, PRECEDENT_TEST_POSTGRES: '', NODE_COMPILE_CACHE: join(copy, 'compiled') },
    },
  );
  if (signal) return 'hangs';
  const totals = readTotals(file);
  if (!totals) return 'breaks';
  // A file that could not be loaded fails under its own name.
  const failed = totals.failed.filter((name) => !name.endsWith('.test.ts'));
  if (failed.length > 0) return 'caught';
  return totals.failed.length > 0 ? 'breaks' : 'lives';
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
  process.stdout.write(`${chosen.length} of ${all.length} conditions, seed ${values.seed}\n`);
  const judged = chosen.map((mutant) => {
    const fate = judge(mutant, copy);
    process.stdout.write(`${fate.padEnd(7)} ${mutant.file}:${mutant.line}  ${mutant.condition}\n`);
    return fate;
  });
  const counted = judged.filter((fate) => fate !== 'breaks');
  const caught = counted.filter((fate) => fate === 'caught');
  process.stdout.write(`caught ${caught.length} of ${counted.length}\n`);
} finally {
  rmSync(copy, { recursive: true, force: true });
}
