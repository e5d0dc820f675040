import type { Memory } from '../memory/memory.ts';
import { bad, dim, good, line, strong, table, type View, warn } from '../operations/view.ts';

/** Looks at a memory, and repairs it first when it should. @returns what to print, for a person and for a program, and whether all is well */
export async function examine(
  memory: Memory,
  repair = false,
): Promise<{ view: View; report: object; healthy: boolean }> {
  // What is damaged may not even be looked at.
  const { problems: before } = repair
    ? await memory.inspect().catch((error: Error) => ({ problems: [error.message] }))
    : { problems: [] };
  const { scrubbed } = repair ? await memory.repair() : { scrubbed: true };
  const health = await memory.inspect();
  const repaired = before.filter((problem) => !health.problems.includes(problem));
  const healthy = health.problems.length === 0;
  const count = Object.entries(health.records).map(([kind, number]) => `${number} ${kind}`);
  return {
    healthy,
    report: { ok: healthy, ...health, ...(repair && { repaired }) },
    view: [
      table(
        [],
        [
          [dim('workspace'), strong(health.workspace)],
          [dim('where'), health.location],
          [dim('engine'), health.engine],
          [dim('size'), `${(health.bytes / 1024).toFixed(0)} KiB`],
          [dim('schema'), health.schema],
          [dim('records'), count.join(', ') || 'none yet'],
          [dim('write, read'), good('work')],
        ],
      ),
      ...(scrubbed
        ? []
        : [line(warn('! another process reads the memory: what was deleted is still on the disk'))]),
      ...repaired.map((problem) => line(good('✔ '), `repaired: ${problem}`)),
      ...(healthy
        ? [line(good('✔ sound'))]
        : [
            ...health.problems.map((problem) => line(bad(`✘ ${problem}`))),
            line(
              dim(
                '"precedent doctor --repair" makes indexes and all else anew that follows from the records.',
              ),
            ),
          ]),
    ],
  };
}
