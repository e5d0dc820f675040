import { type RawBuilder, sql } from 'kysely';
import { append } from '../../domain/append.ts';
import { type Frequencies, information } from '../../domain/ranking/similarity.ts';
import { BM25, COLUMN_WEIGHTS, WINDOW } from '../../domain/ranking/weights.ts';
import { analysed, refusingIndex } from '../document.ts';
import type { Document, TextIndex } from '../engine.ts';
import { Pauses, STRETCH } from '../pauses.ts';
import { piecesOf } from '../rows.ts';
import { everyDocument } from '../search/documents.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/**
 * The past with a text index (J-3): today's index, in which records of later are passed over and records that changed since
 * are found by the text of then. How rare a word is, and so the order of what is found, is today's.
 * @param past as `asOf` gives it
 * @param today the transaction that it was made of
 */
export async function withIndexThen(past: Tx, today: Tx): Promise<Tx> {
  const changed = await changedSince(today, past.now);
  const documents = new Map<number, Terms>();
  const pauses = new Pauses();
  for (const piece of piecesOf(changed, STRETCH.rows))
    for (const document of await everyDocument(past, piece))
      documents.set(document.seq, termsOf(await analysed(document, pauses)));
  return { ...past, text: indexOf(today.text, past, changed, documents) };
}

/** Terms that are looked up with one statement. */
const TERMS = 100;

/** A document with the weight of each of its terms. */
interface Terms {
  document: Document;
  weights: Map<string, number>;
}

function termsOf(document: Document): Terms {
  const weights = new Map<string, number>();
  for (const column of ['title', 'body'] as const)
    for (const term of document[column].split(' '))
      weights.set(term, (weights.get(term) ?? 0) + COLUMN_WEIGHTS[column]);
  return { document, weights };
}

/**
 * Records whose document may have been another one, as a superset: those that were changed, and the versions of a topic with
 * which anything but another version was saved.
 * @param at milliseconds UTC
 */
async function changedSince(tx: Tx, at: number): Promise<number[]> {
  const rows = await query<{ seq: number }>(tx)`
    with touched as (
      select c.record_seq as seq from changes as c where c.created_at > ${at} and c.record_seq is not null
      union select o.seq from outcomes as o where o.created_at > ${at}
      union select a.seq from anchors as a where a.created_at > ${at}
    )
    select t.seq from touched as t
    union select o.seq from observation_revisions as v join observations as o on o.id = v.observation_id
      where v.replaced_at > ${at}
    union select v.memo_seq from memo_revisions as v where v.replaced_at > ${at}
    union select d.seq from decisions as d where d.root_id in (
      select r.root_id from touched as t join decisions as r on r.seq = t.seq
      union select r.root_id from touched as t join outcomes as o on o.seq = t.seq
        join decisions as r on r.id = o.decision_id
      union select r.root_id from touched as t join anchors as a on a.seq = t.seq
        left join evidence as e on e.id = a.evidence_ref join decisions as r on r.id = coalesce(a.decision_ref, e.decision_ref)
    )`;
  return rows.map(({ seq }) => seq);
}

function indexOf(
  today: TextIndex,
  past: Tx,
  changed: number[],
  documents: ReadonlyMap<number, Terms>,
): TextIndex {
  const isChanged = new Set(changed);
  let known: Frequencies = { documents: 0, of: new Map() };
  /** Hits of today's index in records that were there and have not changed. */
  const unchanged = <Row>(found: RawBuilder<Row>) => sql<Row>`
    select found.* from (${found}) as found where exists (select 1 from records as r where r.seq = found.seq)
      ${changed.length > 0 ? sql`and found.seq not in (${past.lists.numbers(changed)})` : sql``}`;
  const having = (terms: string[], isEvery = false) =>
    [...documents].filter(([, { weights }]) =>
      isEvery ? terms.every((term) => weights.has(term)) : terms.some((term) => weights.has(term)),
    );
  const matching = (terms: string[], isEvery = false) => {
    const own = having(terms, isEvery).map(([seq]) => seq);
    return sql<{ seq: number }>`${unchanged(today.matching(terms, isEvery))}
      ${own.length > 0 ? sql`union all select own.id from (${past.lists.numbers(own)}) as own` : sql``}`;
  };
  const isThere = (term: string) => sql`
    select cast(${term} as text) as term where exists (select 1 from (${matching([term])}) as hits)`;
  const termsIn = (seqs: number[], terms: string[]) =>
    new Map(
      seqs.map(
        (seq) => [seq, new Set(terms.filter((term) => documents.get(seq)?.weights.has(term)))] as const,
      ),
    );
  const apart = (seqs: number[]) => ({
    own: seqs.filter((seq) => isChanged.has(seq)),
    others: seqs.filter((seq) => !isChanged.has(seq)),
  });

  return refusingIndex(
    () => {
      throw new Error('The past is read alone.');
    },
    {
      matching,
      hits(terms) {
        // Without the length of a document: the mean length is known to the index alone.
        const scoreOf = ({ weights }: Terms) =>
          terms.reduce((sum, term) => {
            const weight = weights.get(term) ?? 0;
            return sum + (information(term, known) * weight * (BM25.k1 + 1)) / (weight + BM25.k1);
          }, 0);
        const own = having(terms)
          .map(([seq, each]) => ({ seq, score: scoreOf(each) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, WINDOW);
        const rows = own.map(({ seq, score }) => sql`union all select ${sql.lit(seq)}, ${sql.lit(score)}`);
        return sql`${unchanged(today.hits(terms))} ${sql.join(rows, sql` `)}`;
      },
      async frequencies(db, terms, most) {
        const now = await today.frequencies(db, terms, most);
        const found = new Map<string, number>();
        // A term that no record has today, and none had that changed since, was in none.
        const asked = terms.filter((term) => (now.of.get(term) ?? 0) > 0 || having([term]).length > 0);
        for (const piece of piecesOf(asked, TERMS)) {
          const rows = await query<{ term: string }>(past)`${sql.join(piece.map(isThere), sql` union all `)}`;
          for (const { term } of rows) found.set(term, Math.max(1, now.of.get(term) ?? 0));
        }
        known = { documents: Math.max(now.documents, documents.size), of: new Map([...known.of, ...found]) };
        return { documents: known.documents, of: found };
      },
      async termsIn(db, seqs, terms, most) {
        const { own, others } = apart(seqs);
        return new Map([...(await today.termsIn(db, others, terms, most)), ...termsIn(own, terms)]);
      },
      async read(db, seqs, terms, most) {
        const { own, others } = apart(seqs);
        const { matched, kept } = await today.read(db, others, terms, most);
        const ownDocuments = own.flatMap((seq) => documents.get(seq)?.document ?? []);
        append(kept, ownDocuments);
        return { matched: new Map([...matched, ...termsIn(own, terms)]), kept };
      },
      async firstIn(_, terms, eligible) {
        for (const term of terms) {
          const found = await query(past)`
            select 1 from (${matching([term])}) as hits join records as r on r.seq = hits.seq where ${eligible} limit 1`;
          if (found.length > 0) return term;
        }
        return undefined;
      },
    },
  );
}
