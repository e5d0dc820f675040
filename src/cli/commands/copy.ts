import { PrecedentError } from '../../domain/error.ts';
import { describeDatabase, memoryExists } from '../../memory/engines.ts';
import { openMemory } from '../../memory/memory.ts';
import { copyMemory } from '../copy-memory.ts';
import { findHere, shown } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import type { Place, PlaceOptions } from '../place.ts';

export const copy = defineCommand({
  name: 'copy',
  summary: 'copy a whole memory into an empty one, and compare the two',
  options: {
    from: {
      value: 'db',
      summary: 'the memory to copy: a file, or a PostgreSQL address, whose workspace --workspace names',
      required: true,
    },
    to: {
      value: 'db',
      summary: 'the memory to make: a file, or a PostgreSQL address',
      required: true,
    },
    as: { value: 'name', summary: 'the workspace to make on a server; default: that of the source' },
  },
  async run(given, options) {
    const { from, to } = await placesOf(given, options);
    const source = await openMemory(from);
    try {
      // A file has a name of its own, whatever the workspace on the other side is called.
      const target = await openMemory(isFile(to.db) ? { db: to.db } : to);
      return await copyMemory(source, target).finally(() => target.close());
    } finally {
      await source.close();
    }
  },
});

/**
 * Both memories, the first of which exists. On a server the workspace is the one that is named, or has the name of the
 * file on the other side, or that of the repository.
 */
async function placesOf(
  given: { from: string; to: string; as: string | undefined },
  { workspace }: PlaceOptions,
): Promise<{ from: Place; to: Place }> {
  const from = await findHere({ db: given.from, workspace });
  const sameName = isFile(given.from) ? from.workspace : undefined;
  const to = await findHere({ db: given.to, workspace: given.as ?? workspace ?? sameName });
  if (!(await memoryExists(from))) {
    throw new PrecedentError('not_found', `Expected a memory to copy, found none at ${shown(from)}.`);
  }
  if (from.db === to.db && (isFile(from.db) || from.workspace === to.workspace)) {
    throw new PrecedentError('invalid', `Expected two different memories, found ${shown(from)} for both.`);
  }
  return { from, to };
}

function isFile(db: string): boolean {
  return describeDatabase(db).kind === 'file';
}
