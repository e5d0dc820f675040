import { isDeepStrictEqual } from 'node:util';
import { REDACTED } from '../domain/text/redaction.ts';
import { NAMES, WORDS } from './check.ts';
import { type Fact, type Facts, type Fields, type KeptFacts, nameOf, nameOfKept } from './facts.ts';

/**
 * The texts in the place of each redaction, where one text is another one with redactions; undefined where it is not.
 * @param blanked the text with `[REDACTED]` in it
 */
export function piecesOf(text: string, blanked: string): string[] | undefined {
  const [first = '', ...rest] = blanked.split(REDACTED);
  if (rest.length === 0 || !text.startsWith(first)) return undefined;
  const pieces: string[] = [];
  let at = first.length;
  for (const [index, part] of rest.entries()) {
    const next = index === rest.length - 1 ? text.length - part.length : text.indexOf(part, at);
    if (next < at || !text.startsWith(part, next)) return undefined;
    pieces.push(text.slice(at, next));
    at = next + part.length;
  }
  return pieces;
}

/** Of two texts of one record the one that is blanked further; where neither is the other with blanks, nothing is left. */
function wordsOf(text: string, other: string): string {
  if (text === other || ![text, other].some((each) => each.includes(REDACTED))) return text;
  if (piecesOf(other, text)) return text;
  return piecesOf(text, other) ? other : REDACTED;
}

export const isBlank = (name: unknown): name is string => typeof name === 'string' && name.includes(REDACTED);

/** A blank name; of two that took the place of one the same on every machine. */
function nameWithout(name: unknown, other: unknown): unknown {
  if (Array.isArray(name) && Array.isArray(other)) {
    const names = name.map((each, at) => nameWithout(each, other[at]));
    return names.every((each, at) => each === name[at]) ? name : names;
  }
  return isBlank(other) && typeof name === 'string' && (!isBlank(name) || other < name) ? other : name;
}

/** The name of a decision's chain. */
export type Named = Pick<Fact<'called'>, 'decision' | 'topic'>;

/** The redaction of a topic is the same everywhere: like the topic, it joins chains. */
export function calledAs(fact: Fact, theirs: Facts): Named[] {
  const other = theirs.get(nameOf(fact));
  if (fact.k !== 'decision' || !isBlank(fact.topic)) return [];
  const { topic, id: decision } = blankedBy(fact, other);
  return topic === fact.topic ? [] : [{ decision, topic }];
}

/** A fact without what another one of its kind and id has blanked (Y-7), whatever their dates; itself where that is nothing. */
export function blankedBy<Given extends Fact>(fact: Given, other: Fact | undefined): Given {
  if (!other || other === fact) return fact;
  const [has, had] = [fact, other] as [Fields, Fields];
  const blanked: Fields = {};
  for (const field of WORDS[fact.k]) {
    const [text, said] = [has[field], had[field]];
    const words = typeof text === 'string' && typeof said === 'string' ? wordsOf(text, said) : text;
    if (words !== text) blanked[field] = words;
  }
  for (const field of NAMES[fact.k]) {
    const name = nameWithout(has[field], had[field]);
    if (name !== has[field]) blanked[field] = name;
  }
  const more = fact.more && blankedIn(fact.more, other.more);
  if (!isDeepStrictEqual(more, fact.more)) blanked.more = more;
  return Object.keys(blanked).length === 0 ? fact : { ...fact, ...blanked };
}

/** A value of a newer program without what another one has blanked, in whatever it holds. */
export function blankedIn(value: unknown, other: unknown): unknown {
  if (typeof value === 'string') return typeof other === 'string' ? wordsOf(value, other) : value;
  if (![value, other].every((each) => each !== null && typeof each === 'object')) return value;
  const blanked = Object.entries(value as object).map(([key, each]) => [
    key,
    blankedIn(each, (other as Fields)[key]),
  ]);
  return Array.isArray(value) ? blanked.map(([, each]) => each) : Object.fromEntries(blanked);
}

/** A fact as it remains: undefined if erased (Y-3); otherwise with every known redaction applied. */
export function remainderOf(
  known: readonly Facts[],
  kept: KeptFacts = new Map(),
): (fact: Fact) => Fact | undefined {
  const gone = new Set(
    known.flatMap((facts) => [...facts.values()].flatMap(({ k, id }) => (k === 'erased' ? [id] : []))),
  );
  return (fact) => {
    const ids = [fact.id, ...('observation' in fact ? [fact.observation] : [])];
    const ends = fact.k === 'relation' ? [fact.from, fact.to] : [];
    if (gone.size > 0 && fact.k !== 'erased' && [...ids, ...ends].some((id) => gone.has(id)))
      return undefined;
    const own = kept.get(nameOfKept(fact));
    const rest = own && (blankedIn(fact, own) as Fact);
    if (rest) return isDeepStrictEqual(rest, fact) ? fact : rest;
    return known.reduce((left, facts) => blankedBy(left, facts.get(nameOf(fact))), fact);
  };
}

/**
 * The name of a chain that nobody renamed: that of its earliest version, whatever order they came in; or its redaction.
 * @param versions in the order of the chain, each with its name here
 */
export function topicOf(
  versions: { id: string; createdAt: number; topic: string | null }[],
  ...known: Facts[]
): string | null {
  const here = versions.find(({ topic }) => topic !== null)?.topic ?? null;
  if (isBlank(here)) return here;
  const earliest = versions.toSorted((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  const said = earliest.map(({ id, topic }) => {
    const fact = known.map((facts) => facts.get(nameOf({ k: 'decision', id }))).find(Boolean);
    return fact?.k === 'decision' ? fact.topic : topic;
  });
  return said.find((topic) => topic !== null) ?? null;
}
