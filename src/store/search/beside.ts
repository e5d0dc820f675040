import { type RawBuilder, sql } from 'kysely';
import type { Decision, Strength } from '../../domain/decision.ts';
import { queryTerms } from '../../domain/language/analysis.ts';
import { subjectTerms } from '../../domain/language/subject.ts';
import { tellingTerms } from '../../domain/ranking/closeness.ts';
import { COMMON } from '../../domain/ranking/weights.ts';
import { programsHere } from '../reviewed.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writersOf } from '../writer.ts';
import { SUCCESSOR } from './successors.ts';

/** A record that a save is compared with. */
export interface Beside {
  kind: 'decision' | 'observation';
  /** Of an observation its number. */
  id: string;
  title: string | null;
  text: string;
  scope?: string | null | undefined;
  strength?: Strength | null | undefined;
  outcome?: Decision['outcome'] | undefined;
}

/** Characters read of a text, decisions listed at most, and what a search for near ones looks at and finds. */
const READ = 2_000;
const LISTED = 200;
const [LOOKED, FOUND] = [40, 8];
/** Other names of a word that are looked for. */
const OTHER_NAMES = 3;

const DECISION = sql`select 'decision' as kind, d.id, d.topic as title, d.text, d.scope, d.strength, d.outcome`;
const STANDS = sql`d.is_active = 1`;

/** Decisions of these scopes that a save has to heed: locks, axes, failures, and other decisions of persons. */
export async function rulesOf(tx: Tx, scopes: string[]): Promise<Beside[]> {
  return listed(
    tx,
    scopes,
    (programs) => sql`(${STANDS} and (d.strength <> 'normal' or w.client not in (${programs})))
      or (d.withdrawn = 0 and d.outcome = 'failed')`,
  );
}

/** Other decisions that hold in these scopes. */
export function othersOf(tx: Tx, scopes: string[]): Promise<Beside[]> {
  return listed(tx, scopes, () => STANDS);
}

type Sql = RawBuilder<unknown>;

/** Decisions of persons before those of programs; of each the locks, the axes, the failures, then the newest. */
async function listed(tx: Tx, scopes: string[], where: (programs: Sql) => Sql): Promise<Beside[]> {
  const programs = tx.lists.texts(await programsHere(tx));
  return query<Beside>(tx)`${DECISION}
    from decisions as d ${writersOf('d')}
    where d.scope in (${tx.lists.texts(scopes)}) and r.retracted_at is null and (${where(programs)})
    order by case when w.client in (${programs}) then 1 else 0 end, case d.strength when 'lock' then 0 when 'axis' then 1 else 2 end,
      case d.outcome when 'failed' then 0 else 1 end, d.created_at desc, d.seq desc limit ${LISTED}`;
}

/** The active decisions and the notes that have the telling words of a text, or other names for them: the nearest first. */
export async function nearestTo(tx: Tx, text: string): Promise<Beside[]> {
  const said = text.slice(0, READ);
  // Loaded by what compares alone: hooks never need the tables.
  const { otherWords } = await import('../../domain/language/other-words.ts');
  const called = otherWords(said).flatMap(({ others }) => others.slice(0, OTHER_NAMES).flatMap(queryTerms));
  const terms = [...new Set([...subjectTerms(said).keys(), ...called])];
  const telling = tellingTerms(terms, await tx.text.frequencies(tx.db, terms, COMMON));
  if (telling.length === 0) return [];
  return query<Beside>(tx)`
    with found as materialized (select hits.seq, hits.score from (${tx.text.hits(telling)}) as hits
      order by hits.score desc, hits.seq desc limit ${LOOKED})
    select near.kind, near.id, near.title, near.text, near.scope, near.strength, near.outcome from (
      ${DECISION}, found.seq, found.score from found join decisions as d on d.seq = found.seq where ${STANDS}
      union all select 'observation', cast(o.id as text), o.title, substr(o.content, 1, ${READ}), null, null, null,
        found.seq, found.score
      from found join observations as o on o.seq = found.seq where o.deleted_at is null and ${SUCCESSOR} is null
    ) as near order by near.score desc, near.seq desc limit ${FOUND}`;
}
