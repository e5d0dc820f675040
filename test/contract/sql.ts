import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type RawBuilder, sql } from 'kysely';
import type { EngineUnderTest } from '../support/engines.ts';
import { rawEngine, rowsOf, type Scratch } from '../support/raw-engine.ts';

/** The highest number below that of a column. */
const below = (column: string) => sql`(select max(r.id) from fruit as r where r.id < ${sql.ref(column)})`;

/** A query for each assumption, over apple 1 (10), pear 2 (20) and plum 3 (20), and what it answers. */
const QUERIES: [name: string, query: RawBuilder<unknown>, expected: object[]][] = [
  [
    'row values are compared column by column',
    sql`select id from fruit where (count, name) > (${20}, ${'pear'}) order by count, name`,
    [{ id: 3 }],
  ],
  [
    'is distinct from: two empty values are equal, and an empty one differs from any other',
    sql`select a.id from fruit as a left join fruit as b on b.id = a.id + 1 left join fruit as c on c.id = a.id + 2
      where b.count is distinct from c.count order by a.id`,
    [{ id: 2 }],
  ],
  [
    'with … as materialized',
    sql`with found as materialized (select id, count from fruit where count >= ${20})
      select found.id, fruit.name from found join fruit on fruit.id = found.id order by found.id`,
    [
      { id: 2, name: 'pear' },
      { id: 3, name: 'plum' },
    ],
  ],
  [
    'with … as not materialized, read several times, also by the next of them',
    sql`with found as not materialized (select id, count from fruit where count >= ${20}),
        last as not materialized (select max(id) as id from found)
      select found.id, (select last.id from last) as last from found join found as same on same.id = found.id order by found.id`,
    [2, 3].map((id) => ({ id, last: 3 })),
  ],
  [
    'a subquery in the from of a subquery for one value reads the row around both',
    sql`select own.id, (select max(t.id) from (select own.id as id union all
        select n.id from fruit as n where n.count = own.count) as t) as highest from fruit as own order by own.id`,
    [1, 3, 3].map((highest, index) => ({ id: index + 1, highest })),
  ],
  [
    'a case of one value that is looked up',
    sql`select id, case (select n.name from fruit as n where n.id = fruit.id) when 'pear' then 1 else 0 end as is_pear
      from fruit order by id`,
    [0, 1, 0].map((isPear, index) => ({ id: index + 1, isPear })),
  ],
  [
    'count(*) over () counts what a limit leaves out',
    sql`select id, count(*) over () as total from fruit order by id limit ${2}`,
    [1, 2].map((id) => ({ id, total: 3 })),
  ],
  [
    'window functions over groups, in the order of what a group adds up to',
    sql`select count, count(*) over () as groups, sum(count(*)) over () as rows from fruit
      group by count order by max(id) desc limit ${1}`,
    [{ count: 20, groups: 2, rows: 3 }],
  ],
  [
    'a subquery for one value reads the row around it, with an order and a limit of its own',
    sql`select own.id,
        (select n.name from fruit as n where n.count = own.count order by n.id desc limit 1) as newest
      from fruit as own order by own.id`,
    ['apple', 'plum', 'plum'].map((newest, index) => ({ id: index + 1, newest })),
  ],
  [
    'a subquery for one value reads a value of a subquery in from, also an empty one',
    sql`select own.id, own.before, ${below('own.before')} as before2
      from (select f.id, ${below('f.id')} as before from fruit as f) as own order by own.id`,
    [
      { id: 1, before: null, before2: null },
      { id: 2, before: 1, before2: null },
      { id: 3, before: 2, before2: 1 },
    ],
  ],
  [
    'having, by a sum that is not selected',
    sql`select count from fruit group by count having sum(id) <> 1`,
    [{ count: 20 }],
  ],
  [
    'order by the name of a result',
    sql`select count, count(*) as rows from fruit group by count order by rows desc, count`,
    [
      { count: 20, rows: 2 },
      { count: 10, rows: 1 },
    ],
  ],
  ['count(distinct …)', sql`select count(distinct count) as counts from fruit`, [{ counts: 2 }]],
  [
    'sums of cases',
    sql`select sum(case when name = 'pear' then 1 else 0 end) as pears from fruit`,
    [{ pears: 1 }],
  ],
  [
    'cross join with a condition on both sides',
    sql`select a.id, b.id as other from fruit as a cross join fruit as b where a.id < b.id order by a.id, b.id`,
    [
      { id: 1, other: 2 },
      { id: 1, other: 3 },
      { id: 2, other: 3 },
    ],
  ],
  [
    'left join: empty where nothing fits, also with conditions of its own',
    sql`select a.id, b.name from fruit as a left join fruit as b on b.id = a.id + 1 and b.count = ${20} order by a.id`,
    ['pear', 'plum', null].map((name, index) => ({ id: index + 1, name })),
  ],
  [
    'not exists, reading the row around it',
    sql`select a.id from fruit as a
      where not exists (select 1 from fruit as b where b.count = a.count and b.id > a.id) order by a.id`,
    [{ id: 1 }, { id: 3 }],
  ],
  [
    'in a subquery, also of a column with a plus, which an index must not serve',
    sql`select id from fruit where +id in (select id from fruit where count = 20) order by id`,
    [{ id: 2 }, { id: 3 }],
  ],
  [
    'select distinct over union all, ordered by what is selected',
    sql`select distinct one, kind from (
        select count as one, 'x' as kind from fruit union all select id, 'y' from fruit
      ) as links order by one desc, kind desc limit ${2}`,
    [
      { one: 20, kind: 'x' },
      { one: 10, kind: 'x' },
    ],
  ],
  [
    'a hundred limited queries with union all between them',
    sql.join(
      Array.from(
        { length: 100 },
        () =>
          sql`select * from (select id from fruit where count = ${20} order by id desc limit ${1}) as part`,
      ),
      sql` union all `,
    ),
    Array.from({ length: 100 }, () => ({ id: 3 })),
  ],
  [
    'parameters are numbers in calculations and in the results of cases',
    sql`select case name when ${'apple'} then ${5} + (count - 1) * ${2} when ${'pear'} then ${7} end as value
      from fruit order by id`,
    [{ value: 23 }, { value: 7 }, { value: null }],
  ],
  [
    'limit and offset are parameters',
    sql`select id from fruit order by id limit ${2} offset ${1}`,
    [{ id: 2 }, { id: 3 }],
  ],
  [
    'literals stand as columns, and words of SQL as quoted names',
    sql`select -id as "order", 0 as "all", 'out' as direction from fruit where 1 = 1 and id = 1`,
    [{ order: -1, all: 0, direction: 'out' }],
  ],
];

