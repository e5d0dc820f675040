import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sql } from 'kysely';
import type { Db, Engine } from '../../src/store/engine.ts';
import { readMeta, writeMeta } from '../../src/store/meta.ts';
import { UNHURRIED } from '../../src/store/store.ts';
import type { Tx } from '../../src/store/tx.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { openRaw, rawEngine, rowsOf, type Scratch, storeOn } from '../support/raw-engine.ts';
import { settle, until } from '../support/until.ts';

/** What the store takes for granted of constraints, transactions and capabilities: the other half of the guide. */
export function sqlRules(under: EngineUnderTest): void {
  const { open, trying, refusal } = rawEngine(under);
  const aMemo = async (db: Scratch) => {
    const { id } = await db.insertInto('writers').values(author).returning('id').executeTakeFirstOrThrow();
    return { kind: 'memo', writer: id, session: id };
  };
  const author = { author: '', host: '', client: 'test', session: 's' };

  describe('constraints that the store takes for granted', () => {
    /** Chains of versions, as decisions have them, and notes that hang on them. */
    async function chains(db: Scratch): Promise<void> {
      await db.schema
        .createTable('links')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('root', 'integer', (column) => column.notNull().references('links.id'))
        .addColumn('version', 'integer', (column) => column.notNull())
        .addColumn('before', 'integer')
        .addColumn('topic', 'text')
        .addColumn('is_active', 'integer', (column) => column.notNull())
        .addUniqueConstraint('links_version', ['root', 'version'])
        .addCheckConstraint('links_first', sql`(version = 1) = (before is null)`)
        .addCheckConstraint('links_topic', sql`topic in ('a', 'b') and length(trim(topic)) > 0`)
        .addForeignKeyConstraint('links_before', ['root', 'before'], 'links', ['root', 'version'])
        .execute();
      await db.schema
        .createIndex('links_active')
        .unique()
        .on('links')
        .column('topic')
        .where(sql.ref('is_active'), '=', sql.lit(1))
        .execute();
      await db.schema.createIndex('links_order').on('links').columns(['topic', 'version desc']).execute();
      await db.schema
        .createTable('notes')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('link', 'integer', (column) => column.references('links.id').onDelete('cascade'))
        .execute();
    }
    const insert = (db: Scratch, ...values: object[]) => db.insertInto('links').values(values).execute();
    const first = { id: 1, root: 1, version: 1, before: null, topic: null, is_active: 0 };
    const second = { ...first, id: 2, version: 2, before: 1 };
    const begun = async (db: Scratch) => {
      await chains(db);
      await insert(db, first, second);
    };
    const refused = (value: object) => refusal(begun, (db) => insert(db, value));

    it('a row may refer to itself, to one of the same statement, and with an empty column to none', async () => {
      const rows = await trying(async (db) => {
        await begun(db);
        await insert(db, { ...first, id: 3, root: 3 });
        return rowsOf(db, sql`select id from links order by id`);
      });
      assert.equal(rows.length, 3);
    });

    it('foreign keys are enforced, of one column and of several, and broken ones are bugs', async () => {
      assert.equal(await refused({ ...first, id: 3, root: 9 }), 'bug');
      assert.equal(await refused({ ...second, id: 3, version: 3, before: 9 }), 'bug');
      const parentGone = await refusal(begun, (db) => db.deleteFrom('links').where('id', '=', 1).execute());
      assert.equal(parentGone, 'bug');
    });

    it('on delete cascade takes along what hangs on a row', async () => {
      const notes = await trying(async (db) => {
        await begun(db);
        await db
          .insertInto('notes')
          .values([
            { id: 1, link: 1 },
            { id: 2, link: 2 },
          ])
          .execute();
        await db.deleteFrom('links').where('id', '=', 2).execute();
        return rowsOf(db, sql`select id from notes`);
      });
      assert.deepEqual(notes, [{ id: 1 }]);
    });

    it('check constraints are enforced, compare conditions as values, and pass when they cannot be told', async () => {
      assert.equal(await refused({ ...first, id: 3, root: 3, before: 1 }), 'bug');
      assert.equal(await refused({ ...first, id: 3, root: 3, topic: 'c' }), 'bug');
      // The topic of the rows that are there is empty.
      await trying(begun);
    });

    it('a taken key is a race, of the primary key, of several columns, and of an index', async () => {
      assert.equal(await refused({ ...first, root: 2, version: 9, before: 1 }), 'race');
      assert.equal(await refused({ ...second, id: 3 }), 'race');
      const active = { ...first, id: 3, root: 3, topic: 'a', is_active: 1 };
      const withActive = async (db: Scratch) => {
        await begun(db);
        await insert(db, active);
      };
      assert.equal(await refusal(withActive, (db) => insert(db, { ...active, id: 4, root: 4 })), 'race');
    });

    it('a unique index takes two empty values for different, and a partial one looks only at its rows', async () => {
      await trying(async (db) => {
        await begun(db);
        await insert(
          db,
          ...[3, 4].map((id) => ({ ...first, id, root: id, is_active: 1 })),
          { ...first, id: 5, root: 5, topic: 'a', is_active: 1 },
          { ...first, id: 6, root: 6, topic: 'a' },
        );
      });
    });

    it('an error in a statement, or of no database at all, is a bug', async () => {
      assert.equal(await refusal(begun, (db) => sql`selct 1`.execute(db)), 'bug');
      assert.equal((await open()).fault(new TypeError('x is not a function')).kind, 'bug');
    });
  });

  describe('transactions that the store takes for granted', () => {
    it('a rollback takes back rows, tables and documents', async () => {
      const store = storeOn(await openRaw(await under.alone()));
      const failing = store.write(author, async (tx) => {
        await writeMeta(tx, 'gone', 'x');
        await tx.db.schema.createTable('gone').addColumn('id', 'integer').execute();
        await tx.text.put(tx.db, [{ seq: 1, title: '', body: 'gone' }]);
        assert.equal((await tx.text.frequencies(tx.db, ['gone'])).documents, 1);
        throw new Error('on purpose');
      });
      await assert.rejects(failing);
      await store.write(author, async (tx) => {
        assert.equal(await readMeta(tx, 'gone'), undefined);
        assert.equal((await tx.text.frequencies(tx.db, ['gone'])).documents, 0);
        await tx.db.schema.createTable('gone').addColumn('id', 'integer').execute();
      });
    });

    it('a transaction reads what it wrote; a read sees one moment, and the next one what was committed', async () => {
      const place = await under.alone();
      const [reader, writer] = [storeOn(await openRaw(place)), storeOn(await openRaw(place))];
      const write = () =>
        writer.write(author, async (tx) => {
          await writeMeta(tx, 'seen', 'new');
          return readMeta(tx, 'seen');
        });
      await reader.read(author, async (tx) => {
        assert.equal(await readMeta(tx, 'seen'), undefined);
        assert.equal(await write(), 'new');
        assert.equal(await readMeta(tx, 'seen'), undefined);
      });
      assert.equal(await reader.read(author, (tx) => readMeta(tx, 'seen')), 'new');
    });

    it('writers take turns: none overwrites what another has read', async () => {
      const place = await under.alone();
      const engines = [await openRaw(place), await openRaw(place)];
      const increment = async (db: Db) => {
        const tx = { db } as Tx;
        const read = Number((await readMeta(tx, 'count')) ?? 0);
        await settle();
        await writeMeta(tx, 'count', String(read + 1));
      };
      // Again for as long as it takes: how long the store would wait is not asked here.
      const untilDone = (engine: Engine) =>
        until(async () => {
          try {
            await engine.transaction({ access: 'write', patience: 'usual' }, increment);
            return true;
          } catch (error) {
            assert(['busy', 'race'].includes(engine.fault(error).kind), String(error));
            return false;
          }
        });
      await Promise.all(engines.flatMap((engine) => [1, 2, 3].map(() => untilDone(engine))));
      const store = storeOn(engines[0] as Engine);
      assert.equal(await store.read(author, (tx) => readMeta(tx, 'count')), '6');
    });

    it('a transaction reaches its capabilities, and no way to end the engine', async () => {
      const keys = await storeOn(await open()).read(author, async (tx) => Object.keys(tx));
      for (const key of ['db', 'fault', 'lists', 'text', 'vectors', 'numbering', 'upkeep']) {
        assert(keys.includes(key), key);
      }
      for (const key of ['transaction', 'locate', 'scrub', 'close']) assert(!keys.includes(key), key);
    });

    it('[D-9] closing waits for what is under way, and refuses what comes afterwards', async () => {
      const store = storeOn(await openRaw(await under.alone()));
      let go = () => {};
      const held = new Promise<void>((resolve) => {
        go = resolve;
      });
      const saving = store.write(author, async (tx) => {
        await held;
        await writeMeta(tx, 'late', 'saved');
        return 'saved';
      });
      const closing = store.close();
      await assert.rejects(
        store.read(author, async () => {}),
        /was closed/,
      );
      go();
      assert.equal(await saving, 'saved');
      await closing;
    });

    it('an engine may be closed twice', async () => {
      const engine = await openRaw(await under.alone());
      await engine.close();
      await engine.close();
    });
  });

  describe('capabilities that the store takes for granted', () => {
    it('lists join as tables: empty, long, with doubles, with any text and any number', async () => {
      const texts = ['plain', "it's", '"', '\\', '{,}', '😀', '', 'plain'];
      const numbers = [0, -1, Number.MAX_SAFE_INTEGER, 0];
      const read = await trying(async (db, { lists }) => {
        const ids = async <Id>(list: ReturnType<typeof sql>) =>
          (await rowsOf<{ id: Id }>(db, sql`select wanted.id from (${list}) as wanted`)).map(({ id }) => id);
        const many = Array.from({ length: 10_000 }, (_, n) => n);
        return {
          empty: [...(await ids(lists.numbers([]))), ...(await ids(lists.texts([])))],
          texts: (await ids<string>(lists.texts(texts))).sort(),
          numbers: (await ids<number>(lists.numbers(numbers))).sort(),
          many: (await ids(lists.numbers(many))).length,
        };
      });
      assert.deepEqual(read, {
        empty: [],
        texts: texts.toSorted(),
        numbers: numbers.toSorted(),
        many: 10_000,
      });
    });

    it('numbers count up and never come back, also after a deletion, a given number and a higher start', async () => {
      const seqs = await trying(async (db, { numbering }) => {
        const record = await aMemo(db);
        const insert = async (values: object) =>
          (
            await db
              .insertInto('records')
              .values({ ...record, ...values })
              .returning('seq')
              .executeTakeFirstOrThrow()
          ).seq as number;
        const start = await numbering.last(db, 'records');
        const [one, two] = [await insert({}), await insert({})];
        assert(start < one && one < two, `${start} ${one} ${two}`);
        assert.equal(await numbering.last(db, 'records'), two);
        await db.deleteFrom('records').where('seq', '=', two).execute();
        const three = await insert({});
        assert.equal(await insert({ seq: 500 }), 500);
        await numbering.raise(db, 'records', 700);
        await numbering.raise(db, 'records', 600);
        return { isNew: three > two, next: await insert({}) };
      });
      assert.deepEqual(seqs, { isNew: true, next: 701 });
    });

    it('a view in front of a statement hides the table of its name, and reads it by its whole name', async () => {
      const rows = await trying(async (db, { views }) => {
        await db
          .insertInto('meta')
          .values({ key: 'b', value: '{"text": "it is", "number": 9007199254740991}' })
          .execute();
        await db.insertInto('meta').values({ key: 'c', value: '{"text": null}' }).execute();
        const value = sql.ref('m.value');
        const view = sql`meta as not materialized (
          select m.key, ${views.text(value, 'text')} as value, ${views.number(value, 'number')} as number,
            ${views.number(value, 'none')} as none
          from ${views.table('meta')} as m where m.key in ('b', 'c'))`;
        return rowsOf(db, sql`with ${view} select * from meta order by key`);
      });
      assert.deepEqual(rows, [
        { key: 'b', value: 'it is', number: Number.MAX_SAFE_INTEGER, none: null },
        { key: 'c', value: null, number: null, none: null },
      ]);
    });

    it('a vector comes back bit by bit', async () => {
      const floats = Float32Array.of(0.1, -0.7, 1 / 3, 0, 1e-38, -1, 16_777_217);
      const bytes = new Uint8Array(floats.buffer);
      const read = await trying(async (db, { vectors }) => {
        await db
          .insertInto('records')
          .values({ seq: 1, ...(await aMemo(db)) })
          .execute();
        const values = { seq: 1, model: 'm', dimensions: floats.length, vector: vectors.fromBytes(bytes) };
        await db.insertInto('vectors').values(values).execute();
        const [row] = await rowsOf(db, sql`select vector from vectors`);
        return vectors.toBytes(row?.vector);
      });
      assert.deepEqual([...read], [...bytes]);
    });

    it('upkeep finds nothing wrong in what is sound, and changes no row', async () => {
      const engine = await openRaw(await under.alone());
      const store = storeOn(engine);
      await store.write(
        author,
        async (tx) => {
          await tx.text.put(tx.db, [{ seq: 1, title: 'a', body: 'b c' }]);
          await tx.upkeep.reindex(tx.db);
          await tx.upkeep.refreshStatistics(tx.db);
        },
        UNHURRIED,
      );
      await store.read(author, async (tx) => {
        assert.deepEqual(await tx.upkeep.integrity(tx.db), []);
        assert.equal(await tx.text.holds(tx.db, { seq: 1, title: 'a', body: 'b c' }), true);
      });
      assert.equal(typeof (await engine.scrub()), 'boolean');
      const { location, bytes } = await engine.locate();
      assert(location.length > 0 && bytes > 0, `${location} ${bytes}`);
    });
  });
}
