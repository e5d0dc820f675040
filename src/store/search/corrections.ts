import { type Correction, termsToCount } from '../../domain/copies/copies.ts';
import type { Frequencies } from '../../domain/ranking/similarity.ts';
import { COMMON } from '../../domain/ranking/weights.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A version of a decision that holds no longer, and what took its place. */
export interface Corrected extends Correction {
  /** The newest version of its chain. */
  id: string;
  topic: string | null;
  how: 'replaced' | 'withdrawn' | 'failed';
  /** Of the old text and of the newest version. */
  version: number;
  newest: number;
  /** When it ended to hold, in milliseconds UTC. */
  at: number;
}

/** Terms that are counted in a question. */
const TERMS = 5_000;

/** The texts of decisions that hold no longer, those that ended last first (CC-2). */
export async function correctionsOf(tx: Tx, limit: number): Promise<Corrected[]> {
  const rows = await query<Omit<Corrected, 'old' | 'next'> & { text: string; newText: string }>(tx)`
    select h.id, h.topic, d.version, d.text, h.version as newest, h.text as new_text,
      case when h.withdrawn = 1 then 'withdrawn' when h.outcome = 'failed' then 'failed' else 'replaced' end as how,
      case when d.id <> h.id then (select n.created_at from decisions as n where n.root_id = d.root_id
          and n.version > d.version and ${notRetracted('n.seq')} order by n.version limit 1)
        when h.withdrawn = 1 then h.created_at
        else coalesce((select max(o.created_at) from outcomes as o where o.decision_id = h.id), h.created_at) end as at
    from decisions as h join decisions as d on d.root_id = h.root_id
    where h.version = (select max(n.version) from decisions as n where n.root_id = h.root_id and ${notRetracted('n.seq')})
      and (d.version < h.version and d.text <> h.text and h.withdrawn = 0 and coalesce(h.outcome, '') <> 'failed'
        or d.id = h.id and (h.withdrawn = 1 or h.outcome = 'failed'))
      and ${notRetracted('d.seq')} and ${notRetracted('h.seq')}
    order by at desc, d.seq desc limit ${limit}`;
  return rows.map(({ text, newText, ...row }) => ({
    ...row,
    old: text,
    ...(row.how === 'replaced' && { next: newText }),
  }));
}

/** How often the memory has the words of these corrections. */
export async function frequenciesFor(tx: Tx, corrections: Correction[]): Promise<Frequencies> {
  const terms = [...new Set(corrections.flatMap(termsToCount))];
  const of = new Map<string, number>();
  let documents = 0;
  for (let at = 0; at === 0 || at < terms.length; at += TERMS) {
    const counted = await tx.text.frequencies(tx.db, terms.slice(at, at + TERMS), COMMON);
    documents = counted.documents;
    for (const [term, count] of counted.of) of.set(term, count);
  }
  return { documents, of };
}
