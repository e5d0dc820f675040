import { join } from 'node:path';
import { statHere } from '../../../files/machines.ts';
import { frontMatter } from '../front-matter.ts';
import { markdownIn } from '../markdown-files.ts';
import { readText, unreadable } from '../source-text.ts';
import { named } from '../values.ts';

/** Folders of a vault that hold no notes. */
export const LEFT_OUT = /^(\..*|node_modules|templates?)$/i;
/** Whether a folder is a vault of Obsidian. */
export function isVault(folder: string): boolean {
  return statHere(join(folder, '.obsidian')) !== undefined;
}

/** Whether most notes of a folder have permalinks, as basic-memory gives them: a site may have some such page among others. */
export function hasPermalinks(folder: string): boolean {
  const notes = markdownIn(folder, [], LEFT_OUT);
  const named = notes.filter((file) =>
    // A page of a site says the address at which it is shown, with a stroke before or behind it.
    /^permalink: *["']?[^\s"'/](?:[^\n]*[^\s"'/])?["']? *$/m.test(
      readText(join(folder, file), folder).text.split(/^---[ \t]*$/m)[1] ?? '',
    ),
  );
  return named.length * 2 > notes.length;
}

/** Whether a folder is a bundle of OKF: its index says which version it has. */
export function isBundle(folder: string): boolean {
  const index = join(folder, 'index.md');
  if (unreadable(index, folder) !== undefined) return false;
  return named(frontMatter(readText(index, folder).text).values.okf_version) !== undefined;
}
