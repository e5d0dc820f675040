import { sql } from 'kysely';
import { type Decision, nextVersion } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { compareText } from '../../domain/text/text.ts';
import { updateRows } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { insertNext } from './chain.ts';
import { chainOf, mistakesAmong, newestInChain } from './decision.ts';
import { requireDecision } from './reference.ts';

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
      : sql`root_id in (select id from (${tx.lists.texts(rootIds)}) as wanted)`;
  const { rows } = await sql<{ rootId: string }>`select distinct root_id from decisions
    where version > 1 and based_on is distinct from previous_version_id and ${among} order by root_id`.execute(
    tx.db,
  );
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

/**
 * Ends a fork with a version that saw every head (Y-2): what one of them says, or another text.
 * @param reference the topic, or an id of it
 * @param keep the id of the head that goes on, or how it begins; default with a text: the active one
 * @throws PrecedentError `not_found`; `conflict` where nothing was decided twice; `invalid` for another version
 */
export async function settleFork(
  tx: Tx,
  reference: string,
  { keep, text, reasoning }: { [Each in 'keep' | 'text' | 'reasoning']?: string | undefined },
): Promise<{ decision: Decision; settled: Decision[] }> {
  const { rootId } = await requireDecision(tx, reference);
  const heads = (await forksOf(tx, [rootId])).get(rootId)?.heads;
  if (!heads)
    throw new PrecedentError(
      'conflict',
      `Expected a decision that was made twice, found "${reference}", which is settled.`,
    );
  const newest = await newestInChain(tx, rootId);
  const kept =
    keep === undefined ? text !== undefined && newest : heads.find(({ id }) => id.startsWith(keep));
  if (!kept)
    throw new PrecedentError(
      'invalid',
      `Expected --keep with one of ${heads.map(({ id, text }) => `${id.slice(0, 8)} ("${text}")`).join(' and ')}, or --text with what holds instead, found ${keep === undefined ? 'neither' : `"${keep}"`}.`,
    );
  const isOther = text !== undefined && heads.every((head) => head.text !== text);
  if (isOther && reasoning === undefined && heads.some(({ strength }) => strength !== 'normal'))
    throw new PrecedentError(
      'invalid',
      'Expected --reasoning, found none: the text replaces a lock or an axis, and says otherwise.',
    );
  const withdrawn = text === undefined && kept.withdrawn;
  // A text of its own does not have the reason of another one.
  const carried = isOther ? null : kept.reasoning;
  const said = { ...kept, text: text ?? kept.text, reasoning: reasoning ?? carried, topic: undefined };
  const given = Object.fromEntries(Object.entries(said).map(([name, value]) => [name, value ?? undefined]));
  const decision = nextVersion(newest, { ...given, text: said.text, withdrawn }, tx.newId(), tx.now, kept);
  await insertNext(tx, newest, decision);
  const others = heads.map(({ id }) => id).filter((id) => id !== newest.id);
  await updateRows(tx, 'decisions', { id: decision.id }, { basedOn: [newest.id, ...others].join('\n') });
  return { decision, settled: heads };
}
