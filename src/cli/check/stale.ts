import { LIMITS } from '../../domain/text/text.ts';
import { type Change, changeOf } from '../../git/change.ts';
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
  const paths = await trackedIn(git, change);
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
  language: 'en' | 'ko',
): Promise<{ id: string; note: string }[]> {
  const git = repositoryOf(options);
  const corrections = git && (await correctionsOf(core));
  if (!git || !corrections || corrections.corrections.length === 0) return [];
  const staged = await changeOf(git, undefined);
  const { staleIn } = await import('../../memory/stale.ts');
  const { WORDS } = await import('../../operations/review.ts');
  return staleIn(git.top, await trackedIn(git, staged), corrections).stale.map(
    ({ file, line: at, says, of: [of] }) => ({
      id: of?.id ?? '',
      note: WORDS[language].stale(`${file}:${at}`, says, of).slice(0, LIMITS.openFile),
    }),
  );
}

/** The files that are committed, and those that a change adds; undefined before the first commit. */
async function trackedIn(
  git: GitFolder,
  change: Change | { problem: string },
): Promise<string[] | undefined> {
  const files = 'problem' in change ? [] : change.files;
  const added = files.flatMap(({ path, after }) => (after === undefined ? [] : path));
  const tracked = await filesOf(git);
  return tracked && [...new Set([...tracked, ...added])];
}

type Corrected = NonNullable<Result<'briefing_list'>['corrected']>;
type Correction = Corrected['corrections'][number];

async function correctionsOf(core: MemoryCore): Promise<Corrected> {
  const { corrected } = await core.call('briefing_list', { kind: 'corrections' });
  return corrected as Corrected;
}

const title = ({ stale, files }: StaleReport) =>
  `${counted(stale.length, 'sentence')} of ${counted(files, 'file')} that ${stale.length === 1 ? 'says' : 'say'} what no longer holds`;
const source = ({ from }: StaleReport) =>
  'memory' in from ? `workspace ${from.memory}` : counted(from.records, 'decision record');
const IN_CHANGE = 'replaced in this change';
const CORRECT = 'correct the file; a sentence that describes the old state as past is not listed';
const NONE =
  'git tracks no file of instructions here, such as CLAUDE.md or README: "git add" those that should be checked';

/** Sentences, and files that were left out, that a person is shown: those of the change first. */
const MOST = 50;
function shownOf({ stale, skipped, files }: StaleReport) {
  const more = (all: readonly unknown[], what: string) =>
    all.length > MOST ? [`${all.length - MOST} more ${what}: --format json has all`] : [];
  return {
    sentences: stale.toSorted((a, b) => Number(b.isOfChange) - Number(a.isOfChange)).slice(0, MOST),
    notes: [
      ...skipped.slice(0, MOST).map(({ what, why }) => `left out: ${what}: ${why}`),
      ...more(skipped, 'left out'),
      ...more(stale, 'sentences'),
      ...(stale.length > 0 ? [CORRECT] : []),
      ...(files === 0 && skipped.length === 0 ? [NONE] : []),
    ],
  };
}

export function staleInText(report: StaleReport): View {
  const { sentences, notes } = shownOf(report);
  return [
    ...sentences.flatMap((each) => [
      line(`${each.file}:${each.line} still says ${each.says}`),
      indented(dim(each.sentence)),
      ...(each.isOfChange ? [indented(warn(`! ${IN_CHANGE}`))] : []),
    ]),
    ...notes.map((each) => line(warn(`! ${each}`))),
    line(dim(`${title(report)}  ${source(report)}`)),
  ];
}

/** Begins with a mark, by which a comment is found again. */
export function staleAsMarkdown(report: StaleReport): string {
  const { sentences, notes } = shownOf(report);
  const rows = sentences.map(
    ({ file, line: at, says, sentence, isOfChange }) =>
      `- ${isOfChange ? `**${IN_CHANGE}**: ` : ''}${inMarkdown(`${file}:${at}`)} still says ${inMarkdown(says)} ${inMarkdown(sentence)}`,
  );
  const lines = [...rows, ...notes.map((each) => `- ${inMarkdown(each)}`)];
  return `${['<!-- precedent check --stale -->', `### ${title(report)}`, '', ...lines].join('\n')}\n`;
}
