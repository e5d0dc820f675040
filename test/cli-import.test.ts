import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { workbench } from './support/program.ts';

const SAMPLES = resolve('test', 'fixtures', 'imports');
const GRAPH = join(SAMPLES, 'server-memory', 'memory.jsonl');

/** All that is in a folder: names, bytes and times. */
const stateOf = (folder: string) =>
  readdirSync(folder).map((name) => {
    const path = join(folder, name);
    const hash = createHash('sha256').update(readFileSync(path)).digest('hex');
    return [name, hash, statSync(path).mtimeMs];
  });

describe('CLI: import from other tools', { concurrency: 2 }, () => {
  it('[I-3] a dry run shows the plan and makes no memory; the import says what came; undo takes it back', async (test) => {
    const bench = workbench(test, 'here');
    const plan = await bench.succeed(['import', '--from', 'server-memory', GRAPH, '--dry-run']);
    assert.match(plan, /^= would come: observations 9 new, relations 5 new/);
    assert.match(plan, /waits: Shop depends_on Nowhere/);
    assert.equal(existsSync(join(bench.folder, 'memory.db')), false);
    assert.match(await bench.succeed(['import', '--from', 'server-memory', GRAPH]), /^✔ observations 9 new/);
    assert.match(await bench.succeed(['import', '--from', 'server-memory', GRAPH]), /^= nothing changed/);
    assert.match(
      await bench.succeed(['import', '--undo', 'server-memory']),
      /^✔ undid 9 records and 5 relations/,
    );
  });

  it('[I-1] a source that nobody reads is refused with those that there are; a switch of an import without one', async (test) => {
    const bench = workbench(test, 'here');
    const nope = await bench.run(['import', '--from', 'nope']);
    assert.equal(nope.code, 2);
    assert.match(nope.stderr, /found "nope"/);
    assert.match(nope.stderr, /server-memory/);
    const bare = await bench.run(['import', '--skip-damaged', GRAPH]);
    assert.match(bare.stderr, /without --from, which names another tool/);
  });

  it('[I-1] auto lists what this machine has and how much, and reads nothing into a memory', async (test) => {
    const bench = workbench(test, 'here');
    copyFileSync(GRAPH, join(bench.folder, 'memory.jsonl'));
    const told = await bench.succeed(['import', '--from', 'auto']);
    assert.match(told, /server-memory/);
    assert.match(told, /9 observations, 8 relations/);
    assert.equal(existsSync(join(bench.folder, 'memory.db')), false);
  });

  it('[SR-5] the plan is one table that adds up, as text and as JSON; auto shows it for a folder and writes nothing', async (test) => {
    const bench = workbench(test, 'here');
    const folder = join(bench.folder, 'bakery');
    mkdirSync(join(folder, 'docs', 'adr'), { recursive: true });
    const record = '# Oven\n\n## Status\n\nAccepted\n\n## Decision\n\nWe heat.\n';
    for (let at = 1; at <= 9; at++) writeFileSync(join(folder, 'docs', 'adr', `000${at}-a.md`), record);
    writeFileSync(join(folder, 'DECISIONS.md'), '# Decisions\n\n- 2026-01-02: Bake\n- 2026-01-03: Rest\n');
    writeFileSync(join(folder, 'README.md'), '# Bakery\n');
    const rows =
      /docs\/adr\/0001-a\.md\t1 decision\n.*\n.*0003-a.*\n… 6 more like this\t.*\nDECISIONS\.md\t2 decisions\nREADME\.md\tleft out: .*\n +11 files: 10 taken, 1 left out/;
    const ask = ['import', '--from', 'adr', folder, '--dry-run'];
    assert.match(await bench.succeed(ask), rows);
    assert.match(await bench.succeed(['import', '--from', 'auto', folder]), rows);
    const { plan } = JSON.parse(await bench.succeed([...ask, '--json']));
    const { sources } = JSON.parse(await bench.succeed(['import', '--from', 'auto', folder, '--json']));
    assert.deepEqual(plan.files, { found: 11, taken: 10, leftOut: 1 });
    assert.deepEqual([plan.rows.length, sources[0].plan], [11, plan]);
    assert.equal(existsSync(join(bench.folder, 'memory.db')), false);
    const graph = JSON.parse(
      await bench.succeed(['import', '--from', 'server-memory', GRAPH, '--dry-run', '--json']),
    );
    assert.deepEqual(graph.plan.rows[0], { what: GRAPH, becomes: 'observations 9 new, relations 5 new' });
  });

  it('[SR-4] an export that PowerShell wrote as UTF-16 is imported, in either order of its bytes', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['import', '--from', 'server-memory', GRAPH]);
    const exported = await bench.succeed(['export', '--format', 'jsonl']);
    const little = Buffer.from(`\ufeff${exported.replaceAll('\n', '\r\n')}`, 'utf16le');
    for (const [at, bytes] of [little, Buffer.from(little).swap16()].entries()) {
      const file = join(bench.folder, `why-${at}.jsonl`);
      writeFileSync(file, bytes);
      const there = ['--db', join(bench.folder, `${at}.db`)];
      await bench.succeed([...there, 'import', file]);
      assert.equal(await bench.succeed([...there, 'export', '--format', 'jsonl']), exported);
    }
  });

  it('[I-4] nothing is written beside a source, also where nothing may be', async (test) => {
    const bench = workbench(test, 'here');
    const folder = join(bench.folder, 'theirs');
    mkdirSync(folder);
    copyFileSync(GRAPH, join(folder, 'memory.jsonl'));
    const before = stateOf(folder);
    chmodSync(folder, 0o555);
    await bench.succeed(['import', '--from', 'server-memory', join(folder, 'memory.jsonl')]);
    assert.deepEqual(stateOf(folder), before);
    chmodSync(folder, 0o755);
  });

  it('[I-2] a damaged file is refused by its lines, whole; without them the rest comes', async (test) => {
    const bench = workbench(test, 'here');
    const damaged = join(SAMPLES, 'server-memory', 'memory-damaged.jsonl');
    const refused = await bench.run(['import', '--from', 'server-memory', damaged]);
    assert.match(refused.stderr, /line 3 \(no JSON\).*line 8 \(no JSON\)/);
    const rest = ['import', '--from', 'server-memory', damaged, '--skip-damaged', '--json'];
    const merged = JSON.parse(await bench.succeed(rest));
    assert.deepEqual(
      merged.skipped.map(({ what }: { what: string }) => what),
      [3, 4, 5, 6, 8].map((number) => `line ${number}`),
    );
    writeFileSync(join(bench.folder, 'empty.jsonl'), '');
    const none = ['import', '--from', 'server-memory', join(bench.folder, 'empty.jsonl'), '--json'];
    assert.equal(JSON.parse(await bench.succeed(none)).observations.new, 0);
  });

  it('[I-1] the program itself reads front matter, as its sources do: of notes, records and instructions', async (test) => {
    const bench = workbench(test, 'here');
    const folder = join(bench.folder, 'vault');
    mkdirSync(folder);
    writeFileSync(join(folder, 'wall.md'), '---\ntitle: 외벽\ntags: [집]\n---\n220mm\n');
    const told = await bench.succeed(['import', '--from', 'obsidian', folder]);
    assert.doesNotMatch(told, /no YAML/);
    assert.match(await bench.succeed(['export', '--format', 'jsonl']), /"title":"외벽","content":"220mm"/);
  });

  it('[I-3] an undo beside an import or a file is refused, and takes nothing back', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['import', '--from', 'server-memory', GRAPH]);
    const undo = ['import', '--undo', 'server-memory'];
    for (const more of [[GRAPH], ['--from', 'server-memory'], ['--scope', 'project=x']]) {
      const refused = await bench.run([...undo, ...more]);
      assert.equal(refused.code, 2, more.join(' '));
      assert.match(refused.stderr, /Expected --undo alone/);
    }
    assert.match(await bench.succeed(undo), /^✔ undid 9 records/);
  });

  it('[I-3] a dry run of an undo says what would go, by kind, as the undo does, and takes nothing back', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['import', '--from', 'server-memory', GRAPH]);
    await bench.succeed(['import', '--from', 'adr', join(SAMPLES, 'adr')]);
    const undo = ['import', '--undo', 'adr'];
    const before = await bench.succeed(['export', '--format', 'jsonl']);
    const planned = await bench.succeed([...undo, '--dry-run']);
    const report = JSON.parse(await bench.succeed([...undo, '--dry-run', '--json']));
    assert.equal(await bench.succeed(['export', '--format', 'jsonl']), before);
    const { decision, ...others } = report.kinds;
    assert(decision > 0);
    const sum = Object.values<number>(others).reduce((all, each) => all + each, decision);
    assert.equal(sum, report.records);
    assert.match(planned, new RegExp(`^= would undo ${report.records} records? and \\d+ relations? .* adr `));
    assert.match(planned, new RegExp(`decision ${decision}\\b.*\\n.*Nothing was written`));
    const done = JSON.parse(await bench.succeed([...undo, '--json']));
    assert.deepEqual(done, { ...report, dryRun: false });
    const none = await bench.run([...undo, '--dry-run']);
    assert.equal(none.code, 3);
    assert.match(none.stderr, /none in this memory/);
    // What rests on it is named beforehand, too.
    await bench.succeed(['tool', 'mem_update', '1', '--title', 'Ours']);
    const resting = await bench.run(['import', '--undo', 'server-memory', '--dry-run']);
    assert.match(resting.stderr, /what changed here of observation 1\. Nothing was undone/);
  });

  it('[I-1] of a home its own instructions are read, and not those of every project in it', async (test) => {
    const bench = workbench(test, 'here');
    const home = join(bench.folder, 'someone');
    const project = join(home, 'shop');
    mkdirSync(project, { recursive: true });
    writeFileSync(join(project, 'AGENTS.md'), 'Use tabs.');
    const env = { HOME: home, USERPROFILE: home };
    const inHome = await bench.succeed(['import', '--from', 'auto'], { env, cwd: home });
    assert.doesNotMatch(inHome, /agents/);
    assert.match(await bench.succeed(['import', '--from', 'auto'], { env, cwd: project }), /agents .*shop/);
  });
});
