import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { operations } from '../src/operations/index.ts';
import type {
  Capabilities,
  Engine,
  Lists,
  Numbering,
  TextIndex,
  Upkeep,
  VectorIndex,
  Views,
} from '../src/store/engine.ts';
import {
  DOMAIN,
  ENGINES,
  FAMILIES_OF_OPERATIONS,
  FAMILIES_OF_STORE,
  MAY_IMPORT,
  room,
} from './support/rooms.ts';

/** Who alone may import an engine, or name one. */
const ENGINE_CHOICE = 'src/memory/engines.ts';
/** Other tools keep their memory in files of an engine, whatever ours is kept in. */
const SOURCES_OF_OTHERS = ['src/interchange/importers/source-database.ts'];
/** The functions of shared SQL, alike on both engines (`lower` for ASCII alone). */
const FUNCTIONS =
  'avg cast coalesce count length lower max min nullif octet_length replace substr sum trim'.split(' ');
/** Git is started here and nowhere else, with the settings that the person's environment names. */
const GIT_DOOR = join('src', 'git', 'ask.ts');
/** People decide between databases: their names are words there, as any tool's. */
const WORDS_OF_PEOPLE = /^src\/domain\/(language\/tables\/|names\/command\.ts)/;
/** Libraries that compute and do nothing else; the domain may use these. */
const PURE_LIBRARIES = [
  'ansi-regex',
  '@orama/stemmers/english',
  '@orama/stopwords/english',
  'stopword',
  'leven',
  'ignore',
];
/** The file of each capability of an engine. */
const CAPABILITIES: Record<keyof Capabilities, string> = {
  fault: 'fault',
  lists: 'lists',
  text: 'text-index',
  vectors: 'vector-index',
  numbering: 'numbering',
  upkeep: 'upkeep',
  views: 'views',
};
/** All that an engine brings: the compiler refuses this table when it differs from the interfaces. */
const PORT = {
  engine: {
    ...CAPABILITIES,
    transaction: '',
    locate: '',
    scrub: '',
    close: '',
    copy: '',
  } satisfies All<Engine>,
  lists: { numbers: '', texts: '' } satisfies All<Lists>,
  text: {
    put: '',
    remove: '',
    holds: '',
    clear: '',
    hits: '',
    matching: '',
    frequencies: '',
    termsIn: '',
    read: '',
    firstIn: '',
  } satisfies All<TextIndex>,
  vectors: { nearest: '', similarities: '', toBytes: '', fromBytes: '' } satisfies All<VectorIndex>,
  numbering: { last: '', raise: '' } satisfies All<Numbering>,
  upkeep: { integrity: '', reindex: '', refreshStatistics: '' } satisfies All<Upkeep>,
  views: { table: '', text: '', number: '' } satisfies All<Views>,
};
type All<Interface> = Record<keyof Interface, string>;
const WIDEST_PORT = 12;
const LONGEST_FILE = 400;
const FULLEST_FOLDER = 30;

