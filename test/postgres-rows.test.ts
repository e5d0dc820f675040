import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Memory, openMemory } from '../src/index.ts';
import { withWorkspaces } from '../src/memory/engines.ts';
import { parseAddress } from '../src/store/postgres/address.ts';
import { OF_WORKSPACES, ON_ITS_NODE, onRows } from '../src/store/postgres/rows.ts';
import { shareServers } from '../src/store/postgres/servers.ts';
import { NUMBERED } from '../src/store/tables.ts';
import { life, Made, take } from './support/as-of-life.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { manyFacts } from './support/many-facts.ts';
import { holder, inside, isWaitedFor, newDatabaseWithTables, query } from './support/postgres.ts';
import { exported } from './support/stream.ts';
import { until } from './support/until.ts';

/** One of each kind of record, with what belongs to it. */
async function furnish(memory: Memory): Promise<void> {
  const { id } = await memory.mama.save({
    topic: 'auth',
    decision: 'Cookies',
    reasoning: 'safer',
    evidence: ['measured'],
  });
  await memory.mama.update({ id, outcome: 'failed', reason: 'stolen twice' });
  const [one, other] = [
    await memory.mem.save({ title: 'Queue', content: 'Retry with backoff' }),
    await memory.mem.save({ title: 'Worker', content: 'Runs alone' }),
  ];
  await memory.mem.relate({ from_id: one.id, to_id: other.id, relation_type: 'related' });
  await memory.memo.save({ fullText: 'The proxy cuts cookies', keywords: ['proxy', 'cookie'] });
}

