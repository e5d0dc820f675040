import { sql } from 'kysely';
import { wrongOutcomes } from '../decisions/outcome.ts';
import type { Tx } from '../tx.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Row } from './rule.ts';

/** What versions, their links and their outcomes ask of each other. */
export async function decisionsTogether(tx: Tx, limit: number): Promise<Finding[]> {
  return [
    ...(await wrongActive(tx, limit)),
    ...(await standingMistakes(tx, limit)),
    ...(await wrongPrevious(tx, limit)),
    ...(await wrongTopics(tx, limit)),
    ...(await withoutName(tx, limit)),
    ...(await missingSupersedes(tx, limit)),
    ...(await strangeSupersedes(tx, limit)),
    ...(await wrongMirrors(tx, limit)),
  ];
}

/** Chains whose one active version is not the newest, unless the newest withdrew the decision (D-3, D-15). */
async function wrongActive(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id, d.root_id from decisions as d
    where d.version = (select max(version) from decisions as newer where newer.root_id = d.root_id)
      and (d.is_active + d.withdrawn <> 1
        or (select sum(is_active) from decisions as each_one where each_one.root_id = d.root_id) <> d.is_active)
    order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) => ({
    ...findingOf('decisions', row, {
      expected: 'its newest version alone to be active',
      found: 'another or none',
      mended: true,
    }),
    record: `chain ${row.rootId}`,
  }));
}

/** Active versions that were retracted as mistakes (K-6). */
async function standingMistakes(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id from decisions as d join records as r on r.seq = d.seq
    where d.is_active = 1 and r.retracted_at is not null order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisions', row, { expected: 'what is active to be no mistake', found: 'it retracted' }),
  );
}

/** Versions that do not follow the version directly before them in their chain (D-4). */
async function wrongPrevious(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id, d.version from decisions as d
    left join decisions as before on before.id = d.previous_version_id and before.root_id = d.root_id
      and before.version = d.version - 1
    where d.version > 1 and before.id is null order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisions', row, {
      expected: `version ${Number(row.version) - 1} of its chain before version ${row.version}`,
      found: 'another or none',
    }),
  );
}

/** Versions with another topic than the first of their chain. */
async function wrongTopics(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id from decisions as d join decisions as first on first.id = d.root_id
    where d.topic is distinct from first.topic order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisions', row, { expected: 'the topic of its chain', found: 'another' }),
  );
}

/** Decisions that stand, and whose topic or scope no name leads to (D-19). */
async function withoutName(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id from decisions as d where d.is_active = 1 and (
      (d.topic is not null and not exists (select 1 from topics as t where t.root_id = d.root_id))
      or not exists (select 1 from scopes as s where s.scope = d.scope))
    order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisions', row, {
      expected: 'names for its topic and its scope',
      found: 'none',
      mended: true,
    }),
  );
}

/** Versions without the link to the version before them (G-1). */
async function missingSupersedes(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select d.seq, d.id, d.previous_version_id from decisions as d
    where d.version > 1 and not exists (select 1 from decision_edges as e where e.from_id = d.id
      and e.to_id = d.previous_version_id and e.relationship = 'supersedes')
    order by d.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisions', row, {
      expected: `a link "supersedes" to ${row.previousVersionId}`,
      found: 'none',
      mended: true,
    }),
  );
}

/** Links that say that a version supersedes one that is not directly before it (G-1). */
async function strangeSupersedes(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select e.from_id, e.to_id, e.relationship from decision_edges as e
    where e.relationship = 'supersedes' and not exists (select 1 from decisions as d
      where d.id = e.from_id and d.previous_version_id = e.to_id)
    order by e.from_id, e.to_id limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('decisionEdges', row, {
      expected: 'it to lead to the version before',
      found: `${row.toId}`,
      mended: true,
    }),
  );
}

/** Makes the links between versions anew: each version supersedes the one before it, and nothing else. */
export async function repairSupersedes(tx: Tx): Promise<void> {
  await sql`delete from decision_edges where relationship = 'supersedes' and not exists (
    select 1 from decisions as d where d.id = decision_edges.from_id
      and d.previous_version_id = decision_edges.to_id)`.execute(tx.db);
  await sql`insert into decision_edges (from_id, to_id, relationship, created_at)
    select d.id, d.previous_version_id, 'supersedes', d.created_at from decisions as d
    where d.version > 1 and d.previous_version_id is not null and not exists (
      select 1 from decision_edges as e where e.from_id = d.id and e.to_id = d.previous_version_id
        and e.relationship = 'supersedes')`.execute(tx.db);
}

/** Decisions that do not show the newest entry of their log (O-7). */
async function wrongMirrors(tx: Tx, limit: number): Promise<Finding[]> {
  const rows = await wrongOutcomes(tx);
  return rows.slice(0, limit).map((row) =>
    findingOf(
      'decisions',
      { ...row },
      {
        expected: 'it to show its newest outcome with its reason',
        found: 'another',
        mended: true,
      },
    ),
  );
}
