import { readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Page, PageFile } from '../../http/page.ts';
import { namesIn } from '../input/folder.ts';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The files of the page in a folder, which the build makes; none where the program runs from its sources. */
export function readPage(folder: string): Page {
  const page = new Map<string, PageFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const isStart = name === 'index.html';
    page.set(isStart ? '/' : `/${name}`, { type, text, isHashed: !isStart });
  }
  return page;
}
