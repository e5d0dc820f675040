import { type RawBuilder, sql } from 'kysely';
import { type Decision, GLOBAL_SCOPE } from '../../domain/decision.ts';
import { seqsOf } from '../../domain/id.ts';
import { isSyllabic, queryTerms } from '../../domain/language/analysis.ts';
import { isInSyllables } from '../../domain/language/script.ts';
import { subjectTerms } from '../../domain/language/subject.ts';
import { tellingTerms } from '../../domain/ranking/closeness.ts';
import { informationOf } from '../../domain/ranking/similarity.ts';
import {
  COMMON,
  OTHER_WEIGHT,
  OTHER_WORDS,
  UNCOMPARED,
  UNHEARD_DOCUMENTS,
} from '../../domain/ranking/weights.ts';
import type { DecisionRow } from '../decisions/decision.ts';
import { notRetracted } from '../record.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';

/** A rule or a failure, and how near it is to a save, in nats. */
export interface Near extends Pick<Decision, 'id' | 'rootId'> {
  nearness: number;
}

/**
 * Rules and failures whose words cannot be compared with those of a save, since they are other words, or in another language: the
 * nearest first, by what the tables call the words of the save, by names that both languages have, and by scope (RE-9).
 */
export async function uncompared(tx: Tx, saved: Decision): Promise<Near[]> {
  const words = await wordsFor(saved);
  const terms = [
    ...new Set(words.flatMap(({ own, others }) => [...own, ...others.flatMap((each) => each.terms)])),
  ];
  const counted = await tx.text.frequencies(tx.db, terms, COMMON);
  const rows = await nearby(tx, saved, tellingTerms(terms, counted));
  const shared = await tx.text.termsIn(tx.db, seqsOf(rows), terms);
  const documents = counted.documents + UNHEARD_DOCUMENTS;
  const told = (own: string[]) => {
    const found = own.reduce((least, term) => Math.min(least, counted.of.get(term) ?? 0), COMMON);
    return found < COMMON ? informationOf(found, documents) : 0;
  };
  const isHere = isInSyllables(saved.text);
  return rows
    .map(({ seq, id, rootId, scope, text }): Near => {
      const has = shared.get(seq) ?? new Set();
      const isWhole = (some: string[]) => some.length > 0 && some.every((term) => has.has(term));
      const isForeign = isInSyllables(text) !== isHere;
      const isOfScope = scope === saved.scope && scope !== GLOBAL_SCOPE;
      const nearness = words.reduce(
        (sum, { own, others }) => {
          // Records in the same language are compared as similar.
          if (isWhole(own)) return sum + (isForeign ? told(own) : 0);
          const found = others.filter((each) => each.isForeign === isForeign && isWhole(each.terms));
          return sum + OTHER_WEIGHT * found.reduce((most, each) => Math.max(most, told(each.terms)), 0);
        },
        isOfScope ? UNCOMPARED.scope : 0,
      );
      return { id, rootId, nearness };
    })
    .filter(({ nearness }) => nearness >= UNCOMPARED.scope)
    .sort((a, b) => b.nearness - a.nearness);
}

/** A word of a save, and what else it may be called: its terms. */
interface Word {
  own: string[];
  /** `isForeign`: in another script than the save. */
  others: { terms: string[]; isForeign: boolean }[];
}

/** The words of a save and what a search would look for instead, without those of its area, which all of the area have. */
async function wordsFor({ topic, text, reasoning, scope }: Decision): Promise<Word[]> {
  const area = (topic ?? '').split(/[:/]/);
  const said = [area.pop(), text, (reasoning ?? '').slice(0, UNCOMPARED.read)].join('\n');
  const isOfArea = new Set(subjectTerms([scope, ...area].join(' ')).keys());
  const isHere = isInSyllables(text);
  const own = [...subjectTerms(said).keys()].filter((term) => !isSyllabic(term) && !isOfArea.has(term));
  const words = new Map(own.map((term): [string, Word] => [term, { own: [term], others: [] }]));
  // Loaded by what saves alone: hooks never need the tables.
  const { otherWords } = await import('../../domain/language/other-words.ts');
  for (const { terms, others } of otherWords(said)) {
    if (terms.every((term) => isOfArea.has(term))) continue;
    const called = others.map((each) => ({
      terms: queryTerms(each),
      isForeign: isSyllabic(each) !== isHere,
    }));
    const some = [true, false].flatMap((is) =>
      called.filter(({ isForeign }) => isForeign === is).slice(0, OTHER_WORDS),
    );
    words.set(terms.join(' '), { own: terms, others: some });
  }
  return [...words.values()];
}

/** Rules and failures of other chains that have one of these terms, and the newest of the same scope and of everywhere. */
async function nearby(tx: Tx, { rootId, scope }: Decision, terms: string[]) {
  const isRule = sql`d.is_active = 1 and d.strength <> 'normal'`;
  const hasFailed = sql`d.outcome = 'failed'`;
  const newest = (where: RawBuilder<unknown>) => sql`select * from (select d.seq from decisions as d
    where d.scope in (${scope}, ${GLOBAL_SCOPE}) and ${where}
    order by d.created_at desc, d.seq desc limit ${UNCOMPARED.looked}) as newest`;
  const found = terms.length > 0 ? sql`union select seq from (${tx.text.matching(terms)}) as found` : sql``;
  return query<Pick<DecisionRow, 'seq' | 'id' | 'rootId' | 'scope' | 'text'>>(tx)`
    select d.seq, d.id, d.root_id, d.scope, substr(d.text, 1, 200) as text
    from (${newest(isRule)} union ${newest(hasFailed)} ${found}) as near join decisions as d on d.seq = near.seq
    where d.root_id <> ${rootId} and ((${isRule}) or ${hasFailed}) and ${notRetracted('d.seq')}
    order by d.seq desc`;
}
