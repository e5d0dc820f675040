import {
  ColumnDefinitionNode,
  ColumnNode,
  CreateIndexNode,
  CreateTableNode,
  DefaultValueNode,
  ForeignKeyConstraintNode,
  type KyselyPlugin,
  PrimaryKeyConstraintNode,
  type QueryResult,
  RawNode,
  type ReferencesNode,
  type RootOperationNode,
  sql,
  TableNode,
  UniqueConstraintNode,
  type UnknownRow,
} from 'kysely';
import type { Db } from '../engine.ts';
import { NUMBERED } from '../tables.ts';
import { OWN, SETTING, tableOf } from './rows.ts';

const WORKSPACE = ColumnNode.create('workspace');
const FIRST_COLUMN = ColumnDefinitionNode.cloneWith(
  ColumnDefinitionNode.create('workspace', RawNode.createWithSql('integer')),
  { notNull: true, defaultTo: DefaultValueNode.create(RawNode.createWithSql(OWN)) },
);

/**
 * Applies the migrations of a table to the rows of all workspaces (N-1): the table is `all_…`, and `workspace` comes
 * first in it, in its keys, its references and its indexes. Migrations name neither.
 */
export class OfAllWorkspaces implements KyselyPlugin {
  readonly #references: string[] = [];
  /** The tables that refer to others, and those. */
  readonly #referring = new Set<string>();

  /**
   * Foreign keys, added when all tables are there: Citus distributes no table that an ordinary one refers to. They are
   * checked for the rows of all workspaces, which their owner sees only without the second wall.
   */
  get references(): string[] {
    const wall = (how: string) =>
      [...this.#referring].map((table) => `alter table ${table} ${how} row level security`);
    return [...wall('no force'), ...this.#references, ...wall('force')];
  }

  transformQuery({ node }: { node: RootOperationNode }): RootOperationNode {
    // The list of migrations is of the whole database.
    if (!('table' in node) || !node.table || nameOf(node.table as TableNode).startsWith('kysely_'))
      return node;
    if (CreateTableNode.is(node)) return this.#table(node);
    if (CreateIndexNode.is(node) && node.table)
      return { ...node, table: all(node.table), columns: [WORKSPACE, ...(node.columns ?? [])] };
    if (node.kind === 'AlterTableNode' || node.kind === 'DropTableNode')
      return { ...node, table: all(node.table) };
    return node;
  }

  async transformResult({ result }: { result: QueryResult<UnknownRow> }): Promise<QueryResult<UnknownRow>> {
    return result;
  }

  #table(node: CreateTableNode): CreateTableNode {
    const table = nameOf(node.table);
    const columns = [FIRST_COLUMN];
    const constraints: NonNullable<CreateTableNode['constraints']>[number][] = [];
    for (const { primaryKey, unique, references, generated, ...column } of node.columns) {
      const name = column.column.column.name;
      const next = RawNode.createWithSql(`next_number('${table}')`);
      columns.push(generated ? { ...column, defaultTo: DefaultValueNode.create(next) } : column);
      if (primaryKey) constraints.push(PrimaryKeyConstraintNode.create(['workspace', name], `${table}_pkey`));
      if (unique)
        constraints.push(UniqueConstraintNode.create([WORKSPACE, column.column], `${table}_${name}_key`));
      if (references) this.#refer(table, `${table}_${name}_fkey`, [column.column], references);
    }
    for (const each of node.constraints ?? []) {
      if (ForeignKeyConstraintNode.is(each))
        this.#refer(table, each.name?.name ?? '', each.columns, { ...each.references, ...actionOf(each) });
      else if (PrimaryKeyConstraintNode.is(each) || UniqueConstraintNode.is(each))
        constraints.push({ ...each, columns: [WORKSPACE, ...each.columns] } as typeof each);
      else constraints.push(each);
    }
    return { ...node, table: all(node.table), columns, constraints };
  }

  #refer(table: string, name: string, from: readonly ColumnNode[], to: ReferencesNode): void {
    const listed = (columns: readonly ColumnNode[]) =>
      ['workspace', ...columns.map(({ column }) => column.name)].join(', ');
    const action = to.onDelete ? ` on delete ${to.onDelete}` : '';
    const [own, other] = [tableOf(table), tableOf(nameOf(to.table))];
    this.#referring.add(own).add(other);
    this.#references.push(
      `alter table ${own} add constraint ${name} foreign key (${listed(from)})
        references ${other} (${listed(to.columns)})${action}`,
    );
  }
}

const nameOf = (table: TableNode) => table.table.identifier.name;
const all = (table: TableNode) => TableNode.create(tableOf(nameOf(table)));
const actionOf = ({ onDelete }: ForeignKeyConstraintNode) => (onDelete ? { onDelete } : {});

/**
 * The parts that tables need before they are made: the list of workspaces, and defaults of columns. Everybody who may
 * read this schema sees the rows of `workspaces`; only their owner, or a member of it, changes one.
 * An owner that is not a role any more has no member: asked by its name, the server would refuse every change.
 * @param isCitus there a function must be a constant when a statement is planned, or the statement goes to every node.
 *   No plan outlives its transaction: no statement has a name (N-2)
 */
