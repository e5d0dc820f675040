import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { canonical } from '../domain/import/clean.ts';
import { sha256 } from '../domain/text/digest.ts';
import { REDACTED } from '../domain/text/redaction.ts';
import { namesIn, readBounded } from '../files/bounded.ts';
import { blankedBy } from './blank.ts';
import { problemOfFact } from './check.ts';
import { type Fact, type Facts, isLater, nameOf } from './facts.ts';

/** Bytes of one segment at most; characters after which the next one is begun. */
const LARGEST = 64 * 1024 * 1024;
const ENOUGH = 4 * 1024 * 1024;
/** A folder of one machine, and a file in it: called by its content, so that no two differ under one name. */
const MACHINE = /^[a-z0-9-]{3,40}$/;
const SEGMENT = /^([0-9a-f]{32})\.jsonl$/;
/** The version of the format; a reader leaves out what is newer, and says so. */
const FORMAT = 1;

/** What of a branch in git is meant: the same as in any folder. */
export const SEGMENTS = {
  largest: LARGEST,
  isKept(path: string): boolean {
    const [machine = '', file = '', ...more] = path.split('/');
    return MACHINE.test(machine) && SEGMENT.test(file) && more.length === 0;
  },
};

/** Every segment that is there, with its size and date: different as soon as there is something to read. */
export function segmentsIn(folder: string): Map<string, string> {
  const machines = namesIn(folder).filter((name) => MACHINE.test(name));
  const paths = machines.flatMap((machine) =>
    namesIn(join(folder, machine)).map((file) => `${machine}/${file}`),
  );
  return new Map(paths.filter(SEGMENTS.isKept).map((path) => [path, shapeOf(join(folder, path))]));
}

function shapeOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return `${FORMAT} ${found?.size} ${found?.mtime.getTime()}`;
}

/** What a folder holds. */
export interface Said {
  facts: Facts;
  machines: string[];
  /** Machines that were not reported before (Y-8). */
  newcomers: Newcomer[];
  /** Files that could not be taken in, with the reason (Y-4). */
  skipped: string[];
  /** Whether one file has blanked what another one says (Y-7). */
  isMixed: boolean;
}

/** Who speaks for the first time: what its files say, by the names that they claim. */
export interface Newcomer {
  machine: string;
  authors: string[];
  decisions: number;
  /** How many of these are an axis or a lock. */
  binding: number;
}

/**
 * Reads every segment of a folder: what is torn, altered or newer is skipped and reported, and stops nothing else (Y-4).
 * @param known machines that are no newcomers @param isApart whether what newcomers say is left out (Y-8)
 */
export function readFolder(folder: string, known: string[], isApart: boolean): Said {
  const said: Said = { facts: new Map(), machines: [], newcomers: [], skipped: [], isMixed: false };
  for (const machine of namesIn(folder)
    .filter((name) => MACHINE.test(name))
    .sort()) {
    const files = namesIn(join(folder, machine)).filter((name) => SEGMENT.test(name));
    if (files.length === 0) continue;
    said.machines.push(machine);
    const isNew = !known.includes(machine);
    const own: Said = isNew ? { ...said, facts: new Map() } : said;
    for (const file of files) readSegment(own, join(folder, machine, file), `${machine}/${file}`);
    if (!isNew) continue;
    said.newcomers.push(newcomer(machine, own.facts));
    said.isMixed ||= own.isMixed;
    if (!isApart) for (const fact of own.facts.values()) take(said, fact, machine);
  }
  return said;
}

function newcomer(machine: string, facts: Facts): Newcomer {
  const all = [...facts.values()];
  const decisions = all.filter((fact) => fact.k === 'decision');
  const authors = new Set(all.flatMap((fact) => ('by' in fact ? [fact.by[0]] : [])));
  return {
    machine,
    authors: [...authors].filter(Boolean).sort(),
    decisions: decisions.length,
    binding: decisions.filter(({ strength }) => strength !== 'normal').length,
  };
}

function readSegment(said: Said, path: string, shown: string): void {
  const { skipped } = said;
  let text: string | undefined;
  try {
    text = readBounded(path, { limit: LARGEST })?.toString();
  } catch (error) {
    skipped.push(`${shown}: ${error instanceof PrecedentError ? error.message : 'it cannot be read'}`);
    return;
  }
  if (text === undefined || !shown.endsWith(`/${nameOfSegment(text)}`)) {
    skipped.push(
      `${shown}: it is not whole, or was altered, and is left out; the machine that wrote it says it again`,
    );
    return;
  }
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
function take(said: Said, fact: Fact, shown: string): void {
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

/**
 * Writes anew every file, whoever wrote it, that says more than is left of its facts (Y-7). Two machines that do so make the
 * same files.
 * @param remainder of a fact; undefined where nothing is left
 * @returns how many were, and which could not be
 */
export function rewriteSegments(
  folder: string,
  machines: string[],
  remainder: (fact: Fact) => Fact | undefined,
): { rewritten: number; kept: string[] } {
  const kept: string[] = [];
  let rewritten = 0;
  for (const [machine, file] of machines.flatMap((each) =>
    namesIn(join(folder, each)).map((name) => [each, name] as const),
  )) {
    const path = join(folder, machine, file);
    try {
      // What a process that was killed left of one.
      if (/^[0-9a-f]{32}\.jsonl\.tmp$/.test(file)) rmSync(path);
      if (!SEGMENT.test(file)) continue;
      const text = readBounded(path, { limit: LARGEST })?.toString();
      if (text === undefined || file !== nameOfSegment(text)) continue;
      const left = text
        .split('\n')
        .filter(Boolean)
        .map((line) => leftOf(line, remainder))
        .join('');
      if (left === text) continue;
      if (left !== '') writeSegment(join(folder, machine), left);
      rmSync(path);
      rewritten++;
    } catch {
      kept.push(`${machine}/${file}`);
    }
  }
  return { rewritten, kept };
}

/** A line without what was blanked; one that this version does not know stays as it is. */
function leftOf(line: string, remainder: (fact: Fact) => Fact | undefined): string {
  const fact = factIn(line);
  if (!fact || fact.f > FORMAT) return `${line}\n`;
  const { f, ...said } = fact;
  const left = remainder(said as Fact);
  if (left === said) return `${line}\n`;
  return left === undefined ? '' : `${canonical({ ...left, f })}\n`;
}

/**
 * Writes what a machine says as segments, which nobody touches afterwards: each whole, or not at all (Y-1).
 * @returns what was written, as {@link segmentsIn} has it
 */
export function writeSegments(folder: string, machine: string, facts: Fact[]): Map<string, string> {
  const written = new Map<string, string>();
  const own = join(folder, machine);
  let text = '';
  for (const [at, fact] of facts.entries()) {
    text += `${canonical({ ...fact, f: FORMAT })}\n`;
    if (text.length < ENOUGH && at < facts.length - 1) continue;
    const path = writeSegment(own, text);
    written.set(`${machine}/${basename(path)}`, shapeOf(path));
    text = '';
  }
  return written;
}

function writeSegment(own: string, text: string): string {
  try {
    mkdirSync(own, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    throw new PrecedentError(
      'unavailable',
      `Expected a folder to write into, found none at ${own} (${code}).`,
    );
  }
  const path = join(own, nameOfSegment(text));
  writeFileSync(`${path}.tmp`, text, { flush: true });
  renameSync(`${path}.tmp`, path);
  return path;
}

const nameOfSegment = (text: string) => `${sha256(text).slice(0, 32)}.jsonl`;
