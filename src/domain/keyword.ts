import { normalized } from './text/text-pieces.ts';

/** How keywords are connected (M-9). */
export const KEYWORD_RELATIONS = ['FOLLOWED_BY', 'CO_OCCURS', 'BELONGS_TO'] as const;
export type KeywordRelation = (typeof KEYWORD_RELATIONS)[number];

/** A node of the keyword graph. */
export interface Keyword {
  name: string;
  /** How many messages held it. */
  visits: number;
  /** Milliseconds UTC. */
  createdAt: number;
  lastVisited: number;
}

/** A relation between two keywords; its ends are names, or numbers in the store. */
export interface KeywordLink<End = string> {
  type: KeywordRelation;
  from: End;
  to: End;
}

/** The weight of a new relation and of each repetition, in tenths: sums of whole numbers stay exact. */
export const TENTHS: Record<KeywordRelation, { first: number; again: number }> = {
  FOLLOWED_BY: { first: 10, again: 10 },
  CO_OCCURS: { first: 5, again: 3 },
  BELONGS_TO: { first: 10, again: 10 },
};

/** How much the `times`-th record of a relation adds to the strength of a connection, in tenths. */
export function strengthAdded(type: KeywordRelation, times: number): number {
  return times === 1 ? TENTHS[type].first : TENTHS[type].again;
}

/** The weight of a relation that was recorded this often (M-9). */
export function weightOf(type: KeywordRelation, times: number): number {
  return (TENTHS[type].first + (times - 1) * TENTHS[type].again) / 10;
}

/** Characters that are not drawn or only set the direction of text. Joiners stay, since emoji are made with them. */
const UNSEEN = /[\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]|\p{Variation_Selector}/gu;

/**
 * A keyword's name as it is stored and compared: NFKC, lower case, no blanks around it and single ones inside, so that
 * all ways to type a keyword are one node (M-9).
 */
export function keywordName(text: string): string {
  const seen = text.replace(UNSEEN, '');
  const same = normalized(normalized(seen, 'NFKC').toLowerCase(), 'NFKC');
  return same.trim().replace(/[\s\u0085]+/g, ' ');
}

/**
 * The relations that one message records (M-9): each keyword of the session's previous message is followed by each of
 * this one, the keywords of this one co-occur, and each belongs to `belongsTo`. No keyword is related to itself.
 * @param keywords distinct
 */
export function linksOfMessage<End extends string | number>(
  previous: End[],
  keywords: End[],
  belongsTo?: End,
): KeywordLink<End>[] {
  const followed = previous.flatMap((from) => keywords.map((to) => link('FOLLOWED_BY', from, to)));
  // Co-occurrence has no direction: the lesser end comes first, so that a pair has one relation.
  const together = keywords.flatMap((one, index) =>
    keywords
      .slice(index + 1)
      .map((other) => (one < other ? link('CO_OCCURS', one, other) : link('CO_OCCURS', other, one))),
  );
  const belonging =
    belongsTo === undefined ? [] : keywords.map((each) => link('BELONGS_TO', each, belongsTo));
  return [...followed, ...together, ...belonging].filter(({ from, to }) => from !== to);
}

function link<End>(type: KeywordRelation, from: End, to: End): KeywordLink<End> {
  return { type, from, to };
}
