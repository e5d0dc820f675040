import { type RawBuilder, sql } from 'kysely';
import type { Side } from '../../domain/decided-twice.ts';
import { type Content, type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { compareText, foldName } from '../../domain/text/text.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { type DecisionRow, findDecisions, newestInChains, toDecision, writersOfChain } from './decision.ts';

/** A version in a chain, with the ids of those that its author saw, a line each. */
export interface Based extends Pick<Content, 'strength' | 'scope'> {
  id: string;
  createdAt: number;
  withdrawn: 0 | 1;
  basedOn: string | null;
  /** Whether it was undone (K-6). */
  isMistake: boolean;
}

export const basesOf = ({ basedOn }: Pick<Based, 'basedOn'>): string[] => basedOn?.split('\n') ?? [];

/** The versions that nobody saw who made another one (Y-6). If settling it was undone, it is open again (K-6). */
function headsOf<Version extends Pick<Based, 'id' | 'basedOn' | 'isMistake'>>(
  versions: Version[],
): Version[] {
  const seen = new Set(versions.flatMap((each) => basesOf(each).slice(0, each.isMistake ? 1 : undefined)));
  return versions.filter(({ id }) => !seen.has(id));
}

/**
 * The order of a chain, the same on every machine (Y-6): a version comes after those that its author saw. The last one is a head
 * that was neither withdrawn nor undone, where there is one: of several the one that binds most, so that what is a lock on one
 * machine binds on all until a person settles it (T-6). Those that it followed, one after the other, come late, so that a version
 * which is saved after it, or settles, changes the order of none. All else is by date and id.
 */
export function inOrder<Version extends Based>(versions: Version[]): Version[] {
  const here = new Map(versions.map((each) => [each.id, each]));
  const waiting = versions.toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
  const isLive = ({ withdrawn, isMistake }: Based) => Number(withdrawn === 0 && !isMistake);
  const last = headsOf(waiting)
    .sort((a, b) => isLive(a) - isLive(b) || reachOf(a) - reachOf(b))
    .at(-1);
  const late = new Set<Version>();
  for (let at = last; at && !late.has(at); at = here.get(basesOf(at)[0] ?? '')) late.add(at);
  waiting.sort((a, b) => Number(late.has(a)) - Number(late.has(b)));
  const done = new Set<string>();
  const ordered: Version[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((each) => basesOf(each).every((id) => done.has(id) || !here.has(id)));
    const [version] = waiting.splice(Math.max(0, next), 1) as [Version];
    done.add(version.id);
    ordered.push(version);
  }
  return ordered;
}

/** How much a version binds: a lock before an axis, of two of these the one that holds everywhere. */
export const reachOf = ({
  strength,
  scope,
  withdrawn,
}: Pick<Content, 'strength' | 'scope'> & { withdrawn: boolean | 0 | 1 }) =>
  withdrawn || strength === 'normal' ? 0 : (strength === 'lock' ? 4 : 2) + (scope === GLOBAL_SCOPE ? 1 : 0);

/** The roots of the few chains that may have been decided twice: an index has them. */
export const MAY_HAVE_SIDES = sql`select x.root_id from decisions as x
  where x.version > 1 and x.based_on is distinct from x.previous_version_id`;

const LINE = sql.lit('\n');
/**
 * That no other version of the chain of `d` has an id among those that its author saw, but one that settled by mistake
 * (`headsOf`). Whole lines are compared: one id may begin another.
 */
const noneSaw = (id: RawBuilder<unknown>) => sql`not exists (select 1 from decisions as seen
  where seen.root_id = d.root_id and (substr(seen.based_on || ${LINE}, 1, length(${id}) + 1) = ${id} || ${LINE}
    or ${notRetracted('seen.seq')} and ${LINE} || seen.based_on || ${LINE}
      <> replace(${LINE} || seen.based_on || ${LINE}, ${LINE} || ${id} || ${LINE}, '')))`;

/** Those of these roots whose chains may have been decided twice, as a list of their ids: no other chain is read. */
export const mayHaveSides = (tx: Tx, rootIds: string[]) =>
  sql`(select id from (${tx.lists.texts(rootIds)}) as asked where id in (${MAY_HAVE_SIDES}))`;

/** That nobody saw the version before this one, as a condition on a version `d`: only a chain with several heads has one. */
export const sawNoPrevious = () => sql`d.version > 1 and d.based_on is distinct from d.previous_version_id
  and ${noneSaw(sql`d.previous_version_id`)}`;

/**
 * That a version of a chain that may have been decided twice is one of its heads, as a condition on it and its chain `d`. The
 * next version has mostly seen it, and is looked up first: a chain is not read for each of its versions.
 * @param version its name in the statement
 */
export const isHead = (version = 'd') => {
  const [id, number] = [sql.ref(`${version}.id`), sql.ref(`${version}.version`)];
  return sql`(d.root_id in (${MAY_HAVE_SIDES}) and ${id} is distinct from (select next.based_on
    from decisions as next where next.root_id = d.root_id and next.version = ${number} + 1) and ${noneSaw(id)})`;
};

/** The active versions that are one side of what was decided twice, with another side in one of these scopes. */
export async function withSideIn(tx: Tx, ...scopes: string[]): Promise<Decision[]> {
  const rows = await query<DecisionRow>(tx)`select d.* from decisions as d where d.is_active = 1
    and exists (select 1 from decisions as side where side.root_id = d.root_id and side.is_active = 0 and side.withdrawn = 0
      and side.scope in (${sql.join(scopes)}) and ${notRetracted('side.seq')} and ${isHead('side')})
    order by d.created_at desc, d.seq desc`;
  return rows.map(toDecision);
}

/** The active axes and locks elsewhere that were decided twice, with another side in one of these scopes: both bind (T-6). */
export const bindingTwice = async (tx: Tx, ...scopes: string[]): Promise<Decision[]> =>
  (await withSideIn(tx, ...scopes)).filter((each) => reachOf(each) > 0 && !scopes.includes(each.scope));

type Head = Omit<Side, 'author' | 'host'>;

/** A version with whoever wrote it. @param writers as `writersOfChain` gives them */
function asSide(decision: Head, writers: Map<string, Writer>): Side {
  const { author = '', host = '' } = writers.get(decision.id) ?? {};
  return { ...decision, author, host };
}

/** A chain that was decided twice: what neither author saw of the other, in the order of the chain. */
export interface Fork {
  rootId: string;
  heads: Side[];
}

/** Whether versions say one thing, so that there is nothing to settle. */
export const areAgreed = (versions: Pick<Decision, 'text' | 'withdrawn' | 'strength'>[]) =>
  new Set(versions.map(({ text, withdrawn, strength }) => JSON.stringify([text, withdrawn, strength]))).size <
  2;

/** The heads of the chains that may have several, by their roots, in the order of the chain. @param rootIds as {@link forksOf} takes them */
async function headsIn(tx: Tx, rootIds?: string[]): Promise<Map<string, Head[]>> {
  const among = rootIds === undefined ? sql`1 = 1` : sql`d.root_id in ${mayHaveSides(tx, rootIds)}`;
  const rows = await query<{ rootId: string }>(tx)`select distinct d.root_id from decisions as d
    where ${among} and ${sawNoPrevious()} order by d.root_id`;
  const found = new Map<string, Head[]>();
  for (const { rootId } of rows) {
    const versions = await query<DecisionRow & { retractedAt: number | null }>(tx)`
      select d.*, r.retracted_at from decisions as d join records as r on r.seq = d.seq
      where d.root_id = ${rootId} order by d.version`;
    const failed = versions.filter((row) => row.outcome === 'failed' && row.retractedAt === null);
    // Who withdraws what failed repeats nothing.
    const failedAs = ({ text, version, outcome, withdrawn }: DecisionRow) =>
      outcome || withdrawn
        ? undefined
        : failed.findLast((row) => row.version < version && foldName(row.text) === foldName(text));
    const heads = headsOf(versions.map((row) => ({ ...row, isMistake: row.retractedAt !== null })))
      .filter(({ isMistake }) => !isMistake)
      .map(({ retractedAt: _, isMistake: __, ...row }) => ({ ...toDecision(row), failedAs: failedAs(row) }));
    found.set(rootId, heads);
  }
  return found;
}

/** The ids of the heads of a chain, where they agree: whoever saves there sees all of them, and leaves none behind (Y-6). */
export async function agreedHeads(tx: Tx, rootId: string): Promise<string[]> {
  const heads = (await headsIn(tx, [rootId])).get(rootId) ?? [];
  return areAgreed(heads) ? heads.map(({ id }) => id) : [];
}

/**
 * The chains in which two machines decided differently and nobody settled it yet (Y-2), by their roots.
 * @param rootIds only these; default: all
 */
export async function forksOf(tx: Tx, rootIds?: string[]): Promise<Map<string, Fork>> {
  const forks = new Map<string, Fork>();
  for (const [rootId, heads] of await headsIn(tx, rootIds)) {
    if (areAgreed(heads)) continue;
    const writers = await writersOfChain(tx, rootId);
    forks.set(rootId, { rootId, heads: heads.map((head) => asSide(head, writers)) });
  }
  return forks;
}

/** The newest versions of the chains that were forked, and are not any more. @param ids of their sides @param after as {@link forksOf} gives them */
export async function settledSince(tx: Tx, ids: string[], after: Map<string, Fork>): Promise<Side[]> {
  // A chain may have another root since.
  const roots = new Set((await findDecisions(tx, ids)).map(({ rootId }) => rootId));
  const ended = [...roots].filter((rootId) => !after.has(rootId));
  const newest = await newestInChains(tx, ended);
  return Promise.all(
    [...newest.values()].map(async (each) => asSide(each, await writersOfChain(tx, each.rootId))),
  );
}
