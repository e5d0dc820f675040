import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import { LAST_UNRELEASED } from '../../src/store/migrations/migrations.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';
import { exported, linesOfRows, withHeader, withRows } from '../support/stream.ts';

/** A record of every kind, texts of every sort, and one observation that is gone for good. */
async function furnish(memory: Memory): Promise<void> {
  const old = await memory.mama.save({ topic: '인증:토큰', decision: 'JWT', evidence: ['근거 "1"\n\u2028'] });
  await memory.mama.update({ id: old.id, outcome: 'failed', reason: '새어 나감' });
  const next = await memory.mama.save({
    topic: '인증:토큰',
    decision: 'Cookies',
    reasoning: `debates: ${old.id}`,
  });
  await memory.anchor.save({ hint: 'why', targetRef: old.id, type: 'decision_link' });
  await memory.mama.save({ type: 'checkpoint', summary: '절반', open_files: ['a.ts'] });
  const a = await memory.mem.save({ title: 'a', content: 'first text 🙂', topic_key: 'k' });
  await memory.mem.save({ title: 'a', content: 'second text', topic_key: 'k' });
  const b = await memory.mem.save({ title: 'b', content: 'b' });
  await memory.mem.relate({ from_id: a.id, to_id: b.id, relation_type: 'because', note: 'n' });
  await memory.evidence.save({ decisionRef: next.id, observationId: a.id });
  const gone = await memory.mem.save({ title: 'gone', content: 'gone' });
  await memory.delete({ ref: b.id });
  await memory.delete({ ref: gone.id, hard_delete: true });
  await memory.keywords.record({ keywords: ['unity', 'mirror'], belongsTo: 'engine' });
  await memory.memo.save({ fullText: '메모', keywords: ['unity'], sessionId: 'talk' });
  await memory.memo.expand({ sessionId: 'talk' });
}

/** A whole memory as a stream, and back. */
export function transfer(engine: EngineUnderTest): void {
  describe('export and import', () => {
    it('[E-1] a memory comes back with every kind of record, its ids, revisions, dates and links', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const lines = await exported(memory);
      const copy = await engine.open();
      const { rows, unchanged } = await copy.import(lines);
      assert.deepEqual(
        [unchanged, rows.decisions, rows.observationRevisions, rows.memoLinks],
        [false, 2, 1, 3],
      );
      assert.deepEqual(
        linesOfRows(await exported(copy)),
        linesOfRows(lines),
        'the same rows, to the last byte',
      );
      const [original, copied] = [await memory.inspect(), await copy.inspect()];
      assert.deepEqual([copied.records, copied.problems], [original.records, []]);
      for (const query of ['토큰', 'second text', '근거', '메모']) {
        assert.deepEqual(await copy.search({ query }), await memory.search({ query }), query);
      }
      assert.deepEqual(
        await copy.memo.expand({ sessionId: 'talk' }),
        await memory.memo.expand({ sessionId: 'talk' }),
        'conversations go on where they were',
      );
    });

    it('[E-1] [E-4] a stream of an older schema, which had fewer columns, is taken and checked whole', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const lines = await exported(memory);
      const stream = withHeader(
        withRows(lines, (rows) => {
          for (const row of rows) delete row.uid;
        }),
        (header) => Object.assign(header, { schema: LAST_UNRELEASED }),
      );
      const copy = await engine.open();
      await copy.import(stream);
      assert.deepEqual(linesOfRows(await exported(copy)), linesOfRows(lines));
      assert.deepEqual((await copy.inspect()).problems, []);
      assert.equal((await copy.import(stream)).unchanged, true);
    });

    it('[E-1] a stream of before the last schema that was not released is refused, and the message says what to do', async () => {
      const memory = await engine.open();
      const lines = await exported(memory);
      for (const old of [{ schema: '0010-narrow-paths' }, { precedent: 1 }]) {
        const stream = withHeader(lines, (header) => Object.assign(header, old));
        await refuses(
          memory.import(stream),
          'unavailable',
          'before the first release',
          LAST_UNRELEASED,
          'export',
        );
      }
    });

    it('[E-1] no deleted id comes back in the copy', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const copy = await engine.open();
      await copy.import(await exported(memory));
      const next = { title: 'next', content: 'next' };
      assert.equal((await copy.mem.save(next)).id, (await memory.mem.save(next)).id);
    });

    it('[E-2] importing twice equals importing once, also after the memory has gone on', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const lines = await exported(memory);
      const copy = await engine.open();
      await copy.import(lines);
      await copy.mem.save({ title: 'later', content: 'later' });
      const before = await exported(copy);
      assert.equal((await copy.import(lines)).unchanged, true);
      assert.deepEqual(await exported(copy), before);
    });

    it('[E-3] anything that is not a whole stream is refused by its line, and nothing of it is there', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const lines = await exported(memory);
      const [header = '', ...rest] = lines;
      const target = await engine.open();
      const refused = (given: string[], code: 'invalid' | 'unavailable', ...words: string[]) =>
        refuses(target.import(given), code, ...words);
      await refused([], 'invalid', 'Line 1');
      await refused(['rubbish'], 'invalid', 'Line 1', '--format jsonl');
      await refused(['[]'], 'invalid', 'Line 1');
      await refused(['{"table":"records"}'], 'invalid', 'Line 1', 'header');
      await refused(lines.slice(0, -1), 'invalid', 'too early');
      await refused(
        lines.filter((line) => !line.startsWith('{"table":"anchors"')),
        'invalid',
        'checksum',
      );
      await refused(
        lines.filter((line) => !line.startsWith('{"table":"records"')),
        'invalid',
        'Line 4',
        'records',
        'decision',
      );
      await refused(
        lines.map((line) => line.replace('Cookies', 'Crackers')),
        'invalid',
        'checksum',
      );
      await refused([...lines, '{}'], 'invalid', 'nothing after');
      await refused([header, '{"table":"meta","key":"x","value":"y"}', ...rest], 'invalid', 'Line 2');
      await refused([header, '{"table":"__proto__"}', ...rest], 'invalid', 'Line 2');
      await refused(
        [header, '{"table":"records","seq\\"; drop table records; --":1}', ...rest],
        'invalid',
        'records',
      );
      await refused([header.replace('"precedent":2', '"precedent":3'), ...rest], 'unavailable', 'newer');
      await refused([header.replace(/"schema":"\d+/, '"schema":"9999'), ...rest], 'unavailable', 'newer');
      assert.deepEqual((await target.inspect()).records, {});
      await target.import(lines);
    });

    it('[E-3] a memory with records of its own is left as it is', async () => {
      const memory = await engine.open();
      await furnish(memory);
      const target = await engine.open();
      await target.mem.save({ title: 'mine', content: 'mine' });
      const before = await exported(target);
      await refuses(target.import(await exported(memory)), 'conflict', 'empty', 'another');
      assert.deepEqual(await exported(target), before);
    });
  });
}
