import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openMemory } from '../src/index.ts';
import { scratch } from './support/engines.ts';
import { workbench } from './support/program.ts';

const PAIR = 'src/a.ts\nsrc/b.ts';
/** Names that hold a sign which has a meaning elsewhere. */
const ODD = [
  ...['@types/node/index.d.ts', '@top.ts', 'app/[id]/page.tsx', 'app/(group)/page.tsx', 'x,y.ts'],
  ...['src/one.ts,src/two.ts', 'src/notes:42', 'a:b', 'src/{a,b}.txt', '1. intro.md'],
];

/** As models write files, and the patterns that are meant; undefined where it is refused. */
const written = (top: string): [files: string | string[], meant: string | undefined][] => [
  ['["src/a.ts","src/b.ts"]', PAIR],
  [' [ "src/a.ts" ,\n "src/b.ts" ] ', PAIR],
  [['["src/a.ts"]', '`src/b.ts`'], PAIR],
  ['`src/a.ts`', 'src/a.ts'],
  ['`src/a.ts`, `src/b.ts`', PAIR],
  ['- src/a.ts\n- `src/b.ts`', PAIR],
  ['* src/a.ts\n* src/b.ts', PAIR],
  ['# src/a.ts\n## src/b.ts', PAIR],
  ['1. src/a.ts\n2. src/b.ts', PAIR],
  ['- [ ] src/a.ts\n- [x] src/b.ts', PAIR],
  ['[a.ts](src/a.ts)', 'src/a.ts'],
  ['src/a.ts:42', 'src/a.ts'],
  ['src/a.ts:42-50', 'src/a.ts'],
  ['src/a.ts:42:7', 'src/a.ts'],
  ['src/a.ts#L10', 'src/a.ts'],
  ['src/a.ts#L10-L20', 'src/a.ts'],
  ['src/a.ts#open', 'src/a.ts#open'],
  ['@src/a.ts', 'src/a.ts'],
  [`${pathToFileURL(join(top, 'src', 'a.ts'))}`, 'src/a.ts'],
  [`${pathToFileURL(join(top, 'src', 'a.ts'))}#L3`, 'src/a.ts'],
  ['src/a.ts,src/b.ts', PAIR],
  ['src/a.ts, src/b.ts', PAIR],
  ['src/a.ts; src/b.ts;', PAIR],
  ['src/{a,b}.ts', PAIR],
  ['"src/a.ts"', 'src/a.ts'],
  ['"src/a.ts","src/b.ts"', PAIR],
  ["'src/a.ts'", 'src/a.ts'],
  ['./src/a.ts', 'src/a.ts'],
  ['./src/a.ts:12', 'src/a.ts'],
  ['src/a.ts,', 'src/a.ts'],
  ['src\\a.ts', 'src/a.ts'],
  ['src/**', 'src/**'],
  [join(top, 'src', 'a.ts'), 'src/a.ts'],
  ['["src/a.ts", 1]', undefined],
  ['{"files": ["src/a.ts"]}', undefined],
  ['["src/a.ts"', undefined],
  ['https://example.com/src/a.ts', undefined],
  ...ODD.map((name): [string, string] => [name, name]),
];

