import { existsSync, linkSync, renameSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PrecedentError } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { dim, line, warn } from '../../operations/view.ts';
import { copyMemory } from '../copy-memory.ts';
import { refuseAddress } from '../input/file.ts';
import { openLazily, withExistingMemory } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { COPY, inScratch } from '../scratch.ts';

export const backup = defineCommand({
  name: 'backup',
  summary: 'Copy the memory into one new file and check it, while others go on writing',
  examples: ['backup why-backup.db'],
  arguments: { file: { about: 'the file to make; an existing one is never overwritten', required: true } },
  async run({ file }, place) {
    return withExistingMemory(place, (memory) => backUp(memory, file));
  },
});

/**
 * Copies a memory of any engine into a new file, in one snapshot. The file gets its name when the copy is whole and
 * compared with its source, so that half a backup is never taken for a whole one.
 * @throws PrecedentError `conflict` when the file exists
 */
async function backUp(memory: MemoryCore, file: string): Promise<Answer> {
  refuseAddress(file, 'a file for the backup');
  const target = resolve(here().cwd(), file);
  if (existsSync(target)) throw fileExists(target);
  const { records, problems } = await memory.inspect();
  if (Object.keys(records).length === 0) {
    throw new PrecedentError(
      'not_found',
      `Expected records to back up, found none in workspace "${memory.workspace}". Is it the one you mean?`,
    );
  }
  return inScratch(target, async (folder) => {
    const partial = join(folder, COPY.database);
    const copy = await openLazily({ db: partial, workspace: memory.workspace });
    const { view, report } = await copyMemory(memory, copy, { asItIs: true }).finally(() => copy.close());
    publish(partial, target);
    return {
      report: { ...report, file: target, bytes: statSync(target).size, problems },
      view: [
        ...view,
        line(dim(`  ${target}`)),
        ...problems.map((problem) => line(warn(`! the memory itself is not sound: ${problem}`))),
      ],
    };
  });
}

/** Gives the finished copy its name, unless another process has taken it meanwhile. */
function publish(partial: string, target: string): void {
  try {
    linkSync(partial, target);
  } catch (error) {
    if (existsSync(target)) throw fileExists(target);
    // Some file systems have no hard links.
    if (error instanceof Error) renameSync(partial, target);
  }
}

function fileExists(target: string): PrecedentError {
  return new PrecedentError(
    'conflict',
    `Expected a new file for the backup, found that ${target} exists. Choose another name, or remove it first.`,
  );
}
