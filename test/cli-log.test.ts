import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import stringWidth from 'fast-string-width';
import { renderEntry } from '../src/cli/output/render.ts';
import { openMemory } from '../src/index.ts';
import { workbench } from './support/program.ts';

const LONG = `One file for each project ${'that needs nothing at all '.repeat(20)}and ends here`;

/** A memory of three records, a second apart. */
async function filled(test: TestContext) {
  const bench = workbench(test, 'here');
  let now = Date.UTC(2026, 9, 31, 3, 4);
  const memory = await openMemory({ db: bench.db, workspace: 'bench', clock: () => (now += 1_000) });
  await memory.mama.save({ topic: 'db:engine', decision: LONG, reasoning: 'Nothing to install' });
  await memory.mama.save({
    topic: 'auth:token',
    decision: '세션 쿠키를 쓴다',
    reasoning: '스크립트가 못 읽는다',
  });
  await memory.mem.save({ title: 'Clock skew', content: LONG, type: 'bugfix' });
  await memory.close();
  const typed = (...args: string[]) =>
    bench.succeed(args, { env: { TZ: 'Asia/Seoul', COLUMNS: '100', PRECEDENT_WORKSPACE: undefined } });
  return { ...bench, typed };
}

describe('[U-3] the log on the command line', () => {
  it('says on one line when, to the minute of this place, and fits the terminal', async (test) => {
    const { typed } = await filled(test);
    const lines = (await typed('log')).trimEnd().split('\n').slice(0, 3);
    assert.match(
      lines[1] as string,
      /^· [0-9a-f]{8} {2}2026-10-31 12:04 .*decided {2}auth:token {2}세션 쿠키를 쓴다$/,
    );
    for (const line of lines) assert.ok(stringWidth(line) <= 100, line);
  });

  it('[U-7] dates what was entered, and not the decision that it is about', async (test) => {
    const bench = workbench(test, 'here');
    await bench.succeed(['decide', 'auth:session', 'JWT', '--date', '2026-11-01']);
    const said = await bench.succeed(['failed', 'auth:session', 'clock skew', '--date', '2026-11-05']);
    assert.match(said, /^ {2}dated 2026-11-05/m);
  });

  it('shows names and texts alone with --oneline, all of each with --full', async (test) => {
    const { typed } = await filled(test);
    assert.match(
      await typed('log', '--oneline'),
      /^· #1 {2}Clock skew {2}One file[^\n]*…\n· [0-9a-f]{8} {2}auth:token/,
    );
    const full = await typed('log', '--full');
    assert.equal(full.match(/ends here/g)?.length, 2, 'both long texts, whole');
    const list = await typed('list', '--full');
    assert.match(list, /ends here\n {2}because Nothing to install/);
    assert.match(await typed('list', 'notes', '--full'), /ends here/);
    assert.doesNotMatch(await typed('list'), /ends here|because/);
  });

  it('prints a line of JSON a record with --jsonl, and says where the next page begins', async (test) => {
    const bench = await filled(test);
    const { stdout, stderr } = await bench.run(['log', '--jsonl', '-n', '2']);
    const lines = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { what: string });
    assert.deepEqual(
      lines.map(({ what }) => what),
      ['noted', 'decided'],
    );
    const [, cursor = ''] = /--cursor (\S+)/.exec(stderr) ?? [];
    const rest = await bench.run(['log', '--jsonl', '-n', '2', '--cursor', cursor]);
    assert.match(rest.stdout, /^\{"kind":"decision".*db:engine.*\}\n$/);
    assert.equal((await bench.typed('list', '--jsonl')).trimEnd().split('\n').length, 2);
  });

  it('takes a filter for one, however short its value is', async (test) => {
    const { run } = await filled(test);
    for (const filter of ['scope:d', 'topic:ui', 'scope:db'])
      assert.doesNotMatch(
        (await run(['list', filter])).stderr,
        /Did you mean "precedent list (scopes|topics)"/,
      );
  });

  it('is told a span that ends before it begins', async (test) => {
    const { run } = await filled(test);
    for (const [since, until] of [
      ['2026-11-01', '2026-10-01'],
      ['2026-11', '2026-10'],
    ]) {
      const { code, stderr } = await run(['log', `since:${since}`, '--until', `${until}`]);
      assert.equal(code, 2, since);
      assert.match(stderr, /^precedent: Expected "since" to be before the end of "until"/);
    }
    assert.equal((await run(['log', 'since:2026-10', 'until:2026-10'])).code, 0, 'a month');
  });
});

