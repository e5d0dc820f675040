import type { Decision } from '../../domain/decision.ts';
import { idsOf } from '../../domain/id.ts';
import type { Trigger } from '../../domain/language/trigger.ts';
import type { Observation } from '../../domain/observation.ts';
import { type Candidate, promptQueryOf, relevanceOf } from '../../domain/prompt/gate.ts';
import type { PromptRead } from '../../domain/prompt/reading.ts';
import { foldName } from '../../domain/text/text.ts';
import { wordingsOf } from '../../store/decisions/decision.ts';
import { decisionsReferred } from '../../store/decisions/naming.ts';
import { unreviewedAmong } from '../../store/decisions/rules.ts';
import { memosAt, memosReferred, newestMemos, type StoredMemo } from '../../store/memos/memo.ts';
import { findObservations } from '../../store/observations/observation.ts';
import { type Found, searchEverything } from '../../store/search/everything.ts';
import { isIndexStale } from '../../store/stale.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { atFiles } from './at-files.ts';
import { decisionLines, type Fact, memoLines, observationId, observationLine } from './line.ts';

/** Answers of the search that the gate looks at, and those that pass it at most. */
const LOOKED_AT = 12;
const MOST = 3;
/** What is shown next to the surest record, and is not relevant enough by itself, is as sure as this share of it at least (T-10). */
const NEAR = 0.6;
/** What a record tells of a prompt that names it: more than words do. */
const SURE_BY_NAME = 9;
/** Characters of an observation that count: it may hold a whole log. */
const READ = 400;

/** What an agent is shown with a prompt (A-2, M-11). */
export interface AboutPrompt {
  /** What is against its names or has its hints, whether it was shown before or not (RE-6, RE-16). */
  named: Fact[];
  facts: Fact[];
  /** What the prompt asks of the memory, where that has something to answer with. */
  trigger: Trigger | undefined;
}

/** The decisions, observations and memos that are relevant to a prompt, the best first. @param shown ids that were shown before */
export async function aboutPrompt(
  tx: Tx,
  prompt: PromptRead,
  shown: ReadonlySet<string>,
): Promise<AboutPrompt> {
  const isExpanding = prompt.trigger === 'expand';
  const trigger = isExpanding && (await newestMemos(tx, 1)).length === 0 ? undefined : prompt.trigger;
  // Loaded here: the names of products are in no other answer.
  const { namedInPrompt } = await import('./opposing.ts');
  const [named, facts] = await together(namedInPrompt(tx, prompt.said), tellingFacts(tx, prompt, shown));
  const isNamed = new Set(named.map(({ id }) => id));
  return { named, facts: facts.filter(({ id }) => !isNamed.has(id)), trigger };
}

/**
 * What binds the files that the prompt names (F-4), as before an edit of them. Then, where a record is relevant enough to be
 * shown, the surest three of it and of what is near it. Words that every prompt has are searched with, too: they rank, and
 * let nothing through by themselves.
 */
async function tellingFacts(tx: Tx, prompt: PromptRead, shown: ReadonlySet<string>): Promise<Fact[]> {
  // An index of another version is rebuilt by the next call of a server or a person, not here.
  if (prompt.subject.length + prompt.names.length === 0 || (await isIndexStale(tx))) return [];
  const words = prompt.words.join(' ');
  const paths = prompt.names.filter((name) => name.includes('/'));
  const bound = paths.length === 0 ? [] : await atFiles(tx, { paths, isRead: true, marked: [] });
  const referred = await referredIn(tx, prompt.names);
  const found = await tellingRecords(tx, prompt, referred.length > 0);
  const telling = [...new Map([...referred, ...found].map((each) => [idOf(each), each])).values()]
    .slice(0, Math.max(MOST, referred.length))
    .filter((each) => !shown.has(idOf(each)));
  const decided = telling.flatMap((each) => (each.kind === 'decision' ? [each.decision] : []));
  const noted = telling.flatMap((each) => (each.kind === 'memo' ? [each.memo] : []));
  const waiting = unreviewedAmong(tx, idsOf(decided));
  const lines = new Map(
    (
      await together(
        decisionLines(tx, decided, { asked: words, unreviewed: waiting }),
        memoLines(tx, noted, words),
      )
    )
      .flat()
      .map((fact) => [fact.id, fact]),
  );
  const unreviewed = await waiting;
  const isLate = ({ outcome, id }: Decision) => Number(outcome !== 'failed' && unreviewed.has(id));
  // Among decisions, what a person wrote or reviewed comes before what nobody reviewed.
  const inOrder = decided.toSorted((a, b) => isLate(a) - isLate(b)).values();
  const ordered = telling.map((each) =>
    each.kind === 'decision' ? { ...each, decision: inOrder.next().value ?? each.decision } : each,
  );
  const facts = ordered.flatMap((each) => {
    if (each.kind === 'observation') return [observationLine(each.observation, words)];
    return lines.get(idOf(each)) ?? [];
  });
  const unseen = bound.filter(({ id }) => !shown.has(id));
  return [...new Map([...unseen, ...facts].map((fact) => [fact.id, fact])).values()];
}

