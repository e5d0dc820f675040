import { sql } from 'kysely';
import type { Decision } from '../../domain/decision.ts';
import { compareText } from '../../domain/text/text.ts';
import type { Tx } from '../tx.ts';
import { chainOf, mistakesAmong } from './decision.ts';

/** A version in a chain, with the ids of those that its author saw, a line each. */
export interface Based {
  id: string;
  createdAt: number;
  withdrawn: 0 | 1;
  basedOn: string | null;
  /** Whether it was a mistake (K-6). */
  isMistake: boolean;
}

export const basesOf = ({ basedOn }: Pick<Based, 'basedOn'>): string[] => basedOn?.split('\n') ?? [];

/** The versions that nobody saw who made another one (Y-6). */
function headsOf<Version extends Pick<Based, 'id' | 'basedOn'>>(versions: Version[]): Version[] {
  const seen = new Set(versions.flatMap(basesOf));
  return versions.filter(({ id }) => !seen.has(id));
}

/**
 * The order of a chain, the same on every machine (Y-6): a version comes after those that its author saw, else by date and
 * id. The last one is a head that was neither withdrawn nor a mistake, where there is one.
 */
export function inOrder<Version extends Based>(versions: Version[]): Version[] {
  const here = new Set(versions.map(({ id }) => id));
  const waiting = versions.toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
  const done = new Set<string>();
  const ordered: Version[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((each) => basesOf(each).every((id) => done.has(id) || !here.has(id)));
    const [version] = waiting.splice(Math.max(0, next), 1) as [Version];
    done.add(version.id);
    ordered.push(version);
  }
  const isLive = ({ withdrawn, isMistake }: Based) => withdrawn === 0 && !isMistake;
  const live = headsOf(ordered).filter(isLive).at(-1);
  if (!live || isLive(ordered.at(-1) as Version)) return ordered;
  return [...ordered.filter((each) => each !== live), live];
}

/**
 * That nobody saw the version before this one, as a condition on a version `d`: only a chain with several heads has one. Where
 * all was made on one machine, it is known from the row alone.
 */
export const sawNoPrevious = () => sql`d.version > 1 and d.based_on is distinct from d.previous_version_id
  and not exists (select 1 from decisions as seen where seen.root_id = d.root_id
    and replace(seen.based_on, d.previous_version_id, '') <> seen.based_on)`;

/** A chain that was decided twice: what neither author saw of the other, in the order of the chain. */
export interface Fork {
  rootId: string;
  heads: Decision[];
}

/**
 * The chains in which two machines decided differently and nobody settled it yet (Y-2), by their roots.
 * @param rootIds only these; default: all
 */
export async function forksOf(tx: Tx, rootIds?: string[]): Promise<Map<string, Fork>> {
  const among =
    rootIds === undefined
      ? sql`1 = 1`
      : sql`d.root_id in (select id from (${tx.lists.texts(rootIds)}) as wanted)`;
  const { rows } = await sql<{ rootId: string }>`select distinct d.root_id from decisions as d
    where ${among} and ${sawNoPrevious()} order by d.root_id`.execute(tx.db);
  const forks = new Map<string, Fork>();
  for (const { rootId } of rows) {
    const { rows: bases } = await sql<Pick<Based, 'id' | 'basedOn'>>`
      select id, based_on from decisions where root_id = ${rootId} order by version`.execute(tx.db);
    const ids = headsOf(bases).map(({ id }) => id);
    const mistakes = await mistakesAmong(tx, ids);
    const chain = await chainOf(tx, rootId);
    const heads = chain.filter(({ id }) => ids.includes(id) && !mistakes.has(id));
    const said = new Set(
      heads.map(({ text, withdrawn, strength }) => JSON.stringify([text, withdrawn, strength])),
    );
    if (said.size > 1) forks.set(rootId, { rootId, heads });
  }
  return forks;
}
