import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';

/** Ids that begin as they are given, and count up behind that. */
const counting = (...beginnings: string[]) => {
  let made = 0;
  return () => `${beginnings[made] ?? '99999999'}-0000-4000-8000-${String(++made).padStart(12, '0')}`;
};

const save = (memory: Memory, topic: string, decision: string, reasoning?: string) =>
  memory.mama.save({ topic, decision, ...(reasoning !== undefined && { reasoning }) });

/** What a version links, by its id: each relationship and the text of the decision. */
async function linksOf(memory: Memory, id: string) {
  const { edges, decision: from } = await memory.decision.get({ id });
  return edges.outgoing
    .filter(({ relationship, version }) => relationship !== 'supersedes' && version === from.version)
    .map(({ relationship, decision }) => `${relationship} ${decision.text}`)
    .sort();
}

/** G-10, U-1: what a reference in reasoning means, and when. */
export function linking(engine: EngineUnderTest): void {
  describe('references in reasoning', () => {
    it('[G-10] [U-1] a topic, a version of it and the beginning of an id are links as an id is', async () => {
      const memory = await engine.open({ newId: counting('abcdef12', 'abcdef13', 'cafe1234') });
      const first = await save(memory, 'INFRA: cdn', 'Fastly');
      await save(memory, 'infra:cdn', 'Cloudflare');
      await save(memory, '인증 토큰', '쿠키');
      const cdn = 'builds_on Cloudflare';
      const old = 'builds_on Fastly';
      const token = 'builds_on 쿠키';
      const forms: [reasoning: string, links: string[]][] = [
        ['builds_on: infra:cdn', [cdn]],
        ['builds_on: INFRA: cdn', [cdn]],
        ['builds_on: infra:cdn@1', [old]],
        ['builds_on: `infra : CDN@1`.', [old]],
        ['builds_on: abcdef12', [old]],
        ['builds_on: ABCDEF13-0000 because', [cdn]],
        ['builds_on: decision_abcdef13', [cdn]],
        [`builds_on: ${first.id.slice(0, -1)}`, [old]],
        ['builds_on: `인증 토큰`', [token]],
        ['builds_on: 「인증 토큰」을 따른다', [token]],
        ['builds_on: [인증 토큰, infra:cdn]', [cdn, token]],
        ['builds_on: [[infra:cdn]], [[인증 토큰]]', [cdn, token]],
        ['**builds_on:**\n- infra:cdn — fast\n- `인증 토큰`\n\nWhy: none.', [cdn, token]],
        ['builds_on: infra:cdn에서, abcdef12와 `인증 토큰`에 기반한다', [cdn, old, token]],
        [JSON.stringify({ builds_on: ['infra:cdn', '인증 토큰'] }), [cdn, token]],
      ];
      for (const [index, [reasoning, links]] of forms.entries()) {
        const saved = await save(memory, `t${index}`, 'x', reasoning);
        assert.deepEqual(await linksOf(memory, saved.id), links, reasoning);
        const ignored = saved.warnings.filter((warning) => warning.includes('ignored'));
        assert.deepEqual(ignored, [], reasoning);
      }
    });

    it('[U-1] the first that fits is meant: an exact id, a topic, the beginning of an id', async () => {
      const memory = await engine.open({ newId: counting('cafebabe', 'cafed00d', 'deadbeef', 'abcdef12') });
      await save(memory, 'cafed00d', 'looks like an id');
      await save(memory, 'b:x', 'B');
      await save(memory, '인증:토큰을', 'ends like a particle');
      await save(memory, '인증:토큰', 'T');
      const links = async (topic: string, reasoning: string) =>
        linksOf(memory, (await save(memory, topic, 'x', reasoning)).id);
      assert.deepEqual(await links('one', 'builds_on: `cafed00d`'), ['builds_on looks like an id']);
      assert.deepEqual(await links('two', 'builds_on: cafed00d'), ['builds_on B']);
      assert.deepEqual(await links('three', 'debates: 인증:토큰을'), ['debates ends like a particle']);
      assert.deepEqual(await links('four', 'debates: 인증:토큰에'), ['debates T']);
    });

    it('[G-6] [G-10] what names no decision is named in a warning as it was written, and cut', async () => {
      const memory = await engine.open();
      const long = `infra:${'x'.repeat(100)}`;
      const cases: [reasoning: string, named: string][] = [
        ['builds_on: infra:cdn', '"infra:cdn", which names no decision'],
        ['builds_on: `auth token`', '"auth token", which names no decision'],
        ['synthesizes: [yesterday]', '"yesterday", which names no decision'],
        ['debates: 3f2504e0-4f89-41d3', '"3f2504e0-4f89-41d3", which names no decision'],
        [`debates: ${long}`, `"${long.slice(0, 40)}", which names no decision`],
        ['builds_on: auth', 'found "auth"'],
        [
          'builds_on: #38',
          '"#38", an observation. It was ignored: attach it as evidence, with evidence_save.',
        ],
        ['builds_on: here:self', '"here:self", which is this decision itself'],
      ];
      for (const [index, [reasoning, named]] of cases.entries()) {
        const topic = reasoning.includes('here') ? 'here:self' : `t${index}`;
        const saved = await save(memory, topic, 'x', reasoning);
        assert.deepEqual(await linksOf(memory, saved.id), [], reasoning);
        assert.equal(saved.warnings.length, 1, `${reasoning} ${saved.warnings}`);
        assert(saved.warnings[0]?.includes(named), saved.warnings[0]);
      }
    });

    it('[G-6] [U-1] a beginning that several ids have names them, and never stops a save', async () => {
      const memory = await engine.open({ newId: counting('abcdef12', 'abcdef12') });
      const [a, b] = [await save(memory, 'a', 'A'), await save(memory, 'b', 'B')];
      const { warnings, edges } = await save(memory, 't', 'x', 'builds_on: abcdef12');
      assert.deepEqual([warnings.length, edges?.builds_on], [1, []]);
      assert(warnings[0]?.includes(`several ids begin with: ${a.id}, ${b.id}`), warnings[0]);
    });

    it('[G-10] a topic is resolved once: its edge stays when another version is active', async () => {
      const memory = await engine.open();
      await save(memory, 'infra:cdn', 'Fastly');
      const said = ['web:assets', 'On the edge', 'builds_on: infra:cdn'] as const;
      const { id } = await save(memory, ...said);
      const now = await save(memory, 'infra:cdn', 'Cloudflare');
      const again = await save(memory, ...said);
      assert.deepEqual([again.unchanged, await linksOf(memory, id)], [true, ['builds_on Fastly']]);
      assert(again.warnings.join().includes(`was superseded; ${now.id} is active now`), `${again.warnings}`);
      const next = await save(memory, 'web:assets', 'At home', 'builds_on: infra:cdn');
      assert.deepEqual(await linksOf(memory, next.id), ['builds_on Cloudflare']);
      await memory.rename({ from: 'infra:cdn', to: 'web:assets', join: true });
      await save(memory, 'web:assets', 'Nowhere');
      assert.deepEqual(await linksOf(memory, id), ['builds_on Fastly'], 'another chain has the name');
    });

    it('[G-10] what did not resolve is tried again by every later save of the chain, for the version that said it', async () => {
      let given: string | undefined;
      const memory = await engine.open({ newId: () => given ?? crypto.randomUUID() });
      const unknown = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
      const reasoning = `builds_on: infra:cdn, ops:dns@2\ndebates: [${unknown}, the old way]`;
      const first = await save(memory, 'web:assets', 'On the edge', reasoning);
      assert.deepEqual([first.warnings.length, await linksOf(memory, first.id)], [4, []]);
      await save(memory, 'infra:cdn', 'Fastly');
      await save(memory, 'ops:dns', 'one');
      const second = await save(memory, 'web:assets', 'At home', 'Cheaper.');
      // What did not resolve was told when it was said; that the links are gone is told now (T-7).
      assert.equal(second.warnings.length, 1);
      assert.match(
        second.warnings[0] ?? '',
        /^v1 has links that this version does not: builds_on: infra:cdn, /,
      );
      assert.deepEqual(await linksOf(memory, first.id), ['builds_on Fastly']);
      assert.deepEqual(await linksOf(memory, second.id), []);
      await save(memory, 'ops:dns', 'two');
      await save(memory, 'infra:cdn', 'Cloudflare');
      given = unknown;
      await save(memory, 'the old way', 'By hand');
      given = undefined;
      const again = await save(memory, 'web:assets', 'At home', 'Cheaper.');
      assert.equal(again.unchanged, true);
      assert.deepEqual(await linksOf(memory, first.id), [
        'builds_on Fastly',
        'builds_on two',
        'debates By hand',
      ]);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[G-10] what is linked stays linked, though its name leads elsewhere or its beginning is shared now', async () => {
      const memory = await engine.open({ newId: counting('abcdef12', 'bbbb', 'cccc', 'abcdef12') });
      await save(memory, 'infra:cdn', 'Fastly');
      await save(memory, 'ops:cdn', 'Akamai');
      const said = ['web:assets', 'x', 'builds_on: infra:cdn\ndebates: abcdef12'] as const;
      const { id } = await save(memory, ...said);
      await save(memory, 'other', 'y');
      await memory.rename({ from: 'infra:cdn', to: 'ops:cdn', join: true });
      const again = await save(memory, ...said);
      const links = ['builds_on Fastly', 'debates Fastly'];
      assert.deepEqual([again.unchanged, await linksOf(memory, id)], [true, links]);
      assert.deepEqual(
        again.warnings.filter((warning) => warning.includes('ignored')),
        [],
      );
      await save(memory, 'web:assets', 'z');
      assert.deepEqual(await linksOf(memory, id), links);
    });

    it('[G-6] at most twenty warnings name what was ignored, and one says how many more', async () => {
      const memory = await engine.open();
      const names = Array.from({ length: 30 }, (_, index) => `no:thing${index}`);
      const { warnings } = await save(memory, 't', 'x', `builds_on: ${names.join(', ')}`);
      assert.deepEqual([warnings.length, warnings.at(-1)], [21, '10 more references could not be read.']);
    });

    it('[G-10] the topic of its own chain is the version that was active before', async () => {
      const memory = await engine.open();
      await save(memory, 'a:b', 'one');
      const second = await save(memory, 'a:b', 'two', 'debates: a:b');
      await save(memory, 'a:b', 'three');
      assert.deepEqual(await linksOf(memory, second.id), ['debates one']);
    });

    it('[G-10] a topic that was withdrawn is linked, and said', async () => {
      const memory = await engine.open();
      const { id } = await save(memory, 'infra:cdn', 'Fastly');
      await memory.decision.revise({ id, withdrawn: true, reasoning: 'too dear' });
      const saved = await save(memory, 'web:assets', 'x', 'builds_on: infra:cdn');
      assert.deepEqual(await linksOf(memory, saved.id), ['builds_on Fastly']);
      assert.match(saved.warnings.join(), /was withdrawn, and nothing is active in its place/);
    });

    it('[G-10] link words that make no link are answered by what to write', async () => {
      const memory = await engine.open();
      const { id } = await save(memory, 'infra:cdn', 'Fastly');
      const cases: [reasoning: string, advice: string][] = [
        ['supersedes: infra:cdn', 'is made automatically when a decision is saved on the same topic'],
        [`build_on: ${id}`, `write "builds_on: ${id}"`],
        ['Builds upon: `infra:cdn`', 'write "builds_on: infra:cdn"'],
        ['**based_on:** [infra:cdn]', 'write "builds_on: infra:cdn"'],
        ['debate: infra:cdn', 'write "debates: infra:cdn"'],
        ['synthesises: [infra:cdn, x]', 'write "synthesizes: infra:cdn"'],
      ];
      for (const [index, [reasoning, advice]] of cases.entries()) {
        const { warnings, edges } = await save(memory, `t${index}`, 'x', reasoning);
        assert.deepEqual(Object.values(edges ?? {}).flat(), [], reasoning);
        assert.equal(warnings.length, 1, `${reasoning} ${warnings}`);
        assert(warnings[0]?.includes(advice), warnings[0]);
      }
      const { warnings } = await save(
        memory,
        'image',
        'x',
        'We are based on: node:22, and debate: tabs:spaces',
      );
      assert.deepEqual(warnings, [], 'no decision is called so');
    });

    it('[W-2] topics used as links are links, not words', async () => {
      const memory = await engine.open();
      await save(memory, 'infra:cdn', 'Fastly');
      const reasoning = 'builds_on: infra:cdn because ferrets\ndebates: [walrus tokens]\nsupersedes: okapi:x';
      const { id } = await save(memory, 'web:assets', 'x', reasoning);
      const find = async (query: string) =>
        (await memory.mama.search({ query })).results.map((row) => row.topic);
      assert.deepEqual(await find('ferrets'), ['web:assets']);
      assert.deepEqual(await find('infra cdn'), ['infra:cdn']);
      for (const query of ['walrus', 'okapi', 'supersedes']) assert.deepEqual(await find(query), [], query);
      assert.equal((await memory.decision.get({ id })).decision.reasoning, reasoning);
    });
  });
}
