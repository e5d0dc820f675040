import type { Side } from './chain.ts';
import type { Decision } from './decision.ts';
import { type Outcome, quotedReason } from './outcome.ts';
import { shownAuthor } from './text/label.ts';
import { dayOf, iso } from './text/moment.ts';
import { quoted } from './text/text.ts';

/** Characters that are quoted of a text where nothing else is said, sides that are named, and characters of an id. */
const LONGEST_TEXT = 160;
const MOST_SIDES = 3;
const SHORT = 8;

/** How a reader's language says what was decided twice. */
export interface SideWords {
  /** Between two sides. */
  between: string;
  more(count: number): string;
  settle(command: string, isBinding: boolean): string;
  state(side: Pick<Side, 'strength' | 'withdrawn'>): string;
  host(host: string): string;
  outcome(outcome: Outcome): string;
  failedAs(version: number, reason: string | null, limit: number): string;
}

const EN: SideWords = {
  between: ' and ',
  more: (count) => ` and ${count} more`,
  settle: (command, isBinding) =>
    `. A person settles it: ${command}${isBinding ? '; until then all of it binds' : ''}`,
  state: ({ strength, withdrawn }) => (withdrawn ? 'withdrawn' : strength === 'normal' ? '' : strength),
  host: (host) => `on ${host}`,
  outcome: (outcome) => outcome,
  failedAs: (version, reason, limit) => `failed before as v${version}: ${quotedReason(reason, limit)}`,
};

/**
 * Each side in a line, with its author or machine where these tell the sides apart.
 * @param limit characters that are quoted of a text at most
 */
export function sidesOf(sides: Side[], limit = LONGEST_TEXT, words = EN): string[] {
  const differIn = (field: 'author' | 'host') => new Set(sides.map((side) => side[field])).size > 1;
  const isShort = new Set(sides.map(({ id }) => id.slice(0, SHORT))).size === sides.length;
  return sides.map(({ id, text, strength, withdrawn, author, host, createdAt, ...how }) => {
    const state = words.state({ strength, withdrawn });
    const who = [
      differIn('author') && author !== '' && shownAuthor(author),
      differIn('host') && host !== '' && words.host(host),
    ];
    const facts = [
      ...[isShort ? id.slice(0, SHORT) : id, who.filter(Boolean).join(' '), dayOf(iso(createdAt))],
      how.outcome &&
        [words.outcome(how.outcome), how.outcomeReason && quoted(how.outcomeReason, limit)]
          .filter(Boolean)
          .join(': '),
      how.failedAs && words.failedAs(how.failedAs.version, how.failedAs.outcomeReason, limit),
    ];
    return `${state}${state && ' '}${quoted(text, limit)} (${facts.filter(Boolean).join(', ')})`;
  });
}

/** The command that shows all sides, and ends it. */
export function settling({ topic, id }: Pick<Decision, 'topic' | 'id'>): string {
  return `precedent settle ${topic !== null && /^[\p{L}\p{N}:._/-]+$/u.test(topic) ? topic : typedAs({ topic, id })}`;
}

/** A decision as a command takes it: by its topic, unless a shell would read something into what another machine wrote there. */
export const typedAs = ({ topic, id }: Pick<Decision, 'topic' | 'id'>): string =>
  topic !== null && /^[\p{L}\p{M}\p{N}:._/ -]+$/u.test(topic) ? JSON.stringify(topic) : id;

/** The sides of a decision that machines made without seeing each other, for readers of the active one. */
export function decidedTwice(sides: Side[], words = EN): string {
  const left = sides.length - MOST_SIDES;
  const isBinding = sides.some(({ strength, withdrawn }) => strength !== 'normal' && !withdrawn);
  const shown = sidesOf(sides, LONGEST_TEXT, words).slice(-MOST_SIDES).join(words.between);
  return `${shown}${left > 0 ? words.more(left) : ''}${words.settle(settling(sides.at(-1) as Side), isBinding)}`;
}
