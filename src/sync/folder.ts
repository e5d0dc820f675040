import { mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { PrecedentError, unavailable } from '../domain/error.ts';
import { sha256 } from '../domain/text/digest.ts';
import { linesOf } from '../domain/text/lines.ts';
import { namesIn, readBounded, sizeOf } from '../files/bounded.ts';
import { newestFormat } from './check.ts';
import type { Fact, KeptFact } from './facts.ts';
import type { Place, Said, Written } from './place.ts';
import {
  LONGEST_LINE,
  leftOf,
  lineOf,
  MACHINE,
  MOST_LINES,
  nothingSaid,
  skip,
  takeFrom,
  takeLines,
} from './segment.ts';

/** Bytes of one segment at most; characters after which the next one is begun. */
const LARGEST = 64 * 1024 * 1024;
const ENOUGH = 4 * 1024 * 1024;
/** Bytes of one that are looked at together. */
const PIECE = 16 * 1024;
/** A file in the folder of a machine: named after its content, so that no two differ under one name. */
const SEGMENT = /^([0-9a-f]{32})\.jsonl$/;

/** Bytes and files of a place that are kept and read (Z-13): seven times what 100,000 records take. */
const ROOM = { bytes: 512 * 2 ** 20, files: 100_000 };

/** The files of a branch in git that count: the same as in any folder. */
export const SEGMENTS = {
  largest: LARGEST,
  /** Those for which there is room, the smallest first: what we write is small. @param sizes in bytes, by path */
  withRoom(sizes: Map<string, number>): string[] {
    let bytes = 0;
    const bySize = [...sizes].sort(([a, one], [b, other]) => one - other || (a < b ? -1 : 1));
    return bySize.flatMap(([path, size], at) => {
      bytes += size;
      return bytes <= ROOM.bytes && at < ROOM.files ? [path] : [];
    });
  },
  isKept(path: string): boolean {
    const [machine = '', file = '', ...more] = path.split('/');
    return MACHINE.test(machine) && SEGMENT.test(file) && more.length === 0;
  },
};

/** Every segment that is there, with a mark: another one as soon as there is something else to read. */
export function segmentsIn(folder: string): Map<string, string> {
  return new Map(pathsIn(folder).map((path) => [path, markOf(folder, path)]));
}

const pathsIn = (folder: string) =>
  machinesIn(folder)
    .flatMap((machine) => namesIn(join(folder, machine)).map((file) => `${machine}/${file}`))
    .filter(SEGMENTS.isKept);

const machinesIn = (folder: string) => namesIn(folder).filter((name) => MACHINE.test(name));
const machineOf = (path: string) => path.slice(0, path.indexOf('/'));

function markOf(folder: string, path: string): string {
  const found = statSync(join(folder, path), { throwIfNoEntry: false });
  return sha256(`${newestFormat()} ${path} ${found?.size} ${found?.mtime.getTime()}`).slice(0, 12);
}

/**
 * A folder that machines share. Each has a folder of its own in it. A file changes later only to
 * remove redacted or deleted texts.
 */
export class Folder implements Place {
  readonly #path: string;
  #there = new Map<string, string>();

  readonly #left: number;

  /** @param left how many files were left out of it already, for want of room */
  constructor(path: string, left = 0) {
    this.#path = path;
    this.#left = left;
  }

  /** A file that is torn, altered or newer is skipped and reported, and stops nothing else (Y-4). */
  async read(after: string | undefined, known: string[], isApart: boolean): Promise<Said> {
    const all = new Map(pathsIn(this.#path).map((path) => [path, bytesOf(join(this.#path, path))]));
    const kept = SEGMENTS.withRoom(all);
    this.#there = new Map(kept.sort().map((path) => [path, markOf(this.#path, path)]));
    const had = new Set((after ?? '').split(' '));
    const paths = [...this.#there.keys()];
    const news = paths.filter((path) => !had.has(this.#there.get(path) as string));
    // If no file is gone and no machine is kept apart, files that were read have nothing new.
    const isSince =
      paths.length - news.length === had.size &&
      (news.length === 0 || paths.every((path) => news.includes(path) || known.includes(machineOf(path))));
    const said = { ...nothingSaid(), isWhole: !isSince, isLoose: isSince };
    const left = this.#left + all.size - kept.length;
    if (left > 0) skip(said, leftOut(left));
    for (const [machine, of] of [...Map.groupBy(isSince ? news : paths, machineOf)].sort())
      await takeFrom(said, machine, { known, isApart }, async (own) => {
        // A file that could not be read is read again the next time.
        for (const path of of)
          if (!(await readSegment(own, join(this.#path, path), path))) this.#there.delete(path);
      });
    said.machines = [...new Set(paths.map(machineOf))].sort();
    return said;
  }

  write(machine: string, facts: (Fact | KeptFact)[], remainder?: (fact: Fact) => Fact | undefined): Written {
    const written = writeSegments(this.#path, machine, facts);
    const { rewritten, kept } = remainder
      ? rewriteSegments(this.#path, remainder)
      : { rewritten: 0, kept: [] };
    return {
      // A file that could not be rewritten is tried again.
      after: kept.length > 0 ? '' : [...new Map([...this.#there, ...written]).values()].join(' '),
      warnings: [
        ...(rewritten === 0 ? [] : [keptElsewhere(rewritten)]),
        ...kept.map(
          (file) =>
            `${file} still holds blanked or deleted texts, and cannot be written here. Make it writable, and sync again.`,
        ),
      ],
    };
  }
}

const bytesOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

const leftOut = (files: number) =>
  `There is more than a memory takes: of ${sizeOf(ROOM.bytes)} and ${ROOM.files} files at most, ${files === 1 ? 'one file was' : `${files} files were`} left out, the largest first. Delete the folder of a machine that is not yours.`;

const keptElsewhere = (files: number) =>
  `${files === 1 ? 'A file was' : `${files} files were`} rewritten without the blanked or deleted texts. Backups, earlier versions that a service keeps, and the git history of the branch still hold them. To begin that history again: "git push --delete REMOTE precedent", then sync. Change any password or key that was among them.`;

async function readSegment(said: Said, path: string, shown: string): Promise<boolean> {
  let bytes: Buffer | undefined;
  try {
    bytes = readBounded(path, { limit: LARGEST });
  } catch (error) {
    skip(said, `${shown}: ${error instanceof PrecedentError ? error.message : 'it cannot be read'}`);
    return false;
  }
  if (bytes === undefined || !shown.endsWith(`/${nameOfSegment(bytes)}`)) {
    skip(
      said,
      `${shown}: it is incomplete or was altered, and is left out; the machine that wrote it will send it again`,
    );
    return false;
  }
  await takeLines(said, linesOf(inPieces(bytes), LONGEST_LINE), shown);
  return true;
}

/** Few lines are looked at together. */
function* inPieces(bytes: Buffer): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += PIECE) yield bytes.subarray(at, at + PIECE);
}

/**
 * Rewrites every file, of any machine, that holds more than is left of its facts (Y-7). Two machines that do so make the
 * same files.
 * @param remainder of a fact; undefined where nothing is left
 * @returns how many were, and which could not be
 */
function rewriteSegments(
  folder: string,
  remainder: (fact: Fact) => Fact | undefined,
): { rewritten: number; kept: string[] } {
  const kept: string[] = [];
  let rewritten = 0;
  for (const [machine, file] of machinesIn(folder).flatMap((each) =>
    namesIn(join(folder, each)).map((name) => [each, name] as const),
  )) {
    const path = join(folder, machine, file);
    try {
      // Leftovers of a process that was killed.
      if (/^[0-9a-f]{32}\.jsonl\.tmp$/.test(file)) rmSync(path);
      if (!SEGMENT.test(file)) continue;
      const bytes = readBounded(path, { limit: LARGEST });
      if (bytes === undefined || file !== nameOfSegment(bytes) || hasTooManyLines(bytes)) continue;
      const text = bytes.toString();
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

/** Lines beyond this are not read: no machine of ours wrote them. */
function hasTooManyLines(bytes: Buffer): boolean {
  let lines = 0;
  for (let at = bytes.indexOf('\n'); at !== -1 && lines <= MOST_LINES; at = bytes.indexOf('\n', at + 1))
    lines++;
  return lines > MOST_LINES;
}

/**
 * Writes the facts of a machine as segments, which stay as they are: each whole, or not at all (Y-1).
 * @returns what was written, as {@link segmentsIn} has it
 */
function writeSegments(folder: string, machine: string, facts: (Fact | KeptFact)[]): Map<string, string> {
  const written = new Map<string, string>();
  const own = join(folder, machine);
  let text = '';
  for (const [at, fact] of facts.entries()) {
    text += lineOf(fact);
    // Within a file what is of one moment keeps its order: files have none.
    const isEnough = text.length >= (fact.at === facts[at + 1]?.at ? LARGEST / 4 : ENOUGH);
    if (!isEnough && at < facts.length - 1) continue;
    const path = `${machine}/${basename(writeSegment(own, text))}`;
    written.set(path, markOf(folder, path));
    text = '';
  }
  return written;
}

function writeSegment(own: string, text: string): string {
  try {
    mkdirSync(own, { recursive: true });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : 'unknown reason';
    throw unavailable.no_access(`Expected a folder to write into, found none at ${own} (${code}).`);
  }
  const path = join(own, nameOfSegment(text));
  writeFileSync(`${path}.tmp`, text, { flush: true });
  renameSync(`${path}.tmp`, path);
  return path;
}

const nameOfSegment = (text: string | Buffer) => `${sha256(text).slice(0, 32)}.jsonl`;
