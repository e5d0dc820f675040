import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
const needsTerminal = !hasScript && 'needs `script`, which gives a program a terminal (util-linux)';

const AMOUNTS = '금액은 정수 원으로만 다룬다. 부동소수점은 쓰지 않는다.';
const WHY = '반올림 오차가 있었다';

/** A memory with a lock. */
async function withLock(test: TestContext) {
  const { run, succeed, type, typeInProcess } = workbench(test, 'here');
  const saved = await succeed([
    ...['decide', 'payment:amounts', AMOUNTS, '--reasoning', WHY, '--strength', 'lock', '--json'],
  ]);
  const { id } = JSON.parse(saved) as { id: string };
  const active = async () => {
    const { decision } = JSON.parse(await succeed(['show', 'payment:amounts', '--json']));
    return decision.versions[0] as { text: string; version: number; scope: string; status: string };
  };
  return { id, run, succeed, typing: type, typeInProcess, active };
}

const WAYS: [name: string, args: string[]][] = [
  ['decide', ['decide', 'payment:amounts', '할인 금액은 소수로 둔다', '--reasoning', '할인율 때문에']],
  ['revise', ['revise', 'payment:amounts', '--text', 'Cents', '--reasoning', 'We sell abroad']],
  ['withdraw', ['withdraw', 'payment:amounts', '더는 결제가 없다']],
  ['rename', ['rename', 'payment:amounts', 'billing:amounts']],
  ['rename --kind scope', ['rename', 'payment', 'billing', '--kind', 'scope', '--reasoning', 'one name']],
  ['tool mama_save', ['tool', 'mama_save', 'payment:amounts', 'Cents', '--reasoning', 'abroad']],
];

describe('[T-6] a lock on the command line', () => {
  for (const [index, [name, args]] of WAYS.entries()) {
    it(`${name}: without a terminal it is named by --replaces, which the refusal says`, async (test) => {
      const { id, run, succeed, active } = await withLock(test);
      const before = await active();
      const { code, stderr } = await run(args);
      assert.equal(code, 4, stderr);
      for (const each of [`“${AMOUNTS}”`, id, `--replaces ${id.slice(0, 8)}`])
        assert(stderr.includes(each), stderr);
      assert.deepEqual(await active(), before, 'nothing was changed');
      await succeed([...args, '--replaces', id.slice(0, 8)]);
    });

    // One of them at a real terminal.
    const isReal = index === 0;
    const skip = isReal && needsTerminal;
    it(`${name}: on a terminal a person is shown it and asked`, { skip }, async (test) => {
      const { id, typing: played, typeInProcess, active } = await withLock(test);
      const typing = isReal ? typeInProcess : played;
      const before = await active();
      const { status, shown } = await typing('n\n', args);
      for (const each of [
        'payment:amounts  lock · payment',
        AMOUNTS,
        `why: ${WHY}`,
        'Override this lock? [y/N]',
      ])
        assert(shown.includes(each), `${each} is not in: ${shown}`);
      assert(shown.includes('The lock stays. Nothing was changed.'), shown);
      assert.equal(status, 4, shown);
      assert.deepEqual(await active(), before, 'nothing was changed');
      const agreed = await typing('y\n', args);
      assert.equal(agreed.status, 0, agreed.shown);
      assert(!agreed.shown.includes('--replaces'), agreed.shown);
      assert(id.length > 8);
    });
  }
});

describe('[T-6] [D-20] a reason that is missing', () => {
  it('is asked of a person at a terminal, of a lock after its name, and refused without one', async (test) => {
    const { run, succeed, typing, active } = await withLock(test);
    const change = ['decide', 'payment:amounts', 'Cents'];
    const refused = await run(change);
    assert.equal(refused.code, 4, refused.stderr);
    const none = await typing('y\n\n', change);
    assert.match(none.shown, /Override this lock\? \[y\/N\][\s\S]*Why\?[\s\S]*The lock stays/);
    assert.equal((await active()).text, AMOUNTS);
    const said = await typing('y\nWe sell abroad\n', change);
    assert.equal(said.status, 0, said.shown);
    assert(!/Ask the person|replaces:/.test(said.shown), said.shown);
    await succeed(['decide', 'time:utc', 'UTC', '--strength', 'axis']);
    const axis = await typing('Nobody travels\n', ['decide', 'time:utc', 'Local time']);
    assert.match(axis.shown, /UTC[\s\S]*Why\?[\s\S]*saved time:utc/);
    assert.match(await succeed(['why', 'time:utc']), /Local time[\s\S]*Nobody travels/);
  });
});

