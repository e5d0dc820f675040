import { sql } from 'kysely';
import { type Based, basesOf, inOrder } from '../domain/chain.ts';
import type { Decision } from '../domain/decision.ts';
import { foldName } from '../domain/text/text.ts';
import { MAY_HAVE_SIDES } from '../store/decisions/loaded.ts';
import { query } from '../store/statements.ts';
import type { Tx } from '../store/tx.ts';
import { type Fact, type Facts, nameOf } from './facts.ts';
import { RECORDED, type Recorded } from './recorded.ts';

/** A version as its row has it; 0 is the number of one that has no place yet. */
export type Version = Based & Pick<Decision, 'rootId' | 'version' | 'topic'>;

/**
 * The versions here of the chains that facts may come to, and of those that may have another order on other machines: where each
 * version was made by somebody who saw the one before it, there is one order (Y-6).
 */
export function versionsNear(tx: Tx, facts: Fact[]): Promise<Version[]> {
  const about = facts.filter((fact) => fact.k === 'decision' || fact.k === 'called');
  const ids = facts.flatMap((fact) => {
    if (fact.k === 'joined') return [fact.from, fact.to];
    if (fact.k === 'called') return fact.decision;
    return fact.k === 'decision' ? [fact.id, ...basesOf(fact)] : [];
  });
  const names = about.flatMap(({ topic }) => (topic === null ? [] : [topic, foldName(topic)]));
  const named = sql`select t.root_id from (${tx.lists.texts(names)}) as wanted join topics as t`;
  return query<Version>(tx)`
    select d.id, d.root_id, d.version, d.topic, d.based_on, d.created_at, d.withdrawn, d.strength, d.scope,
      case when r.retracted_at is null then 0 else 1 end as is_mistake
    from decisions as d join records as r on r.seq = d.seq where d.root_id in (
      ${MAY_HAVE_SIDES}
      union select x.root_id from (${tx.lists.texts(ids)}) as wanted join decisions as x on x.id = wanted.id
      union ${named} on t.name = wanted.id union ${named} on t.key = wanted.id)
    or exists (select 1 from decisions as x where x.version = 1 and x.topic is not null and not exists (
      select 1 from topics as t where t.root_id = x.id and t.name = x.topic and t.key is not null))`;
}

/**
 * Whether a fact has the id of a record of another kind. The second to come is left out (Y-4); of two that come at once, the
 * same one on every machine.
 */
export function isTaken({ k, id }: Pick<Fact, 'k' | 'id'>, ours: Facts, theirs: Facts): boolean {
  const place = RECORDED.indexOf(k as Recorded);
  return RECORDED.some(
    (other, at) =>
      place >= 0 &&
      at !== place &&
      (ours.has(nameOf({ k: other, id })) || (at > place && theirs.has(nameOf({ k: other, id })))),
  );
}

/** New versions without those that withdraw one that did not come yet, and wait for it: a chain begins with no withdrawal (D-15). */
export function begun(coming: Fact<'decision'>[], isHere: (id: string) => boolean): Fact<'decision'>[] {
  const begins = new Set(coming.flatMap(({ id, withdrawn }) => (withdrawn ? [] : [id])));
  for (let size = -1; size < begins.size; ) {
    size = begins.size;
    for (const each of coming)
      if (basesOf(each).some((id) => begins.has(id) || isHere(id))) begins.add(each.id);
  }
  return coming.filter(({ id }) => begins.has(id));
}

/** The chains that are not as everybody has them, each in its order. @param rows, news, theirs as {@link groupsOf} takes them */
export function misplaced(rows: Version[], ...how: Known): Version[][] {
  const groups = groupsOf(rows, ...how);
  const chains = [...Map.groupBy(rows, ({ id }) => groups.of(id)).values()].map(inOrder);
  return chains.filter((chain) =>
    chain.some(({ rootId, version }, at) => rootId !== chain[0]?.id || version !== at + 1),
  );
}

/**
 * The versions that belong to one chain: by what their authors saw, and by the names that everybody has. Local
 * aliases do not join chains.
 * @param rows with what each is called now @param news versions that have no place yet
 */
function groupsOf(rows: Version[], ...[news, theirs]: Known): Groups {
  const groups = new Groups();
  const here = new Set(rows.map(({ id }) => id));
  const join = (id: string, topic: string | null) => {
    if (topic !== null && here.has(id)) groups.join(id, `topic ${foldName(topic)}`);
  };
  for (const { id, topic } of rows) join(id, topic);
  for (const fact of theirs.values()) {
    if (fact.k === 'decision') join(fact.id, fact.topic);
    // Two topics may have shared a name once, and others learn of it only afterwards.
    else if (fact.k === 'joined' && here.has(fact.from) && here.has(fact.to)) groups.join(fact.from, fact.to);
  }
  for (const row of rows) {
    groups.join(row.id, row.rootId);
    for (const base of news.has(row.id) ? basesOf(row) : []) if (here.has(base)) groups.join(row.id, base);
  }
  return groups;
}

type Known = [news: ReadonlyMap<string, unknown>, theirs: Facts];

/** Which names mean the same. */
class Groups {
  readonly #parents = new Map<string, string>();

  of(name: string): string {
    let at = name;
    for (let up = this.#parents.get(at); up !== undefined; up = this.#parents.get(at)) at = up;
    if (at !== name) this.#parents.set(name, at);
    return at;
  }

  join(one: string, other: string): void {
    const [a, b] = [this.of(one), this.of(other)];
    if (a !== b) this.#parents.set(a, b);
  }
}
