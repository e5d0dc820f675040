import { globSync, readdirSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import type { Facts } from '../../domain/arrival/facts.ts';
import { unreadable } from './source-text.ts';

/** The endings of a markdown file, in any letter case. */
const ENDING = /\.(md|markdown)$/i;

/**
 * The markdown files of a folder that can be read, from the folder on, with `/`; the others are left out by name.
 * @param leftOut names of files and folders that are not looked at
 */
export function markdownIn(folder: string, skipped: Facts['skipped'], leftOut?: RegExp): string[] {
  const exclude = (name: string) => leftOut?.test(basename(name)) ?? false;
  const files = globSync('**/*', { cwd: folder, exclude }).filter((file) => ENDING.test(file));
  return files
    .map((file) => file.split(sep).join('/'))
    .sort()
    .filter((what) => {
      const why = unreadable(join(folder, what));
      if (why !== undefined && why !== 'a folder') skipped.push({ what, why });
      return why === undefined;
    });
}

/** Whether there is one in the folder itself. */
export function hasMarkdown(folder: string): boolean {
  const isFolder = statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  return isFolder && readdirSync(folder).some((name) => ENDING.test(name));
}

/** The name or the path of a markdown file without its ending, composed as other names are. */
export const withoutEnding = (file: string): string => file.replace(ENDING, '').normalize('NFC');

/** A path as it is on the disk; one that is written with a bare percent sign is so already. */
export function plainly(path: string): string {
  try {
    return decodeURI(path);
  } catch {
    return path;
  }
}
