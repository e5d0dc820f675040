import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { describe, it, type TestContext } from 'node:test';
import { workbench } from './support/program.ts';

const hasScript = spawnSync('script', ['--version']).status === 0;
const needsTerminal = !hasScript && 'needs `script`, which gives a program a terminal (util-linux)';
const KIM = 'Kim <kim@example.com>';

/** A memory in which an agent saved in a person's name: a rule against a lock, noise, two decisions and a note. */
async function withSaves(test: TestContext, isReal = false) {
  const bench = workbench(test, 'here');
  const { succeed, connect } = bench;
  const typing = isReal ? bench.typeInProcess : bench.type;
  const env = { PRECEDENT_AUTHOR: KIM };
  const type = (...args: string[]) => succeed(args, { env });
  await type(
    'decide',
    'pay:amounts',
    '금액은 정수 원으로만 다룬다',
    '--strength',
    'lock',
    '--scope',
    'global',
  );
  const { ask } = await connect({ name: 'claude-code', version: '2.1.330', env });
  await ask('mama_save', { topic: 'pay:type', decision: '금액은 소수로 다룬다' });
  for (const n of [41, 42, 43]) await ask('mem_save', { title: `Run ${n}`, content: `All ${n} tests pass` });
  await ask('mama_save', { topic: 'log:form', decision: 'Logs are JSON', reasoning: 'They are searched' });
  await ask('mama_save', { topic: 'queue:poll', decision: 'Queues are polled', reasoning: 'No push' });
  await ask('mem_save', { title: 'proxy', content: 'It cuts <b>headers</b> at 4 kB' });
  /** What a person sees who presses these keys. */
  const press = async (keys: string, ...args: string[]) => {
    const { status, shown } = await typing(keys, ['review', ...args], env);
    assert.equal(status, 0, shown);
    return shown;
  };
  const topics = async () =>
    (JSON.parse(await type('list', '--json')).decisions as { topic: string }[])
      .map(({ topic }) => topic)
      .sort();
  return { type, press, topics, ask };
}

