import * as z from 'zod';
import { pack } from '../domain/ranking/packing.ts';
import { excerpt } from '../domain/text/text.ts';
import { estimateTokens } from '../domain/text/tokens.ts';
import { wholeNumber } from './fields/basic.ts';

/** Tokens that an answer to a model takes at most, unless the call asks for more (RE-14), and that it may ask for. */
const USUAL = 4_000;
const MOST = 100_000;
/** An estimate may be that much too small. */
const SURE = 0.85;
/** Tokens of the words about what was left out. */
const NOTE = 60;
/** What a text may take of the room where not all of the answer fits: the largest share with which half of the room is left for lists. */
const SHARES = [0.25, 0.1, 0.03];
/** Characters of a token: no text has more. */
const CHARACTERS = 8;

export const tokenBudget = () => wholeNumber(500, MOST, `Default ${USUAL} tokens`).optional();

/** In a result what {@link tokenBudget} gave, which counts for models alone. */
export const budgetGiven = () =>
  z.int().optional().describe('The tokens that the call gave to the answer as a model reads it');

/** Characters of one text that fit an answer of so many tokens. */
export const charactersOf = (budget: number) => budget * CHARACTERS;

/** A list of an answer, the most important item first, or a tree as {@link nodesOf} lists it. */
export interface Part {
  name: string;
  items: Item[];
}
interface Item {
  shown: object | string;
  /** Of a node, the place in the list of the one that it hangs on. */
  under?: number | undefined;
}

export const itemsOf = (list: unknown): Item[] =>
  ((list ?? []) as (object | string)[]).map((shown) => ({ shown }));

interface Branching {
  children: Branching[];
}

/** The nodes of a tree without their children, the nearest to its root first. */
export function nodesOf(children: Branching[] = []): Item[] {
  const items: Item[] = [];
  let level = children.map((node) => ({ node, under: undefined as number | undefined }));
  while (level.length > 0) {
    const first = items.length;
    items.push(...level.map(({ node, under }) => ({ shown: { ...node, children: [] }, under })));
    level = level.flatMap(({ node }, at) =>
      node.children.map((child) => ({ node: child, under: first + at })),
    );
  }
  return items;
}

/**
 * An answer as a model reads it: whole, or with as much of its lists and texts as its tokens allow, and what was left out.
 * @param frame makes the answer of the shown items of each part
 * @param field the field of the call by which it asks for more
 */
export function fitted(
  whole: Record<string, unknown>,
  parts: Part[],
  frame: (shown: unknown[][]) => Record<string, unknown>,
  { budget = USUAL, field }: { budget: number | undefined; field: string },
): Record<string, unknown> {
  const room = SURE * budget;
  const needed = weigh(whole);
  if (needed <= room) return whole;
  const bareWith = (share: number) => shortened(frame(parts.map(() => [])), share * room, field);
  const share = SHARES.find((each) => weigh(bareWith(each)) <= room / 2) ?? (SHARES.at(-1) as number);
  const filled = parts.filter(({ items }) => items.length > 0).length;
  const groups = parts.map(({ items }) => ({
    items: items.map((item, at) => ({
      ...item,
      at,
      shown: shortened(item.shown, (room * share) / filled, field),
    })),
    share: 1 / filled,
  }));
  const chosen = pack(groups, room - weigh(bareWith(share)) - NOTE, ({ shown }) => weigh(shown));
  const trees = chosen.map(assembled);
  const answer = frame(trees.map(({ roots }) => roots));
  const shown = shortened(answer, share * room, field);
  const left = parts.flatMap(({ name, items }, at) => {
    const count = trees[at]?.count ?? 0;
    return count < items.length ? `${count} of ${items.length} ${name}` : [];
  });
  const enough = Math.min(MOST, Math.ceil(needed / SURE / 1_000) * 1_000);
  const said = `Shown: ${left.length > 0 ? left.join(', ') : 'the first part of long texts'}.`;
  const before = answer.left_out === undefined ? '' : `${answer.left_out} `;
  return { ...shown, left_out: `${before}${said} ${field}: ${enough} shows more.` };
}

/** Items as a list, or as the tree that they are; a node without the one that it hangs on is left out. */
function assembled(items: (Item & { at: number })[]) {
  const nodes = new Map<number, Item['shown']>();
  const roots: unknown[] = [];
  for (const { at, under, shown } of items) {
    const parent = under === undefined ? undefined : (nodes.get(under) as Branching | undefined);
    if (under !== undefined && parent === undefined) continue;
    nodes.set(at, shown);
    (parent?.children ?? roots).push(shown as Branching);
  }
  return { roots, count: nodes.size };
}

const weigh = (value: unknown) => estimateTokens(JSON.stringify(value));

/** A value with no text of more tokens. One that was cut before says all that it lacks. */
function shortened<Value>(value: Value, most: number, field: string): Value {
  const short = (text: string) => {
    if (text.length <= most || (text.length <= charactersOf(most) && estimateTokens(text) <= most))
      return text;
    const [end = '', lacking = 0] = CUT.exec(text) ?? [];
    const said = text.slice(0, text.length - end.length);
    let limit = Math.floor(charactersOf(most));
    while (estimateTokens(said.slice(0, limit)) > most) limit = Math.floor(limit * SURE);
    return excerpt(said, limit, `raise ${field}`, Number(lacking));
  };
  return JSON.parse(JSON.stringify(value), (_, each) => (typeof each === 'string' ? short(each) : each));
}
const CUT = /… \[\+(\d+) characters: [^\]]*\]$/;
