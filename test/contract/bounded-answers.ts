import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { forModel, type Memory } from '../../src/index.ts';
import { programOn } from '../spec/given.ts';
import type { EngineUnderTest } from '../support/engines.ts';

/** Tokens of an answer at most that nobody asked to be longer (RE-14). */
const MOST = 4_000;
const SAID = [
  'The pool ran dry at nine, then again at noon, and two pools of eight are the lesson',
  '풀이 아홉 시에 말랐고 정오에 다시 말랐으며 여덟 개짜리 풀 두 개가 교훈이다',
];
const said = (n: number, times = 1) =>
  `${n}: ${Array.from({ length: times }, (_, at) => SAID[(n + at) % 2]).join('. ')}`;

/** A decision of thirty versions with long reasons, and evidence, links and outcomes. @returns the id of the newest */
async function largeDecision(memory: Memory): Promise<string> {
  let id = '';
  for (let n = 0; n < 30; n++) {
    const reasoning = said(n, n === 29 ? 200 : 6);
    const evidence = n % 4 === 0 ? [said(n, 60)] : [];
    ({ id } = await memory.mama.save({ topic: 'pool:size', decision: said(n), reasoning, evidence }));
    if (n % 3 === 0) await memory.mama.update({ id, outcome: 'failed', reason: said(n, 3) });
  }
  for (let n = 0; n < 16; n++)
    await memory.mama.save({
      topic: `pool:user${n}`,
      decision: said(n, 2),
      reasoning: 'builds_on: pool:size',
    });
  return id;
}

/** An observation with twenty others around it, each with two of its own, long notes, and relations among them. */
async function largeGraph(memory: Memory): Promise<number> {
  const save = async (n: number) => (await memory.mem.save({ title: said(n), content: said(n, 9) })).id;
  const relate = (from_id: number, to_id: number) =>
    memory.mem.relate({ from_id, to_id, relation_type: 'depends_on', note: said(to_id) });
  const first = await save(0);
  let last = first;
  for (let n = 1; n <= 20; n++) {
    const id = await save(n);
    await relate(first, id);
    await relate(id, last);
    last = id;
    for (let leaf = 0; leaf < 2; leaf++) await relate(id, await save(100 * n + leaf));
  }
  return first;
}

interface Branch {
  children: Branch[];
}
const countOf = ({ children }: Branch): number => 1 + children.reduce((sum, each) => sum + countOf(each), 0);

