import { canonical } from '../domain/text/digest.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { basesOf, reachOf } from '../store/decisions/fork.ts';
import { blankedBy } from './blank.ts';
import { problemOfFact } from './check.ts';
import { type Fact, type Facts, isLater, nameOf } from './facts.ts';
import type { Newcomer, Said } from './place.ts';

/** What a machine is called in a place. */
export const MACHINE = /^[a-z0-9-]{3,40}$/;
/** The version of the format; a reader leaves out what is newer, and says so. */
export const FORMAT = 1;

/** Nothing said, yet. */
export const nothingSaid = (): Said => ({
  ...{ facts: new Map(), isWhole: true, machines: [], newcomers: [], skipped: [], isMixed: false },
});

/** A fact as it is written. */
export const lineOf = (fact: Fact): string => `${canonical({ ...fact, f: FORMAT })}\n`;

/**
 * Takes in what one machine says.
 * @param known, isApart as in `Place` @param read takes its texts in, by {@link takeText}
 */
export function takeFrom(
  said: Said,
  machine: string,
  { known, isApart }: { known: string[]; isApart: boolean },
  read: (own: Said) => void,
): void {
  said.machines.push(machine);
  const isNew = !known.includes(machine);
  const own: Said = isNew ? { ...said, facts: new Map() } : said;
  read(own);
  if (!isNew) return;
  said.newcomers.push(newcomer(machine, own.facts));
  said.isMixed ||= own.isMixed;
  if (!isApart) for (const fact of own.facts.values()) take(said, fact, machine);
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

/** Takes in a text of facts, a line each: what is newer, or cannot be kept, is skipped and reported, and stops nothing else (Y-4). */
export function takeText(said: Said, text: string, shown: string): void {
  const { skipped } = said;
  const lines = text.split('\n').filter(Boolean).map(factIn);
  if (lines.includes(undefined)) skipped.push(`${shown}: a line of it is not a fact, and was left out`);
  if (lines.some((fact) => fact && fact.f > FORMAT))
    skipped.push(`${shown}: a newer version of Precedent wrote it; update this one`);
  for (const fact of lines) {
    if (!fact || fact.f > FORMAT) continue;
    const { f: _, ...stated } = fact;
    const problem = problemOfFact(stated);
    if (problem === undefined) take(said, stated as Fact, shown);
    else skipped.push(`${shown}: ${fact.k} ${shownId(fact.id)} was left out: ${problem}`);
  }
}

/** Two facts that give one record two texts are not both believed; what one of them has blanked stays so (Y-7). */
export function take(said: Said, fact: Fact, shown: string): void {
  const known = said.facts.get(nameOf(fact));
  if (known && saysOtherwise(known, fact)) {
    said.skipped.push(
      `${shown}: ${fact.k} ${shownId(fact.id)} says something else than another file, and was left out`,
    );
    return;
  }
  const [last, other] = known && !isLater(fact, known) ? [known, fact] : [fact, known];
  const blanked = blankedBy(last, other);
  if (blanked !== last || (other && blankedBy(other, last) !== other)) said.isMixed = true;
  said.facts.set(nameOf(fact), blanked);
}

/** What somebody wrote is short in a message, and on one line. */
const shownId = (id: string) => JSON.stringify(id.slice(0, 40));

/** Whether two facts give one record two texts, which no machine of ours does; a redacted one has another (Y-7). */
function saysOtherwise(one: Fact, other: Fact): boolean {
  const [text, said] = [one, other].map((fact) => ('text' in fact ? String(fact.text) : undefined));
  return text !== said && ![text, said].some((each) => each?.includes(REDACTED));
}

/** The fact of a line; undefined where it is not one, since anybody may have written it. */
function factIn(line: string): (Fact & { f: number }) | undefined {
  try {
    const fact = JSON.parse(line);
    const isFact =
      [fact.k, fact.id].every((each) => typeof each === 'string') && Number.isSafeInteger(fact.at);
    return isFact && Number.isSafeInteger(fact.f) ? fact : undefined;
  } catch {
    return undefined;
  }
}

/** A line without what was blanked; one that this version does not know stays as it is. */
export function leftOf(line: string, remainder: (fact: Fact) => Fact | undefined): string {
  const fact = factIn(line);
  if (!fact || fact.f > FORMAT) return `${line}\n`;
  const { f: _, ...said } = fact;
  const left = remainder(said as Fact);
  if (left === said) return `${line}\n`;
  return left === undefined ? '' : lineOf(left);
}
