import { readdirSync } from 'node:fs';

/** What is in a folder; nothing where there is none, or none that may be read. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
