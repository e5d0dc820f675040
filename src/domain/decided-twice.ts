import type { Side } from './chain.ts';
import type { Decision } from './decision.ts';
import { type Outcome, quotedReason } from './outcome.ts';
import { shownAuthor } from './text/label.ts';
import { dayOf, iso } from './text/moment.ts';
import { quoted } from './text/text.ts';

/** Characters that are quoted of a text where nothing else is said, sides that are named, and characters of an id. */
const LONGEST_TEXT = 160;
export const MOST_SIDES = 3;
const SHORT = 8;

/** How a reader's language says what is known of a side. */
export interface SideWords {
  state(side: Pick<Side, 'strength' | 'withdrawn'>): string;
  host(host: string): string;
  outcome(outcome: Outcome): string;
  failedAs(version: number, reason: string | null, limit: number): string;
}

const EN: SideWords = {
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

export const someBinds = (sides: Side[]): boolean =>
  sides.some(({ strength, withdrawn }) => strength !== 'normal' && !withdrawn);

/** The sides of a decision that machines made without seeing each other, for readers of the active one. */
export function decidedTwice(sides: Side[]): string {
  const more = sides.length > MOST_SIDES ? ` and ${sides.length - MOST_SIDES} more` : '';
  return `${sidesOf(sides).slice(-MOST_SIDES).join(' and ')}${more}. A person settles it: ${settling(sides.at(-1) as Side)}${someBinds(sides) ? '; until then all of it binds' : ''}`;
}
