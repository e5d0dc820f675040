import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compareText } from '../../src/domain/text/text.ts';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { AUTHORS, BEGINNING, listedLines, SCOPES, WORDS } from '../support/fill-lists.ts';
import { holds, isBy, newestFirst, tablesOf } from '../support/listed.ts';
import { inTurn, ONE_OF } from '../support/part.ts';
import { walk } from './lists.ts';

const DAY = 86_400_000;

/** Lists of scopes, topics, authors, observations and memos. */
export function otherLists(engine: EngineUnderTest): void {
  describe('lists of names, observations and memos', () => {
    it('[U-4] scopes, topics and authors are listed by name, whole in pages of any size', async () => {
      const memory = await engine.openFast();
      const lines = await listedLines();
      await memory.import(lines);
      const { of, decisions, authorOf } = tablesOf(lines);
      const active = decisions.filter((d) => d.isActive === 1);
      const named = (values: string[]) => [...new Set(values)].sort(compareText);
      const scopes = named(active.map((d) => d.scope)).map((scope) => {
        const own = active.filter((d) => d.scope === scope);
        const count = (strength: string) => own.filter((d) => d.strength === strength).length;
        return {
          name: scope,
          count: own.length,
          axis: count('axis'),
          lock: count('lock'),
          normal: count('normal'),
        };
      });
      const topics = named(of('topics').map(({ name }) => name));
      const authors = named(of('records').map(({ seq }) => authorOf(seq)));
      assert.deepEqual(scopes.length, SCOPES.length);
      for (const limit of [...inTurn([1, 7], 0, ONE_OF), 1_000]) {
        const all = async (kind: string) =>
          (await walk(memory, 'list_names', { kind, limit })).flatMap(({ names }) => names);
        assert.deepEqual(await all('scopes'), scopes);
        const listed = await all('topics');
        assert.deepEqual(
          listed.map(({ name }) => name),
          topics,
        );
        for (const { id, status, count } of listed) {
          const d = decisions.find((each) => each.id === id);
          assert.deepEqual([status === 'active', count], [d.isActive === 1, d.version]);
        }
        assert.deepEqual(
          await all('authors'),
          authors.map((author) => ({
            name: author,
            count: of('records').filter(({ seq }) => authorOf(seq) === author).length,
          })),
        );
      }
      const ask = { kind: 'topics', beginning: 't:1', scope: 'AUTH' } as const;
      const { names: some, total } = await memory.list.names(ask);
      assert(some.length > 0 && some.every(({ name, scope }) => name.startsWith('t:1') && scope === 'auth'));
      assert.equal(total, some.length);
      const { next_cursor: cursor } = await memory.list.names({ kind: 'topics', limit: 3 });
      await refuses(memory.list.names({ kind: 'scopes', cursor }), 'invalid', 'Expected "cursor"');
      await refuses(
        memory.list.names({ kind: 'scopes', scope: 'auth' }),
        'invalid',
        'belong to kind "topics"',
      );
      await refuses(memory.list.names({ kind: 'sessions', cursor }), 'invalid', 'found cursor');
    });

    it('[U-4] a joined topic and a joined scope are listed where they lead', async () => {
      const memory = await engine.openFast(fixed());
      await memory.mama.save({ topic: 'infra:cdn', decision: 'Fastly' });
      await memory.mama.save({ topic: 'infar:cdn', decision: 'Fastly, too' });
      await memory.rename({ from: 'infar:cdn', to: 'infra:cdn', join: true });
      await memory.rename({ kind: 'scope', from: 'infar', to: 'infra', join: true }).catch(() => {});
      const { names } = await memory.list.names({ kind: 'topics' });
      assert.deepEqual(
        names.map(({ name, leads_to }) => [name, leads_to]),
        [
          ['infar:cdn', 'infra:cdn'],
          ['infra:cdn', undefined],
        ],
      );
      assert.deepEqual((await memory.list.names({ kind: 'scopes' })).names, [
        { name: 'infra', count: 1, axis: 0, lock: 0, normal: 1, names: ['infar'] },
      ]);
    });

    it('[U-4] observations and memos pass the same filter, whole in pages of any size', async () => {
      const memory = await engine.openFast({ clock: () => BEGINNING + 240 * DAY });
      const lines = await listedLines();
      await memory.import(lines);
      const { of, authorOf } = tablesOf(lines);
      const [author = ''] = AUTHORS;
      const [word = ''] = WORDS;
      const observations = of('observations').sort(newestFirst);
      const memos = of('memos').sort(newestFirst);
      const until = { until: new Date(BEGINNING + 100 * DAY).toISOString() };
      const isBefore = ({ createdAt }: { createdAt: number }) => createdAt < BEGINNING + 100 * DAY;
      const cases: [object, (row: (typeof memos)[number], text: string) => boolean][] = [
        [{}, () => true],
        [{ author: 'kim' }, ({ seq }) => isBy(authorOf(seq), 'kim')],
        [{ filter: word }, (_, text) => holds(text, word)],
        [until, isBefore],
        [{ filter: `by:"${author}"`, ...until }, (row) => isBefore(row) && isBy(authorOf(row.seq), author)],
      ];
      for (const [filter, passes] of cases) {
        for (const limit of [2, 1_000]) {
          const live = observations.filter(({ deletedAt }) => deletedAt === null);
          const found = live
            .filter((o) => passes(o, [o.title, o.content, o.topicKey ?? ''].join('\n')))
            .map(({ id }) => id);
          for (const reverse of [false, true]) {
            const listed = await walk(memory, 'mem_list', { ...filter, limit, reverse });
            assert.deepEqual(
              listed.flatMap(({ results }) => results.map(({ id }: { id: number }) => id)),
              reverse ? found.toReversed() : found,
            );
          }
          const pages = await walk(memory, 'memo_list', { ...filter, limit });
          const expected = memos.filter((m) => passes(m, `${m.summary}\n${m.fullText}`)).map(({ id }) => id);
          assert.deepEqual(
            pages.flatMap((page) => page.memos.map(({ infoId }: { infoId: string }) => infoId)),
            expected,
          );
          for (const { total } of pages) assert.equal(total, expected.length);
        }
      }
      const all = await memory.mem.list({ deleted: true, limit: 1_000 });
      assert.deepEqual(
        all.results.map(({ id }) => id),
        observations.map(({ id }) => id),
      );
      const { results } = await memory.mem.list({ project: 'app', type: 'bugfix' });
      assert(
        results.length > 0 && results.every(({ project, type }) => project === 'app' && type === 'bugfix'),
      );
      await refuses(memory.mem.list({ project: 'apq' }), 'not_found', 'a project', 'Did you mean "app"?');
      await refuses(memory.memo.list({ view: 'links', since: '2w' }), 'invalid', 'where memos are listed');
      await refuses(memory.memo.list({ filter: 'outcome:failed' }), 'invalid', 'memo_list');
    });
  });
}
