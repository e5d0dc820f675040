import { REDACTED } from '../../../domain/text/redaction.ts';
import type { VersionTold } from '../../../store/export/versions.ts';
import { slugOf, titleOf } from '../names.ts';

/** A record's file as this format names it, with what a name has on every system. */
const NUMBERED = /^(\d{4,})-[^/\\:*?"<>|\p{Cc}]+\.md$/u;
const DIGITS = 4;
/** Bytes of a name on every system. */
const LONGEST = 255;

/**
 * The file of each version: its number and its title. A number never changes: a later version gets a higher one, and one
 * that was undone keeps its own. What came out of such a folder keeps the name that it had there, while that is free.
 * @param versions in the order in which they were saved
 * @param kept the names of files that records came from, by the number of the record
 * @returns names by the ids of versions that are no withdrawal
 */
export function filesOf(
  versions: readonly VersionTold[],
  kept: ReadonlyMap<number, string>,
): Map<string, string> {
  const files = new Map<string, string>();
  const taken = new Set<number>();
  let last = 0;
  for (const { id, seq, beginning, withdrawn } of versions) {
    if (withdrawn) continue;
    const file = kept.get(seq)?.normalize('NFC');
    const isShort = Buffer.byteLength(file ?? '') <= LONGEST;
    const [, digits] = (isShort && NUMBERED.exec(file ?? '')) || [];
    const isFree = digits !== undefined && !taken.has(Number(digits));
    const number = isFree ? Number(digits) : last + 1;
    taken.add(number);
    last = Math.max(last, number);
    const name = `${String(number).padStart(DIGITS, '0')}-${slugOf(titleOf(beginning)) || 'decision'}.md`;
    // The number of a name that held a secret stays, its words do not.
    files.set(id, isFree && file !== undefined && !file.includes(REDACTED) ? file : name);
  }
  return files;
}

/** The number of a record by its file, as people name it. */
export const numberOf = (file: string): string => NUMBERED.exec(file)?.[1] ?? file;