describe('[V-3] precedent review', () => {
  it('is a list without a terminal, as text, JSON and Markdown, with what to beware of first', async (test) => {
    const { type } = await withSaves(test);
    const text = await type('review');
    assert.match(text, /^Look at these first {2}1\n {2}decided pay:type/);
    assert.match(text, /! close to the lock “pay:amounts”/);
    assert.match(text, /These say nearly the same {2}3/);
    assert.match(text, /Session \S+ via claude-code {2}3/);
    const { groups, total } = JSON.parse(await type('review', '--json'));
    assert.deepEqual([total, groups.length], [7, 3]);
    const markdown = await type('review', '--markdown');
    assert.match(
      markdown,
      /^# Review of bench, \d{4}-\d\d-\d\d\n\n## Look at these first \(1\)\n\n- \*\*pay:type\*\* /,
    );
    assert.match(markdown, /^- \*\*proxy\*\* It cuts \\<b\\>headers/m, 'nothing of a record is Markdown');
    assert.match(markdown, /via claude-code/);
  });

  it('by keys: undo, a group at once, keep, the last key reverted; who quits goes on there', {
    skip: needsTerminal,
  }, async (test) => {
    // At a real terminal: the others are played.
    const { type, press, topics, ask } = await withSaves(test, true);
    // The harm is undone, the three alike too, and the session is left.
    const seen = await press('uUq');
    assert.match(seen, /✔ undo: pay:type/);
    assert.match(seen, /undo 4; 3 still wait/);
    assert.deepEqual(await topics(), ['log:form', 'pay:amounts', 'queue:poll']);
    assert.match(await type('search', 'tests pass'), /Nothing recorded answers this/);
    // The second of the session is kept by its number, taken back, undone, and brought back.
    assert.match(await press('2kz2uzq'), /nothing was changed; 3 still wait/);
    assert.deepEqual(await topics(), ['log:form', 'pay:amounts', 'queue:poll']);
    // One by one: keep the note, bind a decision, withdraw the other.
    assert.match(await press('\rkbw'), /keep 1, make binding 1, withdraw 1; nothing waits/);
    assert.deepEqual(await topics(), ['pay:amounts', 'queue:poll']);
    const { decision } = JSON.parse(await type('tool', 'decision_get', 'queue:poll', '--json'));
    assert.deepEqual([decision.strength, decision.reasoning], ['lock', 'No push']);
    assert.match(await type('review'), /^Nothing waits/);
    // What is active again is so for its own reason.
    await type('decide', 'cache:ttl', 'An hour', '--reasoning', 'It is cheap');
    // It is due as well, and is that no more once it is undone.
    const due = { reasoning: 'Fewer calls', revisit: '2026-01-01' };
    await ask('mama_save', { topic: 'cache:ttl', decision: 'A day', ...due });
    assert.match(await press('uq'), /undo 1; nothing waits/);
    const again = JSON.parse(await type('tool', 'decision_get', 'cache:ttl', '--json')).decision;
    assert.deepEqual([again.text, again.reasoning], ['An hour', 'It is cheap']);
  });

  it('by keys: numbers choose some of a list, for one key and for what reverts it', async (test) => {
    const { type, press, topics } = await withSaves(test);
    const before = await topics();
    const found = async (words: string) => JSON.parse(await type('search', words, '--json')).results.length;
    assert.match(
      await press('s1 2-3uzq'),
      /✔ undo: 3 records[\s\S]*Reverted: undo[\s\S]*nothing was changed; 7 still/,
    );
    assert.equal(await found('tests pass'), 3);
    assert.match(
      await press('sS2-3wzq'),
      /✔ withdraw: 2 records[\s\S]*Reverted: withdraw[\s\S]*nothing was changed/,
    );
    assert.deepEqual(await topics(), before);
    assert.match(
      await press('sS2Wzzq'),
      /✔ withdraw: queue:poll[\s\S]*✔ keep: 2 records[\s\S]*Reverted: keep[\s\S]*Reverted: withdraw/,
      'a capital keeps the others',
    );
    assert.deepEqual(await topics(), before);
    for (const wrong of ['4', '3-1', '1-'])
      assert.match(
        await press(`s${wrong}uq`),
        /Expected numbers from 1 to 3, such as 2 or 1 3-5\.[\s\S]*nothing was/,
        wrong,
      );
    assert.match(await press('sS4\x7f3kq'), /keep 1; 6 still wait/, 'Backspace takes the last one away');
    assert.match(await press('sS2\rwq'), /✔ withdraw: queue:poll/, 'Enter shows the one that was chosen');
    assert.match((await press('sq')).replace(/\s+/g, ' '), /2U undo 2, keep others 1-3 choose, then/);
    assert.match(
      (await type('review', '--help')).replace(/\s+/g, ' '),
      /u undo, w withdraw.*"2U" undoes the second/,
    );
    assert.match(await press('bzq'), /✔ make binding: pay:type[\s\S]*Reverted: make binding/);
    assert.match(await press('s1,2uq'), /1,2\n✔ undo: 2 records/);
    assert.equal(await found('tests pass'), 1);
  });

  it('[T-6] both hold: one key says so in the reason, and what was close is no contradiction any more', async (test) => {
    const { type, press } = await withSaves(test);
    const contradicted = async () => JSON.parse(await type('list', 'is:contradicted', '--json')).total;
    const before = await contradicted();
    assert(before > 0);
    assert.match(await press('hzq'), /h both hold[\s\S]*✔ both hold: pay:type[\s\S]*Reverted: both hold/);
    assert.equal(await contradicted(), before);
    assert.match(await press('ㅗq'), /both hold 1; 6 still wait/);
    assert.equal(await contradicted(), 0);
    const { decision } = JSON.parse(await type('tool', 'decision_get', 'pay:type', '--json'));
    assert.match(decision.reasoning, /^alongside: [\da-f]+/);
    assert.match(await type('review'), /^These say nearly the same/);
    assert.match(await press('3hq'), /nothing was changed/, 'what contradicts nothing has no such key');
  });

  it('one key keeps nothing that nobody has seen; ? explains; who began earlier goes on there', async (test) => {
    const { press, topics } = await withSaves(test);
    const before = await topics();
    // The harm is skipped; the next group is a whole one, with a session behind it.
    const once = await press('sAq');
    assert.match(once, /A keeps these and 3 records that you have not seen yet\. Press A again/);
    assert.match(once, /nothing was changed; 7 still wait/, 'what is skipped waits too');
    assert.match(
      await press('sA?q'),
      /keep all groups, also those further down; it asks first[\s\S]*nothing was changed/,
    );
    assert.match(
      await press('sos3kq'),
      /1-3 choose[\s\S]*Which\? Type its number first: 2o, or 1 3-5o\.[\s\S]*keep 1; 6 still wait/,
      'o and s mean no one of a group',
    );
    assert.match(await press('sAAq'), /✔ keep: 5 records[\s\S]*keep 5/);
    assert.deepEqual(await topics(), before);
  });

  it('a key that means nothing here says what does, and changes nothing', async (test) => {
    const { press, topics } = await withSaves(test);
    const before = await topics();
    const seen = await press('xyfWé9ㅂ');
    assert.match(seen, /k keep {2}e edit {2}u undo {2}w withdraw {2}b make binding/);
    assert.match(seen, /nothing was changed; 7 still wait/);
    assert.deepEqual(await topics(), before);
  });
});

describe('[V-2] precedent undo', () => {
  it('of what was chosen asks once, shows what it would do, and leaves all where the answer is no', async (test) => {
    const { type, topics } = await withSaves(test);
    const refused = type('undo', 'via:claude');
    await assert.rejects(refused, /--yes/);
    assert.match(await type('undo', 'via:claude', '--dry-run'), /7 saves would be undone/);
    assert.equal((await topics()).length, 4);
    assert.match(await type('undo', 'via:claude', 'tests', '--yes'), /✔ 3 saves undone {2}workspace bench\n/);
    await type('undo', 'via:claude', '--yes');
    assert.deepEqual(await topics(), ['pay:amounts']);
    assert.match(await type('undo', '--redo', '--last', '7'), /✔ 7 saves redone/);
    assert.equal((await topics()).length, 4);
  });
});