describe('[U-4] [U-8] a list and its mistakes', () => {
  it('tells a program what the parser refuses as JSON, as it does of all else', async (test) => {
    const { run } = await filled(test);
    for (const [typed, said] of [
      [['list', '--bogus'], /^unknown option '--bogus'$/],
      [['lst'], /^unknown command 'lst' \(Did you mean list\?\)$/],
      [['status'], /^unknown command 'status'$/],
      [['rename'], /found no <from>, no <to>\./],
      [['workspaces', 'rename', 'a'], /^missing required argument 'new'$/],
      [['decide', 'a:b'], /^Expected "precedent decide <topic> <decision>", found no <decision>\. As in: /],
    ] as const) {
      const { code, stdout, stderr } = await run([...typed, '--json']);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      const { error } = JSON.parse(stderr);
      assert.equal(error.code, 'invalid');
      assert.match(error.message, said);
    }
  });

  it('[V-7] tells what does here what another program calls otherwise, in Korean too', async (test) => {
    const { run } = await filled(test);
    for (const [word, command] of [
      ['blame', 'why'],
      ['history', 'show REF --history'],
      ['lower', 'revise REF --strength normal'],
      ['목록', 'list'],
    ] as const) {
      const { code, stderr } = await run([word]);
      assert.equal(code, 2);
      assert(stderr.includes(`("precedent ${command}" `), stderr);
    }
  });

  it('takes a word that is nearly a kind for a typing error, and looks for it when told so', async (test) => {
    const { run, typed } = await filled(test);
    for (const [word, meant] of [
      ['decisons', 'decisions'],
      ['note', 'notes'],
      ['observations', 'notes'],
      ['memo', 'memos'],
    ] as const) {
      const { code, stderr } = await run(['list', word]);
      assert.equal(code, 2);
      assert.ok(stderr.includes(`Did you mean "precedent list ${meant}"?`), stderr);
    }
    assert.match(await typed('list', '쿠키'), /auth:token/);
    assert.match(await typed('list', '--filter', 'decisons'), /No decision passes/);
  });

  it('refuses without the name of an operation that nobody typed', async (test) => {
    const { run } = await filled(test);
    for (const args of [
      ['list', '--limit', '0'],
      ['decide', 'a:b'],
      ['log', 'since:gestern'],
      ['recall'],
      ['list', 'kind:memo'],
    ]) {
      const { code, stderr } = await run(args);
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^precedent: Expected/, args.join(' '));
    }
  });
});

describe('[U-9] a record of a list', () => {
  const entry = {
    mark: '·',
    ref: '1a2b3c4d',
    at: '2026-10-31T03:04:05Z',
    who: '김민수',
    title: 'auth:token',
    text: '세션 쿠키를\n쓴다 '.repeat(30),
  };
  for (const width of [40, 60, 80, 120, 200]) {
    it(`is a line of at most ${width} columns, below 72 two of them, and says what it is and what it says`, () => {
      for (const entries of ['line', 'oneline'] as const) {
        const shown = renderEntry(entry, { width, color: false, now: new Date(0), entries });
        assert.equal(shown.split('\n').length, width < 72 && entries === 'line' ? 2 : 1);
        for (const line of shown.split('\n')) assert.ok(stringWidth(line) <= width, line);
        assert.match(shown, /1a2b3c4d[\s\S]*auth:token {2}세션.*…$/);
      }
      const long = { ...entry, title: 'frontend:checkout:payment-form:validation-of-card-numbers-and-dates' };
      const cut = renderEntry(long, { width, color: false, now: new Date(0) });
      assert.match(cut, /frontend:.*… {2}세션.*…$/, 'what is cut says so, and the text has its room');
      const piped = renderEntry(long, { width, color: false, now: new Date(0), isPiped: true });
      assert.ok(!piped.includes('…') && !piped.includes('\n') && piped.includes(long.title));
      const full = renderEntry(entry, { width, color: false, now: new Date(0), entries: 'full' });
      for (const line of full.split('\n')) assert.ok(stringWidth(line) <= width, line);
      assert.equal(full.match(/쓴다/g)?.length, 30);
    });
  }
});
