import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');
const clock = () => NOW;
const DAY = '2026-10-01T09:30:00.000Z';

/** History that is entered as it was: the dates of saves, and many saves at once. */
export function datedSaves(engine: EngineUnderTest): void {
  describe('history that is entered as it was', () => {
    it('[U-7] a clock that says no date is refused, with what it says', async () => {
      let says = Date.parse('2026-04-07');
      const memory = await engine.open({ clock: () => says });
      for (says of [Number.NaN, Number.POSITIVE_INFINITY, 1.5, 1e300]) {
        const save = memory.mama.save({ topic: 'a', decision: 'b' });
        await refuses(save, 'invalid', 'Expected the clock to give whole milliseconds', String(says));
      }
    });

    it('[U-7] every save takes the date of what it enters, on the same words as since', async () => {
      const memory = await engine.open({ clock });
      const { id, created_at } = await memory.mama.save({ topic: 't', decision: 'A', date: DAY });
      assert.equal(created_at, DAY);
      await memory.mama.update({ id, outcome: 'failed', reason: 'slow', date: '2026-10-05T00:00:00Z' });
      await memory.evidence.save({ decisionRef: id, content: 'a ground', date: '2026-10-04T00:00:00Z' });
      await memory.decision.revise({ id, text: 'B', date: '2026-10-06T00:00:00Z' });
      await memory.decision.save({ text: 'C', date: '3d' });
      await memory.mem.save({ title: 'noted', content: 'noted', date: DAY });
      await memory.memo.save({ fullText: 'a memo', keywords: ['memo'], date: '2026-10-02T00:00:00Z' });
      await memory.mama.save({ type: 'checkpoint', summary: 'where it stood', date: DAY });
      const { entries } = await memory.timeline({ limit: 50 });
      assert.deepEqual(
        entries.map(({ kind, at }) => `${at.slice(0, 10)} ${kind}`),
        [
          '2026-11-19 decision',
          '2026-10-06 decision',
          '2026-10-05 outcome',
          '2026-10-04 evidence',
          '2026-10-02 memo',
          '2026-10-01 checkpoint',
          '2026-10-01 observation',
          '2026-10-01 decision',
        ],
      );
      const { versions } = await memory.decision.get({ id });
      assert.deepEqual(
        versions.map((each) => each.createdAt),
        [DAY, '2026-10-06T00:00:00.000Z'],
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-7] [TR-3] a date hides nothing from since, and the answer says when it was saved', async () => {
      let now = NOW;
      const memory = await engine.open({ clock: () => now });
      await memory.mama.save({ topic: 'old', decision: 'the day before' });
      const { id: key } = await memory.mem.save({
        title: 'k',
        content: 'was',
        topic_key: 'k',
        date: '2026-04-01',
      });
      now += 86_400_000;
      const { id } = await memory.mama.save({ topic: 'pay:old', decision: 'A', date: '2026-05-01' });
      await memory.mama.update({ id, outcome: 'failed', reason: 'slow', date: '2026-05-02' });
      await memory.evidence.save({ decisionRef: id, content: 'a ground', date: '2026-05-03' });
      const note = await memory.mem.save({ title: 'n', content: 'noted', date: '2026-05-04' });
      await memory.memo.save({ fullText: 'a memo', keywords: ['memo'], date: '2026-05-05' });
      await memory.mem.save({ title: 'k', content: 'is', topic_key: 'k', date: '2026-05-06' });
      await memory.mem.relate({ from_id: note.id, to_id: key, relation_type: 'updates', date: '2026-05-07' });
      await memory.mama.save({ topic: 'usual', decision: 'B' });
      const since = '2026-11-23';
      const saved = new Date(now).toISOString();
      for (const span of [{ since }, { since, until: since }]) {
        const { entries } = await memory.timeline({ ...span, via: 'agent' });
        assert.deepEqual(
          entries.map(({ kind, at, recorded }) => `${at.slice(0, 10)} ${kind} ${recorded}`),
          [
            '2026-11-23 decision undefined',
            `2026-05-07 change ${saved}`,
            `2026-05-06 observation ${saved}`,
            `2026-05-05 memo ${saved}`,
            `2026-05-04 observation ${saved}`,
            `2026-05-03 evidence ${saved}`,
            `2026-05-02 outcome ${saved}`,
            `2026-05-01 decision ${saved}`,
          ],
        );
      }
      const before = await memory.timeline({ since: '2026-05-01', until: '2026-05-05' });
      assert.equal(before.entries.length, 5);
      const { decisions } = await memory.decision.list({ since, state: 'any' });
      assert.deepEqual(
        decisions.map((each) => [each.topic, each.recorded]),
        [
          ['usual', undefined],
          ['pay:old', saved],
        ],
      );
      assert.deepEqual(
        (await memory.mem.list({ since })).results.map(({ title }) => title),
        ['n'],
      );
      const { decision } = await memory.show({ ref: 'pay:old' });
      assert.equal(decision?.decision.recorded, saved);
      assert.equal(decision?.versions[0]?.recorded, saved);
      assert.equal((await memory.show({ ref: `#${note.id}` })).observation?.recorded, saved);
      const { saves } = await memory.undo({ what: ['via:agent', `since:${since}`], dry_run: true });
      assert.equal(saves, 8);
    });

    it('[U-7] a date is not in the future, and not before what the save follows', async () => {
      const memory = await engine.open({ clock });
      const save = (decision: string, date?: string) => memory.mama.save({ topic: 't', decision, date });
      const { id } = await save('A', DAY);
      await refuses(save('B', '2026-11-23T00:00:00Z'), 'invalid', '"date" not in the future');
      await refuses(save('B', 'some day'), 'invalid', '"date" as a date');
      await refuses(save('B', '2026-09-30T00:00:00Z'), 'invalid', 'version 1, which it follows', DAY);
      await refuses(
        memory.mama.update({ id, outcome: 'failed', date: '2026-09-30T00:00:00Z' }),
        'invalid',
        'the decision',
      );
      await memory.mama.update({ id, outcome: 'failed', date: '2026-10-10T00:00:00Z' });
      await refuses(
        memory.mama.update({ id, outcome: 'success', date: '2026-10-09T00:00:00Z' }),
        'invalid',
        'the outcome before it',
      );
      await refuses(
        memory.evidence.save({ decisionRef: id, content: 'x', date: '2026-09-30T00:00:00Z' }),
        'invalid',
        'the decision',
      );
      const note = (content: string, date?: string) =>
        memory.mem.save({ title: 'n', content, topic_key: 'k', date });
      await note('one', DAY);
      await refuses(note('two', '2026-09-30T00:00:00Z'), 'invalid', 'the text that it replaces');
      // On the same day as the one before, and then without a date.
      await save('B', DAY);
      await save('C');
      assert.equal((await memory.decision.get({ id })).versions.length, 3);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-7] the newest checkpoint is the one of the newest date, and a repeat is one of the same time', async () => {
      const memory = await engine.open({ clock });
      await memory.mama.save({ type: 'checkpoint', summary: 'today' });
      await memory.mama.save({ type: 'checkpoint', summary: 'long ago', date: DAY });
      assert.equal((await memory.mama.loadCheckpoint({})).checkpoint?.summary, 'today');
      const { results } = await memory.search({ query: 'long ago today' });
      assert.deepEqual(
        results.map(({ text }) => text),
        ['today'],
      );
      const note = (date?: string) => memory.mem.save({ title: 'n', content: 'n', date });
      await note();
      assert.equal((await note(DAY)).action, 'created', 'what is so now is no repeat of then');
    });

    it('[U-7] [K-6] what was taken back bars no date, and the past is told as it is entered again', async () => {
      let now = NOW;
      const memory = await engine.open({ clock: () => now++ });
      const decide = (topic: string, decision: string, date?: string) =>
        memory.mama.save({ topic, decision, date });
      const said = async (id: string, asOf: string) => {
        const { decision } = await memory.decision.get({ id, asOf });
        return [decision.text, decision.isActive, decision.outcome];
      };
      await decide('a', 'one', '2024-01-05');
      await decide('a', 'two', '2024-02-05');
      await memory.undo();
      assert.deepEqual(await said('a', '2024-03-01'), ['two', true, null], 'undone today, not then');
      await memory.undo({ redo: true });
      assert.deepEqual(await said('a', '2024-03-01'), ['two', true, null]);
      await memory.undo();
      await decide('a', 'two fixed', '2024-02-05');
      assert.deepEqual(await said('a', '2024-01-20'), ['one', true, null]);
      assert.deepEqual(await said('a', '2024-03-01'), ['two fixed', true, null]);
      await refuses(decide('a', 'three', '2024-02-04'), 'invalid', 'which it follows');
      assert.deepEqual((await memory.decision.get({ id: 'a' })).decision.text, 'two fixed');

      await decide('first', 'wrong', '2024-02-05');
      await memory.undo();
      const { id: first } = await decide('first', 'right', '2024-02-05');
      assert.deepEqual(await said('first', '2024-03-01'), ['right', true, null]);

      await memory.mama.update({ id: first, outcome: 'failed', reason: 'no date' });
      await memory.undo();
      await memory.mama.update({ id: first, outcome: 'failed', reason: 'slow', date: '2024-06-01' });
      assert.deepEqual(await said('first', '2024-05-01'), ['right', true, null]);
      assert.deepEqual(await said('first', '2024-07-01'), ['right', true, 'failed']);
      const late = { id: first, outcome: 'success', date: '2024-05-01' } as const;
      await refuses(memory.mama.update(late), 'invalid', 'the outcome before it');

      // An outcome that was given to a version later goes along, since it was given.
      const { id: basis } = await decide('b', 'one', '2024-01-05');
      await memory.mama.update({ id: basis, outcome: 'partial', date: '2024-04-01' });
      await decide('b', 'two', '2024-02-05');
      await memory.undo();
      assert.deepEqual(await said('b', '2024-05-01'), ['two', true, null]);
      assert.deepEqual(await said('b', new Date(now).toISOString()), ['one', true, 'partial']);
      await memory.mama.update({ id: 'b', outcome: 'success', date: '2024-06-01' });
      assert.deepEqual(await said('b', new Date(now).toISOString()), ['one', true, 'success']);

      const note = (content: string, date?: string) =>
        memory.mem.save({ title: 'n', content, topic_key: 'k', date });
      const { id } = await note('one', '2024-01-05');
      // Neither another note nor a repeat bars one.
      for (const content of ['a', 'b']) await memory.mem.save({ title: 'n', content, topic_key: 'other' });
      await note('one');
      await note('two');
      await memory.undo();
      await note('two', '2024-02-05');
      const noted = async (as_of: string) => (await memory.mem.getObservation({ id, as_of })).content;
      assert.equal(await noted('2024-01-20'), 'one');
      assert.equal(await noted('2024-03-01'), 'two');
      await refuses(note('three', '2024-02-04'), 'invalid', 'the text that it replaces');
      await note('three');
      await memory.undo();
      await memory.undo({ redo: true });
      await refuses(note('four', '2024-03-01'), 'invalid', 'the text that it replaces');
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-5] [U-7] [K-6] an undo of what was entered with a date holds from the moment that it was done', async () => {
      let now = NOW;
      const memory = await engine.open({ clock: () => now++ });
      let then: string | undefined;
      const told = async () => {
        const { decision, evidence } = await memory.decision.get({ id: 'a', asOf: then });
        const { results } = await memory.mem.list({ as_of: then });
        const { memos } = await memory.memo.list({ asOf: then });
        return {
          outcome: [decision.outcome, decision.outcomeReason],
          grounds: evidence.map(({ content }) => content),
          notes: results.map(({ title, content }) => [title, content]),
          memos: memos.map(({ summary }) => summary),
          checkpoint: (await memory.mama.loadCheckpoint({ as_of: then })).checkpoint?.summary,
        };
      };
      const [first, date] = ['2024-01-05', '2024-02-05'];
      await memory.mama.save({ topic: 'a', decision: 'one', date: first });
      await memory.mem.save({ title: 'n', content: 'one', topic_key: 'k', date: first });
      const states = [await told()];
      for (const save of [
        () => memory.mama.update({ id: 'a', outcome: 'failed', reason: 'slow', date }),
        () => memory.evidence.save({ decisionRef: 'a', content: 'a ground', date }),
        () => memory.mem.save({ title: 'n', content: 'two', topic_key: 'k', date }),
        () => memory.mem.save({ title: 'other', content: 'three', date }),
        () => memory.memo.save({ fullText: 'a memo', keywords: ['memo'], date }),
        () => memory.mama.save({ type: 'checkpoint', summary: 'where it stood', date }),
      ]) {
        await save();
        states.push(await told());
      }
      assert.equal(new Set(states.map((each) => JSON.stringify(each))).size, states.length);
      const before = new Date(now++).toISOString();
      for (const redo of [false, true, false]) {
        const wanted = redo ? states.slice(1) : states.toReversed().slice(1);
        for (const state of wanted) {
          await memory.undo({ redo });
          assert.deepEqual(await told(), state, redo ? 'redo' : 'undo');
          for (then of [before, '2024-03-01']) assert.deepEqual(await told(), states.at(-1), then);
          then = undefined;
        }
      }
      const since = new Date(NOW).toISOString();
      const all = (await memory.timeline({ since, limit: 50 })).entries;
      const entries = all.filter(({ at }) => at >= since);
      assert.deepEqual(
        entries.map(({ kind }) => kind).filter((kind) => kind === 'change').length,
        entries.length - 3,
        'all undos and redos were done since, but those of a text',
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-5] [K-6] what was saved without a date and taken back stood until then', async () => {
      let now = NOW;
      const memory = await engine.open({ clock: () => now });
      await memory.mama.save({ topic: 'a', decision: 'one' });
      await memory.mama.update({ id: 'a', outcome: 'failed' });
      now += 2_000;
      await memory.undo();
      await memory.mama.save({ topic: 'b', decision: 'two' });
      now += 1_000;
      await memory.undo();
      now += 1_000;
      await memory.mama.update({ id: 'a', outcome: 'success' });
      const then = async (at: number) => {
        const { decision } = await memory.decision.get({ id: 'a', asOf: new Date(at).toISOString() });
        return [decision.outcome, Date.parse(decision.updatedAt) - NOW];
      };
      assert.deepEqual(await then(NOW + 1_000), ['failed', 0]);
      assert.deepEqual(await then(NOW + 3_500), [null, 2_000], 'another undo touches no other decision');
    });

    it('[U-7] [K-6] a topic of which all was taken back without a date says how a date can be entered', async () => {
      const memory = await engine.open({ clock });
      await memory.mama.save({ topic: 'a', decision: 'one' });
      await memory.undo();
      const right = { decision: 'one', date: '2024-02-05' };
      await refuses(
        memory.mama.save({ topic: 'a', ...right }),
        'invalid',
        'version 1',
        '"precedent rename --join"',
      );
      await memory.mama.save({ topic: 'a:then', ...right });
      await memory.rename({ from: 'a', to: 'a:then', join: true });
      const { decision } = await memory.decision.get({ id: 'a', asOf: '2026-11-22T12:00:00Z' });
      assert.deepEqual([decision.text, decision.createdAt.slice(0, 10)], ['one', '2024-02-05']);
    });

    it('[U-7] [M-8] a memo of earlier stands behind those of later, on every page, and no conversation goes on with it', async () => {
      const memory = await engine.open({ clock });
      const save = async (fullText: string, date?: string) =>
        (await memory.memo.save({ fullText, keywords: ['memo', 'other'], sessionId: 's', date })).infoId;
      const today = await save('said today');
      const before = await save('said before', DAY);
      const between = await save('said between', '2026-10-20T00:00:00Z');
      const order = [today, between, before];
      for (const question of [{}, { keyword: 'memo' }, { since: '2026-01-01' }]) {
        const all = await memory.memo.list(question);
        assert.deepEqual(
          all.memos.map(({ infoId }) => infoId),
          order,
        );
        const paged: string[] = [];
        let cursor: string | undefined;
        do {
          const page = await memory.memo.list({ ...question, limit: 1, cursor });
          paged.push(...page.memos.map(({ infoId }) => infoId));
          cursor = page.nextCursor;
        } while (cursor !== undefined);
        assert.deepEqual(paged, order, JSON.stringify(question));
      }
      const { memos } = await memory.keywords.record({ keywords: ['memo', 'other'], sessionId: 'another' });
      assert.deepEqual(
        memos.map(({ infoId }) => infoId),
        order,
      );
      assert.equal((await memory.memo.expand({ sessionId: 's' })).infoId, today);
    });

    it('[U-7] [U-5] the past finds what was entered later by scopes, topics and keywords that were known already', async () => {
      const memory = await engine.open({ clock });
      const asOf = '2026-10-03T00:00:00Z';
      const save = (topic: string, scope: string, date?: string) =>
        memory.mama.save({ topic, scope, decision: topic, date });
      await save('now', 'shop');
      await save('now:too', 'store');
      await save('earlier', 'Shop', DAY);
      const stood = async (given: { scope?: string; topic?: string; asOf: string }) => {
        const { decisions } = await memory.decision.list(given);
        return decisions.map(({ text }) => text);
      };
      assert.deepEqual(await stood({ scope: 'shop', asOf }), ['earlier']);
      await refuses(stood({ scope: 'shop', asOf: '2026-09-30' }), 'not_found', 'shop');
      assert.deepEqual((await memory.list.names({ kind: 'scopes' })).names.length, 2);
      await memory.rename({ kind: 'scope', from: 'shop', to: 'store', join: true });
      await save('earlier:too', 'shop', DAY);
      assert.deepEqual(await stood({ scope: 'store', asOf }), ['earlier:too']);
      assert.deepEqual(await stood({ scope: 'shop', asOf }), ['earlier'], 'it led to itself then');
      await memory.rename({ from: 'earlier:too', to: 'called:otherwise' });
      await memory.mama.save({
        topic: 'called:otherwise',
        decision: 'next',
        scope: 'store',
        date: '2026-10-02',
      });
      assert.deepEqual(await stood({ topic: 'called:otherwise', asOf }), ['next']);
      await memory.keywords.record({ keywords: ['paint'], sessionId: 's' });
      await memory.memo.save({ fullText: 'a memo', keywords: ['paint'], date: DAY });
      const { memos } = await memory.memo.list({ keyword: 'paint', asOf });
      assert.deepEqual(
        memos.map(({ keywords }) => keywords),
        [['paint']],
      );
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-7] a batch saves every line in its order, or nothing, and names the line that is refused', async () => {
      const memory = await engine.open({ clock });
      const good = [
        { operation: 'mama_save', topic: 'a', decision: 'one', date: DAY },
        {
          operation: 'mama_save',
          topic: 'a',
          decision: 'two',
          reasoning: 'builds_on: 00000000-0000-4000-8000-000000000000',
        },
        { operation: 'mem_save', title: 'n', content: '<private>x</private> y' },
      ].map((each) => JSON.stringify(each));
      const count = async () => (await memory.timeline({ limit: 50 })).entries.length;
      for (const [bad, ...words] of [
        ['{"operation":"mama_save","topic":"a"}', 'Line 5: ', '"decision"'],
        ['{"operation":"mama_update","id":"nobody","outcome":"failed"}', 'Line 5: ', 'Nothing was saved'],
        ['{"operation":"mem_search"}', 'Line 5: ', 'an operation that saves'],
        ['{"operation":"delete","ref":"#1"}', 'Line 5: ', 'an operation that saves'],
        ['{"operation":"nothing"}', 'Line 5: ', 'nothing'],
        ['{"topic":"a"}', 'Line 5: ', '"operation"'],
        ['[]', 'Line 5: ', 'a JSON object'],
        ['{', 'Line 5: ', 'a JSON object'],
      ] as const) {
        const error = await memory.batch([...good, '', bad]).then(
          () => assert.fail(`taken: ${bad}`),
          (refusal: Error) => refusal,
        );
        for (const word of words) assert(error.message.includes(word), error.message);
        assert.equal(await count(), 0, bad);
      }
      const told: number[][] = [];
      const done = await memory.batch([...good, ''], (...progress) => told.push(progress));
      assert.equal(done.saved, 3);
      assert.match(done.warnings.join(), /^line 2: .*00000000/);
      assert.deepEqual(told, [[1], [2], [3]]);
      assert.equal(await count(), 3);
      assert.equal((await memory.mem.search({ query: 'y' })).total, 1);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[U-7] a batch relates what its own lines saved, and says how it went, in the past', async () => {
      const memory = await engine.open({ clock });
      const lines = [
        { operation: 'mem_save', title: 'Cause', content: 'The pool ran dry', date: DAY },
        { operation: 'mem_save', title: 'Cure', content: 'Two pools', date: DAY },
        '',
        { operation: 'mem_relate', from_id: 'line 1', relation_type: 'caused', to_id: 'line 2', date: DAY },
        { operation: 'mama_save', topic: 'db:pool', decision: 'line 1', date: DAY },
        { operation: 'mama_update', id: 'line 5', outcome: 'failed', reason: 'It ran dry again' },
      ].map((each) => (each === '' ? '' : JSON.stringify(each)));
      assert.equal((await memory.batch(lines)).saved, 5);
      const { outgoing } = await memory.mem.relations({ observation_id: 1 });
      assert.deepEqual(
        outgoing.map(({ type, observation, created_at }) => [type, observation.id, created_at]),
        [['caused', 2, DAY]],
      );
      const [found] = (await memory.mama.search({ query: 'line' })).results;
      assert.deepEqual([found?.decision, found?.outcome], ['line 1', 'failed'], 'a text stays as it is');
      const unsaved = JSON.stringify({ operation: 'mama_update', id: 'line 9', outcome: 'failed' });
      await assert.rejects(memory.batch([unsaved]), /Line 1: .*line 9/);
    });

    it('[U-7] [K-4] a batch enters the authors and the reminders of history, and is undone as a whole', async () => {
      const memory = await engine.open({ clock, writer: { author: 'Lee <lee@example.com>' } });
      const lines = [
        { operation: 'mama_save', topic: 'a', decision: 'one', date: DAY, author: 'Kim <kim@example.com>' },
        {
          operation: 'anchor_save',
          hint: 'look in May',
          targetRef: 'line 1',
          type: 'decision_link',
          date: DAY,
        },
        { operation: 'mem_save', title: 'n', content: 'y', date: DAY, author: ' Park ' },
        { operation: 'mem_save', title: 'm', content: 'z', date: DAY },
        {
          operation: 'mem_relate',
          from_id: 'line 3',
          to_id: 'line 4',
          relation_type: 'part_of',
          author: 'Kim',
        },
        { operation: 'mama_save', topic: 'b', decision: 'two' },
      ].map((each) => JSON.stringify(each));
      await memory.batch(lines);
      const { entries } = await memory.timeline({ limit: 50 });
      assert.deepEqual(
        entries.map(({ kind, author, at }) => [kind, author, at.slice(0, 10)]),
        [
          ['decision', 'Lee <lee@example.com>', '2026-11-22'],
          ['change', 'Kim', '2026-11-22'],
          ['observation', 'Lee <lee@example.com>', '2026-10-01'],
          ['observation', 'Park', '2026-10-01'],
          ['anchor', 'Lee <lee@example.com>', '2026-10-01'],
          ['decision', 'Kim <kim@example.com>', '2026-10-01'],
        ],
      );
      for (const author of ['', 7, null])
        await assert.rejects(
          memory.batch([JSON.stringify({ operation: 'mem_save', title: 't', content: 'c', author })]),
          /Line 1: Expected "author"/,
        );
      await memory.undo({});
      assert.deepEqual([(await memory.mama.search({})).total, (await memory.mem.search({})).total], [0, 0]);
      assert.deepEqual((await memory.inspect()).problems, []);
    });
  });
}
