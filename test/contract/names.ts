import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported, type Row, withRows } from '../support/stream.ts';

/** D-19: a scope and a topic are what they mean, however they are written. */
export function names(engine: EngineUnderTest): void {
  describe('names of topics and scopes', () => {
    it('[D-19] an axis binds everywhere, however "global" is written', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'a', decision: 'A', scope: 'Global', strength: 'axis' });
      await memory.mama.save({ topic: 'b', decision: 'B', scope: ' GLOBAL ', strength: 'axis' });
      await memory.mama.save({
        topic: 'Global',
        decision: 'the default scope of a topic, too',
        strength: 'axis',
      });
      const { decisions } = await memory.decision.retrieve();
      assert.deepEqual(
        decisions.map(({ scope }) => scope),
        ['global', 'global', 'global'],
      );
    });

    it('[D-19] a scope is shown as it was written first, and found however it is written', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 'a', decision: 'cache the pages', scope: 'Infra: CDN' });
      await memory.mama.save({ topic: 'b', decision: 'cache the images', scope: 'infra:cdn' });
      const { decision } = await memory.decision.save({ text: 'cache nothing', scope: 'ＩＮＦＲＡ：ＣＤＮ' });
      assert.equal(decision.scope, 'Infra: CDN');
      for (const domain of ['Infra: CDN', 'INFRA:CDN', 'infra :cdn']) {
        const { decisions, scopes } = await memory.decision.retrieve({ domain });
        assert.deepEqual([decisions.length, scopes], [3, undefined], domain);
        assert.equal((await memory.mama.search({ query: 'cache', domain })).total, 3, domain);
        const recalled = await memory.recall({ task: 'cache', domain });
        assert.deepEqual([recalled.entries.length, recalled.scopes], [3, undefined], domain);
      }
    });

    it('[D-19] saying the same again in another spelling changes nothing', async () => {
      const memory = await engine.open();
      const said = { topic: 'infra:cdn', decision: 'none', scope: 'infra', strength: 'lock' as const };
      const first = await memory.mama.save(said);
      const again = await memory.mama.save({ ...said, topic: 'INFRA : cdn', scope: 'Infra' });
      assert.deepEqual([again.id, again.unchanged], [first.id, true]);
      const other = await memory.decision.revise({ id: first.id, scope: ' INFRA ' });
      assert.equal(other.decision.id, first.id);
    });

    it('[D-19] what an older version kept apart stays apart, each under its own spelling, and is named', async () => {
      const memory = await withSpellings(engine);
      const lookups = [
        ['INFRA:cdn', 'one'],
        ['infra:cdn', 'two'],
        ['Infra: CDN', 'three'],
        ['infra : CDN', 'one'],
      ];
      for (const [topic = '', decision = ''] of lookups) {
        const again = await memory.mama.save({ topic, decision });
        assert.equal(again.unchanged, true, `${topic} leads to another chain`);
      }
      const { problems, notes } = await memory.inspect();
      assert.deepEqual(problems, []);
      assert.deepEqual(notes, [
        "the topics 'infra:cdn' 'INFRA:cdn' differ only in how they are written: precedent rename 'infra:cdn' 'INFRA:cdn' --join joins them",
        "the topics 'Infra: CDN' 'INFRA:cdn' differ only in how they are written: precedent rename 'Infra: CDN' 'INFRA:cdn' --join joins them",
        "the scopes 'ui' 'UI' differ only in how they are written: precedent rename 'ui' 'UI' --join --kind scope joins them",
        "the scopes 'Global' 'global' differ only in how they are written: precedent rename 'Global' 'global' --join --kind scope joins them",
      ]);
    });

    it('[D-19] the commands that doctor names join them, and nothing is lost', async () => {
      const memory = await withSpellings(engine);
      const joined = await memory.rename({ from: 'infra:cdn', to: 'INFRA:cdn', join: true });
      assert.equal(joined.to, 'INFRA:cdn');
      const { decision, versions } = await memory.decision.get({ id: joined.withdrawn ?? '' });
      assert.deepEqual([decision.withdrawn, versions.map(({ text }) => text)], [true, ['two', 'two']]);
      const next = await memory.mama.save({ topic: 'infra:cdn', decision: 'four' });
      assert.deepEqual([next.topic, next.supersedes], ['INFRA:cdn', joined.id]);
      await refuses(memory.rename({ from: 'infra:cdn', to: 'INFRA:cdn', join: true }), 'conflict', 'already');
      await refuses(memory.rename({ from: 'nope', to: 'INFRA:cdn', join: true }), 'not_found', '"nope"');

      const global = { kind: 'scope' as const, from: 'Global', to: 'global' };
      await refuses(memory.rename(global), 'conflict', 'in use', 'rename with join');
      await refuses(memory.rename({ ...global, join: true }), 'conflict', 'reasoning', '“binds nothing”');
      const { warnings, ...moved } = await memory.rename({ ...global, reasoning: 'one scope', join: true });
      assert.deepEqual(moved, { ...global, decisions: 1, workspace: memory.workspace });
      assert.match(warnings?.join() ?? '', /an axis of “Global” was moved .*“binds nothing”/);
      const bound = await memory.decision.retrieve();
      assert.deepEqual(
        bound.decisions.map(({ text }) => text),
        ['binds nothing'],
        'now it binds',
      );
      await memory.mama.save({ topic: 'x', decision: 'X', scope: 'Global', strength: 'axis' });
      assert.equal((await memory.decision.retrieve()).decisions.length, 2);
      await refuses(
        memory.rename({ kind: 'scope', from: 'nope', to: 'global', join: true }),
        'not_found',
        '"nope"',
      );
      await refuses(
        memory.rename({ kind: 'scope', from: 'GLOBAL', to: 'global', join: true }),
        'invalid',
        'everywhere',
      );

      await memory.rename({ from: 'Infra: CDN', to: 'INFRA:cdn', join: true });
      await memory.rename({ kind: 'scope', from: 'ui', to: 'UI', join: true });
      const { problems, notes } = await memory.inspect();
      assert.deepEqual([problems, notes], [[], []]);
    });

    it('[D-19] [D-20] a lock gives way to a join only with a reason and its name, and what binds everywhere to none', async () => {
      const memory = await engine.open();
      const lock = await memory.mama.save({ topic: 'a', decision: 'L', scope: 'ui', strength: 'lock' });
      await memory.mama.save({ topic: 'b', decision: 'B', scope: 'ui' });
      await refuses(memory.rename({ from: 'a', to: 'b', join: true }), 'conflict', 'reasoning', lock.id);
      await refuses(
        memory.rename({ kind: 'scope', from: 'ui', to: 'web', join: true }),
        'conflict',
        'reasoning',
        lock.id,
      );
      assert.equal((await memory.decision.retrieve({ domain: 'ui' })).decisions.length, 2, 'nothing changed');
      const { warnings } = await memory.rename({
        from: 'a',
        to: 'b',
        reasoning: 'the same',
        replaces: [lock.id],
        join: true,
      });
      assert.match(warnings?.join() ?? '', /a lock of “ui” was withdrawn: “L”/);
      await memory.mama.save({ topic: 'c', decision: 'C', scope: 'global', strength: 'axis' });
      await refuses(
        memory.rename({ kind: 'scope', from: 'Global', to: 'ui', reasoning: 'x', join: true }),
        'invalid',
        'everywhere',
      );
    });

    it('[D-19] [C-2] a repair names what has no name, and leaves the names that there are', async () => {
      const source = await engine.openFast();
      await source.mama.save({ topic: 'Auth: Token', decision: 'A', scope: 'Auth' });
      await source.mama.save({ topic: 'b', decision: 'B' });
      const unnamed = withRows(await exported(source), (rows) => {
        const kept = rows.filter((row) => !isNameOf(row, 'Auth: Token', 'Auth'));
        rows.splice(0, rows.length, ...kept);
      });
      const memory = await engine.open();
      await memory.import(unnamed, undefined, { asItIs: true });
      assert.equal((await memory.inspect()).problems.length, 1);
      await memory.repair();
      assert.deepEqual((await memory.inspect()).problems, []);
      const again = await memory.mama.save({ topic: 'auth:token', decision: 'A', scope: 'auth' });
      assert.equal(again.unchanged, true);
    });
  });
}

