import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { NO_LINKS } from '../support/no-links.ts';

const UNKNOWN = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';

/** The reasoning graph: what reasoning text links, what it warns of, how searches show it. */
export function edges(engine: EngineUnderTest): void {
  describe('reasoning graph', () => {
    it('[G-2] [G-3] [G-4] reasoning links decisions; search shows the links', async () => {
      const memory = await engine.open();
      const a = await memory.mama.save({ topic: 'a', decision: 'Apples' });
      const b = await memory.mama.save({ topic: 'b', decision: 'Bananas' });
      const c = await memory.mama.save({
        topic: 'c',
        decision: 'Cherries',
        reasoning: `builds_on: ${a.id}\ndebates: ${b.id}\nsynthesizes: [${a.id}, ${b.id}]`,
      });
      assert.deepEqual(c.warnings, []);
      const expected = { builds_on: [a.id], debates: [b.id], synthesizes: [a.id, b.id] };
      assert.deepEqual(c.edges, expected);
      const [row] = (await memory.mama.search({ query: 'cherries' })).results;
      assert.deepEqual(row?.edges, { supersedes_count: 0, ...expected });
      const { edges } = await memory.decision.get({ id: a.id });
      assert.deepEqual(
        edges.incoming.map((edge) => [edge.relationship, edge.decision.id]),
        [
          ['builds_on', c.id],
          ['synthesizes', c.id],
        ],
      );
    });

    it('[G-5] a search result always has its edges; a superseded one names the active version', async () => {
      const memory = await engine.open();
      await memory.mama.save({ topic: 't', decision: 'Tea one' });
      await memory.mama.save({ topic: 't', decision: 'Tea two' });
      const active = await memory.mama.save({ topic: 't', decision: 'Coffee' });
      const { results } = await memory.mama.search({ query: 'tea coffee', history: true });
      assert.deepEqual(
        results.map((row) => row.edges),
        [
          { supersedes_count: 2, ...NO_LINKS },
          { supersedes_count: 1, superseded_by: active.id, ...NO_LINKS },
          { supersedes_count: 0, superseded_by: active.id, ...NO_LINKS },
        ],
      );
      const row = results[0];
      assert.deepEqual(
        [row?.id, row?.topic, row?.decision, row?.outcome, row?.outcome_reason, typeof row?.similarity],
        [active.id, 't', 'Coffee', null, null, 'number'],
      );
      assert.match(row?.created_at ?? '', /^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    });

    it('[G-6] a malformed pattern or unknown id never stops a save: ignored, returned and logged', async () => {
      const log: string[] = [];
      const memory = await engine.open({ log: (message) => log.push(message) });
      log.length = 0;
      const saved = await memory.mama.save({
        topic: 't',
        decision: 'x',
        reasoning: `builds_on: the old way\ndebates: ${UNKNOWN}\nsynthesizes: [`,
      });
      assert.deepEqual(saved.edges, NO_LINKS);
      assert.equal(saved.warnings.length, 3);
      const [malformed = '', unclosed = '', unknown = ''] = saved.warnings;
      assert(malformed.startsWith('builds_on: ') && malformed.includes('"the old way"'), malformed);
      assert(unclosed.startsWith('synthesizes: '), unclosed);
      assert(unknown.startsWith('debates: ') && unknown.includes(UNKNOWN), unknown);
      assert.equal(log.length, 3);
    });

    it('[G-9] what agents really write is read, also glued to Korean particles', async () => {
      const memory = await engine.open();
      const a = await memory.mama.save({ topic: 'a', decision: 'A' });
      const b = await memory.mama.save({ topic: 'b', decision: 'B' });
      const forms = [
        `**Builds_On:** ${a.id}, ${b.id}`,
        `builds_on: [${a.id}, ${b.id}]`,
        `builds_on: decision_${a.id}와 ${b.id.toUpperCase()}를 따른다`,
        `BUILDS_ON: decision_${a.id.replaceAll('-', '_')}, \`${b.id}\`.`,
      ];
      for (const [index, reasoning] of forms.entries()) {
        const saved = await memory.mama.save({ topic: `t${index}`, decision: 'x', reasoning });
        assert.deepEqual([...(saved.edges?.builds_on ?? [])].sort(), [a.id, b.id].sort(), reasoning);
        assert.deepEqual(saved.warnings, [], reasoning);
      }
    });

    it('a reference that did not resolve is tried again when the decision is said again', async () => {
      let given: string | undefined;
      const newId = () => given ?? crypto.randomUUID();
      const memory = await engine.open({ newId });
      const said = { topic: 'early', decision: 'x', reasoning: `builds_on: ${UNKNOWN}` };
      const before = await memory.mama.save(said);
      assert.equal(before.warnings.length, 1);
      given = UNKNOWN;
      await memory.mama.save({ topic: 'late', decision: 'y' });
      given = undefined;
      const again = await memory.mama.save(said);
      assert.deepEqual([again.unchanged, again.edges?.builds_on, again.warnings], [true, [UNKNOWN], []]);
    });

    it('building on what was superseded or withdrawn is allowed, and said', async () => {
      const memory = await engine.open();
      const old = await memory.mama.save({ topic: 'a', decision: 'A1' });
      const now = await memory.mama.save({ topic: 'a', decision: 'A2' });
      const onOld = await memory.mama.save({ topic: 'b', decision: 'B', reasoning: `builds_on: ${old.id}` });
      assert.deepEqual(onOld.edges?.builds_on, [old.id]);
      assert.equal(onOld.warnings.length, 1);
      assert(onOld.warnings[0]?.includes(now.id));
      const ownPast = await memory.mama.save({
        topic: 'a',
        decision: 'A3',
        reasoning: `builds_on: ${now.id}`,
      });
      assert.deepEqual(ownPast.warnings, [], 'a chain may speak of its own past');
    });

    it('a decision in a revision takes its links from the reasoning it carries over', async () => {
      const memory = await engine.open();
      const base = await memory.mama.save({ topic: 'base', decision: 'B' });
      const first = await memory.mama.save({ topic: 't', decision: 'A', reasoning: `builds_on: ${base.id}` });
      const revised = await memory.decision.revise({ id: first.id, text: 'A2' });
      assert.deepEqual(revised.edges.buildsOn, [base.id]);
    });
  });
}
