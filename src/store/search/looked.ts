import { type RawBuilder, sql } from 'kysely';
import type { FoundKind } from '../../domain/kinds.ts';
import { isAnswered } from '../../domain/ranking/answered.ts';
import { type Language, languagesOf } from '../../domain/text/languages.ts';
import type { Kind } from '../kinds/kind.ts';
import { STORED } from '../kinds/kinds.ts';
import { notRetracted } from '../record.ts';
import { query, together } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { FINDABLE } from './documents.ts';
import { type Found, searchEverything } from './everything.ts';
import type { Eligible } from './hits.ts';
import { inOneScript, wordsOf } from './question.ts';

/** Records whose language is looked at, the newest, and characters of each. */
const READ = { records: 200, characters: 200 };

/** How many records of these kinds a question is compared with, and in which languages they are. */
export async function lookedAt(
  tx: Tx,
  kinds: readonly FoundKind[],
  eligible: Eligible,
): Promise<{ records: number; languages: Language[] }> {
  const rows = await query<{ seq: number; kind: FoundKind; count: number }>(tx)`
    select r.seq, r.kind, count(*) over () as count from records as r
    where r.kind in (${sql.join(kinds)}) and ${FINDABLE} and ${eligible}
    order by r.seq desc limit ${READ.records}`;
  const texts = await together(
    ...[...Map.groupBy(rows, ({ kind }) => kind)].map(([kind, records]) => {
      const { table, text = 'text' }: Kind = STORED[kind];
      return query<{ text: string }>(tx)`
        select substr(t.${sql.ref(text)}, 1, ${READ.characters}) as text
        from (${tx.lists.numbers(records.map(({ seq }) => seq))}) as wanted
        join ${sql.table(table)} as t on t.seq = wanted.id`;
    }),
  );
  return { records: rows[0]?.count ?? 0, languages: languagesOf(texts.flat().map(({ text }) => text)) };
}

/** Answers that are looked for elsewhere at most. */
const ELSEWHERE = 10;

/** The records of any kind that answer what was asked (RE-8), without any filter. */
export async function answersAnywhere(tx: Tx, asked: string) {
  const searched = await searchEverything(tx, asked, { limit: ELSEWHERE, isBrief: true });
  const [words, share] = [wordsOf(searched.asked), inOneScript(searched.asked)];
  const says = (each: Found) => (tx.meaning ? searched.isAnswered : isAnswered([each], words, share));
  return { found: searched.found.filter(says), asked: searched.asked };
}

/** The values of a field by which a search is filtered: what it is of a row, and which rows count, of which records. */
export interface FilteredField {
  rows: RawBuilder<unknown>;
  value: RawBuilder<unknown>;
  record?: RawBuilder<unknown>;
}

/** The fields of a filter that may be asked for, by name. */
export const FILTERED = {
  domain: { rows: sql`decisions as x where x.is_active = 1`, value: sql`x.scope` },
  outcome_filter: {
    rows: sql`decisions as x where ${notRetracted('x.seq')}`,
    value: sql`coalesce(x.outcome, 'pending')`,
  },
  type: { rows: sql`observations as x where x.deleted_at is null`, value: sql`x.type` },
  project: { rows: sql`observations as x where x.deleted_at is null`, value: sql`x.project` },
  scope: { rows: sql`observations as x where x.deleted_at is null`, value: sql`x.scope` },
  keyword: {
    rows: sql`memo_links as l join keywords as k on k.seq = l.keyword_seq where l.depth = 0 and ${notRetracted('l.memo_seq')}`,
    value: sql`k.name`,
    record: sql`l.memo_seq`,
  },
} satisfies Record<string, FilteredField>;

const OUTCOME = { rows: FILTERED.domain.rows, value: FILTERED.outcome_filter.value };
/** The same for a list of active decisions, whose fields have other names. */
export const OF_DECISIONS = { scope: FILTERED.domain, outcome: OUTCOME, pending: OUTCOME };

/** The values that records have there, the commonest first, then the newest, each with their number. */
export function valuesOf(tx: Tx, { rows, value, record = sql`x.seq` }: FilteredField, limit: number) {
  return query<{ value: string; count: number }>(tx)`
    select value, count(*) as count from (select ${value} as value, ${record} as seq from ${rows}) as each_value
    group by value order by count desc, max(seq) desc, value limit ${limit}`;
}
