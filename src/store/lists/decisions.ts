import { type Selectable, sql } from 'kysely';
import type { Place } from '../../domain/cursor.ts';
import type { Decision } from '../../domain/decision.ts';
import type { State } from '../../domain/filter/filter.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { toDecision } from '../decisions/decision.ts';
import { decisionDocument } from '../decisions/decision-document.ts';
import type { Meant } from '../kinds/condition.ts';
import { allOf, type Condition, ofDecision } from '../kinds/condition.ts';
import { notRetracted } from '../record.ts';
import type { Schema } from '../schema.ts';
import { together } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A page of a listing. */
export interface Listed<Row> {
  rows: Row[];
  /** All that pass the filter, shown or not. */
  total: number;
  /** Where the next page begins; undefined on the last. */
  next: Place | undefined;
}

/**
 * The versions that pass a filter, the newest first; without a state those that stand (U-4).
 *
 * A page goes on after the last one shown, among what there was on the first page: a version that was replaced meanwhile
 * is still shown where it was, with the state that it has now, so that none is missed and none is shown twice (W-6).
 * @param from where the page begins, as `next` of the page before said
 */
export async function listDecisions(
  tx: Tx,
  filter: Meant,
  limit: number,
  from?: Place,
): Promise<Listed<Decision>> {
  const [at = 0, seq = 0, given] = from ?? [];
  const asOf = given ?? (await newestSeq(tx));
  const passing = allOf([
    inState(filter.state ?? 'active', asOf, from === undefined),
    ...(filter.state === 'mistaken'
      ? await ofMistake(tx, filter)
      : [notRetracted('d.seq'), ofDecision(tx, filter)]),
  ]);
  const [{ rows }, counted] = await together(
    sql<Selectable<Schema['decisions']>>`
      select d.* from decisions as d where ${passing}
        ${from ? sql`and (d.created_at, d.seq) < (${at}, ${seq})` : sql``}
      order by d.created_at desc, d.seq desc limit ${limit + 1}`.execute(tx.db),
    sql<{ total: number }>`select count(*) as total from decisions as d where ${passing}`.execute(tx.db),
  );
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown.map(toDecision),
    total: counted.rows[0]?.total ?? 0,
    next: last && [last.createdAt, last.seq, asOf],
  };
}

async function newestSeq(tx: Tx): Promise<number> {
  const { rows } = await sql<{ seq: number | null }>`select max(seq) as seq from decisions`.execute(tx.db);
  return rows[0]?.seq ?? 0;
}

/** The version that follows, if it was there already, as a condition on `decisions as d`. */
const follower = (asOf: number) => sql`exists (select 1 from decisions as newer
  where newer.root_id = d.root_id and newer.version = d.version + 1 and newer.seq <= ${asOf})`;

/**
 * A version that was in a state when it had as many records as `asOf`. The plus keeps SQLite from reading by number.
 * @param isNow whether that is now: the flag of active versions says it without a look at other versions
 */
function inState(state: State, asOf: number, isNow: boolean): Condition {
  const wasThere = sql`+d.seq <= ${asOf}`;
  switch (state) {
    case 'active':
      if (isNow) return sql`d.is_active = 1`;
      return sql`d.withdrawn = 0 and ${wasThere} and (d.is_active = 1 or not ${follower(asOf)})`;
    case 'withdrawn':
      return sql`d.withdrawn = 1 and ${wasThere} and not ${follower(asOf)}`;
    case 'superseded':
      return sql`${wasThere} and ${follower(asOf)}`;
    case 'any':
      return wasThere;
    case 'mistaken':
      return sql`${wasThere} and not ${notRetracted('d.seq')}`;
  }
}

/** What no index holds is read, to see whether it holds the words of a filter: mistakes are few (K-6). */
async function ofMistake(tx: Tx, { words, ...filter }: Meant): Promise<(Condition | undefined)[]> {
  if (words === undefined) return [ofDecision(tx, filter)];
  const { rows } = await sql<Pick<Selectable<Schema['decisions']>, 'seq' | 'topic' | 'text' | 'reasoning'>>`
    select d.seq, d.topic, d.text, d.reasoning from records as r join decisions as d on d.seq = r.seq
    where r.retracted_at is not null`.execute(tx.db);
  const wanted = queryTerms(words);
  const found = rows.filter((row) => {
    const { title, body } = decisionDocument(row, []);
    const terms = new Set(queryTerms(`${title}\n${body}`));
    return wanted.length > 0 && wanted.every((term) => terms.has(term));
  });
  return [ofDecision(tx, filter), sql`d.seq in (${tx.lists.numbers(found.map(({ seq }) => seq))})`];
}
