import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type EngineUnderTest, fixed } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const MINUTE = 60_000;

/** Observations: saving, repeating, revising, deleting, finding. */
export function observations(engine: EngineUnderTest): void {
  describe('observations', () => {
    it('are saved word for word and read whole, with who wrote them', async () => {
      const memory = await engine.open({ writer: { session: 'here', client: 'codex 1' } });
      const content = '  토큰은 게이트웨이에서\n\t검증한다.  ';
      const { id, revision, action } = await memory.mem.save({
        title: ' JWT ',
        content,
        type: 'architecture',
      });
      assert.deepEqual([typeof id, revision, action], ['number', 1, 'created']);
      const { relations, relation_count, created_at, updated_at, ...rest } = await memory.mem.getObservation({
        id,
      });
      assert.deepEqual(rest, {
        id,
        title: 'JWT',
        type: 'architecture',
        content,
        deleted: false,
        project: null,
        scope: 'project',
        topic_key: null,
        revision: 1,
        duplicate_count: 0,
        session_id: 'here',
        client: 'codex 1',
        via: 'codex',
      });
      assert.deepEqual(relations, { outgoing: [], incoming: [] });
      const other = await memory.mem.save({ title: 'b', content: 'b', session_id: 'yesterday' });
      assert.equal((await memory.mem.getObservation({ id: other.id })).session_id, 'yesterday');
    });

    it('the very first save of an empty memory works, and an unknown id is a clear error', async () => {
      const memory = await engine.open();
      await refuses(memory.mem.getObservation({ id: 1 }), 'not_found', '1', 'mem_search');
      assert.equal((await memory.mem.save({ title: 'a', content: 'b' })).id, 1);
    });

    it('a topic key replaces the text within project and scope, and keeps the earlier one', async () => {
      const memory = await engine.open();
      const key = { topic_key: '인증/토큰', project: 'web' };
      const first = await memory.mem.save({ title: 'one', content: 'old text', ...key });
      const second = await memory.mem.save({ title: 'two', content: 'new text', ...key });
      assert.deepEqual([second.id, second.revision, second.action], [first.id, 2, 'revised']);
      for (const elsewhere of [
        { topic_key: '인증/토큰' },
        { ...key, project: 'app' },
        { ...key, scope: 'personal' },
        { ...key, topic_key: '인증/세션' },
      ]) {
        const { id } = await memory.mem.save({ title: 'x', content: 'y', ...elsewhere });
        assert.notEqual(id, first.id, JSON.stringify(elsewhere));
      }
      const { title, content, revisions } = await memory.mem.getObservation({
        id: first.id,
        revisions: true,
      });
      assert.deepEqual([title, content], ['two', 'new text']);
      assert.deepEqual(
        revisions?.map((earlier) => [earlier.revision, earlier.title, earlier.content]),
        [[1, 'one', 'old text']],
      );
      assert.equal((await memory.mem.search({ query: 'old' })).total, 0);
      assert.equal((await memory.mem.search({ query: 'new' })).results[0]?.id, first.id);
      const again = await memory.mem.save({ title: 'two', content: 'new text', ...key });
      assert.deepEqual([again.action, again.revision, again.duplicate_count], ['repeated', 2, 1]);
    });

    it('the same content within fifteen minutes counts up; later, or elsewhere, it is another', async () => {
      let now = Date.UTC(2026, 0, 1);
      const memory = await engine.open({ clock: () => now });
      const said = { title: 'NTP', content: 'use chrony' };
      const first = await memory.mem.save(said);
      now += 14 * MINUTE;
      const second = await memory.mem.save(said);
      assert.deepEqual([second.id, second.action, second.duplicate_count], [first.id, 'repeated', 1]);
      now += 14 * MINUTE;
      const third = await memory.mem.save(said);
      assert.deepEqual(
        [third.id, third.duplicate_count],
        [first.id, 2],
        'counted from when it was last seen',
      );
      assert.notEqual((await memory.mem.save({ ...said, project: 'other' })).id, first.id);
      assert.notEqual((await memory.mem.save({ ...said, content: 'use ntpd' })).id, first.id);
      now += 16 * MINUTE;
      const later = await memory.mem.save(said);
      assert.deepEqual([later.action, later.id === first.id], ['created', false]);
    });

    it('[D-9] the same content in another scope is saved and found there', async () => {
      const memory = await engine.open();
      const note = { title: 'NTP', content: 'use chrony' };
      const first = await memory.mem.save(note);
      const other = await memory.mem.save({ ...note, scope: 'personal' });
      assert.deepEqual([other.action, other.id === first.id], ['created', false]);
      const { results } = await memory.mem.search({ query: 'chrony', scope: 'personal' });
      assert.deepEqual(
        results.map(({ id }) => id),
        [other.id],
      );
    });

    it('[D-14] each text keeps who wrote it, also when another session replaced it', async () => {
      const monday = await engine.open({ writer: { session: 'monday', client: 'codex 1' } });
      const tuesday = await engine.reopen(monday, { writer: { session: 'tuesday', client: 'claude 2' } });
      const { id } = await monday.mem.save({ title: 'a', content: 'one', type: 'bugfix', topic_key: 'k' });
      await tuesday.mem.update({ id, content: 'two' });
      const { session_id, client, revisions } = await tuesday.mem.getObservation({ id, revisions: true });
      assert.deepEqual([session_id, client], ['tuesday', 'claude 2']);
      assert.deepEqual([revisions?.[0]?.session_id, revisions?.[0]?.client], ['monday', 'codex 1']);
      await monday.mem.save({ title: 'a', content: 'three', topic_key: 'k', session_id: 'wednesday' });
      const third = await monday.mem.getObservation({ id });
      assert.deepEqual([third.session_id, third.type], ['wednesday', 'bugfix'], 'the type is kept, too');
    });

    it('[W-1] an observation is found by the words of its topic key, the present one', async () => {
      const memory = await engine.open(fixed());
      const { id } = await memory.mem.save({ title: 'a', content: 'alpha', topic_key: 'login/lockout' });
      const found = async (query: string) =>
        (await memory.mem.search({ query })).results.map((each) => each.id);
      assert.deepEqual(await found('lockout'), [id]);
      await memory.mem.update({ id, content: 'beta' });
      assert.deepEqual([await found('lockout'), await found('alpha')], [[id], []]);
      await memory.mem.update({ id, topic_key: 'login/wait' });
      assert.deepEqual([await found('lockout'), await found('wait')], [[], [id]]);
    });

    it('mem_update keeps what is left out, and each earlier text as a revision', async () => {
      const memory = await engine.open(fixed());
      const { id } = await memory.mem.save({ title: 'a', content: 'alpha', topic_key: 'k' });
      const second = await memory.mem.update({ id, content: 'beta' });
      assert.deepEqual([second.title, second.revision], ['a', 2]);
      const read = await memory.mem.getObservation({ id });
      assert.deepEqual([read.content, read.topic_key], ['beta', 'k']);
      assert(read.updated_at > read.created_at);
      const moved = await memory.mem.update({ id, project: 'web' });
      assert.equal(moved.revision, 2, 'a move is no revision');
      assert.equal((await memory.mem.getObservation({ id })).project, 'web');
      await memory.mem.update({ id, title: 'A', content: 'gamma' });
      const { revisions } = await memory.mem.getObservation({ id, revisions: true });
      assert.deepEqual(
        revisions?.map((earlier) => earlier.content),
        ['alpha', 'beta'],
      );
      assert.equal((await memory.mem.search({ query: 'gamma' })).total, 1);
      await refuses(memory.mem.update({ id }), 'invalid', 'title', 'topic_key');
      const other = await memory.mem.save({ title: 'b', content: 'b', project: 'web' });
      await refuses(memory.mem.update({ id: other.id, topic_key: 'k' }), 'conflict', '"k"', String(id));
    });

    it('[Z-5] the newest of many earlier texts are read, and a page of long texts ends early', async () => {
      const memory = await engine.open();
      const long = 'x '.repeat(30_000);
      const { id } = await memory.mem.save({ title: 't', content: `0 ${long}` });
      for (let n = 1; n < 25; n++) await memory.mem.update({ id, content: `${n} ${long}` });
      const { revisions } = await memory.mem.getObservation({ id, revisions: true, revision_limit: 2 });
      assert.deepEqual(
        revisions?.map(({ revision, content }) => [revision, content.slice(0, 2)]),
        [
          [23, '22'],
          [24, '23'],
        ],
      );
      const { observation } = await memory.show({ ref: `#${id}` });
      assert.deepEqual([observation?.revisions?.length, observation?.revision], [20, 25]);
      const first = await memory.history({ ref: `#${id}`, limit: 2 });
      const second = await memory.history({ ref: `#${id}`, limit: 2, cursor: first.next_cursor });
      assert.deepEqual(
        [...first.texts, ...second.texts].map(({ revision }) => revision),
        [25, 24, 23, 22],
      );
      assert.equal(second.total, 25);
      const texts: string[] = [];
      let pages = 0;
      for (let cursor: string | undefined; pages === 0 || cursor !== undefined; pages++) {
        const page = await memory.timeline({ full: true, limit: 1_000, cursor });
        texts.push(...page.entries.map(({ text }) => text?.slice(0, 2) ?? ''));
        cursor = page.next_cursor;
      }
      assert.equal(pages, 3);
      assert.deepEqual(
        texts.map(Number),
        Array.from({ length: 25 }, (_, n) => 24 - n),
      );
    });

    it('[R-7] a soft delete takes it out of search only; a hard one for good, with its relations', async () => {
      const memory = await engine.open();
      const ids = [];
      for (const title of ['a', 'b', 'c'])
        ids.push((await memory.mem.save({ title, content: `text ${title}` })).id);
      const [a = 0, b = 0, c = 0] = ids;
      await memory.mem.relate({ from_id: a, to_id: b, relation_type: 'relates_to' });
      await memory.mem.relate({ from_id: b, to_id: c, relation_type: 'relates_to' });
      assert.equal((await memory.delete({ ref: b })).relations_removed, 0);
      assert.deepEqual((await memory.mem.search({ query: 'text' })).results.map((row) => row.id).sort(), [
        a,
        c,
      ]);
      const deleted = await memory.mem.getObservation({ id: b });
      assert.deepEqual([deleted.deleted, deleted.content], [true, 'text b']);
      assert.deepEqual(deleted.relation_count, { outgoing: 1, incoming: 1 });
      const around = await memory.mem.buildContext({ observation_id: a, depth: 2 });
      const [through] = around.root.children;
      assert.deepEqual([through?.observation.deleted, through?.children[0]?.observation.id], [true, c]);
      await refuses(memory.delete({ ref: b }), 'conflict', 'deleted');
      await refuses(memory.mem.update({ id: b, title: 'x' }), 'conflict', 'deleted');
      const gone = await memory.delete({ ref: b, hard_delete: true });
      assert.deepEqual([gone.hard, gone.relations_removed], [true, 2]);
      await refuses(memory.mem.getObservation({ id: b }), 'not_found');
      assert.equal((await memory.mem.stats({})).relations, 0);
      assert.deepEqual((await memory.inspect()).problems, []);
    });

    it('[R-18] an id is never used again, not even after the newest was deleted and the memory reopened', async () => {
      const memory = await engine.open();
      const { id } = await memory.mem.save({ title: 'a', content: 'a' });
      const newest = await memory.mem.save({ title: 'b', content: 'b' });
      const relation = await memory.mem.relate({ from_id: id, to_id: newest.id, relation_type: 'r' });
      await memory.delete({ ref: newest.id, hard_delete: true });
      const again = await engine.reopen(memory);
      const next = await again.mem.save({ title: 'c', content: 'c' });
      assert(next.id > newest.id);
      const related = await again.mem.relate({ from_id: id, to_id: next.id, relation_type: 'r' });
      assert(related.relation_id > relation.relation_id);
    });

    it('[R-11] search finds them in Korean and English, filters first, and counts relations both ways', async () => {
      const memory = await engine.open();
      const rare = await memory.mem.save({
        title: '시계',
        content: '토큰이 거절됨',
        type: 'bugfix',
        project: 'p',
      });
      for (let n = 0; n < 30; n++) {
        await memory.mem.save({ title: `토큰 ${n}`, content: `토큰 토큰 ${n}`, type: 'note' });
      }
      const other = await memory.mem.save({ title: 'NTP', content: 'chrony' });
      await memory.mem.relate({ from_id: rare.id, to_id: other.id, relation_type: 'r', bidirectional: true });
      for (const filter of [{ type: 'bugfix' }, { project: 'p' }]) {
        const { results, total } = await memory.mem.search({ query: '토큰을', limit: 1, ...filter });
        assert.deepEqual([results[0]?.id, total, results[0]?.relation_count], [rare.id, 1, 2]);
      }
      assert.equal((await memory.mem.search({ query: '토큰', scope: 'personal' })).total, 0);
      const { results } = await memory.mem.search({ limit: 2 });
      assert.equal(results[0]?.id, other.id, 'without a query the newest');
      for (const query of ['hello"world', 'NEAR(', '🙂', '한', '*', "'", '']) {
        assert(Array.isArray((await memory.mem.search({ query })).results), query);
      }
      assert.equal((await memory.mama.search({ query: '토큰' })).total, 0, 'decisions are searched apart');
    });

    it('a text as long as one may be is kept whole and findable to its end', async () => {
      const memory = await engine.open();
      const content = `${'결정 기록 '.repeat(33_000)}zanzibar`;
      const { id } = await memory.mem.save({ title: 'long', content });
      const [row] = (await memory.mem.search({ query: 'zanzibar' })).results;
      assert.equal(row?.id, id);
      assert.match(row?.content ?? '', /\[\+\d+ characters: mem_get_observation has all\]$/);
      assert.equal((await memory.mem.getObservation({ id })).content, content);
    });

    it('what cannot be is refused by field', async () => {
      const memory = await engine.open();
      const save = (input: object) => memory.call('mem_save', { title: 't', content: 'c', ...input });
      await refuses(save({ title: ' ' }), 'invalid', 'title');
      await refuses(save({ content: '' }), 'invalid', 'content');
      await refuses(save({ title: 'x'.repeat(201) }), 'invalid', 'title', '200');
      await refuses(save({ tool: 'x' }), 'invalid', 'tool');
      await refuses(memory.call('mem_get_observation', { id: '1st' }), 'invalid', 'id');
      await refuses(memory.call('mem_get_observation', { id: 0 }), 'invalid', 'id');
      await refuses(memory.call('mem_get_observation', { id: 1.5 }), 'invalid', 'id');
    });

    it('evidence from an observation is a snapshot that says where it came from', async () => {
      const memory = await engine.open();
      const decision = await memory.mama.save({ topic: 't', decision: 'Allow 60 s of skew' });
      const seen = await memory.mem.save({ title: 'skew', content: '90초 어긋남' });
      const { evidence } = await memory.evidence.save({ decisionRef: decision.id, observationId: seen.id });
      assert.deepEqual([evidence.content, evidence.observationId], ['90초 어긋남', seen.id]);
      await memory.mem.update({ id: seen.id, content: 'changed' });
      await memory.delete({ ref: seen.id, hard_delete: true });
      const read = await memory.decision.get({ id: decision.id });
      assert.deepEqual(
        [read.evidence[0]?.content, read.evidence[0]?.observationId],
        ['90초 어긋남', seen.id],
      );
      const both = { decisionRef: decision.id, content: 'x', observationId: 1 };
      await refuses(memory.evidence.save(both), 'invalid', 'exactly one', 'both');
      await refuses(memory.evidence.save({ decisionRef: decision.id }), 'invalid', 'neither');
      await refuses(memory.evidence.save({ decisionRef: decision.id, observationId: 99 }), 'not_found', '99');
    });

    it('[D-16] what is private is redacted in observations, relations and their revisions', async () => {
      const memory = await engine.open();
      const secret = '<private>hunter2</private>';
      const { id } = await memory.mem.save({
        title: secret,
        content: `c ${secret}`,
      });
      const other = await memory.mem.save({ title: 'o', content: 'o' });
      await memory.mem.update({ id, content: `again ${secret}` });
      await memory.mem.relate({ from_id: id, to_id: other.id, relation_type: 'r', note: secret });
      await refuses(memory.mem.save({ title: 't', content: 'c', topic_key: secret }), 'invalid', 'private');
      const read = JSON.stringify(await memory.mem.getObservation({ id, revisions: true }));
      assert.doesNotMatch(read, /hunter2/);
      assert.equal(
        read.match(/\[REDACTED\]/g)?.length,
        5,
        'title, content, note; title and content of the revision',
      );
    });
  });
}