describe('files as models write them', () => {
  const bench = workbench({ after }, 'here');
  const top = join(bench.folder, 'repo');
  const put = (name: string) => {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), name);
  };
  for (const name of ['src/a.ts', 'src/b.ts', ...ODD]) put(name);
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...words], { cwd: top });
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');

  it('[TR-4] a lock binds the files that are meant, over MCP in a repository; else it is refused with the form', async () => {
    const server = await bench.connect({ cwd: top });
    const topics: string[] = [];
    const expected: [topic: string, files: string][] = [];
    for (const [at, [files, meant]] of written(top).entries()) {
      const save = { topic: `form:${at}`, decision: `Form ${at}`, strength: 'lock', files };
      const { isError, content } = await server.ask('mama_save', save);
      const said = JSON.stringify(content);
      assert.equal(isError === true, meant === undefined, `${files}: ${said}`);
      if (meant === undefined) {
        assert.match(
          said,
          /Expected \\"files\\" to (?:be paths or patterns, one a line or as a list|hold paths)/,
        );
        continue;
      }
      assert.doesNotMatch(said, /No committed file/, `${files}`);
      expected.push([save.topic, meant]);
      if (meant.split('\n').includes('src/a.ts')) topics.push(save.topic);
      // The same files are asked about.
      if (/[*#]/.test(meant) && !ODD.includes(meant)) continue;
      const { entries } = await server.call('recall', { task: 'nothing of it', files });
      assert(JSON.stringify(entries).includes(`"${save.topic}"`), `${files}`);
    }
    const { stdout } = await bench.run(['why', 'src/a.ts'], { cwd: top });
    const all = JSON.parse((await bench.run(['tool', 'mama_files', '--json'], { cwd: top })).stdout);
    const kept = new Map(all.results.map(({ topic, files }: Record<string, string>) => [topic, files]));
    for (const [topic, meant] of expected) assert.equal(kept.get(topic), meant, topic);
    assert(topics.length >= 25);
    for (const topic of topics) assert(stdout.includes(topic), `${topic} of ${stdout}`);
  });

  it('[TR-4] so it does on the command line', async (test) => {
    const typed = workbench(test, 'here');
    for (const [at, [files, meant]] of written(top).entries()) {
      const given = [files].flat().flatMap((each) => ['--file', each]);
      const { code, stderr } = await typed.run(['decide', `typed:${at}`, `Form ${at}`, ...given], {
        cwd: top,
      });
      assert.equal(code, meant === undefined ? 2 : 0, `${files}: ${stderr}`);
      if (meant === undefined) continue;
    }
    const all = JSON.parse((await typed.run(['tool', 'mama_files', '--json'], { cwd: top })).stdout);
    const kept = new Map(all.results.map(({ topic, files }: Record<string, string>) => [topic, files]));
    for (const [at, [files, meant]] of written(top).entries())
      assert.equal(kept.get(`typed:${at}`), meant, `${files}`);
  });

  it('[TR-4] every list may come as JSON text, of no more items than a list has', async () => {
    const { call, ask } = await bench.connect({ cwd: top });
    const evidence = '["p99 4.8 s","two quotes"]';
    const saved = await call('mama_save', { topic: 'list:evidence', decision: 'Two grounds', evidence });
    assert.equal(saved.evidence?.length, 2);
    const point = { type: 'checkpoint', summary: 's', open_files: '["src/a.ts"]' };
    assert(!(await ask('mama_save', point)).isError);
    const { keywords } = await call('memo_save', { fullText: 'A memo', keywords: '["redis"]' });
    assert(keywords.includes('redis'));
    for (const wrong of ['["a", 1]', 'one ground', JSON.stringify(Array.from({ length: 2_000 }, String))]) {
      const { isError, content } = await ask('mama_save', { topic: 'l:w', decision: 'x', evidence: wrong });
      assert(isError && /to be a list/.test(JSON.stringify(content)), wrong);
    }
  });

  it('[TR-4] a lock that binds no file that exists says so when it is saved, in why and in rules', async () => {
    const { call } = await bench.connect({ cwd: top });
    const save = { topic: 'none:here', decision: 'Bound to nothing', strength: 'lock', files: 'src/gone/**' };
    const { warnings } = await call('mama_save', save);
    assert(warnings.includes('So this lock binds no file that exists here.'), `${warnings}`);
    const said = /! The lock none:here binds no file that exists here: it names src\/gone\/\*\*/;
    for (const words of [['why', 'none:here'], ['rules', 'none'], ['rules']])
      assert.match((await bench.run(words, { cwd: top })).stdout, said, words.join(' '));
    const other = ['why', 'form:0', 'rules', 'form'];
    assert.doesNotMatch((await bench.run(other.slice(0, 2), { cwd: top })).stdout, /binds no file/);
    assert.doesNotMatch((await bench.run(other.slice(2), { cwd: top })).stdout, /binds no file/);
    put('src/basket.ts');
    git('add', 'src/basket.ts');
    git('commit', '--quiet', '--message', 'basket', 'src/basket.ts');
    await call('mama_save', { ...save, topic: 'ui:cart', decision: 'On the server', files: 'src/basket.ts' });
    git('mv', 'src/basket.ts', 'src/cart.ts');
    git('commit', '--quiet', '--message', 'cart');
    const renamed = (await bench.run(['why', 'ui:cart'], { cwd: top })).stdout.replace(/\s+/g, ' ');
    assert.match(
      renamed,
      /ui:cart binds files by their earlier names: it names src\/basket\.ts, which is src\/cart\.ts now/,
    );
    put('src/gone/c.ts');
    assert.doesNotMatch((await bench.run(['why', 'none:here'], { cwd: top })).stdout, /binds no file/);
  });

  it('[TR-4] where no repository is known, what is plain is taken, a doubtful name stays, and braces are bounded', async () => {
    const memory = await openMemory({ db: join(scratch(), 'm.db') });
    const kept = async (files: string) => {
      const { id } = await memory.mama.save({
        topic: `t:${files}`.slice(0, 100),
        decision: files.slice(0, 100),
        files,
      });
      return (await memory.decision.get({ id })).decision.files;
    };
    for (const [files, meant] of written('/srv/repo').slice(0, 16)) {
      if (typeof files === 'string') assert.equal(await kept(files), meant, files);
    }
    for (const name of [
      '@types/node/index.d.ts',
      'app/[id]/page.tsx',
      'a,b.ts',
      'a:b',
      '{{cookiecutter.name}}/x.py',
    ])
      assert.equal(await kept(name), name);
    assert.equal(await kept('./src/one.ts,src/two.ts'), 'src/one.ts,src/two.ts', 'taken as it is');
    await assert.rejects(kept(`${'{a,b}'.repeat(30)}.ts`), /at most 50 patterns/);
    await assert.rejects(kept('file:///srv/repo/src/a.ts'), /one a line or as a list/);
    await memory.close();
  });
});
