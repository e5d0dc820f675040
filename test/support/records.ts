import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Facts } from '../../src/domain/import/facts.ts';
import { adr } from '../../src/interchange/importers/adr/adr.ts';
import { scratch } from './engines.ts';

/** Reads decision records out of a repository with these files, or out of a folder of it. */
export function readRecords(files: Record<string, string>, from = ''): Facts {
  const folder = join(scratch(), 'repo');
  mkdirSync(join(folder, '.git'), { recursive: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return adr.read(join(folder, from), {});
}
