import { type Failure, LESSON, named, quotedFailure, quotedReason } from '../outcome.ts';
import { foldName } from '../text/text.ts';
import { queryTerms, wordsOfToken } from './analysis.ts';

/** An earlier version that failed, chosen among several to be named (T-2). */
export interface EarlierFailure extends Failure {
  version: number;
  /** The decision says again what this version said. */
  isRepeat?: boolean | undefined;
  /** How many other earlier versions failed. */
  more?: number | undefined;
}

/** Failures whose words are compared: a chain may have thousands. */
const COMPARED = 20;
/** The share of the words of what failed that a text has in common with it when it is alike. */
const ALIKE = 2 / 3;
/** The same for the words of the text, which may say in short what failed at length; and how many words at least. */
const WITHIN = 3 / 4;
const FEWEST = 3;

/**
 * The failure among earlier versions that is named (T-2): the one that the decision says again, then the one that shares most
 * words with what is asked, then the newest that says why.
 * @param failures oldest first
 * @param text what the decision says
 * @param asked the question, the prompt or the text that it is shown for; none for a list
 */
export function failureToName(
  failures: readonly (Failure & { version: number })[],
  text: string,
  asked?: string,
): EarlierFailure | undefined {
  const folded = foldName(text);
  const isRepeat = ({ decision }: Failure) => foldName(decision) === folded;
  const found =
    failures.findLast(isRepeat) ??
    closest(failures.slice(-COMPARED), asked) ??
    // One without a reason warns of nothing.
    failures.findLast(({ outcomeReason }) => outcomeReason !== null) ??
    failures.at(-1);
  if (!found) return undefined;
  const more = failures.length - 1;
  return { ...found, ...(isRepeat(found) && { isRepeat: true }), ...(more > 0 && { more }) };
}

/** The failure that shares most words with a question; undefined where several share as many, or none any. */
function closest<Each extends Failure>(failures: Each[], asked: string | undefined): Each | undefined {
  if (asked === undefined || failures.length < 2) return undefined;
  const words = new Set(queryTerms(asked));
  const shares = failures.map((failure) => ({
    failure,
    shared: sharedWords(words, queryTerms(`${failure.decision}\n${failure.outcomeReason ?? ''}`)),
  }));
  const most = Math.max(...shares.map(({ shared }) => shared));
  const best = shares.filter(({ shared }) => shared > 0 && shared === most);
  return best.length === 1 ? best[0]?.failure : undefined;
}

/** Whether a text resembles what failed, so that it may fail again (T-2): a relapse, no cure. */
export function resembles(text: string, failed: string): boolean {
  const [one, other] = [queryTerms(text), queryTerms(failed)];
  const shared = sharedWords(new Set(one), other);
  return shared >= ALIKE * massOf(other) || (shared >= FEWEST && shared >= WITHIN * massOf(one));
}

/** Whether two texts name the same numbers: another one may be the cure. */
function hasSameNumbers(text: string, other: string): boolean {
  const [one, two] = [text, other].map((each) => (each.match(/\d+(?:[.,]\d+)*/g) ?? []).sort().join(' '));
  return one === two;
}

/** How many words of a text these are. */
const massOf = (terms: string[]) => terms.reduce((sum, term) => sum + wordsOfToken(term), 0);
/** How many words of terms are among others. */
export const sharedWords = (words: ReadonlySet<string>, terms: string[]) =>
  massOf(terms.filter((term) => words.has(term)));

/** With fewer characters for each, why it failed says more alone than together with the beginning of what failed. */
const LITTLE = 60;

/**
 * An earlier version that failed, as lists name it, with how many more of them there are (T-2). Its reason is whole, since it may
 * hold the rule in force.
 * @param limit characters of what failed, and of its reason where `most` is not given
 */
export function quotedEarlier(
  { version, isRepeat, more, ...failure }: Omit<EarlierFailure, 'id'>,
  limit?: number,
  most = limit ?? LESSON,
): string {
  const said = isRepeat
    ? `v${version}, which said the same: ${quotedReason(failure.outcomeReason, most)}`
    : limit !== undefined && limit < LITTLE && failure.outcomeReason !== null
      ? `v${version}: ${quotedReason(failure.outcomeReason, 2 * limit)}`
      : `v${version} ${quotedFailure(failure, limit, most)}`;
  return `${said}${andMore(more)}`;
}

/** How many others failed, for the end of a sentence. */
export const andMore = (more = 0) => (more > 0 ? `; ${more} more failed` : '');

/** The warning for a save on a topic where an earlier version failed (O-8): whether it is a relapse or a cure (T-2). */
export function earlierFailureWarning(failure: EarlierFailure, text: string): string {
  const { version, isRepeat, more, id, outcomeReason } = failure;
  if (isRepeat)
    return `⚠️ this was v${version}, and it failed: ${quotedReason(outcomeReason)} (${id})${andMore(more)}`;
  const alike = hasSameNumbers(text, failure.decision)
    ? 'like this failed'
    : 'like this, with other numbers, failed';
  const which = resembles(text, failure.decision) ? alike : 'failed; this replaces it';
  return `⚠️ an earlier version ${which}: v${version} ${named(failure)}${andMore(more)}`;
}
