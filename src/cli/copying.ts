import { invalid, notFound, PrecedentError } from '../domain/error.ts';
import { describeDatabase, memoryExists } from '../memory/engines.ts';
import { copyMemory } from './copy-memory.ts';
import { findHere, open, openLazily, shown, using, withPath } from './open.ts';
import type { Answer } from './output/print.ts';
import type { Place, PlaceOptions } from './place.ts';

/**
 * Copies a memory into the one that is meant, which must be empty, and compares the two. One on a server is the person's
 * own; a file may come from anybody.
 * @param workspace of the source, where its address names a server; default: that of the target
 */
export async function copyFrom(
  db: string,
  workspace: string | undefined,
  place: PlaceOptions,
  dryRun: boolean,
): Promise<Answer> {
  const to = await findHere(place);
  const isOthers = describeDatabase(db).kind === 'file';
  const from = await findHere({ db, workspace: isOthers ? undefined : (workspace ?? to.workspace) });
  requireTwo(from, to);
  if (!(await memoryExists(from)))
    throw notFound.no_memory(`Expected a memory to copy, found none at ${shown(from)}.`);
  const source = await openLazily(from).catch((error: unknown) => {
    if (!(error instanceof PrecedentError)) throw error;
    if (error.reason !== 'foreign') throw withPath(from.db, error);
    throw invalid.wrong_file(
      `Expected a memory to copy, found a database of another program at ${shown(from)}. With --from it may be imported; "--from auto" tells what it is.`,
    );
  });
  try {
    return await using(await open(place, { create: dryRun ? 'try' : 'new' }), (memory) =>
      copyMemory(source, memory, { isOthers, dryRun }),
    );
  } finally {
    await source.close();
  }
}

/** Copies the memory that is meant into an empty one on a server. @param workspace its name there; default: as here */
export async function copyTo(
  db: string,
  workspace: string | undefined,
  place: PlaceOptions,
): Promise<Answer> {
  const from = await findHere(place);
  const to = await findHere({ db, workspace: workspace ?? from.workspace });
  requireTwo(from, to);
  return using(await open(place, { create: 'never' }), async (source) =>
    using(await open({ db, workspace: to.workspace }, { create: 'new' }), (memory) =>
      copyMemory(source, memory),
    ),
  );
}

/** @throws PrecedentError `invalid` when both are the same memory */
function requireTwo(from: Place, to: Place): void {
  const isFile = describeDatabase(from.db).kind === 'file';
  if (from.db === to.db && (isFile || from.workspace === to.workspace))
    throw invalid.same_twice(`Expected two different memories, found ${shown(from)} for both.`);
}
