import { basesOf, reachOf } from '../domain/chain.ts';
import { countValues } from '../domain/text/json.ts';
import { type Line, TOO_LONG } from '../domain/text/lines.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { LARGEST_COUNT } from '../store/columns.ts';
import { blankedBy } from './blank.ts';
import { checked, formatOf } from './check.ts';
import { type Fact, type Facts, isLater, type KeptFact, lineOf as lineWith, nameOf } from './facts.ts';
import { isUnknown, takeKept } from './kept.ts';
import type { Newcomer, Said } from './place.ts';

/** The name of a machine in a place. */
export const MACHINE = /^[a-z0-9-]{3,40}$/;

/** Bytes of a line at most: room for the longest note, each character written as an escape. */
export const LONGEST_LINE = 32 * 2 ** 20;
/** Lines of a file or a request at most, and values of a line: more than any that we write. */
export const MOST_LINES = 250_000;
const MOST_VALUES = 100;
/** At most so many lines that were left out are named; a text with more of them is read no further. */
const MOST_NAMED = 1_000;
const NO_FACT = 'a line of it is not a fact, and was left out';
const NEWER =
  'a newer version of Precedent wrote some of it, which is kept and sent on; update this one to read it';

/** No facts yet. */
export const nothingSaid = (): Said => ({
  facts: new Map(),
  kept: new Map(),
  isWhole: true,
  machines: [],
  newcomers: [],
  skipped: [],
  isMixed: false,
});

/** A fact as it is written. */
export const lineOf = (fact: Fact | KeptFact): string =>
  `${lineWith(fact as Fact, formatOf(fact as Fact))}\n`;

/**
 * Takes in the facts of one machine.
 * @param known, isApart as in `Place` @param read takes its texts in, by {@link takeLines}
 */
export async function takeFrom(
  said: Said,
  machine: string,
  { known, isApart }: { known: string[]; isApart: boolean },
  read: (own: Said) => Promise<void>,
): Promise<void> {
  said.machines.push(machine);
  const isNew = !known.includes(machine);
  const own: Said = isNew ? { ...said, facts: new Map(), kept: new Map() } : said;
  await read(own);
  if (!isNew) return;
  said.newcomers.push(newcomer(machine, own.facts));
  said.isMixed ||= own.isMixed;
  if (isApart) return;
  for (const fact of own.facts.values()) take(said, fact, machine);
  for (const fact of own.kept.values()) takeKept(said.kept, fact);
}

function newcomer(machine: string, facts: Facts): Newcomer {
  const all = [...facts.values()];
  const decisions = all.filter((fact) => fact.k === 'decision');
  const authors = new Set(all.flatMap((fact) => ('by' in fact ? [fact.by[0]] : [])));
  const replaced = new Set(decisions.flatMap(basesOf));
  const heads = decisions.filter(({ id }) => !replaced.has(id));
  return {
    machine,
    authors: [...authors].filter(Boolean).sort(),
    decisions: heads.length,
    binding: heads.filter((each) => reachOf(each) > 0).length,
  };
}

/**
 * Takes in facts, a line each: what is newer, or cannot be kept, is skipped and reported, and stops nothing else (Y-4). No more
 * than a line is held of what is no fact (Z-12).
 */
export async function takeLines(
  said: Said,
  lines: AsyncIterable<Line[]> | Iterable<Line[]>,
  shown: string,
  most = MOST_LINES,
): Promise<void> {
  const problems = new Set<string>();
  let [count, wrong] = [0, 0];
  reading: for await (const some of lines)
    for (const line of some) {
      if (line !== TOO_LONG && line.length === 0) continue;
      if (++count > most || wrong > MOST_NAMED) {
        const reason = count > most ? `${most} lines` : `${MOST_NAMED} lines that are not facts`;
        problems.add(`it has more than ${reason}; the rest was left out`);
        break reading;
      }
      const problem = takeLine(said, line, shown);
      if (problem !== undefined && problems.size < MOST_NAMED) problems.add(problem);
      if (problem === NO_FACT) wrong++;
    }
  for (const problem of problems) skip(said, `${shown}: ${problem}`);
}

/** @returns what is wrong with it */
function takeLine(said: Said, line: Line, shown: string): string | undefined {
  const fact = factIn(line);
  if (!fact) return NO_FACT;
  const { f: _, ...fields } = fact;
  const found = isUnknown(fact) ? { problem: takeKept(said.kept, fact) } : checked(fields);
  if ('fact' in found) take(said, found.fact, shown);
  else if (found.problem !== undefined)
    return `${shownId(fact.k)} ${shownId(fact.id)} was left out: ${found.problem}`;
  return 'fact' in found && !found.fact.more ? undefined : NEWER;
}

/** Of two facts that give one record two texts only one counts; a redaction in either stays (Y-7). */
export function take(said: Said, fact: Fact, shown: string): void {
  const known = said.facts.get(nameOf(fact));
  if (known && saysOtherwise(known, fact)) {
    skip(
      said,
      `${shown}: ${fact.k} ${shownId(fact.id)} differs from what another file says, and was left out`,
    );
    return;
  }
  const [last, other] = known && !isLater(fact, known) ? [known, fact] : [fact, known];
  const blanked = blankedBy(last, other);
  if (blanked !== last || (other && blankedBy(other, last) !== other)) said.isMixed = true;
  said.facts.set(nameOf(fact), blanked);
}

/** Reports what was left out. */
export function skip({ skipped }: Said, what: string): void {
  if (skipped.length < MOST_NAMED) skipped.push(what);
  else if (skipped.length === MOST_NAMED) skipped.push('More was left out, and is not listed.');
}

/** Texts of others are short in a message, and on one line. */
const shownId = (id: string) => JSON.stringify(id.slice(0, 40));

/** Whether two facts give one record two texts, which no machine of ours does; a redacted one has another (Y-7). */
function saysOtherwise(one: Fact, other: Fact): boolean {
  const [text, said] = [one, other].map((fact) => ('text' in fact ? String(fact.text) : undefined));
  return text !== said && ![text, said].some((each) => each?.includes(REDACTED));
}

/** The fact of a line; undefined where it is not one, since anybody may have written it. */
function factIn(line: Line): (Fact & { f: number }) | undefined {
  if (line === TOO_LONG || countValues(line) > MOST_VALUES) return undefined;
  try {
    const fact = JSON.parse(line.toString());
    const isFact =
      [fact.k, fact.id].every((each) => typeof each === 'string') && Number.isSafeInteger(fact.at);
    return isFact && Number.isInteger(fact.f) && fact.f <= LARGEST_COUNT ? fact : undefined;
  } catch {
    return undefined;
  }
}

/** A line without what was blanked. */
export function leftOf(line: string, remainder: (fact: Fact) => Fact | undefined): string {
  const fact = factIn(Buffer.from(line));
  if (!fact) return `${line}\n`;
  const { f: _, ...fields } = fact;
  const found = isUnknown(fact) ? { fact } : checked(fields);
  const said = 'fact' in found ? found.fact : (fields as Fact);
  const left = remainder(said);
  if (left === said) return `${line}\n`;
  return left === undefined ? '' : lineOf(left);
}
