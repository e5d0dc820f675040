import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pathIn } from '../src/files/path-in.ts';
import { workbench } from './support/program.ts';

describe('paths as places have them', () => {
  it('[F-1] [F-2] from the top folder on, on every system, in composed Unicode; outside there are none', () => {
    for (const [platform, top, cwd, written, expected] of [
      ['linux', '/r', '/r', 'src/a.ts', 'src/a.ts'],
      ['linux', '/r', '/r/src', 'a.ts', 'src/a.ts'],
      ['linux', '/r', '/r/src', '../b c.ts', 'b c.ts'],
      ['linux', '/r', '/r/src', '/r/한글.ts'.normalize('NFD'), '한글.ts'],
      ['linux', '/r', '/r', '..a/b', '..a/b'],
      ['linux', '/r', '/r', '../x', undefined],
      ['linux', '/r', '/r', '/etc/passwd', undefined],
      ['linux', '/r', '/r/src', '..', ''],
      ['linux', '/r', '/r/src', '../', ''],
      ['linux', '/r', '/r', './문서/새것//', '문서/새것/'],
      ['win32', 'C:\\r', 'C:\\r', 'src\\', 'src/'],
      ['win32', 'C:\\r', 'C:\\r\\src', 'store\\a.ts', 'src/store/a.ts'],
      ['win32', 'C:\\r', 'C:\\r', 'c:\\R\\src\\a.ts', 'src/a.ts'],
      ['win32', 'C:\\r', 'C:\\r', 'D:\\r\\a.ts', undefined],
    ] as const)
      assert.equal(pathIn(top, cwd, written, platform), expected, written);
  });
});

