import { findTrigger, type Trigger } from '../../domain/language/trigger.ts';
import { askedWords, tellingness } from '../../domain/prompt/gate.ts';
import { saidIn, subjectOf } from '../../domain/prompt/prompt.ts';
import { wordingsOf } from '../../store/decisions/decision.ts';
import { listMemos } from '../../store/memos/memo.ts';
import { type Found, searchEverything } from '../../store/search/everything.ts';
import { isIndexStale } from '../../store/search/stale.ts';
import type { Tx } from '../../store/tx.ts';
import { detailsOf } from '../results/details.ts';
import { decisionLine, type Fact, observationLine } from './line.ts';

/** Answers of the search that the gate looks at, and those that pass it at most. */
const LOOKED_AT = 8;
const MOST = 3;
/** Characters of an observation that count: it may hold a whole log. */
const READ = 400;

/** What an agent is told with a prompt (A-2, M-11). */
export interface AboutPrompt {
  facts: Fact[];
  /** What the prompt asks of the memory, where that has something to answer with. */
  trigger: Trigger | undefined;
}

/** The decisions and observations that are telling for a prompt, the best first. @param told ids that were shown before */
export async function aboutPrompt(tx: Tx, prompt: string, told: ReadonlySet<string>): Promise<AboutPrompt> {
  const said = saidIn(prompt);
  const asksFor = findTrigger(said)?.trigger;
  const trigger =
    asksFor === 'expand' && (await listMemos(tx, undefined, 1)).length === 0 ? undefined : asksFor;
  return { facts: await tellingFacts(tx, subjectOf(said), told), trigger };
}

async function tellingFacts(tx: Tx, words: string[], told: ReadonlySet<string>): Promise<Fact[]> {
  // An index of another version is rebuilt by the next call of a server or a person, not here.
  if (words.length === 0 || (await isIndexStale(tx))) return [];
  const { found, asked } = await searchEverything(tx, words.join(' '), LOOKED_AT);
  const known = askedWords(words, asked.frequencies);
  const wordings = await wordingsOf(
    tx,
    found.map(({ matchedSeq }) => matchedSeq),
  );
  const isTelling = (each: Found) =>
    tellingness(known, wordsOf(each, wordings.get(each.matchedSeq)), asked.frequencies.documents) > 0;
  const telling = found
    .filter((each) => each.kind === 'decision' || each.kind === 'observation')
    .filter(isTelling)
    .slice(0, MOST);
  const detailOf = await detailsOf(
    tx,
    telling.flatMap((each) => (each.kind === 'decision' ? [each.decision] : [])),
  );
  return telling
    .flatMap((each) => {
      if (each.kind === 'decision') return [decisionLine(each.decision, detailOf(each.decision))];
      return each.kind === 'observation' ? [observationLine(each.observation)] : [];
    })
    .filter(({ id }) => !told.has(id));
}

/**
 * What the gate compares a prompt with: what a record is called and says, without its reasons. Of a decision that is also
 * what the version said that was found, which may have failed.
 */
function wordsOf(found: Found, wording = ''): string {
  if (found.kind === 'decision') return [found.decision.topic ?? '', found.decision.text, wording].join('\n');
  return found.kind === 'observation'
    ? `${found.observation.title}\n${found.observation.content.slice(0, READ)}`
    : '';
}
