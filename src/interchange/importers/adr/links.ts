import { dirname, posix } from 'node:path';
import { plainly } from '../markdown-files.ts';
import type { AdrRecord } from './record.ts';

/** How records speak of each other; adr-tools writes "Supercedes". */
const WORDS: [RegExp, kind: AdrLink['kind'], isReversed: boolean][] = [
  [/^superse?[cs]?eded by\b|^superceded by\b|^(replaced|obsoleted) by\b/i, 'supersedes', true],
  [/^(supersedes|supercedes|replaces|obsoletes)\b/i, 'supersedes', false],
  [/^(amends|refines|clarifies)\b/i, 'builds_on', false],
  [/^(amended|refined|clarified) by\b/i, 'builds_on', true],
  [/^debates\b/i, 'debates', false],
  [/^synthesizes\b/i, 'synthesizes', false],
  [/^relates to\b/i, 'relates', false],
];

/** A link as it stands in a record. */
export interface AdrLink {
  kind: 'supersedes' | 'builds_on' | 'debates' | 'synthesizes' | 'relates';
  from: AdrRecord;
  to: AdrRecord;
}

/** A link to a record that is not there. */
export interface Missing {
  record: AdrRecord;
  kind: AdrLink['kind'];
  isReversed: boolean;
  /** As people read it. */
  written: string;
}

/** All links between these records, each once. */
export function linksBetween(records: AdrRecord[]): { links: AdrLink[]; missing: Missing[] } {
  const links = new Map<string, AdrLink>();
  const missing: Missing[] = [];
  for (const record of records) {
    for (const line of record.links) {
      const word = WORDS.find(([pattern]) => pattern.test(line));
      if (!word) continue;
      const [pattern, kind, isReversed] = word;
      for (const written of namedIn(line.replace(pattern, '').replace(/^[\s:]+/, ''))) {
        const other = meantBy(written, record, records);
        if (!other)
          missing.push({ record, kind, isReversed, written: written.replace(/^\[(.*?)\].*$/, '$1') });
        else if (other !== record) {
          const [from, to] = isReversed ? [other, record] : [record, other];
          links.set(`${kind} ${from.file} ${to.file}`, { kind, from, to });
        }
      }
    }
  }
  return { links: [...links.values()], missing };
}

/** One record, or several with commas or words between. */
function namedIn(written: string): string[] {
  const parts = written.split(/\s*(?:[,;&]|\band\b|및)\s*/).filter((each) => each !== '');
  const isName = (each: string) => /^\[.*\]\(.*\)\.?$|^(?:ADR[-_ ]?)?\d+\.?$|\.md$/i.test(each);
  return parts.length > 1 && parts.every(isName) ? parts : [written];
}

/** By its file, else by its number: of several, the one in the same folder. */
function meantBy(written: string, by: AdrRecord, records: AdrRecord[]): AdrRecord | undefined {
  const [, target] = /\]\(([^)#]+)/.exec(written) ?? [];
  const named = target ?? /[^\s"']+\.(?:md|markdown)\b/i.exec(written)?.[0];
  const folder = dirname(by.file);
  if (named !== undefined) {
    const path = posix.normalize(posix.join(folder, plainly(named.trim())));
    const found =
      records.find(({ file }) => file === path) ?? records.find(({ file }) => file.endsWith(`/${named}`));
    // A record that was renamed keeps its number.
    return found ?? ofNumber(numberIn(posix.basename(path)) ?? numberIn(written), folder, records);
  }
  const stem = records.find((each) => each.stem === written.trim());
  return stem ?? ofNumber(numberIn(written), folder, records);
}

function numberIn(written: string): number | undefined {
  const [, digits] = /^\[?(?:ADR[-_ ]?|#)?0*(\d+)/i.exec(written) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Of several with one number, the one in the same folder. */
function ofNumber(number: number | undefined, folder: string, records: AdrRecord[]): AdrRecord | undefined {
  const same = records.filter((each) => each.number === number);
  const near = same.filter(({ file }) => dirname(file) === folder);
  return near.length > 0 ? near[0] : same.length === 1 ? same[0] : undefined;
}
