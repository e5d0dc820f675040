import { statSync } from 'node:fs';
import { join } from 'node:path';
import { namesIn, readBounded } from '../../files/bounded.ts';

/** How long the hooks of a session remember each other, in milliseconds. */
export const REMEMBERED = 7 * 24 * 3_600_000;

/** Where hooks keep a file for each session. @param dataFolder absolute */
export const sessionsFolder = (dataFolder: string): string => join(dataFolder, 'hooks');

/** Of how many prompts of the last week the words were not recorded, because the memory was busy (M-11). */
export function droppedLately(dataFolder: string): number {
  const folder = sessionsFolder(dataFolder);
  return namesIn(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => droppedIn(join(folder, name)))
    .reduce((sum, each) => sum + each, 0);
}

function droppedIn(file: string): number {
  try {
    if (Date.now() - statSync(file).mtimeMs > REMEMBERED) return 0;
    const { dropped } = JSON.parse(String(readBounded(file)));
    return Number.isSafeInteger(dropped) ? dropped : 0;
  } catch {
    // Removed or replaced meanwhile.
    return 0;
  }
}
