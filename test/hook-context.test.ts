import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { estimateTokens } from '../src/domain/text/tokens.ts';
import {
  BUDGETS,
  fileContext,
  NOTHING_SPENT,
  PURSE,
  promptContext,
  spentAfter,
  startContext,
} from '../src/hook/context.ts';

const TEXTS = ['memory-500', 'memory-5000'].flatMap((name) =>
  readFileSync(`bench/data/gate/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ decision, reasoning, title, content }) => [decision ?? title, reasoning ?? content ?? '']),
);
/** Facts as they are shown. */
const facts = (texts: string[][]) =>
  texts.map(([text, reason], n) => ({
    id: `${n}`,
    line: `- [active · area · 2026-11-22] area:matter: “${text}”; why “${reason}” (33b01e2${n})`,
    brief: `- [active · area · 2026-11-22] area:matter: “${text}” (33b01e2${n})`,
  }));
const shown = (texts: string[][]) => promptContext({ facts: facts(texts), trigger: undefined });

describe('what is told with a prompt', () => {
  it('[A-3] takes no more tokens than it is counted with, nor than its budget', () => {
    const some = fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 3 });
    fc.assert(
      fc.property(
        some,
        fc.record({
          binding: fc.integer({ min: 0, max: PURSE.binding }),
          other: fc.integer({ min: 0, max: PURSE.other }),
        }),
        fc.boolean(),
        (texts, spent, isReminding) => {
          const some = facts(texts).map((fact, at) => ({ ...fact, binds: at % 2 === 1 }));
          const context = promptContext({ facts: some, trigger: undefined }, spent, isReminding);
          assert(estimateTokens(context.text) <= context.tokens);
          assert(context.tokens <= BUDGETS.prompt);
          for (const purse of ['binding', 'other'] as const)
            assert(context.cost[purse] <= PURSE[purse] - spent[purse]);
          // Nothing is left out unsaid (T-4).
          const left = some.length - context.shown.length;
          assert.equal(context.text.includes(`${left} more about this not shown here: recall`), left > 0);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it('[F-4] with a file what does not fit is counted, and nothing is when all is shown', () => {
    const some = fc.array(fc.constantFrom(...TEXTS), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(some, (texts) => {
        const binding = facts(texts).map((fact) => ({ ...fact, binds: true }));
        const context = fileContext(binding, NOTHING_SPENT);
        assert(estimateTokens(context.text) <= context.tokens);
        assert(context.tokens <= BUDGETS.file);
        const left = binding.length - context.shown.length;
        assert.deepEqual(/(\d+) more about this/.exec(context.text)?.[1], left > 0 ? `${left}` : undefined);
      }),
      { numRuns: 500 },
    );
  });

  it('[F-4] [T-1] of a rule that is cut no half warning is shown, and its reference is', () => {
    const [fact] = facts([['Carts are kept in a row of the server, keyed by an anonymous cookie', '']]);
    assert(fact);
    for (let pad = 0; pad < 40; pad++) {
      const text = fact.line.replace(
        /; why .*/,
        `; ${'FAILED before: v1 “Carts are kept in the browser” '.slice(0, -1)}`,
      );
      const line = `${text.replace('Carts', `Carts${' x'.repeat(pad)}`)}; because “they were lost” (33b01e20)`;
      const { text: said } = fileContext([{ id: '1', line, brief: line, binds: true }], NOTHING_SPENT);
      assert.match(said, /…”?(; …)? \(33b01e20\)$|browser”(; because “they were lost”|; …)? \(33b01e20\)$/m);
      assert.doesNotMatch(said, /FAILED( before)?(: v1)?…/);
    }
  });

  it('[T-4] what binds has a purse of its own, and both fill again with time', () => {
    const [rule, other] = facts([['No tabs'], ['Green buttons']].map(([text = '']) => [text, 'why']));
    assert(rule && other);
    const both = { facts: [other, { ...rule, binds: true }], trigger: undefined };
    const spent = { ...PURSE, binding: 0 };
    assert.deepEqual(promptContext(both, spent).shown, [rule.id]);
    assert.match(promptContext(both, spent).text, /^1 more about this not shown here: recall/m);
    assert.deepEqual(promptContext(both, { ...PURSE, other: 0 }).shown, [other.id]);
    assert.match(
      promptContext(both, PURSE).text,
      /^2 more about this not shown here: recall \(precedent\)\.$/,
    );
    const alone = { facts: [{ ...rule, binds: true, brief: rule.line }], trigger: undefined };
    const { cost } = promptContext(alone);
    const exactly = { ...PURSE, binding: PURSE.binding - cost.binding };
    assert.deepEqual(promptContext(alone, exactly).shown, [rule.id], 'what is left is spent to the last');
    assert.deepEqual(promptContext(both, spentAfter(PURSE, 600_000)).shown, [other.id, rule.id]);
    assert.deepEqual(spentAfter(PURSE, 100 * 600_000), { binding: 0, other: 0 });
    assert.deepEqual(spentAfter(PURSE, -5), PURSE, 'a clock that was set back');
  });

  it('[A-3] has no room for a record only after its reason, and the reasons of the first ones stay', () => {
    const text = 'The robots charge in turns during the day and not all at once';
    const reason =
      'The sockets of the two lower floors are on one fuse that went twice in March, and nobody wants to wait for the electrician in the middle of the harvest again';
    const three = shown([
      [text, reason],
      [text, reason],
      [text, reason],
    ]);
    assert.deepEqual(three.shown, ['0', '1', '2']);
    const lines = three.text.split('\n').filter((line) => line.startsWith('- '));
    const whole = lines.filter((line) => line.includes('why')).length;
    assert(whole < 3 && lines.slice(0, whole).every((line) => line.includes('why')), three.text);
    assert.equal(shown([[text, reason]]).text.includes('why'), true);
    // What does not even fit in brief takes no reason from the others.
    const long = shown([
      [text, reason],
      ['word '.repeat(200), reason],
    ]);
    assert.deepEqual([long.shown, long.text.includes('why')], [['0'], true]);
  });
});

describe('what is told at the start of a session', () => {
  const rules = (count: number) =>
    facts(
      Array.from({ length: count }, (_, at) => [
        `Rule ${at} of the house holds for whoever writes here`,
        'Somebody was hurt in March, when nobody had thought of it and the door stood open',
      ]),
    );
  const nothing = { isDecided: true, others: [], failed: [], checkpoint: undefined, due: 0, newest: 1 };
  const start = (count: number, due = 0) => startContext({ ...nothing, binding: rules(count), due });

  it('[T-12] a subagent is sent rules alone, in 120 tokens, and how many there is no room for', () => {
    const all = { ...nothing, binding: rules(9), failed: facts([['It failed', 'why']]), due: 3 };
    const { text, shown, tokens } = startContext(all, 'subagent');
    assert(shown.length >= 1 && tokens <= BUDGETS.subagent && estimateTokens(text) <= tokens, text);
    assert.match(text, new RegExp(`^${9 - shown.length} more not shown: recall\\.$`, 'm'));
    assert.doesNotMatch(text, /It failed|due for review/);
    // Two are cut and both there: nothing is left out.
    for (const count of [1, 2, 3]) {
      const some = startContext({ ...all, binding: rules(count) }, 'subagent');
      assert.equal(/more not shown/.test(some.text), some.shown.length < count, some.text);
    }
  });

  it('[V-5] how many decisions are due is said in one line, also where rules are left out', () => {
    assert.doesNotMatch(start(3).text, /due for review/);
    for (const count of [0, 3, 30]) {
      const { text, tokens } = start(count, 2);
      assert.match(text, /^Decisions due for review: 2\. Tell the user: "precedent review" shows them\.$/m);
      assert(tokens <= BUDGETS.start && estimateTokens(text) <= tokens, text);
    }
  });

  it('[T-5] the axes and locks of scopes are named, as many as fit, in what is data', () => {
    const others = Array.from({ length: 40 }, (_, at) => `an-area-of-the-product-${at}:rule`);
    for (const count of [0, 2, 4]) {
      const { text, tokens, shown } = startContext({ ...nothing, binding: rules(count), others });
      const [, names = '', left] =
        text.match(/\n- other axes and locks: (.*), (\d+) more \(decision_get .*\)\n<\/precedent>$/) ?? [];
      assert.equal(names.split(', ').length + Number(left), 40, text);
      assert.equal(text.match(/<precedent /g)?.length, 1);
      assert(tokens <= BUDGETS.start && estimateTokens(text) <= tokens, text);
      assert.equal(shown.length, count, 'they push no rule out');
    }
    assert.match(
      startContext({ ...nothing, binding: [], others: ['a:b'] }).text,
      /locks: a:b \(decision_get/,
    );
    assert.doesNotMatch(startContext({ ...nothing, binding: [], others }, 'subagent').text, /area-of/);
  });

  it('[T-5] rules come before reasons, and how many are left out is said with what to call', () => {
    assert.doesNotMatch(start(3).text, /not shown here/);
    assert.match(start(3).text, /why “Somebody/);
    const some = start(8);
    assert.equal(some.shown.length, 8);
    assert.doesNotMatch(some.text, /why “/, 'all rules, without reasons');
    const many = start(30);
    const [, left] =
      many.text.match(/^(\d+) more rules and failures are not shown here: decision_retrieve, recall\.$/m) ??
      [];
    assert.equal(Number(left), 30 - many.shown.length);
    assert(
      many.shown.length >= 8 && many.tokens <= BUDGETS.start && estimateTokens(many.text) <= BUDGETS.start,
    );
  });
});