/** In which order rows are returned is up to the engine. */
function byId<Row>(rows: Row[]): Row[] {
  const id = (row: Row) => (row as { id: number }).id;
  return rows.toSorted((a, b) => id(a) - id(b));
}

/** What the shared SQL takes for granted of values and statements: a test for each line of the guide in ARCHITECTURE. */
export function sqlStatements(under: EngineUnderTest): void {
  const { trying } = rawEngine(under);

  /** A table of whole numbers and texts: `(1, 'a', 10), (2, 'b', 20), …`. */
  async function fruit(db: Scratch, ...rows: [id: number, name: string | null, count: number | null][]) {
    await db.schema
      .createTable('fruit')
      .addColumn('id', 'integer', (column) => column.primaryKey())
      .addColumn('name', 'text')
      .addColumn('count', 'bigint')
      .execute();
    if (rows.length > 0) {
      const values = rows.map(([id, name, count]) => ({ id, name, count }));
      await db.insertInto('fruit').values(values).execute();
    }
  }
  const three: Parameters<typeof fruit>[1][] = [
    [1, 'apple', 10],
    [2, 'pear', 20],
    [3, 'plum', 20],
  ];

  describe('values that the store takes for granted', () => {
    it('whole numbers up to 2^53 come back as numbers: columns, counts, sums, extremes', async () => {
      const largest = Number.MAX_SAFE_INTEGER;
      const { read, counted, none } = await trying(async (db) => {
        await fruit(db, [1, 'a', largest], [2, 'b', 0], [3, 'c', -largest]);
        return {
          read: await rowsOf(db, sql`select count from fruit order by id`),
          counted: await rowsOf(
            db,
            sql`select count(*) as rows, sum(id) as sum, max(count) as most, min(count) as least from fruit`,
          ),
          none: await rowsOf(
            db,
            sql`select max(id) as most, coalesce(max(id), 0) as filled, coalesce(sum(count), 0) as sum
              from fruit where id > 3`,
          ),
        };
      });
      assert.deepEqual(read, [{ count: largest }, { count: 0 }, { count: -largest }]);
      assert.deepEqual(counted, [{ rows: 3, sum: 6, most: largest, least: -largest }]);
      assert.deepEqual(none, [{ most: null, filled: 0, sum: 0 }]);
    });

    it('fractions come back as they were written', async () => {
      const fractions = [0, 1, 0.1, 1 / 3, Math.PI, 1e-300];
      const read = await trying(async (db) => {
        await db.schema
          .createTable('fractions')
          .addColumn('id', 'integer')
          .addColumn('value', 'double precision')
          .execute();
        await db
          .insertInto('fractions')
          .values(fractions.map((value, id) => ({ id, value })))
          .execute();
        return rowsOf<{ value: number }>(db, sql`select value from fractions order by id`);
      });
      assert.deepEqual(
        read.map(({ value }) => value),
        fractions,
      );
    });

    /** Strings in the order of their UTF-8 bytes, which is not that of UTF-16 in the last two. */
    const texts = ['', ' ', 'A', 'B', 'a', 'a ', 'b', 'e\u0301', '~', '\u00e9', '토큰', '\ufffd', '😀'];
    const words = async (db: Scratch) => {
      await db.schema
        .createTable('words')
        .addColumn('word', 'text', (column) => column.notNull().unique())
        .execute();
      const shuffled = texts.toReversed().map((word) => ({ word }));
      await db.insertInto('words').values(shuffled).execute();
    };

    it('texts sort and compare by their bytes, whatever language the database speaks', async () => {
      const { sorted, less, same } = await trying(async (db) => {
        await words(db);
        return {
          sorted: await rowsOf<{ word: string }>(db, sql`select word from words order by word`),
          less: await rowsOf(db, sql`select word from words where word < ${'a'} order by word`),
          same: await rowsOf(db, sql`select word from words where word in (${'A'}, ${'\u00e9'})`),
        };
      });
      const byBytes = texts.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(
        sorted.map(({ word }) => word),
        byBytes,
      );
      assert.deepEqual(byBytes, texts);
      assert.equal(less.length, 4);
      assert.equal(same.length, 2);
    });

    it('a text of any Unicode but NUL comes back unchanged', async () => {
      const strange = ['\r\n\t', 'e\u0301', '\ufeffx', '\uffff', '\u{10ffff}', "'; drop", '\\', '%_', '$1 ?'];
      const read = await trying(async (db) => {
        await fruit(db, ...strange.map((name, id): [number, string, null] => [id, name, null]));
        return rowsOf<{ name: string }>(db, sql`select name from fruit order by id`);
      });
      assert.deepEqual(
        read.map(({ name }) => name),
        strange,
      );
    });

    it('substr counts characters from one, and nullif empties what is equal', async () => {
      const read = await trying(async (db) => {
        await fruit(db, [1, '😀토e\u0301x', null], [2, 'ab', null]);
        return rowsOf(
          db,
          sql`select substr(name, 1, 3) as cut, nullif(name, ${'ab'}) as other from fruit order by id`,
        );
      });
      assert.deepEqual(read, [
        { cut: '😀토e', other: '😀토e\u0301x' },
        { cut: 'ab', other: null },
      ]);
    });

    it('the length of a text counts characters, and trim takes spaces away', async () => {
      const read = await trying(async (db) => {
        await fruit(db, [1, '😀토e\u0301', null], [2, '  a ', null], [3, '   ', null]);
        return rowsOf(
          db,
          sql`select length(name) as long, length(trim(name)) as bare from fruit order by id`,
        );
      });
      assert.deepEqual(read, [
        { long: 4, bare: 4 },
        { long: 4, bare: 1 },
        { long: 3, bare: 0 },
      ]);
    });

    it('names are snake case in the database, and camel case in rows', async () => {
      const { mapped, plain } = await trying(async (db) => {
        await db.schema.createTable('ripeFruit').addColumn('firstName', 'text').execute();
        await db.insertInto('ripeFruit').values({ firstName: 'plum' }).execute();
        return {
          mapped: await rowsOf(db, sql`select first_name from ripe_fruit`),
          plain: await rowsOf(db.withoutPlugins(), sql`select first_name from ripe_fruit`),
        };
      });
      assert.deepEqual([...mapped, ...plain].flatMap(Object.keys), ['firstName', 'first_name']);
    });

    it('a whole row has its columns in the order in which they were created, those added later last', async () => {
      const rows = await trying(async (db) => {
        await db.schema.createTable('late').addColumn('z', 'text').addColumn('a', 'text').execute();
        await db.schema.alterTable('late').addColumn('b', 'text').execute();
        await db.insertInto('late').values({ a: '1', b: '2', z: '3' }).execute();
        return rowsOf<object>(db, sql`select * from late`);
      });
      assert.deepEqual(rows.flatMap(Object.keys), ['z', 'a', 'b']);
    });
  });

  describe('statements that the store takes for granted', () => {
    it('insert, update and delete return rows', async () => {
      const results = await trying(async (db) => {
        await fruit(db);
        const rows = three.map(([id, name]) => sql`(${id}, ${name})`);
        return [
          byId(
            await rowsOf(db, sql`insert into fruit (id, name) values ${sql.join(rows)} returning id, count`),
          ),
          await db.updateTable('fruit').set({ count: 5 }).where('id', '=', 2).returningAll().execute(),
          await db.deleteFrom('fruit').where('id', '=', 3).returning('name').execute(),
        ];
      });
      assert.deepEqual(results, [
        [1, 2, 3].map((id) => ({ id, count: null })),
        [{ id: 2, name: 'pear', count: 5 }],
        [{ name: 'plum' }],
      ]);
    });

    it('an update says how many rows it changed', async () => {
      const changed = await trying(async (db) => {
        await fruit(db, ...three);
        const update = (id: number) =>
          db.updateTable('fruit').set({ count: 1 }).where('count', '=', id).executeTakeFirst();
        return [(await update(20)).numUpdatedRows, (await update(99)).numUpdatedRows];
      });
      assert.deepEqual(changed, [2n, 0n]);
    });

    it('on conflict do nothing: the row stays, and only new ones are returned', async () => {
      const { added, all } = await trying(async (db) => {
        await fruit(db, [1, 'apple', 10]);
        const added = await rowsOf(
          db,
          sql`insert into fruit (id, name, count) values (1, 'new', 0), (2, 'pear', 20)
            on conflict (id) do nothing returning id`,
        );
        return { added, all: await rowsOf(db, sql`select * from fruit order by id`) };
      });
      assert.deepEqual(added, [{ id: 2 }]);
      assert.deepEqual(all, [
        { id: 1, name: 'apple', count: 10 },
        { id: 2, name: 'pear', count: 20 },
      ]);
    });

    it('on conflict do update: reads the row that is there and the one that was excluded', async () => {
      const rows = await trying(async (db) => {
        await fruit(db, [1, 'apple', 10]);
        return db
          .insertInto('fruit')
          .values([
            { id: 1, name: 'new', count: 5 },
            { id: 2, name: 'pear', count: 20 },
          ])
          .onConflict((conflict) =>
            conflict.columns(['id']).doUpdateSet((eb) => ({
              count: eb('fruit.count', '+', eb.ref('excluded.count')),
              name: eb.ref('excluded.name'),
            })),
          )
          .returning(['id', 'name', 'count'])
          .execute();
      });
      assert.deepEqual(byId(rows), [
        { id: 1, name: 'new', count: 15 },
        { id: 2, name: 'pear', count: 20 },
      ]);
    });

    it('insert from a select with groups', async () => {
      const rows = await trying(async (db) => {
        await fruit(db, ...three);
        await sql`insert into fruit (id, count)
          select count, sum(id) from (select count, id from fruit) as each_one group by count`.execute(db);
        return rowsOf(db, sql`select id, count from fruit where name is null order by id`);
      });
      assert.deepEqual(rows, [
        { id: 10, count: 1 },
        { id: 20, count: 5 },
      ]);
    });

    it('an update reads its own table as it was before', async () => {
      const rows = await trying(async (db) => {
        await fruit(db, ...three);
        const least = sql`(select min(id) from fruit as other where other.count = fruit.count)`;
        await sql`update fruit set id = id + 10 where id = ${least}`.execute(db);
        return rowsOf(db, sql`select id from fruit order by id`);
      });
      assert.deepEqual(rows, [{ id: 3 }, { id: 11 }, { id: 12 }]);
    });

    for (const [name, query, expected] of QUERIES) {
      it(name, async () => {
        const rows = await trying(async (db) => {
          await fruit(db, ...three);
          return rowsOf(db, query);
        });
        assert.deepEqual(rows, expected);
      });
    }

    it('a statement takes ten thousand parameters', async () => {
      const rows = await trying(async (db) => {
        await fruit(db, ...three);
        const ids = Array.from({ length: 10_000 }, (_, n) => n + 2);
        return db.selectFrom('fruit').select('id').where('id', 'in', ids).orderBy('id').execute();
      });
      assert.deepEqual(rows, [{ id: 2 }, { id: 3 }]);
    });

    it('statements sent at once in one transaction are each answered', async () => {
      const answers = await trying(async (db) => {
        await fruit(db, ...three);
        const ids = [1, 2, 3, 1];
        return Promise.all(ids.map((id) => rowsOf(db, sql`select name from fruit where id = ${id}`)));
      });
      assert.deepEqual(
        answers.flat().map(({ name }) => name),
        ['apple', 'pear', 'plum', 'apple'],
      );
    });
  });
}
