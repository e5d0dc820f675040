import { sql } from 'kysely';
import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import { conflict, type PrecedentError } from '../../domain/error.ts';
import { compareText, foldName, quoted } from '../../domain/text/text.ts';
import { dateAfter } from '../columns.ts';
import { findName, NAMES, type NameTable, usedSince } from '../names.ts';
import { recordChange } from '../record.ts';
import { findRow, findRows, insertRows, requireRow, updateRows } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { newestInChain, reindexDecisions } from './decision.ts';
import { type Naming, requireMeant } from './overriding.ts';
import { requireDecision } from './reference.ts';

/**
 * Names a chain. No name leads to another chain by this spelling: the caller has looked.
 * @param key null where another spelling of the name leads to the chain already
 */
export async function insertTopic(
  tx: Tx,
  name: string,
  rootId: string,
  key: string | null = foldName(name),
): Promise<void> {
  await insertRows(tx, 'topics', [{ name, key, rootId, since: tx.now }]);
}

/** Every name of a chain or of a scope leads to another one from now on. */
export async function redirectAll(tx: Tx, table: NameTable, from: string, to: string): Promise<void> {
  for (const { name } of await findRows(tx, table, { [NAMES[table].target]: from }, 'name'))
    await redirect(tx, table, name, from, to);
}

/** One name leads to another chain, or to another scope, from now on. */
export async function redirect(
  tx: Tx,
  table: NameTable,
  name: string,
  from: string,
  to: string,
): Promise<void> {
  const { target, called, said } = NAMES[table];
  await updateRows(tx, table, { name }, { [target]: to });
  await recordChange(tx, 'joined', table === 'topics' ? await seqOf(tx, from) : null, {
    before: { [called]: name, [said]: from },
    after: { [called]: name, [said]: to },
  });
}

/** The former name of a chain, its present name, and the state of its names. */
export interface Renaming {
  rootId: string;
  /** Null for a decision without a topic. */
  from: string | null;
  to: string | null;
  /** The name that leads to it from now on, and that which no longer does: undoing a renaming takes its name back. */
  added?: string | undefined;
  dropped?: string | undefined;
}

/**
 * Calls every version of a chain by another topic (U-6). Names that lead to it go on doing so, but for one that is dropped.
 * The change keeps its former name.
 */
export async function renameChain(tx: Tx, { rootId, from, to, added, dropped }: Renaming): Promise<void> {
  if (added !== undefined) {
    const isKnown = (await findName(tx, 'topics', added)) !== undefined;
    await insertTopic(tx, added, rootId, isKnown ? null : foldName(added));
  }
  const gone = dropped === undefined ? undefined : await dropTopic(tx, dropped, rootId);
  if (gone) await keepKeys(tx, [gone.name]);
  const versions = await updateRows(tx, 'decisions', { rootId }, { topic: to });
  // The topic is searched as the title of each version.
  await reindexDecisions(tx, versions);
  // A later renaming has a later date, also on a machine whose clock is behind (Y-6).
  const [last] = await query<{ at: number | null }>(tx)`select max(created_at) as at from changes
    where kind = 'renamed' and record_seq in (select seq from decisions where root_id = ${rootId})`;
  await recordChange({ ...tx, now: dateAfter(last?.at, tx.now) }, 'renamed', await seqOf(tx, rootId), {
    before: { topic: from, ...gone },
    // By the id every machine knows it.
    after: { topic: to, ...(added !== undefined && { name: added }), uid: tx.newId() },
  });
}

/** A name leads nowhere any more. @returns what was there, for the change: the name, its key, its chain and since when */
export async function dropTopic(tx: Tx, name: string, rootId: string) {
  const [row] = await query<{ key: string | null; since: number }>(tx)`
    delete from topics where name = ${name} and root_id = ${rootId} returning key, since`;
  return row && { name, key: row.key, chain: rootId, since: row.since };
}

/** Those of these chains that several began, on different machines: they came to be one by a name. */
export async function begunSeveralTimes(tx: Tx, roots: string[]): Promise<Set<string>> {
  const rows = await query<{ rootId: string }>(tx)`
    select distinct d.root_id from (${tx.lists.texts(roots)}) as wanted
    join decisions as d on d.root_id = wanted.id where d.id <> d.root_id and d.based_on is null`;
  return new Set(rows.map(({ rootId }) => rootId));
}

/**
 * Any spelling of a name finds one of its spellings (D-19): that of a topic with this name, the same on every machine.
 */
export async function keepKeys(tx: Tx, names: string[]): Promise<void> {
  const keys = new Set(names.map(foldName));
  const rows = await query<{ name: string; key: string | null; topic: string | null }>(tx)`
    select t.name, t.key, d.topic from topics as t join decisions as d on d.id = t.root_id
    where t.key is null or t.key in (select id from (${tx.lists.texts([...keys])}) as wanted)`;
  const isCalledSo = ({ name, topic }: (typeof rows)[number]) => Number(name === topic);
  rows.sort((a, b) => isCalledSo(b) - isCalledSo(a) || compareText(a.name, b.name));
  for (const [key, [first, ...others]] of Map.groupBy(rows, ({ name }) => foldName(name))) {
    if (!first || first.key !== null || !keys.has(key)) continue;
    for (const { name } of others) await updateRows(tx, 'topics', { name }, { key: null });
    await updateRows(tx, 'topics', { name: first.name }, { key });
  }
}