describe('[V-2] [T-6] a dry run of undo', () => {
  it('says what a lock needs, on a terminal too, where nothing is asked', async (test) => {
    const { id, run, succeed, typing, active } = await withLock(test);
    const only = `would be undone, but only with --replaces ${id.slice(0, 8)}`;
    const dry = ['undo', 'payment:amounts', '--dry-run'];
    assert((await succeed(dry)).includes(only));
    const asked = await typing('y\n', dry);
    assert(asked.shown.includes(only) && !asked.shown.includes('[y/N]'), asked.shown);
    assert.equal((await run(['undo', 'payment:amounts', '--yes'])).code, 4);
    const chosen = await typing('y\n', ['undo', 'payment:amounts']);
    assert.equal(chosen.shown.split('[y/N]').length, 2, `asked once: ${chosen.shown}`);
    assert(!chosen.shown.includes('only with'), chosen.shown);
    assert.equal((await active()).status, 'withdrawn');
  });

  it('[K-6] what depends on it is refused with the commands that go on', async (test) => {
    const { run, succeed } = workbench(test, 'here');
    await succeed(['decide', 'log:form', 'JSON']);
    await succeed(['failed', 'log:form', 'unreadable']);
    const { stderr } = await run(['undo', 'log:form', '--yes']);
    assert.match(stderr, /outcome failed of version 1/);
    const [, all = ''] = stderr.match(/"precedent (undo topic:\S+)"/) ?? [];
    const [, end = ''] = stderr.match(/"precedent (withdraw \S+)"/) ?? [];
    await succeed([...all.split(' '), '--yes']);
    await succeed(['undo', '--redo', '--last', '2']);
    await succeed([...end.split(' '), 'nobody reads it']);
  });
});

describe('[Y-2] what was decided twice, on the command line', () => {
  it('on a terminal both sides are shown, and a number or other words settle it', async (test) => {
    const { folder, db, run, succeed, type: typing } = workbench(test, 'here');
    const other = join(folder, 'other.db');
    const on = (file: string, author: string) => ({ env: { PRECEDENT_DB: file, PRECEDENT_AUTHOR: author } });
    for (const [file, author, text] of [
      [db, 'Kim', '세션 쿠키'],
      [other, 'Lee', 'JWT'],
    ] as const)
      await run(['decide', '인증', text, '--reasoning', `${author} says so`], on(file, author));
    await run(['decide', 'errors', 'Codes', '--strength', 'lock'], on(db, 'Kim'));
    await run(['decide', 'errors', '문장'], on(other, 'Lee'));
    const exported = join(folder, 'lee.jsonl');
    writeFileSync(exported, (await run(['export', '--format', 'jsonl'], on(other, 'Lee'))).stdout);
    await succeed(['import', exported]);
    const none = await typing('\n', ['settle', '인증']);
    for (const each of [
      '1  “',
      '2  “',
      '세션 쿠키',
      'Kim',
      'why: Kim says so',
      'JWT',
      'Lee',
      'Nothing was settled',
    ])
      assert(none.shown.includes(each), `${each} is not in: ${none.shown}`);
    assert.equal(none.status, 4);
    const isRefused = async (typed: string, said: RegExp) => {
      const { shown, status } = await typing(typed, ['settle', '인증']);
      assert.match(shown, said);
      assert.match(shown, /Nothing was settled/);
      assert.equal(status, 4, shown);
    };
    for (const key of ['y', 'q', '3', '예'])
      await isRefused(`${key}\n\n`, new RegExp(`Expected a number from 1 to 2, an id, .*found "${key}"`));
    await isRefused('세션 쿠키, 하루\n\n', /Expected a reason, found nothing/);
    const [, number = ''] = none.shown.match(/(\d) {2}“세션/) ?? [];
    assert.match((await typing(`${number}\n`, ['settle', '인증'])).shown, /settled 인증[\s\S]*세션 쿠키/);
    await succeed(['undo', '--yes']);
    const written = await typing('세션 쿠키, 하루\n둘 다 길다\n', ['settle', '인증']);
    assert.equal(written.status, 0, written.shown);
    assert.match(await succeed(['why', '인증']), /세션 쿠키, 하루\n.*둘 다 길다/);
    await succeed(['undo', '--yes']);
    const reasoned = await typing('하루짜리 쿠키\n', ['settle', '인증', '--reasoning', '이미 말했다']);
    assert(!reasoned.shown.includes('Why?'), reasoned.shown);
    assert.match(await succeed(['why', '인증']), /하루짜리 쿠키\n.*이미 말했다/);
    await succeed(['undo', '--yes']);
    const { shown: sides } = await typing('7a81ffff\n', ['settle', '인증']);
    assert.match(sides, /Expected --keep with one of .*found "7a81ffff"/, 'an id that is none is no text');
    const [, ref = ''] = sides.match(/JWT” \((\w{8})/) ?? [];
    assert.match((await typing(`${ref}\n`, ['settle', '인증'])).shown, /settled 인증[\s\S]*JWT/);
    assert.match(await succeed(['why', '인증']), /JWT\n.*Lee says so/);
    const overriding = await typing('1\n아무도 쓰지 않는다\n', ['settle', 'errors']);
    assert.match(
      overriding.shown,
      /Why\?[\s\S]*settled errors[\s\S]*a lock of “errors” was replaced: “Codes”/,
    );
    assert.match(await succeed(['why', 'errors']), /문장\n.*아무도 쓰지 않는다/);
  });
});
