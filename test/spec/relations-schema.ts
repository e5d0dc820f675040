import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { type Memory, openMemory } from '../../src/index.ts';
import { withinProcessorTime } from '../support/clock.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { recordStatements } from '../support/postgres.ts';
import { workbench } from '../support/program.ts';
import { pastTheProduct, tableOf } from './given.ts';
import { observed, relate, sentences } from './relations.ts';

/** Relations between observations: the schema, and what must not change. */
export function relationsSchema(engine: EngineUnderTest): void {
  describe('Knowledge Graph Relations: Non-Functional Requirements, Schema Design, Assumptions', () => {
    it('[R-1] NFR-001: opening it again, which migrates, is a no-op', async () => {
      const place = engine.place();
      const { memory, ids } = await observed(engine, place);
      await relate(memory, ids[0], ids[1]);
      const whole = async (of: Memory) => {
        const lines: string[] = [];
        await of.export('jsonl', (line) => lines.push(line));
        return lines;
      };
      const before = await whole(memory);
      for (const time of [1, 2]) {
        const again = await engine.open({ ...place });
        assert.deepEqual(await whole(again), before, `${time}`);
      }
    });

    it('[R-8] Schema Design: relations, its columns and indexes', () => {
      const { columns, constraints, indexes } = tableOf(engine, 'relations');
      const named = ['id', 'from_id', 'to_id', 'type', 'note', 'created_at'];
      assert.deepEqual(Object.keys(columns).slice(0, 6), named);
      assert(
        /primary key/.test(columns.id ?? '') || constraints.some((line) => line.endsWith('primary key (id)')),
      );
      for (const end of ['from_id', 'to_id']) {
        assert.match(columns[end] ?? '', /not null references observations \(id\) on delete cascade$/);
        assert(
          indexes.some((on) => on.startsWith(end)),
          end,
        );
      }
      assert.deepEqual([columns.type, columns.note], ['text not null', 'text']);
      assert(indexes.includes('type'));
      assert(
        constraints.some((line) => line.endsWith('unique (from_id, to_id, type)')),
        `${constraints}`,
      );
    });

    it('[R-8] Note on CASCADE: foreign keys are enforced on every connection', async () => {
      const place = engine.place();
      const { memory, ids } = await observed(engine, place);
      const [a, b, c] = ids;
      await relate(memory, a, b);
      await relate(memory, b, c);
      await relate(memory, a, c);
      const second = await engine.open({ ...place });
      await second.delete({ ref: b, hard_delete: true });
      assert.deepEqual(await sentences(memory), [`${a} relates_to ${c}`]);
      const removed = await pastTheProduct(place, (db) =>
        db.deleteFrom('observations').where('id', '=', c).execute(),
      );
      assert.deepEqual([removed, await sentences(memory)], [undefined, []]);
    });

    it('Assumptions: the text index is not affected by relations', async () => {
      const { memory, ids } = await observed(engine);
      const found = async (query: string) =>
        (await memory.mem.search({ query })).results.map(({ id, similarity }) => [id, similarity]);
      const before = await found('토큰 만료');
      const relation = { from_id: ids[2], to_id: ids[3], relation_type: 'zzz_type', note: '특별한메모' };
      await memory.mem.relate(relation);
      assert.deepEqual(await found('토큰 만료'), before);
      assert.deepEqual([await found('zzz_type'), await found('특별한메모')], [[], []]);
    });

    it('[R-18] Assumptions: ids of observations are never used again, after a hard delete and a restart either', async () => {
      const place = engine.place();
      const { memory, ids } = await observed(engine, place);
      for (const id of ids) await memory.delete({ ref: id, hard_delete: true });
      await memory.close();
      const again = await engine.open({ ...place });
      const { id } = await again.mem.save({ title: '새 관찰', content: '새 관찰' });
      assert(id > Math.max(...ids), `${id}`);
    });
  });
}

/** What no engine has a part in. */
export function relationsConstraints(): void {
  describe('Knowledge Graph Relations: Constraints', () => {
    it('[R-16] NFR-004, NFR-005: no dependency, nothing to compile', () => {
      const { dependencies, scripts } = JSON.parse(readFileSync('package.json', 'utf8'));
      assert.equal(dependencies, undefined);
      for (const name of ['install', 'preinstall', 'postinstall']) assert(!(name in scripts), name);
    });

    it('[R-17] Memory subsystem must remain independent: without a memory the server still works', async (test) => {
      const bench = workbench(test);
      const server = await bench.connect({ env: { PRECEDENT_DB: bench.folder } });
      assert((await server.client.listTools()).tools.some(({ name }) => name === 'mem_relate'));
      assert.match(await server.refusal('mem_stats'), /^unavailable: /);
    });
  });
}

/** NFR-003 on one engine: nothing runs beside it, since the time is that of the whole process. */
export function relationsSpeed(engine: EngineUnderTest): void {
  const skip = engine.skip === undefined ? {} : { skip: engine.skip };
  it(
    `[R-15] NFR-003: depth=5 on a graph of 1000 observations under 1 second on ${engine.name}`,
    skip,
    async () => {
      const small = await openMemory({ db: ':memory:' });
      for (let n = 1; n <= 1000; n++) {
        await small.mem.save({ title: `관찰 ${n}`, content: `내용 ${n}` });
        if (n > 1) await relate(small, Math.floor((n + 2) / 4), n);
        if (n > 500) await relate(small, n, n - 400, 'depends_on');
      }
      const lines: string[] = [];
      await small.export('jsonl', (line) => lines.push(line));
      await small.close();
      const memory = await engine.openFast();
      await memory.import(lines);
      const statements = recordStatements();
      const input = { observation_id: 1, depth: 5, limit: 1000 };
      const { total, truncated } = await withinProcessorTime(1_000, () => memory.mem.buildContext(input));
      assert.deepEqual([total, truncated], [1000, false]);
      // A server's time is none of this process's: what it is asked must not grow with the graph.
      assert(statements.length <= 30, `${statements.length} statements`);
    },
  );
}