/** What is common to all workspaces, as rows of one set of tables (N-1 to N-5). */
describe('workspaces as rows of PostgreSQL', { ...optionsOf(postgres), concurrency: 2 }, () => {
  it('[N-1] [N-2] every table names the workspace first, in each key and index, behind a view and a policy', async () => {
    const { db } = await newDatabaseWithTables();
    await (await openMemory({ db })).close();
    const tables = await query(
      `select c.oid::integer as oid, substr(c.relname, 5) as name, c.relforcerowsecurity and c.relrowsecurity as wall,
        (select 'n_distinct=20' = any(attoptions) from pg_attribute
          where attrelid = c.oid and attname = 'workspace') as statistics,
        (select qual from pg_policies where schemaname = 'precedent' and tablename = c.relname) as policy
      from pg_class as c where c.relnamespace = 'precedent'::regnamespace and c.relkind = 'r'
        and c.relname not in ('workspaces', 'kysely_migration', 'kysely_migration_lock')`,
      [],
      db,
    );
    assert(tables.length > 25, `${tables.length} tables`);
    const views = await query(
      "select table_name as name, column_name as column from information_schema.columns where table_schema = 'precedent'",
      [],
      db,
    );
    for (const { oid, name, wall, statistics, policy } of tables) {
      assert.equal(wall, true, name);
      assert.equal(statistics, true, name);
      // The wall reads the setting by itself, not by the function of the views.
      assert.match(policy, /current_setting\('precedent\.workspace'/, name);
      const shown = views.filter((each) => each.name === name).map(({ column }) => column);
      assert(shown.length > 0 && !shown.includes('workspace'), name);
      const keys = await query(
        `select indexrelid::regclass::text as key,
          (select attname from pg_attribute where attrelid = indrelid and attnum = indkey[0]) as first
        from pg_index where indrelid = $1
        union all select conname, (select attname from pg_attribute where attrelid = conrelid and attnum = conkey[1])
        from pg_constraint where conrelid = $1 and contype <> 'c'`,
        [oid],
        db,
      );
      assert.deepEqual(
        keys.filter(({ first }) => first !== 'workspace'),
        [],
        name,
      );
    }
  });

  it('[N-5] the layout of a database that an older version made is that of a new one when it was opened', async () => {
    const { db } = await newDatabaseWithTables();
    await (await openMemory({ db, workspace: 'old' })).close();
    const layout = () =>
      query(
        `select c.relname as name, array(select o from unnest(a.attoptions) as o where o like 'n_distinct%') as options, a.attstattarget as target, p.qual as wall,
          case when c.relkind = 'v' then pg_get_viewdef(c.oid) end as view
        from pg_class as c left join pg_attribute as a on a.attrelid = c.oid and a.attname = 'workspace'
        left join pg_policies as p on p.schemaname = 'precedent' and p.tablename = c.relname
        where c.relnamespace = 'precedent'::regnamespace and c.relkind in ('r', 'v') order by c.relname, p.policyname`,
        [],
        db,
      );
    const made = await layout();
    for (const { name, view, wall } of made) {
      const table = `precedent.${name}`;
      if (view !== null) {
        const earlier = view.replace(/\( SELECT (precedent\.)?ws\(\) AS ws\)/, 'precedent.ws()');
        assert.notEqual(earlier, view, name);
        const from = earlier.replace(/ FROM (?!precedent\.)/, ' FROM precedent.');
        await query(`create or replace view ${table} with (security_invoker) as ${from}`, [], db);
      } else if (name.startsWith('all_')) {
        const change = `alter table ${table} alter column workspace`;
        await query(`${change} reset (n_distinct)`, [], db);
        await query(`${change} set statistics 0`, [], db);
        const earlier = wall.replace(/\( SELECT (.*) AS \w+\)/, '$1');
        assert.notEqual(earlier, wall, name);
        await query(`alter policy own on ${table} using ${earlier}`, [], db);
      }
    }
    const forget = async () => {
      await query('drop index precedent.decisions_forked', [], db);
      await query('alter table precedent.all_decisions drop column tidies cascade', [], db);
      await query('drop table precedent.all_kept_facts cascade', [], db);
      for (const name of ['date', 'record', 'change'])
        await query(`drop index precedent.saves_${name}`, [], db);
      await query("delete from precedent.kysely_migration where name > '0018-branch'", [], db);
    };
    await forget();
    assert.notDeepEqual(await layout(), made);
    const memory = await openMemory({ db, workspace: 'old' });
    try {
      assert.deepEqual(await layout(), made);
      await furnish(memory);
      assert.deepEqual((await memory.inspect()).problems, []);
    } finally {
      await memory.close();
    }
    // Taken for a twentieth once it is counted, which is done at once: the server would do so late.
    // The server's own counting would hold the table, which is then passed over.
    await query('alter table precedent.all_records set (autovacuum_enabled = false)', [], db);
    await forget();
    await (await openMemory({ db, workspace: 'old' })).close();
    const counted = await query(
      "select n_distinct from pg_stats where tablename = 'all_records' and attname = 'workspace'",
      [],
      db,
    );
    assert.deepEqual(counted, [{ n_distinct: 20 }]);
  });

  it('[N-5] an import into new tables looks up what a row refers to by its key, and does not read the workspace for each', async () => {
    const { db } = await newDatabaseWithTables();
    const memory = await openMemory({ db });
    await memory.merge(manyFacts(6_000));
    await memory.close();
    const read = () =>
      query(
        `select i.indexrelname as index, t.n_tup_ins::integer as rows, (i.idx_tup_read / t.n_tup_ins)::integer as each
        from pg_stat_user_indexes as i join pg_stat_user_tables as t using (relid)
        where i.schemaname = 'precedent' and t.n_tup_ins > 100`,
        [],
        db,
      );
    // The server counts what a process of it did when that has ended.
    await until(async () => (await read()).some(({ index }) => index === 'decisions_pkey'));
    const counted = await read();
    assert(counted.length > 20);
    // The first rows alone are so few that any index will do.
    assert.deepEqual(
      counted.filter(({ each }) => each > 1_000),
      [],
    );
  });

  it('[N-2] no function of the tables keeps a query, or an answer that depends on the workspace', async () => {
    const { db } = await newDatabaseWithTables();
    await (await openMemory({ db })).close();
    const functions = await query(
      `select proname as name, provolatile as volatility, lanname as language, prosrc as body
      from pg_proc join pg_language as l on l.oid = prolang where pronamespace = 'precedent'::regnamespace`,
      [],
      db,
    );
    assert.deepEqual(functions.map(({ name }) => name).sort(), [
      'last_number',
      'load_numbers',
      'next_number',
      'numbers',
      'ws',
    ]);
    for (const { name, volatility, language, body } of functions) {
      assert.notEqual(volatility, 'i', name);
      assert.equal(language, 'plpgsql', name);
      // What is executed as a text is planned each time.
      const kept = body.replace(/\bexecute \$q\$.*?\$q\$/gs, '');
      assert.doesNotMatch(kept, /\b(select|from|insert|update|delete)\b/i, name);
    }
  });

  it('[N-4] whatever is done in one workspace leaves the other as it was, row by row', async () => {
    const { db } = await newDatabaseWithTables();
    const [one, other] = [
      await openMemory({ db, workspace: 'one' }),
      await openMemory({ db, workspace: 'other' }),
    ];
    try {
      for (const memory of [one, other]) await furnish(memory);
      const before = await exported(other);
      const [{ id = '' } = {}] = (await one.mama.search({ query: 'cookies' })).results;
      await one.mama.save({ topic: 'auth', decision: 'Sessions', reasoning: 'simpler' });
      await one.mama.update({ id, outcome: 'success' });
      await one.mem.update({ id: 1, title: 'Queue', content: 'changed' });
      await one.undo();
      await one.redact('1', 'changed').catch(() => {});
      await one.delete({ ref: 2 });
      await one.repair();
      const made = new Made();
      for (const step of fc.sample(life(40), { numRuns: 1, seed: 4 })[0] ?? []) await take(one, step, made);
      await one.import(before).catch(() => {});
      assert.deepEqual(await exported(other), before);
      assert.deepEqual((await other.inspect()).problems, []);
      assert.deepEqual((await one.inspect()).problems, []);
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('[N-1] numbers count from 1 in each workspace, without a gap, and none comes back', async () => {
    const { db } = await newDatabaseWithTables();
    const [one, other] = [
      await openMemory({ db, workspace: 'one' }),
      await openMemory({ db, workspace: 'other' }),
    ];
    try {
      const ids: number[] = [];
      for (let n = 0; n < 5; n++) {
        ids.push((await one.mem.save({ title: `t${n}`, content: `c${n}` })).id);
        await other.mem.save({ title: `t${n}`, content: `c${n}` });
        await one.mem.save({ title: ' ', content: 'refused' }).catch(() => {});
      }
      assert.deepEqual(ids, [1, 2, 3, 4, 5]);
      await one.delete({ ref: 5, hard_delete: true });
      assert.equal((await one.mem.save({ title: 'next', content: 'next' })).id, 6);
      const lines = await exported(one);
      const { last } = JSON.parse(lines[0] ?? '');
      assert.equal(last.observations, 6);
      assert.deepEqual(Object.keys(last).sort(), [...NUMBERED].sort());
      const copy = await openMemory({ db, workspace: 'copy' });
      await copy.import(lines);
      assert.equal((await copy.mem.save({ title: 'after', content: 'after' })).id, 7);
      await copy.close();
    } finally {
      await one.close();
      await other.close();
    }
  });

  it('[N-2] [OP-5] a statement that one workspace prepared answers another with its own rows', async (test) => {
    const { db } = await newDatabaseWithTables();
    const { servers, leave } = shareServers(parseAddress(db), 1);
    test.after(leave);
    const memories = [];
    for (const workspace of ['one', 'two']) {
      const memory = await openMemory({ db, workspace });
      test.after(() => memory.close());
      await memory.mama.save({ topic: 'where', decision: `cookies of ${workspace}` });
      memories.push(memory);
    }
    const said: string[][] = [];
    // After five times the server may keep one plan for all values.
    for (let round = 0; round < 8; round++)
      for (const memory of memories) {
        const { results } = await memory.mama.search({ query: 'cookies' });
        const { decisions } = await memory.decision.list({});
        said.push([...results.map((row) => row.decision), ...decisions.map((row) => row.text)]);
      }
    const own = ['one', 'two'].map((name) => [`cookies of ${name}`, `cookies of ${name}`]);
    assert.deepEqual(said, Array.from({ length: 8 }, () => own).flat());
    const { client, release } = await servers.connect('test');
    const { rows } = await client.query(
      'select max(generic_plans + custom_plans)::int as most from pg_prepared_statements',
    );
    release(false);
    assert.ok(rows[0].most >= 16, 'one connection served both');
  });

  it('[N-4] an import, a redaction and a repair of one workspace wait for no import of another', async () => {
    const { db } = await newDatabaseWithTables();
    const source = await openMemory({ db, workspace: 'source' });
    await furnish(source);
    const lines = await exported(source);
    const target = await openMemory({ db, workspace: 'target' });
    // As an import that has written, and has not ended.
    const [{ id }] = await query("select id from precedent.workspaces where name = 'source'", [], db);
    const writing = await holder(
      db,
      'begin',
      `set local search_path to precedent; set local precedent.workspace to ${id}`,
      "select 1 from meta where key = 'writer' for update",
      onRows("update observations set title = 'held'"),
    );
    try {
      await target.import(lines);
      const { id: secret } = await target.mem.save({ title: 'key', content: 'zq81hunter' });
      await target.redact(String(secret), 'zq81hunter');
      await target.repair();
      assert.equal(await isWaitedFor(writing), false);
    } finally {
      await writing.end();
      await source.close();
      await target.close();
    }
  });

  it('[N-4] while a workspace is removed, which may take long, others are made, named and written', async () => {
    const { db } = await newDatabaseWithTables();
    const [large, other] = [
      await openMemory({ db, workspace: 'large' }),
      await openMemory({ db, workspace: 'other' }),
    ];
    await furnish(large);
    await large.close();
    const slow = await holder(
      db,
      ...inside('large'),
      'begin',
      'select 1 from all_records where workspace = ws() for update',
    );
    try {
      await withWorkspaces(
        db,
        () => {},
        async (there) => {
          const removed = there.remove('large');
          await until(() => isWaitedFor(slow));
          const held = await query(
            "select mode from pg_locks where relation = 'precedent.workspaces'::regclass and mode like 'Share%'",
            [],
            db,
          );
          assert.deepEqual(held, []);
          await (await openMemory({ db, workspace: 'new' })).close();
          await furnish(other);
          assert.equal(await there.addNames('other', ['mine'], true), true);
          await there.rename('new', 'renamed');
          await slow.query('rollback');
          await removed;
          const left = await there.list();
          assert.deepEqual(
            left.map(({ workspace }) => workspace),
            ['other', 'renamed'],
          );
        },
      );
      for (const table of OF_WORKSPACES) {
        const rows = await query(
          `select 1 from precedent.all_${table} as t left join precedent.workspaces as w on w.id = t.workspace where w.id is null`,
          [],
          db,
        );
        assert.deepEqual(rows, [], table);
      }
    } finally {
      await slow.end();
      await other.close();
    }
  });
});

describe('what a statement changes', () => {
  it('[N-1] is a table, in the rows of the workspace alone', () => {
    for (const [statement, expected] of [
      [
        'insert into meta (key, value) values ($1, $2)',
        'insert into all_meta as meta (key, value) values ($1, $2)',
      ],
      [
        'insert into "topics" ("name") values ($1) on conflict ("name") do nothing',
        'insert into all_topics as topics ("name") values ($1) on conflict (workspace, "name") do nothing',
      ],
      [
        'insert into topics (name, since) select name, max(since) from scopes group by name',
        `insert into all_topics as topics (workspace, name, since) select one.workspace, given.* from ( select name, max(since) from scopes group by name) as given ${ON_ITS_NODE}`,
      ],
      ['delete from "memos"', 'delete from all_memos as memos where memos.workspace = ws() '],
      [
        "update records set uid = 'where' where seq in (select seq from memos where seq > $1) returning seq",
        "update all_records as records set uid = 'where'  where records.workspace = ws() and ( seq in (select seq from memos where seq > $1) ) returning seq",
      ],
      [
        'update "decisions" as "d" set "is_active" = 0 where d.id = $1 or d.id = $2',
        'update all_decisions as d set "is_active" = 0  where d.workspace = ws() and ( d.id = $1 or d.id = $2) ',
      ],
      ['update workspaces set name = $1', 'update workspaces set name = $1'],
      ['select * from records where seq = 1', 'select * from records where seq = 1'],
      ['insert into kysely_migration values (1)', 'insert into kysely_migration values (1)'],
    ] as const)
      assert.equal(onRows(statement).replace(/\s+/g, ' '), expected.replace(/\s+/g, ' '));
  });
});
