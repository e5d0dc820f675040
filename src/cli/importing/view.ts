import type { Merged, Tally } from '../../domain/import/facts.ts';
import type { FoundSource } from '../../memory/importing.ts';
import { counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';

/** Lines of one kind that a person is shown; `--json` has all. */
const SHOWN = 20;
const KINDS = ['decisions', 'observations', 'checkpoints', 'relations'] as const;

/** What an import did, or would do: new, changed, same, and what was not taken and why (I-3). */
export function viewOfMerge(merged: Merged, workspace: string, isDryRun: boolean): View {
  const done = KINDS.flatMap((kind) => tally(kind, merged[kind]));
  const nothing = KINDS.every((kind) => merged[kind].new + merged[kind].changed === 0);
  const where = dim(`  from ${merged.source} into ${workspace}`);
  const title = isDryRun ? dim('= would come: ') : nothing ? dim('= nothing changed: ') : good('✔ ');
  const { conflicts, renumbered, unresolved, skipped, warnings } = merged;
  return [
    line(title, done.length > 0 ? done.join(', ') : 'nothing', where),
    ...some(conflicts, ({ what, why }) => indented(warn(`! ${what}: ${why}`))),
    ...some(renumbered, ({ topic, from, to }) =>
      indented(dim(`renumbered: ${topic}, version ${from} is version ${to} now`)),
    ),
    ...some(skipped, ({ what, why }) => indented(dim(`left out: ${what}: ${why}`))),
    ...some(unresolved, (text) => indented(dim(`waits: ${text}`))),
    ...some(warnings, (text) => indented(warn(`! ${text}`))),
    ...(isDryRun ? [indented(dim('Nothing was written. Without --dry-run it is.'))] : []),
  ];
}

/** What was found on this machine, and the command that takes it in. */
export function viewOfSources(found: FoundSource[]): View {
  if (found.length === 0) return [line(dim('No memory of another tool was found on this machine.'))];
  return found.flatMap(({ source, path, holds, problem }) => {
    const held =
      holds && KINDS.filter((kind) => holds[kind] > 0).map((kind) => counted(holds[kind], kind.slice(0, -1)));
    return [
      line(`${source}  `, dim(path)),
      indented(problem === undefined ? `${held?.join(', ')}` : warn(`! ${problem}`)),
      indented(dim(`precedent import --from ${source} ${JSON.stringify(path)} --dry-run`)),
    ];
  });
}

function tally(kind: string, { new: fresh, changed, same }: Tally): string[] {
  if (fresh + changed + same === 0) return [];
  const parts = [
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(changed > 0 ? [`${changed} changed`] : []),
    ...(same > 0 ? [`${same} as before`] : []),
  ];
  return [`${kind} ${parts.join(' · ')}`];
}

function some<T>(all: T[], show: (each: T) => View[number]): View {
  const rest = all.length - SHOWN;
  return [
    ...all.slice(0, SHOWN).map(show),
    ...(rest > 0 ? [indented(dim(`… and ${rest} more; --json has them all`))] : []),
  ];
}
