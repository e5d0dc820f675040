import { sql } from 'kysely';
import { type Correction, termsToCount } from '../../domain/copies/copies.ts';
import { COMMON } from '../../domain/ranking/weights.ts';
import { DECIDED, decidedOf, newestStanding } from '../decisions/decision.ts';
import { newestOfOutcomes } from '../decisions/outcome.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** Where a text was corrected: copies of it are looked for elsewhere. */
export interface Source {
  /** The chain, and its first version that does not say the old text; none if a note or a memo was corrected. */
  rootId?: string;
  from?: number;
  /** A note, and a memo. */
  observation?: number;
  memo?: string;
}

/** A text of a decision or a note that holds no longer, and what took its place. */
export interface Corrected extends Correction, Source {
  /** The newest version of its chain, or the note: #12. */
  id: string;
  /** Topic or title. */
  topic: string | null;
  how: 'replaced' | 'withdrawn' | 'failed';
  /** Of the old text and of the newest one. */
  version: number;
  newest: number;
  /** When it ended to hold, in milliseconds UTC. */
  at: number;
}

/** Terms that are counted in a question. */
const TERMS = 5_000;
/** Characters read of a note. */
const READ = 2_000;

/** The texts that hold no longer, those that ended last first (CC-1, CC-2). */
export async function correctionsOf(tx: Tx, limit: number): Promise<Corrected[]> {
  const rows = await query<Required<Omit<Corrected, 'next' | 'memo'>> & { next: string }>(tx)`
    select * from (
      select h.id, h.topic, d.version, d.text as old, h.version as newest, h.text as next, d.root_id,
        case when d.id = h.id then d.version else d.version + 1 end as "from", 0 as observation, d.seq,
        case when h.withdrawn = 1 then 'withdrawn' when h.outcome = 'failed' then 'failed' else 'replaced' end as how,
        case when d.id <> h.id then (select n.created_at from decisions as n where n.root_id = d.root_id
            and n.version > d.version and ${notRetracted('n.seq')} order by n.version limit 1)
          when h.withdrawn = 1 then h.created_at
          else coalesce((select o.created_at from ${newestOfOutcomes(decidedOf('h'))}), h.created_at) end as at
      from decisions as h join decisions as d on d.root_id = h.root_id
      where h.seq = ${newestStanding(sql`h.root_id`)}
        and (d.version < h.version and d.text <> h.text and ${DECIDED} <> ${decidedOf('h')} and h.withdrawn = 0 and coalesce(h.outcome, '') <> 'failed'
          or d.id = h.id and (h.withdrawn = 1 or h.outcome = 'failed'))
        and ${notRetracted('d.seq')}
      union all select '#' || o.id, o.title, x.revision, substr(x.content, 1, ${READ}), o.revision_count + 1,
        substr(o.content, 1, ${READ}), '', 0, o.id, o.seq, 'replaced', x.replaced_at
      from observation_revisions as x join observations as o on o.id = x.observation_id
      where x.content <> o.content and o.deleted_at is null and ${notRetracted('o.seq')}
      union all select '#' || n.id, n.title, 1, substr(o.content, 1, ${READ}), 2,
        substr(n.content, 1, ${READ}), '', 0, o.id, o.seq, 'replaced', e.created_at
      from relations as e join observations as o on o.id = e.to_id join observations as n on n.id = e.from_id
      where e.type = 'supersedes' and o.content <> n.content and o.deleted_at is null and n.deleted_at is null
        and ${notRetracted('o.seq')} and ${notRetracted('n.seq')}
    ) as ended order by at desc, seq desc limit ${limit}`;
  return rows.map(({ next, ...row }) => ({ ...row, ...(row.how === 'replaced' && { next }) }));
}

/** {@link correctionsOf}, and how often the memory has the words of these texts: files are compared with them. */
export async function countedCorrections(tx: Tx, limit: number) {
  const corrections = await correctionsOf(tx, limit);
  const terms = [...new Set(corrections.flatMap(termsToCount))];
  const of = new Map<string, number>();
  let documents = 0;
  for (let at = 0; at === 0 || at < terms.length; at += TERMS) {
    const counted = await tx.text.frequencies(tx.db, terms.slice(at, at + TERMS), COMMON);
    documents = counted.documents;
    for (const [term, count] of counted.of) of.set(term, count);
  }
  return { corrections, documents, counts: Object.fromEntries(of) };
}