const sources = globSync('src/**/*.{ts,tsx}').filter((file) => !file.endsWith('.test.ts'));
const IMPORT = /(?:from|import)\s*\(?\s*(['"`])([^'"`]+)\1/g;
function targetsOf(file: string): string[] {
  return importsOf(file)
    .filter((name) => name.startsWith('.') && /\.tsx?$/.test(name))
    .map((name) => join(dirname(file), name));
}

function importsOf(file: string): string[] {
  return importsIn(readFileSync(file, 'utf8'));
}

function importsIn(source: string): string[] {
  return [...source.matchAll(IMPORT)].map((match) => match[2] ?? '');
}

describe('layering', () => {
  it('every room has a rule, and every rule a room', () => {
    const rooms = new Set(sources.map(room));
    assert.deepEqual([...rooms].sort(), Object.keys(MAY_IMPORT).sort());
  });

  it('an import is seen in any form and quotes', () => {
    const source = `import './a.ts';
      import b from "./b.ts";
      export * from './c.ts';
      import type {
        D,
      } from "./d.ts";
      const e = await import("./e.ts");
      const f = import(\`./f.ts\`);`;
    assert.deepEqual(
      importsIn(source),
      ['a', 'b', 'c', 'd', 'e', 'f'].map((name) => `./${name}.ts`),
    );
  });

  it('a family of the store or of the operations may import no other', () => {
    for (const families of [FAMILIES_OF_STORE, FAMILIES_OF_OPERATIONS])
      for (const family of families) {
        const others = families.filter((other) => other !== family);
        assert.deepEqual(
          MAY_IMPORT[family]?.filter((name) => others.includes(name)),
          [],
          family,
        );
      }
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

  it('the page takes nothing but types from outside its folder', () => {
    const taken = sources
      .filter((file) => room(file) === 'page')
      .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
      .filter((line) => /from '(\.\.\/)+(operations|domain|store|memory|http|cli)\//.test(line));
    assert(taken.length > 0, 'it knows the operations by their types');
    assert.deepEqual(
      taken.filter((line) => !/^(?:import|export) type /.test(line)),
      [],
    );
  });

  it('[LB-6] the library reaches nothing of the command line, the servers, the hooks and the page', () => {
    const reached = new Set(['src/index.ts']);
    for (const file of reached) for (const target of targetsOf(file)) reached.add(target);
    assert(reached.size > 300, `${reached.size} files`);
    const strange = [...reached].filter((file) => /^src\/(agents|cli|hook|http|mcp|page)\//.test(file));
    assert.deepEqual(strange, []);
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
      .filter((file) => DOMAIN.includes(room(file)))
      .flatMap((file) => importsOf(file).map((name) => ({ file, name })))
      .filter(({ name }) => !name.startsWith('.') && !PURE_LIBRARIES.includes(name));
    assert.deepEqual(wrong, []);
  });

  it('no list of any length becomes the arguments of a call, which overflow the stack [Z-6]', () => {
    const rooms = '{interchange,store,memory,embedding,domain/import}';
    const spread = /\.(?:push|unshift)\(\s*\.\.\.|\b(?:max|min|fromCharCode|fromCodePoint)\(\s*\.\.\./;
    const found = globSync(`src/${rooms}/**/*.ts`).filter((file) => spread.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      found.filter((file) => !file.endsWith('.test.ts')),
      [],
      'append() of src/domain/append.ts adds a list to another one',
    );
  });

  it('one file alone starts git [Z-1]', () => {
    const wrong = sources.filter(
      (file) =>
        file !== GIT_DOOR && /(findProgram|exec\w*|spawn\w*)\(\s*['"`]git\b/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(wrong, []);
    assert.match(readFileSync(GIT_DOOR, 'utf8'), /findProgram\('git'/);
  });

  it('only the surroundings and the entry of hooks read the environment', () => {
    const wrong = sources.filter(
      (file) =>
        file !== join('src', 'files', 'surroundings.ts') &&
        file !== join('src', 'hook', 'main.ts') &&
        /process\.(env|argv|cwd)|homedir\(/.test(readFileSync(file, 'utf8')),
    );
    assert.deepEqual(wrong, []);
  });

  it('no engine is named outside its folder and the file that chooses it', () => {
    const names = new RegExp(ENGINES.map((engine) => basename(engine)).join('|'), 'i');
    const wrong = sources.filter(
      (file) =>
        file !== ENGINE_CHOICE &&
        !SOURCES_OF_OTHERS.includes(file) &&
        !WORDS_OF_PEOPLE.test(file) &&
        !ENGINES.includes(room(file)) &&
        names.test(readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
    );
    assert.deepEqual(wrong, []);
  });

  it('each engine has a file for each of its capabilities, of the same name in all', () => {
    assert(ENGINES.length > 1, `${ENGINES}`);
    for (const engine of ENGINES) {
      const files = new Set(globSync(`src/${engine}/*.ts`).map((file) => basename(file, '.ts')));
      const missing = Object.values(CAPABILITIES).filter((file) => !files.has(file));
      assert.deepEqual(missing, [], engine);
    }
  });

  it(`an engine brings at most ${WIDEST_PORT} members, and a capability no more`, () => {
    for (const [part, members] of Object.entries(PORT)) {
      assert(Object.keys(members).length <= WIDEST_PORT, `${part}: ${Object.keys(members)}`);
    }
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
    const files = globSync('src/operations/{decisions,observations,memos,reads,hooks}/*.ts')
      .concat(
        ['delete', 'recall', 'rename', 'search', 'undelete', 'undo', 'review', 'reviewed', 'marks-save'].map(
          (name) => `src/operations/${name}.ts`,
        ),
      )
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

  it(`no folder holds more than ${FULLEST_FOLDER} source files`, () => {
    const folders = new Map<string, number>();
    for (const file of sources) folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
    assert.deepEqual(
      [...folders].filter(([, files]) => files > FULLEST_FOLDER),
      [],
    );
  });

  it('[CO-1] shared SQL calls no function that the engines may take for different things', () => {
    const called = sources
      .filter((file) => /^src\/(store|sync)\//.test(file) && !/\/(sqlite|postgres)\//.test(file))
      .flatMap((file) => functionsOf(readFileSync(file, 'utf8')).map((name) => ({ file, name })));
    const others = called.filter(({ name }) => !FUNCTIONS.includes(name));
    const hint = 'test it in test/contract/sql.ts, then name it in FUNCTIONS of test/layering.test.ts';
    assert.deepEqual(others, [], hint);
    assert(called.length > 50, `${called.length}`);
  });
});

/** The functions that the SQL templates of a source call, innermost templates first. */
function functionsOf(source: string): string[] {
  const found: string[] = [];
  for (let [rest, before] = [source, '']; rest !== before; ) {
    before = rest;
    rest = rest.replaceAll(
      /\bsql(?:<[^<>`]*(?:<[^<>`]*>)?[^<>`]*>)?`([^`]*)(?<!\bsql(?:<[^`]*>)?)`/g,
      (_, template: string) => {
        let text = template;
        for (let longer = ''; longer !== text; )
          [longer, text] = [text, text.replaceAll(/\$?\{[^{}]*\}/g, '?')];
        for (const [, name = ''] of text.matchAll(/(?<![.\w$])([a-z][a-z_]*)\(/g)) found.push(name);
        return 'SQL';
      },
    );
  }
  return found;
}
