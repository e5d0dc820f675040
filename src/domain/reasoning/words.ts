import type { Reference, Relationship } from '../edge.ts';

/** The words that make links, as agents write them: `builds_on`, `builds on`, `builds-on`. */
const LINKS: Record<Reference, string> = {
  // A narrower rule builds on the one that it narrows: both hold (T-6).
  builds_on: 'builds[_ -]?on|alongside',
  debates: 'debates',
  synthesizes: 'synthesizes',
};

/** Words that are written in their place, and the one that makes its link by itself (G-10). */
const NEAR: Record<Relationship, string> = {
  builds_on: '(?:builds?|built|building)[_ -]?(?:up)?on|based[_ -]?on|depends?[_ -]?on',
  debates: 'debat(?:e|ed|ing)',
  synthesizes: 'synthesi[sz](?:e[sd]?|ing)|synthesis',
  supersedes: 'super[sc]edes?',
};
/** The words that mean nothing else: not "build on" in a sentence, nor the `depends_on` of a configuration. */
const UNMISTAKABLE = /^(?:buil.*_.*|synthesises|super[sc]edes)$/i;

const oneOf = (patterns: Record<string, string>) => Object.values(patterns).join('|');

/** A word that makes a link: a pattern, without groups. */
export const LINK = oneOf(LINKS);
/** Any word that makes a link or takes the place of one. */
export const ANY_WORD = `${LINK}|${oneOf(NEAR)}`;

/** The relationship that a word names; undefined for one that makes no link. */
export function linkOf(word: string): Reference | undefined {
  return entryOf(LINKS, word);
}

/** The link that a word probably meant, and whether it can be nothing else. */
export function nearLinkOf(word: string): { meant: Relationship; isUnmistakable: boolean } | undefined {
  const meant = entryOf(NEAR, word);
  return meant && { meant, isUnmistakable: UNMISTAKABLE.test(word) };
}

function entryOf<Key extends string>(patterns: Record<Key, string>, word: string): Key | undefined {
  const keys = Object.keys(patterns) as Key[];
  return keys.find((key) => new RegExp(`^(?:${patterns[key]})$`, 'i').test(word));
}