describe('precedent why FILE', () => {
  const bench = workbench({ after }, 'here');
  const top = join(bench.folder, '저장소 1');
  mkdirSync(join(top, 'src', 'store'), { recursive: true });
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.com', ...words], { cwd: top });
  for (const file of ['src/store/engine.ts', 'src/main.ts', 'gone']) writeFileSync(join(top, file), file);
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '--message', 'one');
  git('rm', '--quiet', 'gone');
  git('commit', '--quiet', '--message', 'two');
  const run = (words: string[], cwd = top) => bench.run(words, { cwd });

  it('[F-2] a path is answered as one, whatever words of it decisions have; an exact reference comes first', async () => {
    await run(['decide', 'store:engine', 'The engine keeps src/main.ts and gone', '--file', 'src/store/**']);
    await run(['decide', 'gone.ts', 'A topic that is called as a file']);
    for (const [typed, cwd, expected] of [
      ['src/store/engine.ts', top, /names src\/store\/engine\.ts with src\/store\/\*\*/],
      ['src/store/engine.ts:12', top, /names src\/store\/engine\.ts/],
      ['engine.ts', join(top, 'src', 'store'), /names src\/store\/engine\.ts/],
      ['src/store', top, /names src\/store\/ with/],
      ['..', join(top, 'src', 'store'), /names src\/ with/],
      ['gone.ts', top, /A topic that is called as a file/],
    ] as const) {
      const { code, stdout } = await run(['why', typed], cwd);
      assert.equal(code, 0, typed);
      assert.match(stdout, expected, typed);
    }
    for (const none of ['src/main.ts', 'gone', 'never.ts', './never', 'src/never/there.md']) {
      const { code, stdout } = await run(['why', none]);
      assert.deepEqual(
        [code, stdout.match(/^No decision names .*/m)?.[0]],
        [1, `No decision names ${none.replace('./', '')}.`],
      );
      assert.doesNotMatch(stdout, /engine keeps/);
    }
  });

  it('[F-1] a file that is typed in a folder below is that file; what is not there is a pattern from the top on', async () => {
    const sub = join(top, 'src', 'store');
    const typed = ['engine.ts', './new.ts', '*.sql', join(top, 'src', 'main.ts'), 'src/store/engine.ts'];
    const { stdout } = await run(
      ['decide', 'typed:below', 'Typed below', ...typed.flatMap((each) => ['--file', each]), '--json'],
      sub,
    );
    const shown = await run(['show', JSON.parse(stdout).id, '--json']);
    assert.equal(
      JSON.parse(shown.stdout).decision.versions[0].files,
      ['src/store/engine.ts', 'src/store/new.ts', '*.sql', 'src/main.ts'].join('\n'),
    );
    await run(
      ['revise', 'typed:below', '--remove-file', 'src/store/engine.ts', '--remove-file', 'src/store/new.ts'],
      sub,
    );
    await run(['revise', 'typed:below', '--add-file', 'engine.ts'], sub);
    const { stdout: then } = await run(['show', 'typed:below', '--json']);
    assert.equal(
      JSON.parse(then).decision.versions[0].files,
      ['*.sql', 'src/main.ts', 'src/store/engine.ts'].join('\n'),
    );
    assert.equal((await run(['withdraw', 'typed:below', '--reasoning', 'Only tried'])).code, 0);
  });

  it('[F-1] [F-6] an agent may name files by their whole paths, also those to come, and none outside of the repository', async () => {
    const { call, refusal } = await bench.connect({ cwd: join(top, 'src') });
    const linked = join(bench.folder, 'linked');
    symlinkSync(top, linked);
    const files = [join(top, 'src', 'main.ts'), join(top, 'src', 'new.ts'), join(linked, 'gone'), '/docs/**'];
    const { id } = await call('mama_save', { topic: 'whole:paths', decision: 'By their whole paths', files });
    const filesOf = async (name: string) =>
      JSON.parse((await run(['show', name, '--json'])).stdout).decision.versions[0].files;
    assert.equal(await filesOf(id), ['src/main.ts', 'src/new.ts', 'gone', '/docs/**'].join('\n'));
    for (const file of ['src/main.ts', join(top, 'src', 'main.ts'), join(linked, 'src', 'main.ts')]) {
      const { entries } = await call('recall', { task: 'anything', files: [file] });
      assert.match(JSON.stringify(entries[0]), /whole:paths/, file);
    }
    for (const outside of [bench.folder, '/etc']) {
      const asked = { topic: 'whole:other', decision: 'Elsewhere', files: outside };
      assert.match(await refusal('mama_save', asked), /Expected a path inside/);
    }
    const all = await call('mama_save', { topic: 'whole:top', decision: 'In all files', files: top });
    assert.equal(await filesOf(all.id), '**');
    for (const topic of ['whole:top', 'whole:paths'])
      assert.equal((await run(['withdraw', topic, '--reasoning', 'Only tried'])).code, 0);
  });

  it('[F-1] a folder that is typed keeps its slash, the top folder is everything, and nothing takes all away', async () => {
    const bound = async (file: string, cwd: string) => {
      await run(['decide', '폴더:규칙', 'Typed folders', '--file', file], cwd);
      const shown = await run(['show', '폴더:규칙', '--json']);
      return JSON.parse(shown.stdout).decision.versions[0].files;
    };
    const below = join(top, 'src');
    assert.equal(await bound('src/store/', top), 'src/store/');
    assert.equal(await bound('store/', below), 'src/store/');
    assert.equal(await bound('.', below), 'src');
    assert.equal(await bound('.', top), '**');
    assert.equal(await bound('', below), null);
  });

  it('[F-1] of a pattern that matches nothing here yet a save says so, and of files that are there or elsewhere nothing', async () => {
    const { call } = await bench.connect({ cwd: top });
    writeFileSync(join(top, '새것.ts'), 'not committed');
    const none = 'No committed file here matches 소스/** yet.';
    const files = 'src/**\nsrc/main.ts#main\n새것.ts#word\n소스/**';
    const { id, warnings } = await call('mama_save', { topic: '오타:경로', decision: 'Mistyped', files });
    assert.deepEqual(
      warnings.filter((each) => each.includes('matches')),
      [none],
    );
    const typed = await run(['revise', id, '--add-file', 'src/store/', '--add-file', 'src/stroe/*.ts']);
    assert.match(typed.stdout, /! No committed file here matches src\/stroe\/\*\.ts yet\./);
    assert.doesNotMatch(typed.stdout, /소스/);
    const elsewhere = ['--workspace', 'other', 'decide', 'a:b', 'Of another repository', '--file', '소스/**'];
    assert.doesNotMatch((await run(elsewhere)).stdout, /matches/);
    assert.equal((await run(['withdraw', '오타:경로', '--reasoning', 'Only tried'])).code, 0);
    rmSync(join(top, '새것.ts'));
  });

  it('[F-2] what is not there but in the folder of a pattern is answered by that; words with a stroke are words', async () => {
    const later = join(bench.folder, '나중');
    mkdirSync(later);
    git('init', '--quiet', later);
    const there = (words: string[]) =>
      bench.run(words, { cwd: later, env: { PRECEDENT_DB: join(later, 'later.db') } });
    await there(['decide', 'later:list', 'Pages by a cursor', '--file', 'src/목록/**']);
    await there(['decide', 'later:all', 'Of all', '--file', '**']);
    for (const [typed, expected] of [
      ['src/목록', /^later:list[\s\S]*names src\/목록\/ with src\/목록\/\*\*/],
      ['src/목록/', /^later:list/],
      ['src/목록/new', /^later:list[\s\S]*names src\/목록\/new with/],
      ['and/or', /^No decision is called "and\/or"\. Searched for the words:/],
      ['src/li[st', /^No decision is called "src\/li\[st"\. Searched for the words:/],
    ] as const)
      assert.match((await there(['why', typed])).stdout, expected, typed);
    const all = JSON.parse((await there(['tool', 'mama_files', '--json'])).stdout);
    assert.equal(all.results.length, 2, 'without a file, all that name any');
  });

  it('[F-2] a path may be longer than any topic, and so may words', async () => {
    for (const [typed, expected] of [
      [`src/${'긴_이름/'.repeat(60)}a.ts`, /^No decision names\s+src\/긴_이름/],
      [
        `engine keeps ${'긴 이름 '.repeat(60)}`,
        /No decision is called "engine keeps [\s\S]*…"\.\s+Searched\s+for\s+the\s+words\./,
      ],
    ] as const)
      assert.match((await run(['why', typed])).stdout, expected);
  });

  it('[RE-8] a name that nothing has, and no words answer, is not found: an id is refused as elsewhere', async () => {
    for (const id of ['deadbeef', '0badcafe-0000']) {
      const { code, stdout, stderr } = await run(['why', id]);
      assert.deepEqual([code, stdout], [3, '']);
      assert.match(stderr, new RegExp(`found "${id}", which does not exist\\.`));
      assert.equal((await run(['show', id])).code, 3);
    }
    const name = await run(['why', 'zebra:stripes']);
    assert.equal(name.code, 1);
    assert.match(
      name.stdout,
      /^No decision is called "zebra:stripes"\. Searched for the words:\nNo decision/,
    );
  });

  it('[F-2] all else is words, and says so; a path outside of the repository is refused', async () => {
    const { code, stdout } = await run(['why', 'engine', 'keeps']);
    assert.equal(code, 0);
    assert.match(
      stdout,
      /^store:engine[\s\S]*\nNo decision is called "engine keeps"\. Searched for the words\./,
    );
    const mistyped = await run(['why', 'store:engin']);
    assert.match(
      mistyped.stdout,
      /^No decision is called "store:engin"\. Did you mean "store:engine"\? Searched/,
    );
    for (const outside of ['/etc/passwd', '../x.ts']) {
      const refused = await run(['why', outside]);
      assert.notEqual(refused.code, 0, outside);
      assert.doesNotMatch(refused.stdout, /store:engine/);
    }
  });

  it('[F-3] renames are followed, also with changes, twice, and of a folder; what names nothing is said with what mends it', async () => {
    const renamed = join(bench.folder, '이름 바꿈');
    mkdirSync(join(renamed, 'src', '옛'), { recursive: true });
    const text = (name: string, of = 40) =>
      Array.from({ length: of }, (_, line) => `${name} ${line}`).join('\n');
    for (const [file, size] of [
      ['old.ts', 40],
      ['옛/a.ts', 40],
      ['옛/b.ts', 40],
      ['gone.ts', 9],
      ['stays.ts', 40],
    ] as const)
      writeFileSync(join(renamed, 'src', file), text(file, size));
    git('init', '--quiet', renamed);
    const commit = () => {
      git('-C', renamed, 'add', '--all');
      git('-C', renamed, 'commit', '--quiet', '--message', 'next');
    };
    commit();
    const here = (...words: string[]) => run(words, renamed);
    for (const [topic, pattern] of [
      ['a:file', 'src/old.ts'],
      ['a:folder', 'src/옛/**'],
      ['a:gone', 'src/gone.ts'],
      ['a:later', 'src/later.ts'],
      ['a:stays', 'src/stays.ts'],
    ] as const)
      await here('decide', topic, `About ${topic}`, '--file', pattern);
    assert.doesNotMatch((await here('doctor')).stdout, /place/);
    git('-C', renamed, 'mv', 'src/old.ts', 'src/between.ts');
    git('-C', renamed, 'mv', 'src/옛', 'src/새 폴더');
    git('-C', renamed, 'rm', '--quiet', 'src/gone.ts');
    writeFileSync(join(renamed, 'src', 'between.ts'), `${text('old.ts', 30)}\n${text('changed', 10)}`);
    commit();
    git('-C', renamed, 'mv', 'src/between.ts', 'src/new.ts');
    commit();
    assert.match(
      (await here('why', 'src/new.ts')).stdout,
      /a:file[\s\S]*named as src\/old\.ts before the rename/,
    );
    assert.match(
      (await here('why', 'src/새 폴더')).stdout,
      /a:folder[\s\S]*named as src\/옛\/[ab]\.ts before/,
    );
    assert.equal((await here('why', 'src/between.ts')).code, 1);
    const { stdout } = await here('doctor', '--json');
    assert.deepEqual(
      (JSON.parse(stdout).vanished as { called: string; heir?: string }[])
        .map(({ called, heir }) => [called, heir])
        .sort(),
      [
        ['a:file', 'src/new.ts'],
        ['a:folder', 'src/새 폴더/**'],
        ['a:gone', undefined],
      ],
    );
    assert.match(
      (await here('review')).stdout.replace(/\s+/g, ' '),
      /a:file .*precedent revise a:file --add-file 'src\/new\.ts' --remove-file 'src\/old\.ts'/,
    );
    const asked = ['recall', 'anything', '--file', 'src/new.ts'];
    assert.match((await here(...asked)).stdout, /^a:file[\s\S]*names this file/);
    const { ask } = await bench.connect({ cwd: renamed });
    for (const [name, words] of [
      ['recall', { task: 'anything', files: ['src/stays.ts', 'src/new.ts'] }],
      ['mama_search', { query: 'anything', files: 'src/new.ts' }],
    ] as const)
      assert.match(JSON.stringify(await ask(name, words)), /About a:file/, name);
    await here('revise', 'a:file', '--add-file', 'src/new.ts', '--remove-file', 'src/old.ts');
    assert.match((await here('why', 'src/new.ts')).stdout, /names src\/new\.ts/);
    writeFileSync(join(renamed, 'src/gone.ts'), 'there again, not committed yet');
    assert.doesNotMatch((await here('doctor')).stdout, /a:file|a:gone/);
  });

  it('[F-1] [F-2] a comment names a decision; a record and a trailer of the same small commit are guesses, two at most', async () => {
    const other = join(bench.folder, '추측');
    mkdirSync(join(other, 'docs', 'adr'), { recursive: true });
    mkdirSync(join(other, 'src'));
    git('init', '--quiet', other);
    const write = (file: string, text = file) => writeFileSync(join(other, file), text);
    const commit = (message: string) => {
      git('-C', other, 'add', '--all');
      git('-C', other, 'commit', '--quiet', '--message', message);
    };
    const here = (...words: string[]) => run(words, other);
    write('src/guessed.ts');
    write('docs/adr/0001-guess.md', '# Guess by record\n\nStatus: accepted\n\n## Decision\n\nWe guess.\n');
    commit('one');
    await here('decide', 'of:trailer', 'Guess by trailer');
    await here('decide', 'of:crowd', 'Too many files');
    await here('import', '--from', 'adr', other);
    write('src/guessed.ts', 'changed');
    commit('two\n\nDecision: of:trailer');
    for (let file = 0; file < 9; file += 1) write(`src/crowd-${file}.ts`);
    commit('three\n\nDecision: of:crowd');
    const { code, stdout } = await here('why', 'src/guessed.ts');
    assert.equal(code, 1);
    assert.match(
      stdout,
      /^No decision names src\/guessed\.ts\.\nperhaps, .*no decision names the file\nof:trailer[\s\S]*We guess/,
    );
    assert.doesNotMatch((await here('why', 'src/crowd-1.ts')).stdout, /perhaps|Too many/);
    write('src/guessed.ts', '// @decision of:crowd, as it is');
    const marked = await here('why', 'src/guessed.ts:12-14');
    assert.deepEqual(
      [marked.code, /^of:crowd[\s\S]*with @decision in the file/.test(marked.stdout)],
      [0, true],
    );
    assert.doesNotMatch(marked.stdout, /perhaps/);
    assert.equal((await here('why', 'src/guessed.ts', '--at', '2020-01-01')).code, 1, 'as it was then');
  });

  it('[F-6] the files of a question are paths from where one stands', async () => {
    const { stdout } = await run(['recall', 'anything', '--file', 'engine.ts'], join(top, 'src', 'store'));
    assert.match(stdout, /^store:engine[\s\S]*names this file/);
  });
});
