import assert from 'node:assert/strict';
import { after, describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import pg from 'pg';
import { openMemory } from '../src/index.ts';
import { findNamed, withWorkspaces } from '../src/memory/engines.ts';
import { life, Made, take } from './support/as-of-life.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import { holder, newWorkspace, query, SERVER } from './support/postgres.ts';
import { exported, linesOfRows, withRows } from './support/stream.ts';

type Cleaner = { after: (clean: () => Promise<void>) => void };
type Rivals = Awaited<ReturnType<typeof rivals>>;

/**
 * A database of their own, in which alice and mallory may make the schema; bob may not.
 * @param like another one that it is a copy of, with the same roles
 */
async function rivals(test: Cleaner, like?: { database: string; roles: string[] }) {
  const name = newWorkspace().slice(-8);
  const database = `db-${name}`;
  const roles = like?.roles ?? ['alice', 'mallory', 'bob', 'team'].map((role) => `${role}-${name}`);
  const [alice, mallory, bob, team] = roles as [string, string, string, string];
  await query(
    `create database "${database}"${like ? ` template "${like.database}" strategy file_copy` : ''}`,
  );
  if (!like) for (const role of roles) await query(`create role "${role}" login`);
  test.after(async () => {
    await query(`drop database "${database}" with (force)`);
    if (!like) for (const role of roles) await query(`drop role if exists "${role}"`);
  });
  for (const role of [alice, mallory, team])
    await query(`grant create on database "${database}" to "${role}"`);
  const as = (role: string) => {
    const url = new URL(SERVER);
    if (role !== '') Object.assign(url, { username: role });
    return Object.assign(url, { pathname: `/${database}` }).href;
  };
  const root = (text: string) => query(text, [], as(''));
  if (!like) {
    await root('grant create on schema public to public');
    await root('create table public.seen (who text)');
    await root('grant insert, select on public.seen to public');
  }
  return {
    database,
    roles,
    alice,
    mallory,
    bob,
    team,
    as,
    root,
    /** Runs statements as a role. */
    run: async (role: string, ...statements: string[]) => {
      for (const each of statements) await query(each, [], as(role));
    },
    open: (role: string, workspace: string, create = true) => openMemory({ db: as(role), workspace, create }),
    /** A memory with one observation of a role. */
    async memory(role: string, workspace: string, title = 'a note') {
      const memory = await openMemory({ db: as(role), workspace });
      await memory.mem.save({ title, content: 'of theirs' });
      await memory.close();
    },
    /** What lets roles use the tables, which are shared then (N-2). */
    async grant(...granted: string[]) {
      for (const role of granted) {
        await root(`grant usage on schema precedent to "${role}"`);
        await root(`grant select, insert, update, delete on all tables in schema precedent to "${role}"`);
      }
    },
    /** Everybody trusts who owns the database. */
    owns: (role: string) => root(`alter database "${database}" owner to "${role}"`),
    workspaces: <T>(role: string, work: Parameters<typeof withWorkspaces<T>>[2]) =>
      withWorkspaces(as(role), () => {}, work),
    /** That nothing which mallory made was run. */
    async nothingRan() {
      assert.deepEqual(await root('select who from public.seen'), []);
    },
  };
}

/** A function of mallory's that leaves a mark with the name of whoever runs it. */
const trap = (name: string, args: string, returns: string, value: string) =>
  `create function ${name}(${args}) returns ${returns} language sql volatile as
  $$ insert into public.seen values (current_user); select ${value} $$`;

/** Operators of mallory's for any two types of the catalogue: whoever compares two that the server has none for runs them. */
const BETTER_MATCHES = [
  'oid',
  'regclass',
  'regrole',
  'name',
  'text',
  'integer',
  'bigint',
  '"char"',
  'regtype',
]
  .flatMap((left, _, types) => types.map((right) => [left, right] as const))
  .flatMap(([left, right]) => [
    trap('public.better', `${left}, ${right}`, 'boolean', 'true'),
    ...['=', '<>', '<', '>'].map(
      (sign) =>
        `create operator public.${sign} (leftarg = ${left}, rightarg = ${right}, function = public.better)`,
    ),
  ])
  .join(';');

describe('several roles on one PostgreSQL', { ...optionsOf(postgres), concurrency: 2 }, () => {
  it('[Z-10] only members of who made a workspace name, rename or remove it', async (test) => {
    const { alice, mallory, bob, run, root, memory, grant, workspaces } = await rivals(test);
    await memory('', 'given');
    await grant(alice, mallory, bob);
    await memory(alice, 'acme');
    await memory(mallory, 'evil');
    const list = () => workspaces(alice, (there) => there.list());
    const given = { workspace: 'given', names: [] };
    assert.equal(await workspaces(alice, (there) => there.addNames('acme', ['mine'], true)), true);
    const before = [{ workspace: 'acme', names: ['mine'] }, { workspace: 'evil', names: [] }, given];
    assert.deepEqual(await list(), before);
    for (const role of [mallory, bob])
      await workspaces(role, async (there) => {
        for (const claim of [true, false])
          assert.equal(await there.addNames('acme', ['theirs'], claim), false);
        await refuses(there.rename('acme', 'renamed'), 'conflict', '"acme"', 'owner');
        await refuses(there.remove('acme'), 'conflict', '"acme"', 'owner');
      });
    assert.deepEqual(await list(), before);
    assert.equal((await workspaces(alice, (there) => there.usage('acme')))?.records, 1);
    // Nor by hand.
    for (const each of [
      "update precedent.workspaces set names = '{theirs}'",
      'delete from precedent.workspaces',
    ])
      await run(bob, each);
    assert.deepEqual(await list(), before);
    for (const each of [
      `insert into precedent.workspaces (name, owner) values ('new', '${alice}')`,
      `update precedent.workspaces set owner = '${alice}'`,
    ])
      await assert.rejects(run(mallory, each), /row-level security/);
    await root(`grant "${alice}" to "${bob}"`);
    assert.equal(await workspaces(bob, (there) => there.addNames('acme', ['ours'], true)), true);
    await workspaces(bob, (there) => there.rename('acme', 'renamed'));
    await workspaces(alice, (there) => there.remove('renamed'));
    assert.deepEqual(await list(), [{ workspace: 'evil', names: [] }, given]);
  });

  it('[Z-10] a claim of a stranger takes no name away, and two claims are named', async (test) => {
    const { alice, mallory, memory, grant, workspaces } = await rivals(test);
    await memory('', 'given');
    await grant(alice, mallory);
    await memory(alice, 'acme');
    await memory(mallory, 'evil');
    assert.equal(await workspaces(alice, (there) => there.addNames('acme', ['mine'], true)), true);
    // Whoever makes a workspace names it as they like.
    assert.equal(await workspaces(mallory, (there) => there.addNames('evil', ['acme', 'mine'], true)), true);
    const all = await workspaces(alice, (there) => there.list());
    assert.deepEqual(all, [
      { workspace: 'acme', names: ['mine'] },
      { workspace: 'evil', names: ['acme', 'mine'] },
      { workspace: 'given', names: [] },
    ]);
    assert.equal(findNamed(all, 'acme')?.workspace, 'acme', 'the exact name comes first');
    assert.throws(() => findNamed(all, 'mine'), /found "acme" and "evil".*join/);
    assert.equal(findNamed(all, 'none'), undefined);
    // Neither does it keep the owner from keeping the name.
    assert.equal(await workspaces(alice, (there) => there.addNames('acme', ['mine', 'more'], true)), true);
    const again = await workspaces(alice, (there) => there.list());
    assert.deepEqual(again[0], { workspace: 'acme', names: ['mine', 'more'] });
  });

  it('[Z-10] a workspace whose owner is no role any more keeps nobody from naming others', async (test) => {
    const { alice, mallory, root, memory, grant, workspaces } = await rivals(test);
    await memory('', 'given');
    await grant(alice, mallory);
    await memory(mallory, 'left');
    await memory(alice, 'acme');
    await root(`drop owned by "${mallory}"`);
    await root(`drop role "${mallory}"`);
    await workspaces(alice, async (there) => {
      assert.equal(await there.addNames('acme', ['mine'], true), true);
      assert.equal(await there.addNames('left', ['mine'], true), false);
      await refuses(there.remove('left'), 'conflict', '"left"');
      await there.rename('acme', 'renamed');
      await there.remove('renamed');
    });
    await workspaces('', (there) => there.remove('left'));
  });

  it('[Z-10] memories of a stranger are neither read nor written, whatever she grants', async (test) => {
    const { alice, mallory, run, memory, open } = await rivals(test);
    await run(mallory, 'create schema precedent', 'grant all on schema precedent to public');
    await refuses(open(alice, 'acme'), 'unavailable', 'the schema "precedent"', `"${mallory}"`);
    await run(mallory, 'drop schema precedent');
    await memory(mallory, 'acme', 'bait');
    await run(
      mallory,
      'grant all on schema precedent to public',
      'grant all on all tables in schema precedent to public',
    );
    for (const workspace of ['acme', 'other'])
      for (const create of [true, false]) {
        await refuses(
          open(alice, workspace, create),
          'unavailable',
          `"${mallory}"`,
          `grant "${mallory}" to "${alice}"`,
        );
        assert.equal(await reasonOf(open(alice, workspace, create)), 'foreign');
      }
    // Not by a superuser either, whose rights are worth most.
    await refuses(open('', 'acme'), 'unavailable', `"${mallory}"`);
  });

  it('[Z-10] views, policies and functions in tables of a stranger are not run', async (test) => {
    const { alice, mallory, run, memory, open, root, workspaces, nothingRan } = await rivals(test);
    await run(
      mallory,
      'create schema precedent',
      trap('precedent.steal', '', 'integer', '1'),
      'create table precedent.all_search_postings (x int)',
      'create table precedent.kysely_migration (name text)',
      'create table precedent.all_meta (workspace int, key text, value text)',
      'create table precedent.workspaces (id int, name text, names text[])',
      `insert into precedent.workspaces values (1, 'acme', '{mine}')`,
      'alter table precedent.workspaces enable row level security',
      'create policy x on precedent.workspaces using (precedent.steal() = 1)',
      'create view precedent.records as select precedent.steal() as seq',
      'create view precedent.observations as select precedent.steal() as updated_at',
      trap('precedent.ws', '', 'integer', '1'),
      trap('precedent.load_numbers', '', 'integer', '1'),
      trap('precedent.pg_advisory_xact_lock', 'integer', 'integer', '1'),
      'grant usage on schema precedent to public',
      'grant all on all tables in schema precedent to public',
    );
    for (const asker of [alice, '']) {
      await workspaces(asker, async (there) => {
        for (const work of [
          () => there.list(),
          () => there.usage('acme'),
          () => there.remove('acme'),
          () => there.rename('acme', 'renamed'),
          () => there.addNames('acme', ['x'], true),
          () => there.removeUnused('acme'),
        ])
          await refuses(work(), 'unavailable', `"${mallory}"`);
      });
      await refuses(open(asker, 'acme'), 'unavailable', `"${mallory}"`);
    }
    await root('drop schema precedent cascade');
    await memory(alice, 'acme');
    await run(
      alice,
      `grant all on schema precedent to "${mallory}"`,
      `grant all on all tables in schema precedent to "${mallory}"`,
      'alter view precedent.memos rename to gone',
    );
    await run(mallory, 'create view precedent.memos as select 1 as one');
    await refuses(open(alice, 'acme'), 'unavailable', 'table "memos"');
    await nothingRan();
  });

  it('[Z-10] a table that a stranger got is refused, also while a memory is open', async (test) => {
    const { alice, mallory, root, memory, open } = await rivals(test);
    await memory(alice, 'acme');
    const used = await open(alice, 'acme');
    await root(`alter table precedent.all_memos owner to "${mallory}"`);
    for (const call of [
      () => used.mem.save({ title: 'a', content: 'b' }),
      () => used.mem.search({ query: 'note' }),
      () => open(alice, 'acme'),
    ])
      await refuses(call(), 'unavailable', 'table "all_memos"', `"${mallory}"`);
    await used.close();
  });

  it("[Z-10] a schema that takes an open memory's place is neither read nor written", async (test) => {
    const { alice, mallory, run, root, memory, open } = await rivals(test);
    // The first workspace of each has the same number.
    await memory(mallory, 'acme', 'bait note');
    await run(mallory, 'alter schema precedent rename to bait');
    await memory(alice, 'acme', 'the note');
    const used = await open(alice, 'acme');
    const save = () => used.mem.save({ title: 'secret', content: 'the plan' });
    const calls = [save, () => used.mem.search({ query: 'note' }), () => used.inspect(), () => used.repair()];
    await save();
    // A sequence shows what ran in a transaction that was rolled back, too.
    await run(
      mallory,
      'create sequence bait.ran',
      'alter table bait.kysely_migration rename to other',
      "create view bait.kysely_migration as select name from bait.other where nextval('bait.ran') > 0",
      'alter table bait.workspaces rename to others',
      "create view bait.workspaces as select * from bait.others where nextval('bait.ran') > 0",
      'grant all on schema bait to public',
      'grant all on all tables in schema bait to public',
      'grant all on all sequences in schema bait to public',
    );
    const rowsOf = () =>
      root('select count(*), (select is_called from bait.ran) as ran from bait.all_records');
    const before = await rowsOf();
    for (const [away, back] of [
      ['alter schema precedent rename to gone', 'alter schema gone rename to precedent'],
      ['drop schema precedent cascade'],
    ] as const) {
      await root(away);
      for (const call of calls) await refuses(call(), 'unavailable');
      await run(mallory, 'alter schema bait rename to precedent');
      for (const call of calls)
        await refuses(call(), 'unavailable', 'the schema "precedent"', `"${mallory}"`);
      await run(mallory, 'alter schema precedent rename to bait');
      if (back) {
        await root(back);
        assert.equal((await used.mem.search({ query: 'note' })).total, 1);
      }
    }
    assert.deepEqual(await rowsOf(), before);
    await used.close();
  });

  it('[Z-10] functions and operators that somebody left in public are not taken for those of the server', async (test) => {
    const { alice, mallory, run, root, memory, open, workspaces, nothingRan } = await rivals(test);
    await memory(alice, 'acme');
    await run(
      mallory,
      trap('public.obj_description', 'oid, text', 'text', 'null::text'),
      trap('public.pg_total_relation_size', 'oid', 'bigint', '1::bigint'),
      trap('public.pg_advisory_xact_lock', 'integer', 'integer', '1'),
      trap('public.current_setting', 'unknown_text text, missing boolean', 'text', `'x'`),
      trap('public.lpad', 'text, integer, text', 'text', `'x'`),
      BETTER_MATCHES,
    );
    const memoryOfAlice = await open(alice, 'acme');
    await memoryOfAlice.mem.save({ title: 'a', content: 'b' });
    await memoryOfAlice.inspect();
    await memoryOfAlice.repair();
    await memoryOfAlice.close();
    await workspaces(alice, async (there) => {
      await there.list();
      await there.usage('acme');
      await there.addNames('acme', ['x'], true);
      await there.rename('acme', 'renamed');
      await there.remove('renamed');
    });
    // What else is asked outside of a workspace: how the schema is made, and whether it is another's.
    await root('drop schema precedent cascade');
    await memory(alice, 'new');
    await root('drop schema precedent cascade');
    await run(alice, 'create schema precedent', 'create table precedent.other (id integer)');
    await refuses(open(alice, 'new'), 'unavailable', 'other tables');
    await nothingRan();
  });

  it('[Z-10] one odd workspace is named, and ends nothing', async (test) => {
    const { alice, run, memory, open, workspaces } = await rivals(test);
    await memory(alice, 'acme');
    await run(alice, `insert into precedent.workspaces (name) values ('odd')`);
    await refuses(open(alice, 'odd'), 'unavailable', 'the table meta', 'Insert it');
    await workspaces(alice, async (there) => {
      assert.deepEqual(
        (await there.list()).map((each) => each.workspace),
        ['acme', 'odd'],
      );
      assert.equal((await there.usage('odd'))?.records, 0);
      assert.equal((await there.usage('acme'))?.records, 1);
    });
  });

  it('[Z-10] a team shares a memory by a role that all are members of, whoever upgraded it', async (test) => {
    const { alice, bob, team, mallory, memory, open, root } = await rivals(test);
    await memory(team, 'shared');
    await refuses(open(alice, 'shared'), 'unavailable', `grant "${team}" to "${alice}"`);
    for (const member of [alice, bob]) await root(`grant "${team}" to "${member}"`);
    // A table that one of them added is the team's as well.
    await root(`alter table precedent.all_memos owner to "${alice}"`);
    await root(`grant all on precedent.all_memos to "${team}"`);
    for (const member of [alice, bob, team]) {
      const shared = await open(member, 'shared');
      await shared.mem.save({ title: 'from', content: member });
      await shared.close();
    }
    await root(`alter table precedent.all_memos owner to "${mallory}"`);
    await refuses(open(alice, 'shared'), 'unavailable', 'table "all_memos"', `"${mallory}"`);
  });

  it('[Z-10] who may only grant a role, as who created it, does not trust it', async (test) => {
    const { alice, mallory, memory, open, root } = await rivals(test);
    await memory(mallory, 'acme');
    const [{ version }] = await root("select current_setting('server_version_num')::integer as version");
    if (version < 160_000) return test.skip('a membership of PostgreSQL 15 is a whole one');
    await root(`grant "${mallory}" to "${alice}" with admin true, inherit false, set false`);
    await refuses(open(alice, 'acme'), 'unavailable', `"${mallory}"`);
    await root(`grant "${mallory}" to "${alice}" with inherit true`);
    await (await open(alice, 'acme')).close();
    return undefined;
  });

  it('[Z-10] a schema of a superuser or of the owner of the database may be used by whom it grants', async (test) => {
    const { bob, alice, root, memory, open, grant, owns } = await rivals(test);
    await memory('', 'given');
    await grant(bob);
    for (const workspace of ['given', 'new']) {
      const given = await open(bob, workspace);
      await given.mem.save({ title: 'a', content: 'b' });
      await given.close();
    }
    await root(`alter schema precedent owner to "${alice}"`);
    await refuses(open(bob, 'given'), 'unavailable', 'the schema "precedent"');
    await owns(alice);
    await (await open(bob, 'given')).close();
  });
});

/** The tables that alice made with two workspaces in them, and bob, who is granted them; connections end with the test. */
async function granted(test: TestContext, owner: 'alice' | '') {
  furnished ??= furnish(FILE, 'alice');
  const made = owner === '' ? await furnish(test, owner) : await rivals(test, await furnished);
  const { as, root, alice, owns } = made;
  if (owner !== '') await owns(alice);
  const ids = await root('select id from precedent.workspaces order by name');
  const [one, two] = ids.map(({ id }) => id) as [number, number];
  const connect = async (who: string) => {
    const client = await holder(as(who));
    // The database is dropped before the connection is ended.
    client.on('error', () => {});
    test.after(() => client.end());
    return client;
  };
  return { ...made, one, two, connect };
}

/** What most tests begin with: tables take a second to be made, and a third of that to be copied. */
let furnished: Promise<Rivals> | undefined;
const last: (() => Promise<void>)[] = [];
const FILE: Cleaner = { after: (clean) => void last.push(clean) };
after(async () => {
  for (const clean of last) await clean();
});

async function furnish(test: Cleaner, owner: 'alice' | ''): Promise<Rivals> {
  const made = await rivals(test);
  const role = owner && made[owner];
  await made.memory(role, 'one', 'a note of one');
  await made.memory(role, 'two', 'a note of two');
  await made.grant(made.bob);
  return made;
}

/**
 * Ways of who is in one workspace to read or change a row of another: by what the statements of the store go through, which
 * are views that have a condition, and past them, where row-level security is all there is. `OTHER` is the number of the
 * other workspace. Each tells a text of it, or its error does, or changes something there.
 */
const THEIRS = 'a note of two';
const WAYS: Record<'views' | 'tables', [way: string, ...statements: string[]][]> = {
  views: [
    ['all rows', 'select title from observations'],
    ['a condition that is always true', `select title from observations where id = 99 or 'a' = 'a'`],
    ['a join', 'select o.title from records as r cross join observations as o'],
    [
      'a condition inside out',
      'select title from (select * from observations) as o where not (o.id is null)',
    ],
    [
      'each row of an outer query',
      'select o.title from writers as w cross join lateral (select * from observations) as o',
    ],
    ['a common table', 'with o as materialized (select * from observations) select title from o'],
    ['a union', 'select title from observations where id < 0 union all select title from observations'],
    ['an aggregate', "select string_agg(title, ', ') from observations"],
    ['a window', "select string_agg(title, ', ') over () from observations"],
    ['a cursor', 'declare here cursor for select title from observations', 'fetch all from here'],
    ['a prepared statement', 'prepare here as select title from observations', 'execute here'],
    [
      'a query out of a text',
      "select query_to_xml('select title from precedent.observations', true, true, '')",
    ],
    [
      'a function of one’s own for the number',
      'create function pg_temp.ws() returns integer language sql as $$ select OTHER $$',
      'set local search_path to pg_temp, precedent',
      'select title from observations',
    ],
    [
      'a view of one’s own',
      'create temporary view mine as select * from observations',
      'select title from mine',
    ],
    ['an update', "update observations set title = 'changed'"],
    ['a deletion', 'delete from search_postings'],
  ],
  tables: [
    ['all rows', 'select title from all_observations'],
    ['the number of the other', 'select title from all_observations where workspace = OTHER'],
    ['a sample', 'select title from all_observations tablesample system (100)'],
    ['the place of a row', "select title from all_observations where ctid = '(0,2)'"],
    ['a whole row as a text', 'select o::text from all_observations as o'],
    ['a table as XML', "select table_to_xml('precedent.all_observations', true, true, '')"],
    ['locking', 'select title from all_observations for share'],
    ['the own row and its like', 'select o.title from observations join all_observations as o using (id)'],
    [
      'whether there is one',
      `select 'is ${THEIRS}' where exists (select from all_observations where workspace = OTHER)`,
    ],
    ['an error that tells the text', 'select title::integer from all_observations where workspace = OTHER'],
    [
      'a notice of a block',
      'do $q$ declare each record; begin for each in select * from precedent.all_observations loop raise notice $m$%$m$, each.title; end loop; end $q$',
    ],
    [
      'a function in a condition',
      'create function pg_temp.tell(text) returns boolean language plpgsql cost 0.0001 as $q$ begin raise notice $m$%$m$, $1; return true; end $q$',
      'select 1 from all_observations where pg_temp.tell(title)',
    ],
    [
      'a function that runs a text',
      'create function pg_temp.run() returns setof text language plpgsql as $q$ begin return query execute $t$ select title from precedent.all_observations $t$; end $q$',
      'select pg_temp.run()',
    ],
    [
      'a table of one’s own',
      'create temporary table taken as select * from all_observations',
      'select title from taken',
    ],
    [
      'copying rows into one’s own',
      'insert into all_meta (workspace, key, value) select ws(), title, title from all_observations where workspace = OTHER returning value',
    ],
    [
      'switching row-level security off',
      'set local row_security = off',
      'select title from all_observations',
    ],
    ['an insert', "insert into all_meta (workspace, key, value) values (OTHER, 'k', 'v')"],
    [
      'an insert in the way of a row',
      "insert into all_meta (workspace, key, value) values (OTHER, 'writer', 'v') on conflict (workspace, key) do update set value = 'v'",
    ],
    ['an update', "update all_observations set title = 'changed' where workspace = OTHER"],
    [
      'an update by the own row',
      "update all_observations as o set title = 'changed' from observations as own where own.id = o.id and o.workspace = OTHER",
    ],
    [
      'moving one’s own row',
      "update all_meta set workspace = OTHER, key = 'moved' where workspace = ws() and key = 'analysis'",
    ],
    ['a deletion', 'delete from all_search_postings where workspace = OTHER'],
    [
      'a merge',
      "merge into all_observations as o using (values (1)) as v (id) on o.workspace = OTHER and o.id = v.id when matched then update set title = 'changed'",
    ],
  ],
};

const enter = (client: pg.Client, workspace: number) =>
  client.query(`set precedent.workspace to ${workspace}`);

describe('the second wall between workspaces of one PostgreSQL', {
  ...optionsOf(postgres),
  concurrency: 2,
}, () => {
  for (const owner of ['alice', ''] as const)
    it(`[N-2] statements on the tables see one workspace, and change no other: ${owner ? 'their owner and who is' : 'who is'} granted them`, async (test) => {
      const { alice, bob, one, two, connect } = await granted(test, owner);
      for (const who of owner ? [alice, bob] : [bob]) {
        const client = await connect(who);
        const titles = async () => {
          const { rows } = await client.query('select workspace, title from precedent.all_observations');
          return rows;
        };
        await assert.rejects(titles(), /unrecognized configuration parameter/);
        for (const [own, other, title] of [
          [one, two, 'a note of one'],
          [two, one, 'a note of two'],
        ] as const) {
          await enter(client, own);
          assert.deepEqual(await titles(), [{ workspace: own, title }]);
          const { rows } = await client.query('select distinct workspace from precedent.all_records');
          assert.deepEqual(rows, [{ workspace: own }]);
          for (const statement of [
            `insert into precedent.all_meta (workspace, key, value) values (${other}, 'k', 'v')`,
            `insert into precedent.all_meta (workspace, key, value) values (${other}, 'writer', 'v')
              on conflict (workspace, key) do update set value = 'v'`,
            `update precedent.all_meta set workspace = ${other}`,
          ])
            await assert.rejects(client.query(statement), /row-level security/, statement);
          for (const statement of [
            `update precedent.all_observations set title = 'theirs' where workspace = ${other}`,
            `delete from precedent.all_observations where workspace = ${other}`,
          ])
            assert.equal((await client.query(statement)).rowCount, 0, statement);
        }
        // A pooler may give a connection back without what was set on it, or with nothing in it.
        await client.query('reset precedent.workspace');
        for (const statement of [
          'select title from precedent.all_observations',
          'select title from precedent.observations',
          'delete from precedent.all_observations',
          "insert into precedent.all_meta (key, value) values ('k', 'v')",
        ])
          await assert.rejects(
            client.query(statement),
            /configuration parameter|invalid input syntax/,
            statement,
          );
      }
    });

  it('[N-2] who is not kept in one workspace is told so, and why', async (test) => {
    const { alice, bob, mallory, root, open, grant } = await granted(test, 'alice');
    await grant(mallory);
    await root(`alter role "${mallory}" bypassrls`);
    // The others have the same roles.
    test.after(async () => void (await query(`alter role "${mallory}" nobypassrls`)));
    for (const [who, why] of [
      ['', 'is a superuser'],
      [mallory, 'may bypass that'],
      [alice, 'owns the tables'],
      [bob, undefined],
    ] as const) {
      const memory = await open(who, 'one');
      const { isolation } = await memory.inspect();
      await memory.close();
      if (why === undefined) assert.equal(isolation, undefined);
      else
        for (const word of ['row-level security', why, `"${who}`])
          assert(isolation?.includes(word), isolation);
    }
  });

  it('[N-2] no plan that was made in one workspace answers in another', async (test) => {
    const { bob, one, two, root, connect } = await granted(test, 'alice');
    const body = {
      static: "begin return (select string_agg(title, ',') from precedent.observations); end",
      cursor: `declare c cursor for select title from precedent.observations; found text;
        begin open c; fetch c into found; close c; return found; end`,
    };
    for (const [name, text] of Object.entries(body))
      await root(`create function public.${name}_query() returns text language plpgsql as $$ ${text} $$`);
    // Row-level security holds for bob alone; a superuser has only what the views ask for.
    for (const who of [bob, '']) {
      const client = await connect(who);
      await client.query('prepare by_sql as select title from precedent.observations');
      const ways: Record<string, () => Promise<{ rows: { title: string }[] }>> = {
        'prepared by name': () =>
          client.query({ name: 'named', text: 'select title from precedent.observations' }),
        'prepared by name, with a parameter': () =>
          client.query({
            name: 'number',
            text: 'select title from precedent.observations where id >= $1',
            values: [1],
          }),
        'prepared in SQL': () => client.query('execute by_sql'),
        'a static query of a function': () => client.query('select public.static_query() as title'),
        'a cursor of a function': () => client.query('select public.cursor_query() as title'),
        async 'a cursor'() {
          await client.query('begin');
          await client.query('declare here cursor for select title from precedent.observations');
          const answer = await client.query('fetch all from here');
          await client.query('commit');
          return answer;
        },
      };
      for (const [way, ask] of Object.entries(ways))
        for (const [workspace, title] of [
          [one, 'a note of one'],
          [two, 'a note of two'],
          [one, 'a note of one'],
        ] as const) {
          await enter(client, workspace);
          // The server keeps a plan for all values after five.
          for (let n = 0; n < 7; n++) assert.deepEqual((await ask()).rows, [{ title }], way);
        }
      const { rows } = await client.query(
        "select generic_plans from pg_prepared_statements where name in ('named', 'number', 'by_sql')",
      );
      assert.equal(rows.length, 3);
      for (const { generic_plans: count } of rows) assert(Number(count) > 0, 'a plan was kept');
    }
  });

  it('[N-2] of thirty ways and more to a row of another workspace none leads there, and each does where its wall is taken away', async (test) => {
    const { alice, bob, one, two, root, run, as } = await granted(test, 'alice');
    const tables = (
      await root("select relname as name from pg_class where relname like 'all\\_%' and relkind = 'r'")
    ).map(({ name }) => String(name));
    const told: unknown[] = [];
    // Bob’s rights within one transaction, in which a superuser looks what became of the other workspace.
    const client = await holder(as(''));
    client.on('error', () => {});
    client.on('notice', ({ message }) => told.push(message));
    test.after(() => client.end());
    const digests = tables.map(
      (table) =>
        `(select coalesce(md5(string_agg(t::text, '' order by t::text)), '') from precedent.${table} as t where workspace = ${two})`,
    );
    const others = async () => (await client.query(`select ${digests.join(' || ')} as all`)).rows;
    /** Whether it comes to a row of the other workspace. */
    const leads = async (statements: string[]) => {
      told.length = 0;
      await client.query('begin');
      const before = await others();
      await client.query(
        `set local precedent.workspace to ${one}; set local search_path to precedent, pg_temp`,
      );
      await client.query(`savepoint here; set local role "${bob}"`);
      try {
        for (const each of statements)
          told.push((await client.query(each.replaceAll('OTHER', String(two)))).rows);
      } catch (error) {
        told.push(String(error));
        await client.query('rollback to here');
      }
      await client.query('reset role');
      const isChanged = JSON.stringify(await others()) !== JSON.stringify(before);
      await client.query('rollback; deallocate all');
      return isChanged || JSON.stringify(told).includes(THEIRS);
    };
    const leading = async (by: keyof typeof WAYS) => {
      const found: string[] = [];
      for (const [way, ...statements] of WAYS[by]) if (await leads(statements)) found.push(way);
      return found;
    };
    const all = { views: WAYS.views.map(([way]) => way), tables: WAYS.tables.map(([way]) => way) };
    assert(all.views.length + all.tables.length >= 30);
    assert.deepEqual([await leading('views'), await leading('tables')], [[], []]);
    // Without the second wall views show what their condition names, and tables everything.
    const wall = (how: string) =>
      root(tables.map((table) => `alter table precedent.${table} ${how} row level security`).join(';'));
    await wall('disable');
    assert.deepEqual([await leading('views'), await leading('tables')], [[], all.tables]);
    // Without the first one the second has to do.
    const views = await root(
      `select viewname as name, regexp_replace(pg_get_viewdef(format('precedent.%I', viewname)::regclass), '\\s+WHERE.*$', '') as body
      from pg_views where schemaname = 'precedent'`,
    );
    for (const { name, body } of views)
      await run(alice, `create or replace view precedent.${name} with (security_invoker) as ${body}`);
    assert.deepEqual(await leading('views'), all.views);
    await wall('enable');
    assert.deepEqual([await leading('views'), await leading('tables')], [[], []]);
  });

  it('[N-2] views that lost their condition still show one workspace', async (test) => {
    const { alice, bob, one, two, run, root, open, connect } = await granted(test, 'alice');
    const views = await root(
      `select viewname as name, regexp_replace(pg_get_viewdef(format('precedent.%I', viewname)::regclass), '\\s+WHERE.*$', '') as body
      from pg_views where schemaname = 'precedent'`,
    );
    assert(views.length > 20);
    for (const { name, body } of views)
      await run(alice, `create or replace view precedent.${name} with (security_invoker) as ${body}`);
    const all = await root('select count(*)::integer as count from precedent.observations');
    assert.deepEqual(all, [{ count: 2 }], 'the conditions are gone');
    for (const who of [bob, alice]) {
      const client = await connect(who);
      for (const [workspace, title] of [
        [one, 'a note of one'],
        [two, 'a note of two'],
      ] as const) {
        await enter(client, workspace);
        assert.deepEqual((await client.query('select title from precedent.observations')).rows, [{ title }]);
      }
      const memory = await open(who, 'one');
      assert.equal((await memory.mem.search({ query: 'note' })).total, 1);
      await memory.close();
    }
  });

  it('[N-2] statements that lost their condition still change one workspace', async (test) => {
    const { bob, open } = await granted(test, 'alice');
    const two = await open(bob, 'two');
    await two.mama.save({ topic: 'auth', decision: 'Cookies' });
    await two.mem.save({ title: 'also', content: 'of two' });
    const before = await exported(two);
    const { query: original } = pg.Client.prototype;
    let lost = 0;
    test.mock.method(pg.Client.prototype, 'query', function (this: pg.Client, ...args: unknown[]) {
      const [config] = args;
      if (typeof config === 'object' && config !== null && 'text' in config) {
        // A connection that has the statement by its name would be asked for another one under it.
        Object.assign(config, { name: undefined });
        config.text = String(config.text).replace(/\b(?:\w+\.)?workspace = ws\(\)/g, () => {
          lost++;
          return 'true';
        });
      }
      return (original as (...all: unknown[]) => unknown).apply(this, args);
    });
    const one = await open(bob, 'one');
    const made = new Made();
    for (const step of fc.sample(life(40), { numRuns: 1, seed: 7 })[0] ?? []) await take(one, step, made);
    await one.mama.save({ topic: 'auth', decision: 'Sessions' });
    await one.delete({ ref: 1, hard_delete: true });
    await one.undo();
    await one.redact('auth', 'Sessions');
    await one.repair();
    assert(lost > 100, `${lost} conditions are gone`);
    assert.deepEqual(await exported(two), before);
    assert.deepEqual((await one.inspect()).problems, []);
    await Promise.all([one.close(), two.close()]);
  });

  it('[N-2] neither a function in a condition nor a statistic sees a row of another workspace', async (test) => {
    const { bob, one, root, run, connect } = await granted(test, 'alice');
    await root('analyze');
    // Cheaper than the condition of the wall: a planner that knew no better would ask it first.
    await run(
      bob,
      `create function public.tell(text) returns boolean language plpgsql cost 0.0001 as
      $$ begin raise notice '%', $1; return true; end $$`,
    );
    const client = await connect(bob);
    const told: (string | undefined)[] = [];
    client.on('notice', ({ message }) => told.push(message));
    await enter(client, one);
    for (const table of ['observations', 'all_observations'])
      await client.query(`select 1 from precedent.${table} where public.tell(title)`);
    assert.deepEqual(told, ['a note of one', 'a note of one']);
    const counted = `select tablename from pg_stats where schemaname = 'precedent' and tablename like 'all\\_%'`;
    assert((await root(counted)).length > 20);
    assert.deepEqual((await client.query(counted)).rows, []);
  });

  it('[N-2] what a savepoint takes back, it takes back of the workspace too', async (test) => {
    const { bob, one, two, connect } = await granted(test, 'alice');
    const client = await connect(bob);
    for (const text of ['begin', `set local precedent.workspace to ${one}`, 'savepoint here'])
      await client.query(text);
    await client.query(`set local precedent.workspace to ${two}`);
    await client.query('rollback to here');
    const { rows } = await client.query('select title from precedent.all_observations');
    assert.deepEqual(rows, [{ title: 'a note of one' }]);
    await client.query('rollback');
  });

  it('[N-2] an error in the middle of a transaction leaves nothing of its workspace on the connection', async (test) => {
    const { bob, one, two, connect } = await granted(test, 'alice');
    const client = await connect(bob);
    const titles = 'select title from precedent.observations';
    const within = async (workspace: number) => {
      await client.query('begin');
      await client.query(`set local precedent.workspace to ${workspace}`);
      return (await client.query(titles)).rows;
    };
    for (const failing of [
      'select 1 / 0',
      'select * from nowhere',
      `insert into precedent.all_meta (workspace, key, value) values (${two}, 'k', 'v')`,
    ]) {
      assert.deepEqual(await within(one), [{ title: 'a note of one' }]);
      await assert.rejects(client.query(failing));
      await assert.rejects(client.query(`set local precedent.workspace to ${two}`), /aborted/);
      assert.equal((await client.query('commit')).command, 'ROLLBACK', failing);
      await assert.rejects(client.query(titles), /configuration parameter|invalid input syntax/);
      assert.deepEqual(await within(two), [{ title: 'a note of two' }]);
      await client.query('rollback');
    }
  });

  it('[N-2] a text that is a statement is a text', async (test) => {
    const { bob, two, open, root } = await granted(test, 'alice');
    const memory = await open(bob, 'one');
    for (const text of [
      `'; set precedent.workspace to ${two}; --`,
      `note'); reset precedent.workspace; select * from precedent.all_observations where ('' = '`,
      '%note%" or workspace > 0 or "" = "',
    ]) {
      await memory.mem.save({ title: text, content: text, project: text });
      await memory.mama.save({ topic: text, decision: text, reasoning: text });
      const found = [await memory.mem.search({ query: text }), await memory.recall({ task: text })];
      assert.doesNotMatch(JSON.stringify(found), /of two/);
    }
    await memory.close();
    const others = `select count(*)::integer as count from precedent.all_records where workspace = ${two}`;
    assert.deepEqual(await root(others), [{ count: 1 }]);
  });

  // None of them changes anything, so that one database serves all.
  const REFUSED = [
    ['becoming the owner', 'set role "ALICE"', /permission denied to set role/],
    ['becoming a superuser', 'set session authorization postgres', /permission denied/],
    [
      'switching the wall off for oneself',
      'set row_security = off; select * from precedent.all_memos',
      /row-level security/,
    ],
    ['taking the wall down', 'alter table precedent.all_memos disable row level security', /must be owner/],
    ['a policy of one’s own', 'create policy mine on precedent.all_memos using (true)', /must be owner/],
    [
      'a view of one’s own',
      'create or replace view precedent.memos as select 1',
      /permission denied|must be owner/,
    ],
    ['emptying a table of all', 'truncate precedent.all_memos', /permission denied/],
    ['copying rows in', 'copy precedent.all_meta from stdin', /row-level security/],
    [
      'copying the tables into a file',
      "copy precedent.all_memos to '/tmp/x'",
      /permission denied|must be superuser/,
    ],
    [
      'reading a file of the server into a large object',
      "select lo_import('/etc/passwd')",
      /permission denied/,
    ],
    ['switching triggers and keys off', 'set session_replication_role = replica', /permission denied/],
  ] as const;
  it('[N-2] what would take the wall away is refused', async (test) => {
    const { alice, bob, one, connect } = await granted(test, 'alice');
    for (const [attack, statement, refused] of REFUSED)
      await test.test(attack, async () => {
        const client = await connect(bob);
        await enter(client, one);
        await assert.rejects(client.query(statement.replace('ALICE', alice)), refused);
      });
  });

  it('[N-2] copying out, a large object and a notification hold nothing of another workspace', async (test) => {
    const { bob, one, connect, open, root } = await granted(test, 'alice');
    const client = await connect(bob);
    const heard: unknown[] = [];
    client.on('notification', (message) => heard.push(message));
    for (const channel of ['precedent', 'workspaces', 'all_records']) await client.query(`listen ${channel}`);
    const memory = await open(bob, 'two');
    await memory.mem.save({ title: 'another', content: 'note' });
    await memory.close();
    await enter(client, one);
    assert.equal((await client.query('copy precedent.all_observations to stdout')).rowCount, 1);
    assert.deepEqual(heard, []);
    assert.deepEqual(await root('select oid from pg_largeobject_metadata'), []);
  });

  it('[N-2] who holds the lock under which tables are made keeps nobody from using them', async (test) => {
    const { mallory, bob, connect, open } = await granted(test, 'alice');
    const holding = await connect(mallory);
    await holding.query('select pg_advisory_lock(1347568452)');
    for (const workspace of ['one', 'new']) {
      const memory = await open(bob, workspace);
      await memory.mem.save({ title: 'free', content: 'of locks' });
      await memory.close();
    }
  });

  it('[N-2] an export of one workspace is restored into another alone, and names no workspace', async (test) => {
    const { bob, open, root } = await granted(test, 'alice');
    const [one, target] = [await open(bob, 'one'), await open(bob, 'target')];
    const lines = await exported(one);
    assert.doesNotMatch(linesOfRows(lines).join(), /"workspace"/);
    const forged = withRows(lines, (rows) => {
      for (const row of rows) row.workspace = 2;
    });
    await refuses(target.import(forged), 'invalid');
    await target.import(lines);
    assert.deepEqual(linesOfRows(await exported(target)), linesOfRows(lines));
    assert.deepEqual(await exported(one), lines);
    await Promise.all([one.close(), target.close()]);
    const counted = 'select count(*)::integer as count from precedent.all_observations group by workspace';
    assert.deepEqual(await root(counted), [{ count: 1 }, { count: 1 }, { count: 1 }]);
  });
});

// One after the other: each hands the same connection to everybody.
describe('a pooler between roles and PostgreSQL', { ...optionsOf(postgres), concurrency: 1 }, () => {
  for (const [what, left] of [
    [
      'temporary tables',
      ['observations', 'records', 'meta', 'workspaces', 'all_meta', 'search_postings'].map(
        (name) => `create temporary table ${name} (id integer, seq integer, key text, value text, name text)`,
      ),
    ],
    ['a workspace', ['set precedent.workspace to 2']],
    ['a search path', ['set search_path to public, pg_temp']],
    ['numbers', ['set precedent.observations to 1000000', 'set precedent.records to 1000000']],
  ] as const)
    it(`[N-2] behind a pooler who has a connection next minds nothing that was left on it: ${what}`, async (test) => {
      const { bob, open } = await granted(test, 'alice');
      const { connect } = pg.Pool.prototype;
      // One connection, which each transaction has to itself.
      let shared: pg.PoolClient | undefined;
      let free: Promise<unknown> = Promise.resolve();
      test.mock.method(pg.Pool.prototype, 'connect', async function (this: pg.Pool) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const before = free;
        free = promise;
        await before;
        if (!shared) {
          shared = await (connect as () => Promise<pg.PoolClient>).call(this);
          for (const statement of left) await shared.query(statement);
        }
        return Object.assign(Object.create(shared), {
          release: () => resolve(),
          query: shared.query.bind(shared),
        });
      });
      const [one, two] = [await open(bob, 'one'), await open(bob, 'two')];
      for (const round of [2, 3])
        for (const [memory, own, other] of [
          [one, 'one', 'two'],
          [two, 'two', 'one'],
        ] as const) {
          assert.equal((await memory.mem.save({ title: `note of ${own}`, content: `${round}` })).id, round);
          const found = await memory.mem.search({ query: 'note' });
          assert.equal(found.total, round);
          assert.doesNotMatch(JSON.stringify(found), new RegExp(`of ${other}`));
          await refuses(memory.mem.getObservation({ id: 99 }), 'not_found');
        }
      shared?.release();
      await Promise.all([one.close(), two.close()]);
    });
});
