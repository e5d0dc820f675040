import { dirname, posix } from 'node:path';
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
      const written = line.replace(pattern, '').replace(/^[\s:]+/, '');
      const other = meantBy(written, record, records);
      if (!other) missing.push({ record, kind, isReversed, written: written.replace(/^\[(.*?)\].*$/, '$1') });
      else if (other !== record) {
        const [from, to] = isReversed ? [other, record] : [record, other];
        links.set(`${kind} ${from.file} ${to.file}`, { kind, from, to });
      }
    }
  }
  return { links: [...links.values()], missing };
}

/** A path as it is on the disk; one that is written with a bare percent sign is so already. */
function plainly(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}

/** By its file, else by its number: of several, the one in the same folder. */
function meantBy(written: string, by: AdrRecord, records: AdrRecord[]): AdrRecord | undefined {
  const [, target] = /\]\(([^)#]+)/.exec(written) ?? [];
  const named = target ?? /[^\s"']+\.md\b/.exec(written)?.[0];
  const folder = dirname(by.file);
  if (named !== undefined) {
    const path = posix.normalize(posix.join(folder, plainly(named.trim())));
    return (
      records.find(({ file }) => file === path) ?? records.find(({ file }) => file.endsWith(`/${named}`))
    );
  }
  const stem = records.find((each) => each.stem === written.trim());
  const [, digits] = /^(?:ADR[- ]?)?0*(\d+)/i.exec(written) ?? [];
  if (stem || digits === undefined) return stem;
  const same = records.filter(({ number }) => number === Number(digits));
  return same.find(({ file }) => dirname(file) === folder) ?? (same.length === 1 ? same[0] : undefined);
}
