import { PrecedentError } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { setMemoryAside } from '../../memory/engines.ts';
import { counted, dim, facts, indented, line, warn } from '../../operations/view.ts';
import { copyMemory } from '../copy-memory.ts';
import { findHere } from '../open.ts';
import { withBackup } from '../open-backup.ts';
import { ASKING, type Asking } from '../output/asking.ts';
import { askFirst } from '../output/destroy.ts';
import type { Answer } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { scratchPlace } from '../scratch.ts';
import { withMemory } from '../with-memory.ts';

export const restore = defineCommand({
  name: 'restore',
  summary: 'Replace the memory by a backup, all of it or nothing',
  examples: ['--db restored.db restore why-backup.db'],
  arguments: { file: { summary: 'a file that "precedent backup" made', required: true } },
  options: { force: { summary: 'replace the records that the memory holds now' }, ...ASKING },
  run: async ({ file, force, yes, dryRun }, place) =>
    withBackup(file, await scratchPlace(place), async (backup, broken) => {
      const aside: string[] = [];
      const restoring = () =>
        withMemory(place, (memory) => restoreInto(memory, backup, force === true, { yes, dryRun }));
      const { view, report } = await restoring().catch(async (error: unknown) => {
        const isDamaged = error instanceof PrecedentError && error.reason === 'damaged';
        const found = force && isDamaged ? setMemoryAside((await findHere(place)).db) : undefined;
        if (found === undefined) throw error;
        aside.push(found);
        return restoring();
      });
      const warned = [
        ...aside.map((each) => `the damaged file was put aside: ${each}`),
        ...broken.map((each) => `the backup itself is not sound: ${each}`),
      ].map((each) => line(warn(`! ${each}`)));
      return {
        view: [...view, ...warned],
        report: { ...report, broken, ...(aside.length > 0 && { aside: aside[0] }) },
      };
    }),
});

/**
 * Makes a memory what a backup holds, in one transaction: other processes see the memory before or after it, and a
 * failure leaves the memory as it was.
 * @throws PrecedentError `conflict` when the memory holds records and `force` is not given
 */
async function restoreInto(
  memory: MemoryCore,
  backup: MemoryCore,
  force: boolean,
  how: Asking,
): Promise<Answer> {
  const { records, location } = await memory.inspect();
  const count = Object.values(records).reduce((sum, each) => sum + each, 0);
  if (count > 0 && !force) {
    throw new PrecedentError(
      'conflict',
      `Expected an empty memory to restore into, found ${count} ${count === 1 ? 'record' : 'records'} in "${memory.workspace}" (${location}). Back it up if you need them, then repeat with --force.`,
    );
  }
  if (count > 0) {
    const { workspace } = memory;
    const kinds = Object.entries(records).map(([kind, number]) => `${number} ${kind}`);
    const stays = await askFirst(how, {
      doing: `replace ${counted(count, 'record')} of workspace "${workspace}" by those of the backup`,
      shown: [facts(...kinds), indented(location)],
      report: { workspace, records, location },
    });
    if (stays) return stays;
  }
  // The copy checks again, in its transaction, that the memory is empty: another process may have saved since.
  const { view, report } = await copyMemory(backup, memory, { replace: force, asItIs: true });
  return { report: { ...report, location }, view: [...view, line(dim(`  ${location}`))] };
}
