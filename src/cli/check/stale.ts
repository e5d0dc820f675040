import { LIMITS } from '../../domain/text/text.ts';
import type { Change } from '../../git/change.ts';
import type { GitFolder } from '../../git/folder.ts';
import { filesOf } from '../../git/renames.ts';
import type { MemoryCore } from '../../memory/core.ts';
import type { Stale } from '../../memory/stale.ts';
import type { Result } from '../../operations/index.ts';
import { counted, dim, indented, line, type View, warn } from '../../operations/view.ts';
import { emptyMemory, openHere, using } from '../open.ts';
import { inMarkdown } from '../output/markdown.ts';
import type { PlaceOptions } from '../place.ts';
import { repositoryOf } from '../repository/vanished.ts';
import { noMemory } from '../workspaces/memories.ts';

/** What `precedent check --stale` answers (CC-2). */
export interface StaleReport {
  /** How many files that instruct were read. */
  files: number;
  stale: (Omit<Stale, 'of'> & { id: string; topic: string | null; isOfChange: boolean })[];
  /** How many of them say what the change replaced. */
  ofChange: number;
  skipped: { what: string; why: string }[];
  from: { memory: string } | { records: number };
}

/**
 * The sentences of the repository's files that still say what holds no longer: by the memory that is meant, else by the decision
 * records of the repository as they are after the change. The files are read as they are in the folder.
 */
export async function staleOf(git: GitFolder, change: Change, options: PlaceOptions): Promise<StaleReport> {
  const { place, memory } = await openHere(options);
  const added = change.files.flatMap(({ path, after }) => (after === undefined ? [] : path));
  const paths = [...new Set([...((await filesOf(git)) ?? []), ...added])];
  const report = async (
    core: MemoryCore,
    from: StaleReport['from'],
    isNew: (each: Correction) => boolean,
  ): Promise<StaleReport> => {
    const { staleIn } = await import('../../memory/stale.ts');
    const corrections = await correctionsOf(core);
    const { stale, files, skipped } = staleIn(git.top, paths, corrections);
    const known = new Set(corrections.corrections.filter(isNew));
    const marked = stale.map(({ of, ...each }) => ({
      ...each,
      id: of[0]?.id ?? '',
      topic: of[0]?.topic ?? null,
      isOfChange: of.some((one) => known.has(one)),
    }));
    return { files, stale: marked, ofChange: marked.filter((each) => each.isOfChange).length, skipped, from };
  };
  if (memory)
    return using(memory, () =>
      report(memory, { memory: memory.workspace }, ({ at }) => Date.parse(at) > change.since),
    );
  // The name may be mistyped.
  if (place.isNamed) throw await noMemory(place);
  const { recordsOfChange } = await import('../../memory/importing.ts');
  const { before, after } = await recordsOfChange(git, change);
  const inFacts = async <Answer>(facts: typeof before, ask: (core: MemoryCore) => Promise<Answer>) => {
    const scratch = await emptyMemory(place);
    return using(scratch, async () => {
      await scratch.merge(facts);
      return ask(scratch);
    });
  };
  const earlier = await inFacts(before, correctionsOf);
  const known = new Set(earlier.corrections.map(({ old }) => old));
  return inFacts(after, (core) =>
    report(core, { records: after.decisions.length }, ({ old }) => !known.has(old)),
  );
}

/** The sentences of the repository here, as review is told of them: with the decision that each belongs to. */
export async function staleHere(
  core: MemoryCore,
  options: PlaceOptions,
): Promise<{ id: string; note: string }[]> {
  const git = repositoryOf(options);
  const paths = git && (await filesOf(git));
  const corrections = paths && (await correctionsOf(core));
  if (!git || !paths || !corrections || corrections.corrections.length === 0) return [];
  const { staleIn } = await import('../../memory/stale.ts');
  return staleIn(git.top, paths, corrections).stale.map(({ file, line: at, says, of }) => ({
    id: of[0]?.id ?? '',
    note: `${file}:${at} still says ${says}`.slice(0, LIMITS.openFile),
  }));
}

type Correction = Result<'briefing_corrections'>['corrections'][number];

async function correctionsOf(core: MemoryCore): Promise<Result<'briefing_corrections'>> {
  return (await core.call('briefing_corrections', {})) as Result<'briefing_corrections'>;
}

const title = ({ stale, files }: StaleReport) =>
  `${counted(stale.length, 'sentence')} of ${counted(files, 'file')} that ${stale.length === 1 ? 'says' : 'say'} what holds no longer`;
const source = ({ from }: StaleReport) =>
  'memory' in from ? `workspace ${from.memory}` : counted(from.records, 'decision record');
const IN_CHANGE = 'replaced in this change';

export const staleInText = (report: StaleReport): View => [
  ...report.stale.flatMap((each) => [
    line(`${each.file}:${each.line} still says ${each.says}`),
    indented(dim(each.sentence)),
    ...(each.isOfChange ? [indented(warn(`! ${IN_CHANGE}`))] : []),
  ]),
  ...report.skipped.map(({ what, why }) => line(warn(`! left out: ${what}: ${why}`))),
  line(dim(`${title(report)}  ${source(report)}`)),
];

/** Sentences that the summary of a job has. */
const MOST = 50;

/** Begins with a mark, by which a comment is found again. */
export function staleAsMarkdown(report: StaleReport): string {
  const { stale, skipped } = report;
  const rows = stale
    .slice(0, MOST)
    .map(
      ({ file, line: at, says, sentence, isOfChange }) =>
        `- ${isOfChange ? `**${IN_CHANGE}**: ` : ''}${inMarkdown(`${file}:${at}`)} still says ${inMarkdown(says)} ${inMarkdown(sentence)}`,
    );
  const more = stale.length > MOST ? [`- and ${stale.length - MOST} more`] : [];
  const left = skipped.map(({ what, why }) => `- left out: ${inMarkdown(`${what}: ${why}`)}`);
  return `${['<!-- precedent check --stale -->', `### ${title(report)}`, '', ...rows, ...more, ...left].join('\n')}\n`;
}