const isNameOf = (row: Row, ...wanted: string[]) =>
  ['topics', 'scopes'].includes(row.table) && wanted.includes(String(row.name));

/** A memory in which two spellings of one name lead to two chains: one of them has the folded key, the others have none. */
async function withSpellings(engine: EngineUnderTest) {
  const source = await engine.openFast();
  const spellings: [topic: string, decision: string, scope: string][] = [
    ['INFRA:cdn', 'one', 'UI'],
    ['infra:cdn', 'two', 'ui'],
    ['Infra: CDN', 'three', 'UI'],
    ['axis', 'binds nothing', 'Global'],
    ['other', 'other', 'global'],
  ];
  for (const [index, [, decision, scope]] of spellings.entries()) {
    await source.mama.save({
      topic: `t${index}`,
      decision,
      scope: `s${index} ${scope}`,
      strength: decision === 'binds nothing' ? 'axis' : 'normal',
    });
  }
  const memory = await engine.open();
  const lines = withRows(await exported(source), (rows) => {
    const unnamed = rows.filter(({ table }) => table !== 'topics' && table !== 'scopes');
    rows.splice(0, rows.length, ...unnamed);
    for (const row of rows.filter(({ table }) => table === 'decisions')) {
      const [topic, , scope] = spellings[Number(String(row.topic).slice(1))] ?? [];
      Object.assign(row, { topic, scope });
    }
  });
  await memory.import(lines, undefined, { asItIs: true });
  await memory.repair();
  return memory;
}
