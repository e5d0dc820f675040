import { join } from 'node:path';
import type { Facts } from '../../domain/import/facts.ts';
import { isFolder, unreadable } from './source-text.ts';
import { below } from './walk.ts';

/** The endings of a markdown file, in any letter case. */
const ENDING = /\.(md|markdown)$/i;
/** Those of a decision record, which may be reStructuredText or AsciiDoc, too. */
export const OF_RECORDS = /\.(mdx?|markdown|rst|adoc|asciidoc)$/i;

/**
 * The markdown files of a folder that can be read, from the folder on, with `/`; the others are left out by name, as are
 * links that lead out of it (Z-4).
 * @param leftOut names of files and folders that are not looked at
 * @param others why other files are left out, where each is named
 */
export function markdownIn(
  folder: string,
  skipped: Facts['skipped'],
  leftOut?: RegExp,
  endings = ENDING,
  others?: string,
): string[] {
  const found = below(folder, (name) => leftOut?.test(name) ?? false).sort((a, b) =>
    a.path < b.path ? -1 : 1,
  );
  return found.flatMap(({ path, kind }) => {
    if (kind === 'folder') return [];
    const isText = endings.test(path);
    if (kind === 'file' && !isText) {
      if (others !== undefined) skipped.push({ what: path, why: others });
      return [];
    }
    const why = kind === 'file' ? unreadable(join(folder, path), folder) : `a ${kind}`;
    // Nobody expects that links to something else are imported.
    const isExpected = isText || kind !== 'link out of the folder' || isFolder(join(folder, path));
    if (why !== undefined && isExpected) skipped.push({ what: path, why });
    return why === undefined ? [path] : [];
  });
}

/** The name or the path of a file without its ending, composed as other names are. */
export const withoutEnding = (file: string, endings = ENDING): string =>
  file.replace(endings, '').normalize('NFC');

/** A path as it is on the disk; one that is written with a bare percent sign is so already. */
export function plainly(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
