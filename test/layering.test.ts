import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';
import { operations } from '../src/operations/index.ts';

/**
 * What each room may import, besides itself. `store` is what stands directly in that folder. The three families
 * (decisions, observations, memos) never import each other; search stands on them, maintenance on search.
 */
const FAMILIES = ['store/decisions', 'store/observations', 'store/memos'];
const STORE = ['store', ...FAMILIES, 'store/search', 'store/maintenance', 'store/migrations'];
const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  store: ['domain'],
  'store/migrations': ['domain', 'store'],
  'store/sqlite': ['domain', 'store', 'store/migrations'],
  'store/postgres': ['domain', 'store', 'store/migrations'],
  'store/decisions': ['domain', 'store'],
  'store/observations': ['domain', 'store'],
  'store/memos': ['domain', 'store'],
  'store/search': ['domain', 'store', ...FAMILIES],
  'store/maintenance': ['domain', 'store', ...FAMILIES, 'store/search', 'store/migrations'],
  interchange: ['domain', ...STORE],
  embedding: ['domain'],
  operations: ['domain', ...STORE],
  memory: ['domain', ...STORE, 'store/sqlite', 'store/postgres', 'interchange', 'embedding', 'operations'],
  index: ['domain', 'store', 'store/maintenance', 'embedding', 'memory'],
  mcp: ['domain', 'operations', 'memory'],
  cli: ['domain', 'operations', 'memory', 'mcp'],
};
/** Who alone may import an engine, or name one. */
const ENGINE_CHOICE = 'src/memory/engines.ts';
/** Libraries that compute and do nothing else; the domain may use these. */
const PURE_LIBRARIES = ['@orama/stemmers/english', '@orama/stopwords/english', 'stopword'];
const ENGINES = ['store/sqlite', 'store/postgres'];
const LONGEST_FILE = 250;
const MEDIAN_FILE = 90;
const FULLEST_FOLDER = 20;

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

/** The room of a file: its first folder in src/, in store/ its second too; at the root the file itself. */
function room(file: string): string {
  const [first = '', second, third] = relative('src', file).split(sep);
  if (second === undefined) return first.replace(/\.ts$/, '');
  return first === 'store' && third !== undefined ? `${first}/${second}` : first;
}

function targetsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
    .map((name) => join(dirname(file), name));
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1] ?? '');
}

describe('layering', () => {
  it('every room has a rule, and every rule a room', () => {
    const rooms = new Set(sources.map(room));
    assert.deepEqual([...rooms].sort(), Object.keys(MAY_IMPORT).sort());
  });

  it('each room imports only what it may', () => {
    const wrong = sources.flatMap((file) =>
      targetsOf(file)
        .filter((target) => room(target) !== room(file) && !MAY_IMPORT[room(file)]?.includes(room(target)))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
  });

  it('one file alone chooses an engine', () => {
    const wrong = sources.filter(
      (file) =>
        file !== ENGINE_CHOICE &&
        targetsOf(file).some((target) => room(target) !== room(file) && ENGINES.includes(room(target))),
    );
    assert.deepEqual(wrong, []);
  });

  it('no file imports itself by way of others', () => {
    const targets = new Map(sources.map((file) => [file, targetsOf(file)]));
    const reaches = (from: string, to: string, seen = new Set<string>()): boolean =>
      (targets.get(from) ?? []).some(
        (next) => next === to || (!seen.has(next) && reaches(next, to, seen.add(next))),
      );
    assert.deepEqual(
      sources.filter((file) => reaches(file, file)),
      [],
    );
  });

  it('the domain does no input or output', () => {
    const wrong = sources
      .filter((file) => room(file) === 'domain')
      .flatMap((file) => importsOf(file).map((name) => ({ file, name })))
      .filter(({ name }) => !name.startsWith('.') && !PURE_LIBRARIES.includes(name));
    assert.deepEqual(wrong, []);
  });

  it('only the command line reads the environment', () => {
    const wrong = sources.filter(
      (file) => room(file) !== 'cli' && /process\.(env|argv|cwd)|homedir\(/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });

  it('no engine is named outside its folder and the file that chooses it', () => {
    const wrong = sources.filter(
      (file) =>
        ![...ENGINES, 'memory', 'cli'].includes(room(file)) &&
        /sqlite|postgres/i.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    assert.deepEqual(wrong, []);
  });

  it('a noun has the same file name in domain and store', () => {
    const names = (pattern: string) => new Set(globSync(pattern).map((file) => basename(file)));
    const domain = names('src/domain/*.ts');
    const store = names('src/store/{decisions,observations,memos}/*.ts');
    const NOUNS = 'decision edge outcome evidence anchor checkpoint observation relation keyword memo'.split(
      ' ',
    );
    for (const noun of NOUNS) assert(domain.has(`${noun}.ts`) && store.has(`${noun}.ts`), noun);
  });

  it('an operation stands in a file of its name, and nothing else stands beside it', () => {
    const files = globSync('src/operations/{decisions,observations,memos}/*.ts')
      .concat(['src/operations/recall.ts', 'src/operations/search.ts'])
      .map((file) => basename(file, '.ts'));
    const names = operations.map(({ name }) => name.replaceAll('_', '-'));
    assert.deepEqual(files.sort(), names.sort());
  });

  it(`no source file is longer than ${LONGEST_FILE} lines`, () => {
    const long = sources
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    assert.deepEqual(long, []);
  });

  it(`half of the source files have at most ${MEDIAN_FILE} lines`, () => {
    const lengths = sources
      .map((file) => readFileSync(file, 'utf8').split('\n').length)
      .sort((a, b) => a - b);
    const median = lengths[Math.floor(lengths.length / 2)] ?? 0;
    assert(median <= MEDIAN_FILE, `${median} lines`);
  });

  it(`no folder holds more than ${FULLEST_FOLDER} source files`, () => {
    const folders = new Map<string, number>();
    for (const file of sources) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...folders].filter(([, files]) => files > FULLEST_FOLDER),
      [],
    );
  });
});