/** A record that a prompt is about. */
type Subject =
  | { kind: 'decision'; decision: Decision }
  | { kind: 'observation'; observation: Observation }
  | { kind: 'memo'; memo: StoredMemo };

/** The records that a prompt refers to by an id, a number or a version of a topic (T-10), which no words need to confirm. */
async function referredIn(tx: Tx, names: string[]): Promise<Subject[]> {
  const numbers = names.flatMap((name) => /^#(\d{1,9})$/.exec(name)?.[1] ?? []);
  const [decisions, observations, memos] = await together(
    decisionsReferred(tx, names),
    findObservations(tx, numbers.map(Number)),
    memosReferred(tx, names),
  );
  return [
    ...decisions.map((decision) => ({ kind: 'decision', decision }) as const),
    ...observations
      .filter(({ deletedAt }) => deletedAt === null)
      .map((observation) => ({ kind: 'observation', observation }) as const),
    ...memos.map((memo) => ({ kind: 'memo', memo }) as const),
  ];
}

/** @param isReferring whether it refers to a record: then only what else it names is shown */
async function tellingRecords(tx: Tx, prompt: PromptRead, isReferring: boolean): Promise<Subject[]> {
  const { found, asked } = await searchEverything(tx, [...prompt.words, ...prompt.names].join(' '), {
    limit: LOOKED_AT,
    isHurried: true,
  });
  const known = promptQueryOf(prompt, asked.frequencies);
  const memoSeqs = found.flatMap(({ kind, matchedSeq }) => (kind === 'memo' ? [matchedSeq] : []));
  const matched = found.map(({ matchedSeq }) => matchedSeq);
  const [wordings, memos] = await together(wordingsOf(tx, matched), memosAt(tx, memoSeqs));
  const judged = found.flatMap((record, rank) => {
    const each = subjectFrom(record, memos);
    const said = each && saidBy(each, wordings.get(record.matchedSeq));
    if (!said) return [];
    const isMeant = isNamed(prompt.names, each, said);
    if (isReferring && !isMeant) return [];
    const verdict = isMeant
      ? ({ is: 'high', matched: SURE_BY_NAME } as const)
      : relevanceOf(known, { ...said, rank });
    return [{ each, ...verdict }];
  });
  if (!judged.some(({ is }) => is === 'high')) return [];
  return judged
    .filter(({ is }) => is !== 'none')
    .sort((one, other) => other.matched - one.matched)
    .filter(({ is, matched }, _, all) => is === 'high' || matched >= NEAR * (all[0]?.matched ?? 0))
    .slice(0, MOST)
    .map(({ each }) => each);
}

/** What was found as a prompt is about it; undefined for a kind that is not shown unasked. */
function subjectFrom(found: Found, memos: StoredMemo[]): Subject | undefined {
  if (found.kind === 'decision' || found.kind === 'observation') return found;
  const memo = memos.find(({ seq }) => seq === found.matchedSeq);
  return memo && { kind: 'memo', memo };
}

/** Whether a prompt writes out the topic of a record, or a path that is in it: whole, or its end with one folder at least. */
function isNamed(names: string[], found: Subject, { shown, behind }: Omit<Candidate, 'rank'>): boolean {
  const topic =
    found.kind === 'decision' && found.decision.topic ? foldName(found.decision.topic) : undefined;
  return names.some((name) => name === topic || hasPath(`${shown}\n${behind}`, name));
}

function hasPath(text: string, path: string): boolean {
  const parts = path.split('/').filter((part) => part !== '');
  return parts.slice(0, -1).some((_, at) => {
    const end = parts.slice(at).join('/');
    const found = text.indexOf(end);
    return found >= 0 && !/[\p{L}\p{N}_.-]/u.test(text[found - 1] ?? ' ');
  });
}

/** The id of the fact that it would be. */
function idOf(each: Subject): string {
  if (each.kind === 'observation') return observationId(each.observation);
  return each.kind === 'memo' ? each.memo.id : each.decision.id;
}

/**
 * What the gate compares a prompt with; undefined for a record that is not shown unasked. Of a decision that is also what the
 * version said that was found, which may have failed.
 */
function saidBy(found: Subject, wording = ''): Omit<Candidate, 'rank'> | undefined {
  if (found.kind === 'decision') {
    const { topic, text, reasoning, outcome, withdrawn, strength } = found.decision;
    // What nobody holds to is no rule (V-2); that it failed is worth knowing.
    if (withdrawn && outcome !== 'failed') return undefined;
    const shown = [topic ?? '', text, wording].join('\n');
    const isBinding = outcome === 'failed' || strength !== 'normal';
    return { topic: topic ?? '', shown, behind: reasoning ?? '', isBinding };
  }
  const [called, text] =
    found.kind === 'memo'
      ? [found.memo.summary, found.memo.fullText]
      : [found.observation.title, found.observation.content];
  return { topic: '', shown: `${called}\n${text.slice(0, READ)}`, behind: '', isBinding: false };
}
