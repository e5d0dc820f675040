import { basename, dirname, extname, join } from 'node:path';
import { inWorkspace, PrecedentError } from '../../domain/error.ts';
import { describeDatabase } from '../../memory/engines.ts';
import type { Place } from '../place.ts';
import { atHome } from '../repository/home.ts';
import { namedAt } from './memories.ts';
import { nearest } from './near.ts';

/** What is said before a memory is created: its name may be mistyped, or an earlier one of the memory that is meant (K-2). */
export async function newWorkspace(place: Place): Promise<string> {
  const meant = place.isNamed ? await didYouMean(place) : '';
  return `New workspace "${place.workspace}".${meant}`;
}

/** The refusal to read a memory that was named and is not there, with the name that was probably meant (K-2). */
export async function noMemory(place: Place): Promise<PrecedentError> {
  const { shown } = describeDatabase(place.db);
  const message = `Expected a memory, found none at ${shown}.${await didYouMean(place)} Name another one with --db or --workspace.`;
  return inWorkspace(new PrecedentError('not_found', message), place.workspace);
}

/** As a sentence to append; empty when no name is near. */
async function didYouMean({ home, db, workspace }: Place): Promise<string> {
  // A file that is named lies among the files of its folder.
  const around = home ?? { where: dirname(db), db: undefined, dataFolder: undefined };
  // A hint only: what keeps it from being found is said where it matters.
  const there = await atHome(around, (workspaces) => namedAt(around, workspaces)).catch(() => []);
  const near = nearest(home ? workspace : basename(db, extname(db)), there);
  return near === undefined ? '' : ` Did you mean "${home ? near : join(around.where, `${near}.db`)}"?`;
}
