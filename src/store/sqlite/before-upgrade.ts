import { chmodSync, existsSync, linkSync, readdirSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../domain/log.ts';

/** The part of a copy's name between that of the memory and that of the first migration that it lacks. */
const BEFORE = '.before-';

/**
 * Keeps a memory as it is before it is brought up to date, next to it, so that an older version can go on with it (L-2). The
 * copies of earlier upgrades go.
 * @param first the first migration that it does not have yet
 */
export function keepBefore(database: DatabaseSync, location: string, first: string, log: Log): void {
  const copy = `${location}${BEFORE}${first}`;
  if (existsSync(copy)) return;
  const partial = `${copy}.${process.pid}`;
  rmSync(partial, { force: true });
  try {
    database.prepare('vacuum into ?').run(partial);
    chmodSync(partial, statSync(location).mode);
    // Another process may have kept it meanwhile, and have upgraded the memory: its copy is the earlier one.
    if (!existsSync(copy)) linkSync(partial, copy);
  } finally {
    rmSync(partial, { force: true });
  }
  removeBefore(location, copy);
  log(
    `This memory is upgraded for this version of Precedent. A copy from before is kept in ${copy}; to go back, restore it with the older version (precedent backup --restore FILE --force).`,
    'warning',
  );
}

/** Removes the copies that were kept of a memory, as what was redacted in it would stay in them. */
export function removeBefore(location: string, except?: string): void {
  const prefix = `${basename(location)}${BEFORE}`;
  for (const name of readdirSync(dirname(location)))
    if (name.startsWith(prefix) && join(dirname(location), name) !== except)
      rmSync(join(dirname(location), name));
}
