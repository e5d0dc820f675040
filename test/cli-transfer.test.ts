import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

describe('CLI: export, import', { concurrency: 2 }, () => {
  it('[E-1] [E-2] a memory goes through a file, through a pipe, and from its own file; the same again changes nothing', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mama_save', '--topic', '인증', '--decision', '세션 쿠키 🔑']);
    const file = join(bench.folder, '내보낸 것.jsonl');
    writeFileSync(file, await bench.succeed(['export', '--format', 'jsonl']));
    const other = (name: string) => ['--db', join(bench.folder, name)];
    assert.match(await bench.succeed([...other('b.db'), 'import', file]), /^✔ 1 record in 6 rows, checked/);
    assert.match(await bench.succeed([...other('b.db'), 'import', file]), /^= nothing changed/);
    const { results } = JSON.parse(await bench.succeed([...other('b.db'), 'search', '쿠키', '--json']));
    assert.equal(results[0].text, '세션 쿠키 🔑');

    const from = join(bench.folder, 'b.db');
    const to = join(bench.folder, 'c.db');
    const copied = JSON.parse(await bench.succeed(['--db', to, 'import', from, '--json']));
    assert.deepEqual([copied.rows.decisions, copied.unchanged], [1, false]);
    assert.match(await bench.succeed(['--db', to, 'import', from]), /^= nothing changed/);
    const named = join(bench.folder, '내 메모리 1.db');
    await bench.succeed(['--db', named, 'import', from]);
    await bench.succeed(['--db', join(bench.folder, 'd.db'), 'import', named]);
    const again = await bench.succeed([...other('c.db'), 'export', '--format', 'jsonl']);
    assert.deepEqual(again.split('\n').slice(1, -2), readFileSync(file, 'utf8').split('\n').slice(1, -2));
  });

  it('[I-3] [Y-9] a dry run of an export says what would come into a used memory, and writes nothing, nor makes a memory', async (test) => {
    const bench = workbench(test, 'here');
    const decide = (db: string, text: string) =>
      bench.succeed(['--db', join(bench.folder, db), 'decide', 'cache:ttl', text]);
    await decide('a.db', 'One hour');
    await decide('b.db', '두 시간');
    const exported = await bench.succeed(['--db', join(bench.folder, 'a.db'), 'export', '--format', 'jsonl']);
    const file = join(bench.folder, 'a.jsonl');
    writeFileSync(file, exported);
    const into = (db: string, ...args: string[]) =>
      bench.succeed(['--db', join(bench.folder, db), 'import', ...args], { stdin: exported });
    const rows = () => bench.succeed(['--db', join(bench.folder, 'b.db'), 'export', '--format', 'jsonl']);
    const before = await rows();
    for (const args of [[file], []]) {
      const said = await into('b.db', '--dry-run', ...args);
      assert.match(
        said,
        /would come: merged into [\s\S]*decided twice: cache:ttl[\s\S]*One hour[\s\S]*두 시간/,
      );
    }
    assert.equal(await rows(), before);
    assert.equal(JSON.parse(await into('b.db', '--dry-run', '--json', file)).dryRun, true);
    assert.match(await into('none.db', '--dry-run', file), /^= would come: 1 record in/);
    assert.equal(existsSync(join(bench.folder, 'none.db')), false);
    assert.match(await into('b.db', file), /decided twice: cache:ttl/);
    assert.match(await into('b.db', '--dry-run', file), /^= nothing changed/);
  });

  it('[E-1] [Z-14] the file of a memory counts as somebody else’s: what binds in it waits for a review', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'a:b', 'One', '--strength', 'lock', '--reasoning', 'so']);
    const other = ['--db', join(bench.folder, 'b.db')];
    assert.match(await bench.succeed([...other, 'import', bench.db, '--dry-run']), /^= would come: 1 record/);
    assert(!existsSync(other[1] as string));
    assert.match(await bench.succeed([...other, 'import', bench.db]), /✔ 1 record[^!]*! 1 lock came/);
    assert.match(await bench.succeed([...other, 'review', '--list']), /a:b/);
  });

  it('[E-1] a text with line separators of Unicode comes back, from a file and through a pipe', async (test) => {
    const bench = workbench(test, 'here');
    const text = 'one\u2028two\u2029three\u0085four\rfive';
    await bench.succeed(['tool', 'mem_save', 'separators', '-'], { stdin: text });
    const exported = await bench.succeed(['export', '--format', 'jsonl']);
    const file = join(bench.folder, 'e.jsonl');
    writeFileSync(file, exported);
    for (const [db, args, stdin] of [
      ['file.db', [file], ''],
      ['pipe.db', [], exported],
    ] as const) {
      await bench.succeed(['--db', join(bench.folder, db), 'import', ...args], { stdin });
      const read = ['--db', join(bench.folder, db), 'tool', 'mem_get_observation', '1', '--json'];
      assert.equal(JSON.parse(await bench.succeed(read)).content, text);
    }
  });

  it('[E-1] an import that waits for its lines makes no other program wait', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    const exported = await bench.succeed(['export', '--format', 'jsonl']);
    const other = ['--db', join(bench.folder, 'other.db')];
    await bench.succeed([...other, 'tool', 'mem_save', 'before', 'b']);
    const importing = bench.start([...other, 'import']);
    const [header = ''] = exported.split('\n');
    importing.child.stdin.write(`${header}\n`);
    // Long enough for the import to have begun: a save that has to wait for it would fail after ten seconds.
    for (const title of ['first', 'second']) await bench.succeed([...other, 'tool', 'mem_save', title, 'b']);
    importing.child.stdin.end(exported.slice(header.length + 1));
    assert.equal(await importing.exited, 0, 'it comes into a memory that is not empty (Y-9)');
  });

  it('[E-3] says what is wrong with a file, a target and a source', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['tool', 'mem_save', 'a', 'b']);
    const file = join(bench.folder, 'half.jsonl');
    const lines = (await bench.succeed(['export', '--format', 'jsonl'])).split('\n');
    writeFileSync(file, lines.slice(0, 2).join('\n'));
    const [b, c] = [join(bench.folder, 'b.db'), join(bench.folder, 'c.db')];
    await bench.succeed(['--db', c, 'tool', 'mem_save', 'mine', 'mine']);
    const [foreign, saves] = [join(bench.folder, 'other.db'), join(bench.folder, 'saves.jsonl')];
    new DatabaseSync(foreign).exec('create table notes (text)');
    writeFileSync(saves, '{"operation":"mem_save","title":"a","content":"b"}\n');
    const cases: [string[], number, RegExp][] = [
      [['--db', b, 'import', file], 2, /too early/],
      [['--db', b, 'import', join(bench.folder, 'nowhere')], 3, /found none at/],
      [['--db', b, 'import', bench.folder], 3, /found a folder at.* --from adr; /],
      [['--db', c, 'import', bench.db], 4, /Expected an empty memory/],
      [['import', bench.db], 2, /two different/],
      [['--db', b, 'import', foreign], 2, /another program at .*--from auto/],
      [['--db', b, 'import', saves, '--dry-run'], 2, /no --dry-run with lines to save/],
      [['export', b], 2, /--format with one of .*, or the address of a server/],
    ];
    for (const [args, code, message] of cases) {
      const ran = await bench.run(args);
      assert.deepEqual([ran.code, ran.stdout], [code, ''], args.join(' '));
      assert.match(ran.stderr, message);
    }
    assert(!existsSync(b), 'nothing is made where nothing came');
  });
});
