import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { PrecedentError } from '../domain/error.ts';
import type { MemoryCore } from '../memory/core.ts';
import { copied, counted, dim, good, indented, line, type View, warn } from '../operations/view.ts';
import type { Answer } from './output/print.ts';
import { withProgressBar } from './output/progress.ts';

/**
 * Copies a whole memory into an empty one, and compares the two before the copy is kept. A memory that was copied from
 * the same rows before is left as it is, with all that was saved in it since.
 * @param options as those of an import
 */
export async function copyMemory(
  from: MemoryCore,
  to: MemoryCore,
  options: Parameters<MemoryCore['import']>[2] = {},
): Promise<Answer> {
  const lines = new PassThrough({ objectMode: true });
  const closed = new AbortController();
  lines.once('close', () => closed.abort());
  // An error reaches the reader; without a listener it would also end the process.
  lines.on('error', () => {});
  const sending = from
    .export('jsonl', async (line) => {
      // The signal ends the wait for a reader that has given up.
      if (!lines.write(line)) await once(lines, 'drain', { signal: closed.signal });
    })
    .then(
      () => lines.end(),
      (error: Error) => {
        lines.destroy(error);
        throw error;
      },
    );
  const taking = withProgressBar((progress) => to.import(lines, progress, options)).finally(() =>
    lines.destroy(),
  );
  // Both sides have ended when this has: no memory is closed while it is still read.
  const [sent, taken] = await Promise.allSettled([sending, taking]);
  // A reader that gives up makes the sender fail as well, but never with a PrecedentError: then its reason counts.
  if (sent.status === 'rejected' && sent.reason instanceof PrecedentError) throw sent.reason;
  if (taken.status === 'rejected') throw taken.reason;
  if (sent.status === 'rejected') throw sent.reason;
  const { isOthers = false, dryRun = false } = options;
  // No export has them: who gets one from somebody else must not be led by it (Z-2).
  if (!isOthers && !dryRun) await to.firstCommits(await from.firstCommits());
  if (!dryRun) await to.importMarks(await from.importMarks());
  return {
    view: [
      ...viewOfImport(taken.value, to.workspace, from.workspace, dryRun),
      ...(isOthers ? viewOfBinding(taken.value.binding) : []),
    ],
    report: {
      from: from.workspace,
      workspace: to.workspace,
      ...(dryRun && { dryRun }),
      ...taken.value,
    },
  };
}

/** How many axes and locks came, and what becomes of them. */
export function viewOfBinding({ axes, locks }: Awaited<ReturnType<MemoryCore['import']>>['binding']): View {
  const came = [axes && counted(axes, 'axis', 'axes'), locks && counted(locks, 'lock')].filter(Boolean);
  if (came.length === 0) return [];
  return [
    indented(
      warn(`! ${came.join(' and ')} came: agents see them as imported until you keep them in a review`),
    ),
    copied('precedent review'),
  ];
}

/** What is said below what an import would do. */
export const NOT_WRITTEN = indented(dim('Nothing was written. Repeat this without --dry-run to write it.'));

/** How a person sees what an import did, or would do. @param from the workspace that was copied; none for a file */
export function viewOfImport(
  { rows, unchanged, merged }: Awaited<ReturnType<MemoryCore['import']>>,
  workspace: string,
  from?: string,
  isDryRun = false,
): View {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0);
  if (unchanged)
    return [line(dim(`= nothing changed: "${workspace}" has these ${counted(all, 'row')} already`))];
  const [done, note] = isDryRun ? [dim('= would come: '), [NOT_WRITTEN]] : [good('✔ '), []];
  if (merged) return [line(done, `merged into "${workspace}"`), ...note];
  return [
    line(
      done,
      `${counted(rows.records ?? 0, 'record')} in ${counted(all, 'row')}, checked`,
      dim(from === undefined ? `  workspace ${workspace}` : `  from workspace ${from} into ${workspace}`),
    ),
    ...note,
  ];
}
