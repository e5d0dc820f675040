import assert from 'node:assert/strict';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EXPORT_FORMATS } from '../src/memory/exporting.ts';
import { workbench } from './support/program.ts';

type Bench = ReturnType<typeof workbench>;

/** Every file in a folder with its bytes. */
function bytesIn(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return new Map(
    files
      .map(({ parentPath, name }) => join(parentPath, name))
      .sort()
      .map((path) => [path.slice(folder.length + 1), readFileSync(path, 'utf8')]),
  );
}

async function decided(bench: Bench): Promise<string> {
  await bench.succeed([
    'tool',
    'mama_save',
    '--topic',
    'db',
    '--decision',
    'PostgreSQL',
    '--reasoning',
    'known',
  ]);
  await bench.succeed([
    'tool',
    'mama_save',
    '--topic',
    '인증/토큰',
    '--decision',
    '세션 쿠키 🔑',
    '--scope',
    'auth',
  ]);
  return join(bench.folder, 'out');
}

describe('CLI: exports that are folders', { concurrency: 2 }, () => {
  it('[I-5] madr goes out, again without a difference, and into another memory', async (test) => {
    const bench = workbench(test, 'here');
    const out = await decided(bench);
    assert.match(await bench.succeed(['export', '--format', 'madr', out]), /^✔ 2 files {2}in /);
    const first = bytesIn(out);
    assert.deepEqual([...first.keys()], ['0001-postgresql.md', '0002-세션-쿠키.md']);
    assert.match(await bench.succeed(['export', '--format', 'madr', out]), /^= nothing changed: 2 files/);
    assert.deepEqual(bytesIn(out), first);
    const other = ['--db', join(bench.folder, 'other.db')];
    await bench.succeed([...other, 'import', '--from', 'adr', out]);
    const again = join(bench.folder, 'again');
    await bench.succeed([...other, 'export', '--format', 'madr', again]);
    assert.deepEqual(bytesIn(again), first);
  });

  it('[I-5] writes over nothing that it did not make, and says what it would have', async (test) => {
    const bench = workbench(test, 'here');
    const out = await decided(bench);
    mkdirSync(out);
    writeFileSync(join(out, 'README.md'), 'mine');
    writeFileSync(join(out, '0002-세션-쿠키.md'), 'mine, too');
    const before = bytesIn(out);
    const refused = await bench.run(['export', '--format', 'madr', out]);
    assert.equal(refused.code, 4);
    assert.match(refused.stderr, /found 0002-세션-쿠키\.md in .*Nothing was written/);
    assert.deepEqual(bytesIn(out), before);

    rmSync(join(out, '0002-세션-쿠키.md'));
    await bench.succeed(['export', '--format', 'madr', out]);
    const [own, mine] = [join(out, '0001-postgresql.md'), join(out, 'README.md')];
    const exported = readFileSync(own, 'utf8');
    // What a person edits is theirs; what git gives other line ends is not edited.
    writeFileSync(own, exported.replaceAll('\n', '\r\n'));
    await bench.succeed(['tool', 'mama_update', await idOf(bench, 'db'), '--outcome', 'success']);
    assert.match(await bench.succeed(['export', '--format', 'madr', out]), /1 new or changed/);
    writeFileSync(own, `${readFileSync(own, 'utf8')}\nedited\n`);
    assert.equal((await bench.run(['export', '--format', 'madr', out])).code, 4);
    assert.equal(readFileSync(mine, 'utf8'), 'mine');
  });

  it('[I-5] removes what it made and no longer makes, but not what was changed since', async (test) => {
    const bench = workbench(test, 'here');
    const out = await decided(bench);
    await bench.succeed(['tool', 'mama_save', '--topic', 'cache', '--decision', 'Redis']);
    await bench.succeed(['export', '--format', 'madr', out]);
    const kept = join(out, '0001-postgresql.md');
    writeFileSync(kept, `${readFileSync(kept, 'utf8')}changed by hand`);
    const printed = await bench.succeed(['export', '--format', 'madr', out, '--scope', 'auth']);
    assert.match(printed, /1 removed/);
    assert.match(printed, /0001-postgresql\.md is no longer part of the export, and stays/);
    assert.deepEqual([...bytesIn(out).keys()], ['0001-postgresql.md', '0002-세션-쿠키.md']);
  });

  it('[C-1] [I-5] no file of a folder holds what was redacted, once it is written again', async (test) => {
    const bench = workbench(test, 'here');
    const SECRET = 'AKIAHUNTER7';
    const save = (topic: string, text: string) =>
      bench.succeed([
        'tool',
        'mama_save',
        '--topic',
        topic,
        '--decision',
        text,
        '--reasoning',
        `it is ${SECRET}`,
      ]);
    await save('plain', 'Rotate keys');
    // In the name of a file, and in one that a rename leaves behind.
    await save('named', `${SECRET} opens the door`);
    await save(`topic ${SECRET}`, 'Named after a key');
    await bench.succeed(['tool', 'mem_save', `Note ${SECRET}`, `says ${SECRET}`]);
    const out = join(bench.folder, 'out');
    const told = () => [...bytesIn(out)].join('\n').toLowerCase().includes(SECRET.toLowerCase());
    await bench.succeed(['export', '--format', 'madr', out]);
    assert.equal(told(), true);
    await bench.succeed(['rename', `topic ${SECRET}`, 'key']);
    const { decisions } = JSON.parse(await bench.succeed(['list', '--json']));
    for (const { id } of decisions) await bench.succeed(['redact', id, '--text', SECRET, '--yes']);
    await bench.succeed(['redact', '1', '--text', SECRET, '--yes']);
    await bench.succeed(['export', '--format', 'madr', out]);
    assert.equal(told(), false);
  });

  it('[I-5] goes through no link, takes a half-written export for its own, and needs a folder', async (test) => {
    const bench = workbench(test, 'here');
    const out = await decided(bench);
    const elsewhere = join(bench.folder, 'elsewhere.md');
    mkdirSync(out);
    symlinkSync(elsewhere, join(out, '0001-postgresql.md'));
    assert.equal((await bench.run(['export', '--format', 'madr', out])).code, 4);
    assert(!existsSync(elsewhere));
    rmSync(join(out, '0001-postgresql.md'));

    await bench.succeed(['export', '--format', 'madr', out]);
    // As a process leaves it that is killed: files that wait, and one that has its new bytes already.
    mkdirSync(join(out, '.precedent-export.part'));
    renameSync(join(out, '0001-postgresql.md'), join(out, '.precedent-export.part', '0001-postgresql.md'));
    await bench.succeed(['export', '--format', 'madr', out]);
    assert(existsSync(join(out, '0001-postgresql.md')));
    assert(!existsSync(join(out, '.precedent-export.part')));

    const file = join(bench.folder, 'file');
    writeFileSync(file, 'x');
    for (const [args, code, message] of [
      [['--format', 'madr'], 2, /Expected a folder for madr/],
      [['--format', 'madr', file], 2, /found a file at/],
      [['--format', 'jsonl', out], 2, /goes to standard output/],
      [['--format', 'jsonl', '--scope', 'auth'], 2, /the whole memory/],
      [['--format', 'html', '--scope', 'nowhere'], 3, /found "nowhere"/],
      [['--format', 'html', '--filter', 'state:withdrawn'], 2, /exported whole/],
    ] as const) {
      const ran = await bench.run(['export', ...args]);
      assert.equal(ran.code, code, ran.stderr);
      assert.match(ran.stderr, message);
    }
    assert(!existsSync(join(bench.folder, 'new')));
    assert.equal(
      (await bench.run(['export', '--format', 'madr', join(bench.folder, 'new'), '--scope', 'no'])).code,
      3,
    );
    assert(!existsSync(join(bench.folder, 'new')), 'what was refused leaves no folder');
  });

  it('[U-8] without --format says which formats there are', async (test) => {
    const bench = workbench(test, 'here');
    await decided(bench);
    const { code, stderr } = await bench.run(['export', 'why.jsonl']);
    assert.equal(code, 2);
    const message = `Expected --format with one of ${EXPORT_FORMATS.join(', ')}, or the address of a server, found`;
    assert(stderr.includes(message), stderr);
    assert(stderr.includes('As in: precedent export --format jsonl'), stderr);
  });

  it('[I-5] [U-5] shows a memory as it stood then, and what a filter leaves', async (test) => {
    const bench = workbench(test, 'here');
    const out = await decided(bench);
    const past = ['--date', '2026-01-05'];
    await bench.succeed(['tool', 'mama_save', '--topic', 'old', '--decision', 'Long ago', ...past]);
    await bench.succeed(['export', '--format', 'madr', out, '--at', '2026-01-06']);
    assert.deepEqual([...bytesIn(out).keys()], ['0001-long-ago.md']);
    const page = await bench.succeed(['export', '--format', 'html', '--filter', 'scope:auth']);
    assert.match(page, /세션 쿠키 🔑/);
    assert.doesNotMatch(page, /PostgreSQL/);
  });

  it('a terminal shows what it would obey, in every format and list, and a file holds it as it is', async (test) => {
    const bench = workbench(test, 'here');
    const hidden = '\u202e\u2028\u2029\u200f\u061c\ufe0f\u{e0101}\u{e0041}';
    const text = `⚠️ a${hidden}b`;
    await bench.succeed(['tool', 'mama_save', `t${hidden}`, text, '--reasoning', text]);
    const formats = EXPORT_FORMATS.filter((each) => !['madr', 'vault', 'okf'].includes(each));
    const commands = [
      ...formats.map((format) => ['export', '--format', format]),
      ...[['list'], ['list', '--full'], ['log'], ['show', `t${hidden}`], ['list', '--json']],
    ];
    for (const args of commands) {
      const { shown, status } = await bench.type('', args);
      assert.equal(status, 0, shown);
      assert.doesNotMatch(shown, /[\u202a-\u202e\u2028\u2029\u200e\u200f\u061c\u{e0000}-\u{e01ef}]|b\ufe0f/u);
      assert(args.includes('mermaid') || shown.includes('⚠️'), shown);
    }
    const page = await bench.succeed(['export', '--format', 'html']);
    assert(page.includes(text));
  });
});

async function idOf(bench: Bench, topic: string): Promise<string> {
  const { results } = JSON.parse(await bench.succeed(['search', topic, '--json']));
  return results[0].id;
}
