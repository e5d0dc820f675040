import { invalid, notFound, PrecedentError } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { DATABASES, describeDatabase, memoryExists } from '../../memory/engines.ts';
import { copyMemory } from '../copy-memory.ts';
import { findHere, openLazily, shown, withPath } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import type { Place } from '../place.ts';

export const copy = defineCommand({
  name: 'copy',
  summary: 'Copy a whole memory into an empty one, and compare the two',
  examples: ['copy --from why.db --to copy.db'],
  options: {
    from: {
      value: 'db',
      about: `the memory to copy: ${DATABASES}, whose workspace --workspace names`,
      required: true,
    },
    to: {
      value: 'db',
      about: `the memory to make: ${DATABASES}`,
      required: true,
    },
    as: { value: 'name', about: 'the workspace to make on a server; default: that of the source' },
  },
  async run(given, { workspace }) {
    const from = await findHere({ db: given.from, workspace });
    const to = await findHere({
      db: given.to,
      // A file has a name of its own, whatever the source is called.
      workspace: isFile(given.to) ? undefined : (given.as ?? from.workspace),
    });
    await requireTwo(from, to);
    const source = await open(from);
    try {
      const target = await open(isFile(to.db) ? { db: to.db } : to);
      return await copyMemory(source, target).finally(() => target.close());
    } finally {
      await source.close();
    }
  },
});

/** Two files are named, so an error says which one it is about. */
function open(place: { db: string; workspace?: string }): Promise<MemoryCore> {
  return openLazily(place).catch((error: unknown) => {
    throw error instanceof PrecedentError ? withPath(place.db, error) : error;
  });
}

/** @throws PrecedentError `not_found` when there is nothing to copy, `invalid` when both are the same memory */
async function requireTwo(from: Place, to: Place): Promise<void> {
  if (!(await memoryExists(from)))
    throw notFound.no_memory(`Expected a memory to copy, found none at ${shown(from)}.`);
  if (from.db === to.db && (isFile(from.db) || from.workspace === to.workspace))
    throw invalid.same_twice(`Expected two different memories, found ${shown(from)} for both.`);
}

function isFile(db: string): boolean {
  return describeDatabase(db).kind === 'file';
}
