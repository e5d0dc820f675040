import { forSh } from '../agents/shell.ts';
import { FACT_KINDS, isEmpty, type Merged, type Tally } from '../domain/import/facts.ts';
import { type Plan, planOf } from '../domain/import/plan.ts';
import { here, homeHere } from '../files/surroundings.ts';
import {
  type FoundSource,
  readSource,
  sourcesAt,
  sourcesHere,
  type Asked as Wanted,
} from '../memory/importing.ts';
import {
  copied,
  counted,
  dim,
  good,
  indented,
  line,
  type Span,
  table,
  type View,
  warn,
} from '../operations/view.ts';
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
  const planFor = ({ read, skipped, ...merged }: Merged): Plan => {
    const becomes = FACT_KINDS.flatMap((kind) => tally(kind, merged[kind])).join(', ') || 'nothing';
    const whole = [{ what: asked.path ?? asked.from, becomes }];
    return planOf({ read: facts.read ? read : whole, skipped }, facts.read !== undefined);
  };
  const how = { keepsSecrets: asked.keepSecret === true };
  const answer = (merged: Merged, workspace: string) => {
    const plan = planFor(merged);
    const { read: _, ...report } = merged;
    return {
      report: { workspace, dryRun: asked.dryRun, ...report, plan },
      view: viewOfMerge(merged, plan, workspace, asked.dryRun),
    };
  };
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
const MOST_LINES = 20;
/** Things with one answer in the plan. */
const MOST_ALIKE = 3;

/** What an import did, or would do: new, changed, same, and what was not taken and why (I-3). */
function viewOfMerge(merged: Merged, plan: Plan, workspace: string, isDryRun: boolean): View {
  const done = FACT_KINDS.flatMap((kind) => tally(kind, merged[kind]));
  const nothing = FACT_KINDS.every((kind) => merged[kind].new + merged[kind].changed === 0);
  const where = dim(`  from ${merged.source} into ${workspace}`);
  const title = isDryRun ? dim('= would come: ') : nothing ? dim('= nothing changed: ') : good('✔ ');
  const { conflicts, renumbered, unresolved, warnings } = merged;
  return [
    line(title, done.length > 0 ? done.join(', ') : 'nothing', where),
    ...viewOfBinding(merged.binding),
    ...some(conflicts, ({ what, why }) => indented(warn(`! ${what}: ${why}`))),
    ...some(renumbered, ({ topic, from, to }) =>
      indented(dim(`renumbered: ${topic}, version ${from} is version ${to} now`)),
    ),
    ...viewOfPlan(plan, isDryRun),
    ...some(unresolved, (text) => indented(dim(`waits: ${text}`))),
    ...some(warnings, (text) => indented(warn(`! ${text}`))),
    ...(isDryRun ? [NOT_WRITTEN] : []),
  ];
}

/**
 * Each thing that is there, with what it becomes or why it is left out; of many with one answer the first ones (SR-5).
 * @param isWhole whether what is taken is named, too
 */
function viewOfPlan({ rows, files }: Plan, isWhole: boolean): View {
  const shown = rows.filter(({ why }) => isWhole || why !== undefined);
  const alike = Map.groupBy(shown, ({ becomes = '', why }) => why ?? becomes.replace(/^(?!1 )\d+/, 'n'));
  const answered = [...alike.values()].flatMap((of): Span[][] => {
    const isTooMany = of.length > MOST_ALIKE + 1;
    const named = (isTooMany ? of.slice(0, MOST_ALIKE) : of).map(({ what, becomes, why }) => [
      what,
      becomes ?? dim(`left out: ${why}`),
    ]);
    const more = of.slice(MOST_ALIKE);
    const all = dim('--json has them all');
    return isTooMany ? [...named, [dim(`… ${more.length} more like this`), sumOf(more) ?? all]] : named;
  });
  return [
    ...(answered.length > 0 ? [table(['found', 'becomes'], answered)] : []),
    ...(files && isWhole
      ? [indented(dim(`${counted(files.found, 'file')}: ${files.taken} taken, ${files.leftOut} left out`))]
      : []),
  ];
}

/** The sum of what files become: `45 decisions`; undefined for those that are left out. */
function sumOf(rows: Plan['rows']): string | undefined {
  const [, what] = /^\d+ (\w+?)s?$/.exec(rows[0]?.becomes ?? '') ?? [];
  return what && counted(rows.map(({ becomes }) => Number.parseInt(becomes ?? '', 10)).reduce(sum), what);
}

const sum = (one: number, other: number) => one + other;

/** What was found on this machine, and the command that takes it in. */
function viewOfSources(found: FoundSource[]): View {
  if (found.length === 0) return [line(dim('No memory of another tool was found on this machine.'))];
  return found.flatMap(({ source, path, holds, examples, plan, problem }) => {
    const held =
      holds &&
      FACT_KINDS.filter((kind) => holds[kind] > 0).map((kind) => counted(holds[kind], kind.slice(0, -1)));
    const isNone = held?.length === 0;
    return [
      line(`${source}  `, dim(path)),
      indented(problem !== undefined ? warn(`! ${problem}`) : isNone ? 'no decision' : `${held?.join(', ')}`),
      ...FACT_KINDS.flatMap((kind) => (examples?.[kind] ?? []).map((each) => indented(dim(`  ${each}`)))),
      ...(plan ? viewOfPlan(plan, true) : []),
      ...(isNone ? [] : [copied(`precedent import --from ${source} ${forSh([path])} --dry-run`)]),
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
  const rest = all.length - MOST_LINES;
  return [
    ...all.slice(0, MOST_LINES).map(show),
    ...(rest > 0 ? [indented(dim(`… and ${rest} more; --json has them all`))] : []),
  ];
}
