import type { MemoryCore } from '../../memory/core.ts';
import { dim, good, line, type View } from '../../operations/view.ts';

/** How a person sees what an import did. @param from the workspace that was copied; none for a file */
export function viewOfImport(
  { rows, unchanged }: Awaited<ReturnType<MemoryCore['import']>>,
  workspace: string,
  from?: string,
): View {
  const all = Object.values(rows).reduce((sum, each) => sum + each, 0);
  const count = (number: number, what: string) => `${number} ${what}${number === 1 ? '' : 's'}`;
  if (unchanged)
    return [line(dim(`= nothing changed: "${workspace}" was made of these ${count(all, 'row')} before`))];
  return [
    line(
      good('✔ '),
      `${count(rows.records ?? 0, 'record')} in ${count(all, 'row')}, checked`,
      dim(from === undefined ? `  workspace ${workspace}` : `  from workspace ${from} into ${workspace}`),
    ),
  ];
}
