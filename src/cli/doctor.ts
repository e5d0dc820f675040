import type { Memory } from '../memory.ts';
import { bad, dim, good, line, strong, table, type View } from '../operations/view.ts';

/** Looks at a memory. @returns what to print, for a person and for a program, and whether all is well */
export async function examine(memory: Memory): Promise<{ view: View; report: object; healthy: boolean }> {
  const health = await memory.inspect();
  const healthy = health.problems.length === 0;
  const count = Object.entries(health.records).map(([kind, number]) => `${number} ${kind}`);
  return {
    healthy,
    report: { ok: healthy, ...health },
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