/** The chain whose versions carry this topic, whatever chain the name leads to; undefined when none does. */
export async function chainCalled(tx: Tx, topic: string): Promise<string | undefined> {
  return (await findRow(tx, 'decisions', { topic, version: 1 }))?.rootId;
}

/** The number of a chain's first version. */
async function seqOf(tx: Tx, rootId: string): Promise<number> {
  return (await requireRow(tx, 'decisions', { id: rootId })).seq;
}

/** Names that differ only in how they are written and lead to different things: files of older versions have them. */
export async function namesAlike(tx: Tx): Promise<{ what: 'topic' | 'scope'; name: string; like: string }[]> {
  const alike = async (table: NameTable) => {
    const { one: what, target } = NAMES[table];
    const rows = await query<{ name: string; key: string | null; target: string }>(tx)`
      select name, key, ${sql.ref(target)} as target from ${sql.table(table)} order by since, name`;
    const byKey = new Map(rows.map((row) => [row.key, row]));
    return rows.flatMap(({ name, key, target }) => {
      const like = key === null ? byKey.get(foldName(name)) : undefined;
      return like !== undefined && like.target !== target ? [{ what, name, like: like.name }] : [];
    });
  };
  return [...(await alike('topics')), ...(await alike('scopes'))];
}

/**
 * Calls a decision by another topic (U-6, D-19). Names that lead to it go on doing so.
 * @param reference its topic, or an id of it
 * @returns `from`: what it was called, null for a decision without a topic; `decision`: its newest version
 * @throws PrecedentError `not_found`; `conflict` when the name is that of another decision, or an active lock is not named
 *   (T-6)
 */
export async function renameTopic(tx: Tx, reference: string, name: string, naming: Naming = {}) {
  const { rootId, topic: from, scope } = await requireDecision(tx, reference);
  const newest = await newestInChain(tx, rootId);
  if (from === name) return { from, decision: newest, unchanged: true, warnings: [] };
  const known = await findName(tx, 'topics', name);
  const holder = known?.target ?? (await chainCalled(tx, name));
  if (holder !== undefined && holder !== rootId) throw await isTaken(tx, name, holder, from);
  if (newest.isActive && from !== null) await requireMeant(tx, newest, 'rename', naming, false);
  await renameChain(tx, { rootId, from, to: name, ...(known?.name !== name && { added: name }) });
  const decision = await newestInChain(tx, rootId);
  return { from, decision, unchanged: false, warnings: warningsOf(from, name, scope, naming) };
}

async function isTaken(tx: Tx, name: string, holder: string, from: string | null): Promise<PrecedentError> {
  const other = await newestInChain(tx, holder);
  const join = from === null ? '' : ` To let ${quoted(from)} lead there instead, rename with join.`;
  return conflict.name_taken(
    `Expected a topic that no other decision has, found "${name}", which is that of ${quoted(other.text)} (${other.id}).${join} Nothing was changed.`,
  );
}

/** A scope that was the first part of the topic stays what it was: what binds there may be wanted so. No change keeps a reason (TR-3). */
function warningsOf(from: string | null, to: string, scope: string, { reasoning }: Naming): string[] {
  const [was, now] = [from?.split(':')[0]?.trim(), to.split(':')[0]?.trim()];
  const isStranded = was === scope && now !== scope;
  return [
    ...(isStranded ? [`Its scope is still "${scope}"; decision_revise moves it to another.`] : []),
    ...(reasoning ? ['The reason was not kept: of a renaming, the log keeps who and when.'] : []),
  ];
}

/** The scope that a name means, as decisions carry it (D-19); one that nobody used is itself, and no name has none. */
export async function scopeMeant<Given extends string | undefined>(
  tx: Tx,
  name: Given,
): Promise<string | Extract<Given, undefined>> {
  if (name === undefined) return name as Extract<Given, undefined>;
  return (await findName(tx, 'scopes', name))?.target ?? asNew(name);
}

/** {@link scopeMeant} for a decision that is saved there: the first one decides how the scope is spelled. */
export async function scopeToUse(tx: Tx, name: string): Promise<string> {
  const found = await findName(tx, 'scopes', name);
  if (found) {
    // Many a save of a batch is of one scope, in use by then. Another name that leads there has a date of its own.
    const isKnown = found.name === found.target && found.since <= tx.now;
    if (!isKnown) await usedSince(tx, 'scopes', [found.name, found.target]);
    return found.target;
  }
  const scope = asNew(name);
  await insertRows(tx, 'scopes', [{ name: scope, key: foldName(scope), scope, since: tx.now }]);
  return scope;
}

/** However it is written, the scope that binds everywhere is that one. */
function asNew(name: string): string {
  return foldName(name) === GLOBAL_SCOPE ? GLOBAL_SCOPE : name;
}
