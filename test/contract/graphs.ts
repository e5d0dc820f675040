import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { listedLines } from '../support/fill-lists.ts';
import { tablesOf } from '../support/listed.ts';

/** What a page draws, and how it learns that something is new. */
export function graphs(engine: EngineUnderTest): void {
  describe('graphs', () => {
    it('[U-4] the decisions of a scope are a node for each chain, with every link among them once', async () => {
      const memory = await engine.openFast();
      const lines = await listedLines();
      await memory.import(lines);
      const { of, decisions, byId } = tablesOf(lines);
      const heads = decisions.filter(
        (d) => !decisions.some((other) => other.rootId === d.rootId && other.version > d.version),
      );
      for (const scope of [undefined, 'auth']) {
        const { nodes, links, total } = await memory.decision.graph(scope ? { scope } : {});
        const expected = heads.filter((d) => scope === undefined || d.scope === scope);
        assert.deepEqual(nodes.map(({ id }) => id).sort(), expected.map(({ id }) => id).sort());
        assert.equal(total, expected.length);
        const roots = new Set(expected.map(({ rootId }) => rootId));
        const edges = of('decisionEdges')
          .map((e) => [byId.get(e.fromId).rootId, byId.get(e.toId).rootId, e.relationship])
          .filter(
            ([from, to, how]) => how !== 'supersedes' && from !== to && roots.has(from) && roots.has(to),
          );
        const rootOf = (place: number) => byId.get(nodes[place]?.id).rootId;
        const drawn = links.map(([from, to, how]) => [rootOf(from), rootOf(to), how].join(' '));
        assert.deepEqual(drawn.sort(), [...new Set(edges.map((edge) => edge.join(' ')))].sort());
        assert(scope !== undefined || drawn.length > 5);
        for (const { id, versions, status } of nodes) {
          const d = byId.get(id);
          assert.deepEqual([versions, status], [d.version, d.isActive === 1 ? 'active' : 'withdrawn']);
        }
      }
      const some = await memory.decision.graph({ limit: 3 });
      assert.deepEqual([some.nodes.length, some.total], [3, heads.length]);
    });

    it('[U-4] around a decision are those that any of its versions is linked with, nearest first', async () => {
      const memory = await engine.openFast(fixed());
      await memory.mama.save({ topic: 'a:a', decision: 'A' });
      await memory.mama.save({ topic: 'b:b', decision: 'B', reasoning: 'builds_on: a:a' });
      await memory.mama.save({ topic: 'b:b', decision: 'B, too', reasoning: 'new' });
      await memory.mama.save({ topic: 'c:c', decision: 'C', reasoning: 'debates: b:b' });
      await memory.mama.save({ topic: 'd:d', decision: 'D' });
      const around = async (around: string, depth: number) => {
        const { nodes, links, total } = await memory.decision.graph({ around, depth });
        assert.equal(total, nodes.length);
        return { topics: nodes.map(({ topic }) => topic), links };
      };
      assert.deepEqual(await around('a:a', 1), { topics: ['a:a', 'b:b'], links: [[1, 0, 'builds_on']] });
      assert.deepEqual(await around('a:a', 2), {
        topics: ['a:a', 'b:b', 'c:c'],
        links: [
          [1, 0, 'builds_on'],
          [2, 1, 'debates'],
        ],
      });
      assert.deepEqual((await around('d:d', 5)).topics, ['d:d']);
      // What a version that was undone was linked with is no neighbour, from either side.
      await memory.mama.save({ topic: 'd:d', decision: 'D, too', reasoning: 'builds_on: a:a' });
      await memory.undo();
      assert.deepEqual((await around('d:d', 5)).topics, ['d:d']);
      assert.deepEqual((await around('a:a', 1)).topics, ['a:a', 'b:b']);
      assert.equal((await memory.decision.graph()).links.length, 2);
      // The newest version of b:b does not build on a:a any more; c:c goes on debating it.
      assert.deepEqual((await memory.decision.graph({ around: 'a:a' })).replaced, [0]);
      await memory.mama.save({
        topic: 'b:b',
        decision: 'B, again',
        reasoning: 'builds_on: a:a',
        strength: 'lock',
      });
      assert.equal((await memory.decision.graph({ around: 'a:a' })).replaced, undefined);
      await memory.mama.update({ id: 'b:b', outcome: 'failed' });
      const { nodes } = await memory.decision.graph({ around: 'b:b', depth: 1 });
      assert.deepEqual(
        nodes.map(({ topic, versions, outcome, strength }) => [topic, versions, outcome, strength]),
        [
          ['b:b', 3, 'failed', 'lock'],
          ['a:a', 1, null, 'normal'],
          ['c:c', 1, null, 'normal'],
        ],
      );
      const long = `${'word '.repeat(40)}end`;
      await memory.mama.save({ topic: 'e:e', decision: long });
      const [shown] = (await memory.decision.graph({ around: 'e:e' })).nodes;
      assert.equal(shown?.text, `${'word '.repeat(22)}word…`);
      await refuses(memory.decision.graph({ around: 'a:a', scope: 'a' }), 'invalid', 'found both');
      await refuses(memory.decision.graph({ around: 'nowhere' }), 'not_found');
    });

    it('[U-4] keywords are drawn with their connections, the strongest first', async () => {
      const memory = await engine.openFast(fixed());
      await memory.keywords.record({ keywords: ['unity', 'mirror'], sessionId: 'a' });
      await memory.keywords.record({ keywords: ['unity', 'mirror'], sessionId: 'b' });
      await memory.keywords.record({ keywords: ['unity', 'shader'], sessionId: 'c' });
      await memory.keywords.record({ keywords: ['shader', 'light'], sessionId: 'd' });
      await memory.memo.save({ fullText: 'a memo', keywords: ['unity'] });
      const all = await memory.keyword.graph();
      assert.deepEqual(
        all.nodes.map(({ keyword, visits, memos }) => [keyword, visits, memos]),
        [
          ['unity', 3, 1],
          ['mirror', 2, 0],
          ['shader', 2, 0],
          ['light', 1, 0],
        ],
      );
      const [strongest, ...others] = all.links;
      assert.deepEqual(strongest?.slice(0, 2), [0, 1]);
      assert(others.every(([, , strength]) => strength < (strongest?.[2] ?? 0)));
      const near = await memory.keyword.graph({ around: 'UNITY' });
      assert.deepEqual(
        near.nodes.map(({ keyword }) => keyword),
        ['unity', 'mirror', 'shader'],
      );
      assert.equal((await memory.keyword.graph({ around: 'unity', depth: 2 })).total, 4);
      assert.deepEqual((await memory.keyword.graph({ around: 'nothing' })).nodes, []);
    });

    it('[U-5] whatever is saved, recorded or changed is news to who asks whether something changed', async () => {
      const memory = await engine.openFast(fixed());
      let { state, changed } = await memory.changed.since();
      assert.equal(changed, true);
      const steps: (() => Promise<unknown>)[] = [
        () => memory.mama.save({ topic: 'a:a', decision: 'A' }),
        () => memory.mama.update({ id: 'a:a', outcome: 'failed', reason: 'why' }),
        () => memory.evidence.save({ decisionRef: 'a:a', content: 'log' }),
        () => memory.mem.save({ title: 'one', content: 'one', topic_key: 'k' }),
        () => memory.mem.save({ title: 'one', content: 'another', topic_key: 'k' }),
        () => memory.mem.update({ id: 1, project: 'moved' }),
        () => memory.delete({ ref: 1 }),
        () => memory.memo.save({ fullText: 'memo', keywords: ['k'] }),
      ];
      for (const [index, step] of steps.entries()) {
        assert.equal((await memory.changed.since({ state })).changed, false, String(index));
        await step();
        const now = await memory.changed.since({ state });
        assert.equal(now.changed, true, String(index));
        state = now.state;
      }
    });
  });
}
