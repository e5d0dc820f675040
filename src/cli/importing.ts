import { forSh } from '../agents/shell.ts';
import { FACT_KINDS, isEmpty, type Merged, type Tally } from '../domain/import/facts.ts';
import { here, homeHere } from '../files/surroundings.ts';
import {
  type FoundSource,
  readSource,
  sourcesAt,
  sourcesHere,
  type Asked as Wanted,
} from '../memory/importing.ts';
import { copied, counted, dim, good, indented, line, type View, warn } from '../operations/view.ts';
import { NOT_WRITTEN, viewOfBinding } from './copy-memory.ts';
import { open, using } from './open.ts';
import type { Answer } from './output/print.ts';
import { withProgressBar } from './output/progress.ts';
import type { PlaceOptions } from './place.ts';

/** How an import from another tool was asked for. */
interface Asked extends Wanted {
  from: string;
  path: string | undefined;
  dryRun: boolean;
  keepSecret?: boolean | undefined;
}

/** Takes in what another tool remembers (I-1); `auto` only lists what this machine has. */
export async function importFromTool(asked: Asked, place: PlaceOptions): Promise<Answer> {
  const machine = { home: homeHere(), folder: here().cwd(), platform: process.platform, env: here().env };
  if (asked.from === 'auto') {
    const found = asked.path === undefined ? sourcesHere(machine) : sourcesAt(asked.path, machine);
    return { report: { sources: found }, view: viewOfSources(found) };
  }
  const facts = readSource(asked.from, asked.path, machine, asked);
  const how = { keepsSecrets: asked.keepSecret === true };
  const answer = (merged: Merged, workspace: string) => ({
    report: { workspace, dryRun: asked.dryRun, ...merged },
    view: viewOfMerge(merged, workspace, asked.dryRun),
  });
  if (asked.dryRun || isEmpty(facts)) {
    return using(await open(place, { create: 'try' }), async (tried) =>
      answer(await tried.merge(facts, () => {}, { ...how, dryRun: asked.dryRun }), tried.workspace),
    );
  }
  return using(await open(place, { create: 'new' }), async (memory) =>
    answer(await withProgressBar((progress) => memory.merge(facts, progress, how)), memory.workspace),
  );
}

/** Undoes all that came from one source (I-3), or says what would go. */
export async function undoImport(source: string, place: PlaceOptions, dryRun: boolean): Promise<Answer> {
  return using(await open(place, { create: 'never' }), async (memory) => {
    const undone = await memory.unmerge(source, { dryRun });
    const { workspace } = memory;
    const what = `${counted(undone.records, 'record')} and ${counted(undone.relations, 'relation')}`;
    const kinds = Object.entries(undone.kinds).map(([kind, count]) => `${kind} ${count}`);
    return {
      report: { workspace, dryRun, ...undone },
      view: [
        line(
          ...(dryRun ? [dim('= would undo ')] : [good('✔ '), 'undid ']),
          what,
          dim(`  that came from ${source} into ${workspace}`),
        ),
        ...(kinds.length > 0 ? [indented(dim(kinds.join(' · ')))] : []),
        ...(dryRun ? [NOT_WRITTEN] : []),
      ],
    };
  });
}

/** Lines of one kind that a person is shown; `--json` has all. */
const SHOWN = 20;
/** Names of files that were left out for one reason. */
const NAMED = 5;

/** What an import did, or would do: new, changed, same, and what was not taken and why (I-3). */
function viewOfMerge(merged: Merged, workspace: string, isDryRun: boolean): View {
  const done = FACT_KINDS.flatMap((kind) => tally(kind, merged[kind]));
  const nothing = FACT_KINDS.every((kind) => merged[kind].new + merged[kind].changed === 0);
  const where = dim(`  from ${merged.source} into ${workspace}`);
  const title = isDryRun ? dim('= would come: ') : nothing ? dim('= nothing changed: ') : good('✔ ');
  const { conflicts, renumbered, unresolved, read, skipped, warnings } = merged;
  return [
    line(title, done.length > 0 ? done.join(', ') : 'nothing', where),
    ...viewOfBinding(merged.binding),
    ...some(conflicts, ({ what, why }) => indented(warn(`! ${what}: ${why}`))),
    ...some(renumbered, ({ topic, from, to }) =>
      indented(dim(`renumbered: ${topic}, version ${from} is version ${to} now`)),
    ),
    ...(isDryRun ? some(read, ({ what, becomes }) => indented(`${what} → ${becomes}`)) : []),
    ...viewOfLeftOut(skipped),
    ...(isDryRun && read.length > 0 ? [indented(dim(sumOf(read, skipped)))] : []),
    ...some(unresolved, (text) => indented(dim(`waits: ${text}`))),
    ...some(warnings, (text) => indented(warn(`! ${text}`))),
    ...(isDryRun ? [NOT_WRITTEN] : []),
  ];
}

/** What was left out, by the reason: each of few by its name, of many the first ones. */
function viewOfLeftOut(skipped: Merged['skipped']): View {
  return [...Map.groupBy(skipped, ({ why }) => why)].map(([why, of]) => {
    const names = of.slice(0, NAMED).map(({ what }) => what);
    const more = of.length > NAMED ? ` and ${of.length - NAMED} more; --json has them all` : '';
    return indented(dim(`left out: ${names.join(', ')}${more}: ${why}`));
  });
}

/** How the files that are there add up: those that become something, and those left out, whole or in part. */
function sumOf(read: Merged['read'], skipped: Merged['skipped']): string {
  const taken = new Set(read.map(({ what }) => what));
  // An entry of a log is named after its file.
  const left = new Set(
    skipped.map(({ what }) => what.replace(/(?<=\.\w+)#.*/s, '')).filter((each) => !taken.has(each)),
  );
  return `${counted(taken.size + left.size, 'file')}: ${taken.size} taken, ${left.size} left out`;
}

/** What was found on this machine, and the command that takes it in. */
function viewOfSources(found: FoundSource[]): View {
  if (found.length === 0) return [line(dim('No memory of another tool was found on this machine.'))];
  return found.flatMap(({ source, path, holds, examples, problem }) => {
    const held =
      holds &&
      FACT_KINDS.filter((kind) => holds[kind] > 0).map((kind) => counted(holds[kind], kind.slice(0, -1)));
    return [
      line(`${source}  `, dim(path)),
      indented(problem === undefined ? `${held?.join(', ')}` : warn(`! ${problem}`)),
      ...FACT_KINDS.flatMap((kind) => (examples?.[kind] ?? []).map((each) => indented(dim(`  ${each}`)))),
      copied(`precedent import --from ${source} ${forSh([path])} --dry-run`),
    ];
  });
}

function tally(kind: string, { new: fresh, changed, same }: Tally): string[] {
  const parts = Object.entries({ new: fresh, changed, 'as before': same })
    .filter(([, count]) => count > 0)
    .map(([what, count]) => `${count} ${what}`);
  return parts.length === 0 ? [] : [`${kind} ${parts.join(' · ')}`];
}

function some<T>(all: T[], show: (each: T) => View[number]): View {
  const rest = all.length - SHOWN;
  return [
    ...all.slice(0, SHOWN).map(show),
    ...(rest > 0 ? [indented(dim(`… and ${rest} more; --json has them all`))] : []),
  ];
}
