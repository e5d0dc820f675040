import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { describe, it } from 'node:test';

/** What each room may import, besides itself. `memory` and `index` are the files of that name in src/. */
const MAY_IMPORT: Record<string, string[]> = {
  domain: [],
  store: ['domain'],
  'store/sqlite': ['domain', 'store'],
  'store/postgres': ['domain', 'store'],
  embedding: ['domain'],
  operations: ['domain', 'store'],
  meaning: ['domain', 'store', 'embedding'],
  call: ['domain', 'store', 'embedding', 'operations', 'meaning'],
  whole: ['domain', 'store'],
  memory: [
    'domain',
    'store',
    'store/sqlite',
    'store/postgres',
    'embedding',
    'operations',
    'call',
    'meaning',
    'whole',
  ],
  index: ['domain', 'store', 'embedding', 'memory'],
  mcp: ['domain', 'operations', 'memory'],
  cli: ['domain', 'operations', 'memory', 'mcp', 'whole'],
};
/** Libraries that compute and do nothing else; the domain may use these. */
const PURE_LIBRARIES = ['@orama/stemmers/english', '@orama/stopwords/english', 'stopword'];
const ENGINES = ['sqlite', 'postgres'];
const LONGEST_FILE = 250;

const sources = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'));
const IMPORT = /(?:from|import)\s*\(?\s*'([^']+)'/g;

function room(file: string): string {
  const path = relative('src', file).split(sep);
  if (path.length === 1) return (path[0] ?? '').replace(/\.ts$/, '');
  const isEngine = path[0] === 'store' && ENGINES.includes(path[1] ?? '');
  return isEngine ? `store/${path[1]}` : (path[0] ?? '');
}

function importsOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(IMPORT)].map((match) => match[1] ?? '');
}

describe('layering', () => {
  it('each room imports only what it may', () => {
    const wrong = sources.flatMap((file) =>
      importsOf(file)
        .filter((name) => name.startsWith('.') && name.endsWith('.ts'))
        .map((name) => room(join(dirname(file), name)))
        .filter((target) => target !== room(file) && !MAY_IMPORT[room(file)]?.includes(target))
        .map((target) => `${file} → ${target}`),
    );
    assert.deepEqual(wrong, []);
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

  it('no engine is named outside its folder and memory.ts', () => {
    const wrong = sources.filter(
      (file) =>
        ![...ENGINES.map((name) => `store/${name}`), 'memory', 'cli'].includes(room(file)) &&
        /sqlite|postgres/i.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    assert.deepEqual(wrong, []);
  });

  it('a noun has the same file name in domain and store', () => {
    const names = (folder: string) => globSync(`src/${folder}/*.ts`).map((file) => file.split(sep).at(-1));
    const store = names('store');
    for (const noun of [
      'decision.ts',
      'edge.ts',
      'outcome.ts',
      'evidence.ts',
      'anchor.ts',
      'checkpoint.ts',
    ]) {
      assert(names('domain').includes(noun) && store.includes(noun), noun);
    }
  });

  it(`no source file is longer than ${LONGEST_FILE} lines`, () => {
    const long = sources
      .map((file) => ({ file, lines: readFileSync(file, 'utf8').split('\n').length }))
      .filter(({ lines }) => lines > LONGEST_FILE);
    assert.deepEqual(long, []);
  });
});