/** No answer to a model fills its context unasked. */
export function boundedAnswers(engine: EngineUnderTest): void {
  describe('answers of a bounded length', () => {
    it('[RE-14] decision_get takes at most 4,000 tokens, says what it left out, and gives more when asked', async (test) => {
      const program = programOn(engine, test);
      const memory = await program.open();
      const id = await largeDecision(memory);
      const server = await program.connect();
      const ask = async (input: object) => {
        const answer = (await server.ask('decision_get', { id, ...input })) as {
          content: { text: string }[];
        };
        const text = answer.content[0]?.text ?? '';
        return { tokens: countTokens(text), read: JSON.parse(text) };
      };
      for (const input of [{}, { depth: 3 }]) {
        const { tokens, read } = await ask(input);
        test.diagnostic(`${tokens} tokens: ${read.left_out}`);
        assert(tokens <= MOST && tokens > MOST / 2, `${tokens} tokens`);
        const [, shown = '', all] = /(\d+) of (\d+) history/.exec(read.left_out) ?? [];
        assert.deepEqual([read.history.length, all], [Number(shown), '29']);
        assert.equal(read.history.at(-1)?.version, 29, 'the newest versions');
        assert.match(
          read.left_out,
          new RegExp(`${read.linked_by?.length ?? 0} of 16 linked_by.* tokenBudget: \\d+ shows more\\.$`),
        );
        assert.match(read.reasoning, /^29: .*… \[\+\d+ characters: raise tokenBudget\]$/);
        assert(read.evidence.length > 0 && read.decision === said(29));
        if ('depth' in input) assert(read.context.children.length > 0);
      }
      const { read: small, tokens } = await ask({ tokenBudget: 500 });
      assert(tokens <= 500 && small.decision === said(29), `${tokens} tokens`);
      const more = await ask({ tokenBudget: 100_000 });
      assert.equal(more.read.left_out, undefined);
      assert.equal(more.read.reasoning, said(29, 200));
      assert.equal(more.read.history.length, 29);
      assert.equal(more.read.evidence.length, 8);
      assert(more.read.evidence.every(({ content }: { content: string }) => !content.includes('[+')));
      // A program reads all of it.
      assert.equal((await memory.decision.get({ id })).versions.length, 30);
      const command = await program.answer('tool', 'decision_get', id);
      assert.equal(command.versions.length, 30);
    });

    it('[RE-14] mem_build_context takes at most 4,000 tokens, nearest first, says what it left out, and gives more when asked', async (test) => {
      const program = programOn(engine, test);
      const memory = await program.open();
      const observation_id = await largeGraph(memory);
      const server = await program.connect();
      const ask = async (input: object) => {
        const answer = (await server.ask('mem_build_context', { observation_id, depth: 5, ...input })) as {
          content: { text: string }[];
        };
        const text = answer.content[0]?.text ?? '';
        return { tokens: countTokens(text), read: JSON.parse(text) };
      };
      const { tokens, read } = await ask({});
      test.diagnostic(`${tokens} tokens: ${read.left_out}`);
      assert(tokens <= MOST && tokens > MOST / 2, `${tokens} tokens`);
      assert.match(
        read.left_out,
        /^Shown: \d+ of 60 observations around it, 0 of 20 other relations\. token_budget: \d+ shows more\.$/,
      );
      const shown = countOf(read.root) - 1;
      assert.match(read.left_out, new RegExp(`Shown: ${shown} of 60`));
      const depths = (branches: Branch[]): number[] =>
        branches.flatMap((each) => [(each as Branch & { depth: number }).depth, ...depths(each.children)]);
      if (depths(read.root.children).includes(2))
        assert.equal(read.root.children.length, 20, 'nearest first');
      const more = await ask({ token_budget: 100_000 });
      assert.deepEqual([more.read.left_out, countOf(more.read.root)], [undefined, 61]);
      const all = await memory.mem.buildContext({ observation_id, depth: 5 });
      assert.equal(countOf(all.root), 61, 'a program reads all of it');
    });

    it('[RE-14] rules, an observation and a checkpoint take at most 4,000 tokens, and more when asked', async (test) => {
      const program = programOn(engine, test);
      const memory = await program.open();
      for (let n = 0; n < 60; n++)
        await memory.mama.save({
          topic: `pool:rule-${n}`,
          decision: said(n, 2),
          reasoning: said(n, 9),
          strength: 'lock',
        });
      const { id } = await memory.mem.save({ title: said(0), content: said(0, 20) });
      for (let n = 1; n <= 45; n++) {
        const { id: to_id } = await memory.mem.save({ title: said(n), content: said(n) });
        await memory.mem.relate({ from_id: id, to_id, relation_type: 'depends_on', note: said(n, 2) });
      }
      await memory.mama.save({
        type: 'checkpoint',
        summary: said(1, 90),
        next_steps: said(2, 90),
        open_files: Array.from({ length: 90 }, (_, n) => `src/pools/of/the/depot/pool-${n}.ts`),
      });
      const server = await program.connect();
      for (const [name, input, field, lacks, whole] of [
        ['decision_retrieve', {}, 'tokenBudget', /Shown: \d+ of 60 also_binding\. /, 'also_binding'],
        [
          'decision_retrieve',
          { domain: 'pool', limit: 50 },
          'tokenBudget',
          /^Left out by the limit: 10 of .* Shown: \d+ of 50 decisions\. /,
          'decisions',
        ],
        [
          'mem_get_observation',
          { id },
          'token_budget',
          /Shown: \d+ of 45 outgoing relations\. /,
          'relations',
        ],
        ['mama_load_checkpoint', {}, 'token_budget', /Shown: .* shows more/, 'checkpoint'],
      ] as const) {
        const ask = async (more: object) => {
          const answer = (await server.ask(name, { ...input, ...more })) as { content: { text: string }[] };
          const text = answer.content[0]?.text ?? '';
          return { tokens: countTokens(text), read: JSON.parse(text) };
        };
        const { tokens, read } = await ask({});
        test.diagnostic(`${name}: ${tokens} tokens: ${read.left_out}`);
        assert(tokens <= MOST && tokens > MOST / 4, `${name}: ${tokens} tokens`);
        assert.match(read.left_out, lacks);
        const more = await ask({ [field]: 100_000 });
        assert.doesNotMatch(more.read.left_out ?? '', /Shown/, name);
        assert(JSON.stringify(more.read[whole]).length > JSON.stringify(read[whole]).length, name);
      }
    });

    it('[RE-14] what fits is answered whole, without a word about it', async () => {
      const memory = await engine.open();
      const { id } = await memory.mama.save({ topic: 'a:b', decision: 'c', reasoning: 'd' });
      const whole = await memory.decision.get({ id });
      assert(!('tokenBudget' in whole) && !('left_out' in forModel('decision_get', whole)));
    });
  });
}
