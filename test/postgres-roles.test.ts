import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { openMemory } from '../src/index.ts';
import { findNamed, withWorkspaces } from '../src/memory/engines.ts';
import { refusalOfLock } from '../src/store/postgres/migration-lock.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { reasonOf, refuses } from './support/expect.ts';
import { newWorkspace, query, SERVER } from './support/postgres.ts';

/** A database of their own, in which alice and mallory may make workspaces; bob may not. */
async function rivals(test: TestContext) {
  const name = newWorkspace().slice(-8);
  const database = `db-${name}`;
  const roles = ['alice', 'mallory', 'bob', 'team'].map((role) => `${role}-${name}`);
  const [alice, mallory, bob, team] = roles as [string, string, string, string];
  await query(`create database "${database}"`);
  for (const role of roles) await query(`create role "${role}" login`);
  test.after(async () => {
    await query(`drop database "${database}" with (force)`);
    for (const role of roles) await query(`drop role "${role}"`);
  });
  for (const role of [alice, mallory, team])
    await query(`grant create on database "${database}" to "${role}"`);
  const as = (role: string) => {
    const url = new URL(SERVER);
    if (role !== '') Object.assign(url, { username: role });
    return Object.assign(url, { pathname: `/${database}` }).href;
  };
  const root = (text: string) => query(text, [], as(''));
  await root('grant create on schema public to public');
  await root('create table public.seen (who text)');
  await root('grant insert, select on public.seen to public');
  return {
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

const claim = (workspace: string, ...names: string[]) =>
  `comment on schema "${workspace}" is '${JSON.stringify({ precedent: { names } })}'`;

describe('several roles on one PostgreSQL', { ...optionsOf(postgres), concurrency: 2 }, () => {
  it('[Z-10] a claim of a stranger leads nowhere, and two that count are named', async (test) => {
    const { alice, mallory, run, memory, workspaces } = await rivals(test);
    await memory(mallory, 'evil');
    await run(mallory, claim('evil', 'acme', 'mine'));
    await memory(alice, 'acme');
    const list = () => workspaces(alice, (there) => there.list());
    assert.deepEqual(await list(), [
      { workspace: 'acme', names: [] },
      { workspace: 'evil', names: [] },
    ]);
    // Neither does it keep the owner from keeping the name.
    assert.equal(await workspaces(alice, (there) => there.addNames('acme', ['mine'], true)), true);
    assert.deepEqual(await list(), [
      { workspace: 'acme', names: ['mine'] },
      { workspace: 'evil', names: [] },
    ]);
    await memory(alice, 'other');
    await run(alice, claim('other', 'mine', 'acme'));
    const all = await list();
    assert.equal(findNamed(all, 'acme')?.workspace, 'acme', 'the exact name comes first');
    assert.throws(() => findNamed(all, 'mine'), /found "acme" and "other".*alias/);
    assert.equal(findNamed(all, 'none'), undefined);
  });

  it('[Z-10] a memory of a stranger is neither read nor written, whatever it grants', async (test) => {
    const { alice, mallory, run, memory, open } = await rivals(test);
    await memory(mallory, 'acme', 'bait');
    await run(
      mallory,
      'grant all on schema acme to public',
      'grant all on all tables in schema acme to public',
    );
    for (const create of [true, false]) {
      await refuses(
        open(alice, 'acme', create),
        'unavailable',
        `"${mallory}"`,
        `grant "${mallory}" to "${alice}"`,
      );
      assert.equal(await reasonOf(open(alice, 'acme', create)), 'foreign');
    }
    // Not by a superuser either, whose rights are worth most.
    await refuses(open('', 'acme'), 'unavailable', `"${mallory}"`);
    await run(mallory, 'create schema empty', 'grant all on schema empty to public');
    await refuses(open(alice, 'empty'), 'unavailable', 'the schema "empty"', `"${mallory}"`);
  });

  it('[Z-10] views, triggers, functions and operators of a stranger are not run', async (test) => {
    const { alice, mallory, run, memory, open, root, workspaces, nothingRan } = await rivals(test);
    await run(
      mallory,
      'create schema trap',
      'create table trap.decision_edges (x int)',
      'create table trap.search_postings (x int)',
      'create table trap.kysely_migration (name text)',
      trap('trap.steal', '', 'integer', '1'),
      'create view trap.records as select trap.steal() as seq',
      'create view trap.observations as select trap.steal() as updated_at',
      trap('trap.pg_advisory_xact_lock', 'integer', 'void', 'null::void')
        .replace('null::void', '1')
        .replace('returns void', 'returns integer'),
      'grant usage on schema trap to public',
      'grant all on all tables in schema trap to public',
    );
    for (const asker of [alice, '']) {
      await workspaces(asker, async (there) => {
        assert.deepEqual(
          (await there.list()).map((each) => each.workspace),
          ['trap'],
        );
        for (const work of [
          () => there.usage('trap'),
          () => there.remove('trap'),
          () => there.rename('trap', 'renamed'),
          () => there.addNames('trap', ['x'], true),
        ])
          await refuses(work(), 'unavailable', `"${mallory}"`);
      });
      await refuses(open(asker, 'trap'), 'unavailable', `"${mallory}"`);
    }
    for (const [make, undo, what] of [
      [
        trap('acme.count', 'anyelement', 'bigint', '1::bigint'),
        'drop function acme.count(anyelement)',
        'function "count"',
      ],
      [
        'create operator acme.= (leftarg = text, rightarg = text, function = pg_catalog.texteq)',
        'drop operator acme.= (text, text)',
        'operator "="',
      ],
      [`create view acme.memos as select 1 as one`, 'drop view acme.memos', 'table "memos"'],
    ] as const) {
      await root('drop schema if exists acme cascade');
      await memory(alice, 'acme');
      await run(
        alice,
        `grant all on schema acme to "${mallory}"`,
        `grant all on all tables in schema acme to "${mallory}"`,
      );
      if (what === 'table "memos"') await run(alice, 'alter table acme.memos rename to gone');
      await run(mallory, make);
      await refuses(open(alice, 'acme'), 'unavailable', what);
      await run(mallory, undo);
    }
    await nothingRan();
  });

  it('[Z-10] whatever reaches something of a stranger is refused, wherever that is', async (test) => {
    const { alice, mallory, run, root, memory, open, nothingRan } = await rivals(test);
    await memory(alice, 'acme');
    await run(
      mallory,
      'create schema theirs',
      'grant all on schema theirs to public',
      trap('theirs.act', '', 'integer', '1'),
      trap('theirs.says', '', 'boolean', 'true'),
      trap('theirs.same', 'bigint', 'bigint', '$1'),
      'create operator theirs.== (leftarg = bigint, rightarg = bigint, function = pg_catalog.int8eq)',
      'create domain theirs.own as text',
      'create table theirs.child (x bigint primary key)',
      'alter function theirs.same(bigint) immutable',
    );
    const same = 'theirs.same(seq)';
    const trigger = 'create trigger theirs before update on acme.memos for each row';
    const harmless = 'execute function pg_catalog.suppress_redundant_updates_trigger()';
    // The owner was deceived, or somebody made it before a privilege was revoked.
    for (const [make, undo, what] of [
      [`${trigger} when (theirs.says()) ${harmless}`, 'drop trigger theirs on acme.memos', 'function "says"'],
      [
        'alter table acme.memos add column x bigint default theirs.act()',
        'alter table acme.memos drop column x',
        'function "act"',
      ],
      [
        `alter table acme.memos add column x bigint generated always as (${same}) stored`,
        'alter table acme.memos drop column x',
        'function "same"',
      ],
      [
        'alter table acme.memos add column x theirs.own',
        'alter table acme.memos drop column x',
        'type "own"',
      ],
      [
        'alter table acme.memos add constraint x check (seq operator(theirs.==) seq)',
        'alter table acme.memos drop constraint x',
        'operator "=="',
      ],
      [`create index x on acme.memos ((${same}))`, 'drop index acme.x', 'function "same"'],
      [`create index x on acme.memos (seq) where ${same} > 0`, 'drop index acme.x', 'function "same"'],
      [`create statistics acme.x on seq, (${same}) from acme.memos`, 'drop statistics acme.x', '"same"'],
      [
        'create policy x on acme.memos using (theirs.says())',
        'drop policy x on acme.memos',
        'function "says"',
      ],
      [
        'create rule x as on insert to acme.memos do also select theirs.act()',
        'drop rule x on acme.memos',
        'function "act"',
      ],
      ['create view acme.x as select theirs.act()', 'drop view acme.x', 'function "act"'],
      [
        `create function acme.ours() returns integer begin atomic select theirs.act(); end`,
        'drop function acme.ours()',
        'function "act"',
      ],
      [
        'alter table theirs.child add foreign key (x) references acme.records (seq) on delete cascade',
        'alter table theirs.child drop constraint child_x_fkey',
        'table "child"',
      ],
    ] as const) {
      await root(make);
      await refuses(open(alice, 'acme'), 'unavailable', what, `"${mallory}"`);
      await root(undo);
    }
    // The condition, and the function itself, of a trigger: only a superuser makes one without a procedural language.
    await root(`${trigger} ${harmless}`);
    await (await open(alice, 'acme')).close();
    await root(
      "create function public.fire() returns trigger language internal as 'suppress_redundant_updates_trigger'",
    );
    await root(`alter function public.fire() owner to "${mallory}"`);
    await root(`${trigger.replace('theirs', 'fire')} execute function public.fire()`);
    await refuses(open(alice, 'acme'), 'unavailable', 'function "fire"', `"${mallory}"`);
    await nothingRan();
  });

  it('[Z-10] who could make something that runs is refused before it is made, also while a memory is open', async (test) => {
    const { alice, mallory, root, memory, open } = await rivals(test);
    await memory(alice, 'acme');
    const used = await open(alice, 'acme');
    await root(`grant usage on schema acme to "${mallory}"`);
    await root(`grant select, insert, update, delete on all tables in schema acme to "${mallory}"`);
    const save = () => used.mem.save({ title: 'a', content: 'b' });
    const read = () => used.mem.search({ query: 'note' });
    await save();
    for (const [privilege, on, isSeenAtOpening] of [
      ['create', 'schema acme'],
      ['trigger', 'acme.records'],
      ['references', 'acme.search_postings'],
      ['references (seq)', 'acme.records', true],
    ] as const)
      for (const who of [`"${mallory}"`, 'public']) {
        await root(`grant ${privilege} on ${on} to ${who}`);
        const [word = ''] = privilege.split(' ');
        const everywhere = word === 'create' ? 'create on' : 'trigger, references on all tables in';
        const undone = `revoke ${everywhere} schema "acme" from ${who}`;
        const words = [word.toUpperCase(), undone];
        await refuses(open(alice, 'acme'), 'unavailable', ...words);
        if (!isSeenAtOpening) for (const call of [save, read]) await refuses(call(), 'unavailable', ...words);
        await root(undone);
        await save();
        await read();
      }
    await root(`alter table acme.memos owner to "${mallory}"`);
    await refuses(save(), 'unavailable', 'table "memos"', `"${mallory}"`);
    await used.close();
  });

  it("[Z-10] a schema that takes an open memory's name is neither read nor written", async (test) => {
    const { alice, mallory, run, root, memory, open } = await rivals(test);
    await memory(alice, 'acme', 'the note');
    const used = await open(alice, 'acme');
    const save = () => used.mem.save({ title: 'secret', content: 'the plan' });
    const calls = [save, () => used.mem.search({ query: 'note' }), () => used.inspect(), () => used.repair()];
    await save();
    await memory(mallory, 'bait', 'bait note');
    // A sequence shows what ran in a transaction that was rolled back, too.
    await run(
      mallory,
      'create sequence bait.ran',
      'alter table bait.kysely_migration rename to other',
      "create view bait.kysely_migration as select name from bait.other where nextval('bait.ran') > 0",
      'grant all on schema bait to public',
      'grant all on all tables in schema bait to public',
      'grant all on all sequences in schema bait to public',
    );
    const rowsOf = () => root('select count(*), (select is_called from bait.ran) as ran from bait.records');
    const before = await rowsOf();
    for (const [away, back] of [
      ['alter schema acme rename to gone', 'alter schema gone rename to acme'],
      ['drop schema acme cascade'],
    ] as const) {
      await root(away);
      for (const call of calls) await refuses(call(), 'unavailable');
      await run(mallory, 'alter schema bait rename to acme');
      for (const call of calls) await refuses(call(), 'unavailable', 'the schema "acme"', `"${mallory}"`);
      await run(mallory, 'alter schema acme rename to bait');
      if (back) {
        await root(back);
        assert.equal((await used.mem.search({ query: 'note' })).total, 1);
      }
    }
    assert.deepEqual(await rowsOf(), before);
    await used.close();
  });

  it('[Z-10] functions and operators that somebody left in public are not taken for those of the server', async (test) => {
    const { alice, mallory, as, run, memory, open, workspaces, nothingRan } = await rivals(test);
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
    // What else is asked outside of a workspace: where something is in the way of one, and where one waits in vain.
    await run(alice, 'create schema full_of', 'create table full_of.other (id integer)');
    await refuses(open(alice, 'full_of'), 'unavailable', '"other"');
    const client = new Kysely<unknown>({
      dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString: as(alice) }) }),
    });
    await refusalOfLock(client, 'acme');
    await client.destroy();
    await nothingRan();
  });

  it('[Z-10] one odd schema is named, and ends nothing', async (test) => {
    const { alice, run, memory, workspaces } = await rivals(test);
    await memory(alice, 'acme');
    await run(
      alice,
      'create schema odd',
      'create table odd.decision_edges (x int)',
      'create table odd.search_postings (x int)',
    );
    await workspaces(alice, async (there) => {
      assert.deepEqual(
        (await there.list()).map((each) => each.workspace),
        ['acme', 'odd'],
      );
      await refuses(there.usage('odd'), 'unavailable', '"odd"', 'another form');
      assert.equal((await there.usage('acme'))?.records, 1);
    });
  });

  it('[Z-10] a team shares a memory by a role that all are members of, whoever upgraded it', async (test) => {
    const { alice, bob, team, mallory, memory, open, root } = await rivals(test);
    await memory(team, 'shared');
    await refuses(open(alice, 'shared'), 'unavailable', `grant "${team}" to "${alice}"`);
    for (const member of [alice, bob]) await root(`grant "${team}" to "${member}"`);
    // A table that one of them added is the team's as well.
    await root(`alter table shared.memos owner to "${alice}"`);
    await root(`grant all on shared.memos to "${team}"`);
    for (const member of [alice, bob, team]) {
      const shared = await open(member, 'shared');
      await shared.mem.save({ title: 'from', content: member });
      await shared.close();
    }
    await root(`alter table shared.memos owner to "${mallory}"`);
    await refuses(open(alice, 'shared'), 'unavailable', 'table "memos"', `"${mallory}"`);
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
    const { bob, alice, root, memory, open } = await rivals(test);
    await memory('', 'given');
    await root(`grant usage on schema given to "${bob}"`);
    await root(`grant all on all tables in schema given to "${bob}"`);
    await root(`grant all on all sequences in schema given to "${bob}"`);
    const given = await open(bob, 'given');
    await given.mem.save({ title: 'a', content: 'b' });
    await given.close();
    await root(`alter schema given owner to "${alice}"`);
    await refuses(open(bob, 'given'), 'unavailable', 'the schema "given"');
    const [{ name }] = await root('select pg_catalog.current_database() as name');
    await root(`alter database "${name}" owner to "${alice}"`);
    await (await open(bob, 'given')).close();
  });
});