export async function createBase(db: Db, isCitus: boolean): Promise<void> {
  const volatility = sql.raw(isCitus ? 'immutable' : 'stable');
  await sql`create table workspaces (
    id integer generated always as identity primary key,
    name text collate "C" not null unique,
    names text[] not null default '{}',
    owner name not null default current_user)`.execute(db);
  await sql`alter table workspaces enable row level security, force row level security`.execute(db);
  await sql`create policy seen on workspaces for select using (true)`.execute(db);
  await sql`create policy owned on workspaces using (pg_catalog.pg_has_role(
    (select r.oid from pg_catalog.pg_roles as r where r.rolname = owner), 'member'))`.execute(db);
  // As PL/pgSQL: an SQL function takes a third longer to plan.
  await sql`create function ws() returns integer language plpgsql ${volatility} parallel safe as
    $$ begin return pg_catalog.current_setting(${sql.lit(SETTING)}); end $$`.execute(db);
  // The numbers that were given out last are in the mark of the newest writer (see turn.ts), and in settings of a transaction
  // that gives out more. So they are given out in the order of writers, without a gap, and no row is changed twice.
  // As a text, which is planned each time: a plan would be kept for the next workspace of the connection (N-2).
  await sql`create function load_numbers() returns void language plpgsql as $$
    declare found json; begin
      execute $q$ select nullif(pg_catalog.split_part(value, '|', 2), '')::json from meta
        where key >= 'writer' and key < 'writer/' order by key desc limit 1 $q$ into found;
      ${sql.raw(NUMBERED.map((table) => `perform pg_catalog.set_config('precedent.${table}', coalesce(found ->> '${table}', '0'), true);`).join('\n'))}
    end $$`.execute(db);
  // A transaction that only reads did not load them.
  await sql`create function last_number(counted text) returns bigint language plpgsql as $$ begin
    if coalesce(pg_catalog.current_setting('precedent.' || counted, true), '') = '' then perform load_numbers(); end if;
    return pg_catalog.current_setting('precedent.' || counted)::bigint; end $$`.execute(db);
  await sql`create function next_number(counted text) returns bigint language plpgsql as $$ begin
    return pg_catalog.set_config('precedent.' || counted,
      (pg_catalog.current_setting('precedent.' || counted)::bigint + 1)::text, true)::bigint; end $$`.execute(
    db,
  );
  const numbers = NUMBERED.map(
    (table) => `'${table}', pg_catalog.current_setting('precedent.${table}')::bigint`,
  );
  await sql`create function numbers() returns text language plpgsql stable as $$ begin
    return pg_catalog.json_build_object(${sql.raw(numbers.join(', '))})::text; end $$`.execute(db);
}

/**
 * Makes the views of one workspace anew from what the tables have now, with the second wall behind them (N-2), which
 * reads the setting by itself. Those of an older version are replaced. Each workspace is taken for a twentieth of
 * the tables: the planner cannot know which one it is, since it is asked for when the statement runs. One that is believed to
 * have a row or two, since it is new, small or next to a large one, would be read as a whole for each row of a join (N-5).
 * Citus has to know it: there nothing is counted of `workspace`, which makes it a two-hundredth.
 * @param references of new tables to each other, added when Citus has distributed them and before their rows have a wall
 */
export async function createViews(db: Db, isCitus: boolean, references: string[] = []): Promise<void> {
  const { rows } = await sql<{ name: string; columns: string; isNew: boolean }>`
    select pg_catalog.substr(c.relname::text, 5) as name,
      (select pg_catalog.string_agg(pg_catalog.quote_ident(a.attname::text), ', ' order by a.attnum) from pg_catalog.pg_attribute as a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attname <> 'workspace') as columns,
      not c.relrowsecurity as "isNew"
    from pg_catalog.pg_class as c where c.relnamespace = pg_catalog.current_schema()::regnamespace
      and c.relkind in ('r', 'p') and c.relname like 'all\\_%' order by c.oid`.execute(db);
  const [first] = rows;
  const added = rows.filter(({ isNew }) => isNew).map(({ name }) => name);
  const together = (name: string) =>
    name === first?.name ? '' : `, colocate_with => '${tableOf(first?.name ?? '')}'`;
  // On Citus nothing of this has changed since, and what is distributed does not take it.
  const renewed = isCitus ? added : rows.map(({ name }) => name);
  const share = isCitus
    ? 'set statistics 0'
    : 'set statistics -1, alter column workspace set (n_distinct = 20)';
  const asked = (own: string) => (isCitus ? own : `(select ${own})`);
  const statements = [
    // Before Citus distributes it, which takes that along and refuses it later.
    ...renewed.map((name) => `alter table ${tableOf(name)} alter column workspace ${share}`),
    ...added
      .filter(() => isCitus)
      .map((name) => `select create_distributed_table('${tableOf(name)}', 'workspace'${together(name)})`),
    ...references,
    ...renewed.flatMap((name) => [
      `alter table ${tableOf(name)} enable row level security, force row level security`,
      `drop policy if exists own on ${tableOf(name)}`,
      `create policy own on ${tableOf(name)} using (workspace = ${asked(`pg_catalog.current_setting('${SETTING}')::integer`)})`,
    ]),
    ...rows.map(
      ({ name, columns }) =>
        `create or replace view ${name} with (security_invoker) as select ${columns} from ${tableOf(name)} where workspace = ${asked(OWN)}`,
    ),
  ];
  for (const each of statements) await sql.raw(each).execute(db);
}
