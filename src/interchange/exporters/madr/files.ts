import { REDACTED } from '../../../domain/text/redaction.ts';
import { compareText } from '../../../domain/text/text.ts';
import type { VersionTold } from '../../../store/export/versions.ts';
import { slugOf, titleOf } from '../names.ts';

/** A record's file as this format names it, with what a name has on every system. */
const NUMBERED = /^(\d{4,})-[^/\\:*?"<>|\p{Cc}]+\.md$/u;
const DIGITS = 4;
/** Bytes of a name on every system. */
const LONGEST = 255;

/**
 * The file of each version: its number and its title. A later version gets a higher number, and one that was undone keeps
 * its own. A record that came out of such a folder keeps the name that it had there. Where two people gave out one number, the
 * earlier record by date and id keeps it, and the other takes the next free one: the same on both machines (Y-10), and
 * whatever is saved afterwards.
 * @param versions in the order in which they were saved
 * @param kept the names of files that records came from, by the number of the record
 * @returns names by the ids of versions that are neither a withdrawal nor undone
 */
export function filesOf(
  versions: readonly VersionTold[],
  kept: ReadonlyMap<number, string>,
): Map<string, string> {
  const claimed = new Set<number>();
  const records: (VersionTold & { number: number; file: string | undefined })[] = [];
  // Behind the highest number there is room for each record that has to take another one.
  let [last, moved] = [0, 0];
  for (const version of versions) {
    if (version.withdrawn) continue;
    const named = kept.get(version.seq)?.normalize('NFC') ?? '';
    const [file, digits] = (Buffer.byteLength(named) <= LONGEST && NUMBERED.exec(named)) || [];
    last = digits === undefined ? last + 1 : Math.max(last, Number(digits));
    if (version.isMistake) continue;
    const number = digits === undefined ? last + moved : Number(digits);
    if (claimed.has(number)) moved++;
    claimed.add(number);
    records.push({ ...version, number, file });
  }
  const files = new Map<string, string>();
  const free = new Set(claimed);
  for (const each of records.sort((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id))) {
    const { id, beginning, file } = each;
    let { number } = each;
    const isFirst = free.delete(number);
    while (!isFirst && claimed.has(number)) number++;
    claimed.add(number);
    const name = `${String(number).padStart(DIGITS, '0')}-${slugOf(titleOf(beginning)) || 'decision'}.md`;
    // The number of a name that held a secret stays, its words do not.
    files.set(id, isFirst && file !== undefined && !file.includes(REDACTED) ? file : name);
  }
  return files;
}

/** The number of a record by its file, as people name it. */
export const numberOf = (file: string): string => NUMBERED.exec(file)?.[1] ?? file;
