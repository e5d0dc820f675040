import pkg from '../../../package.json' with { type: 'json' };
import { cut } from '../../domain/text/sentence.ts';
import { firstOf } from '../../domain/text/text.ts';
import type { Result } from '../../operations/index.ts';
import { viewOf } from '../../operations/load.ts';
import { counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import { inMarkdown } from '../output/markdown.ts';

/** A decision that names files of a change; whether the change must mention it, and does. */
export type Touched = Result<'mama_files'>['results'][number] & {
  touches: string[];
  state: 'said' | 'unsaid' | 'free';
  /** Set where it bound some of them when the change began, and no longer does. */
  earlier?: true;
};

/** What `precedent check` answers (F-5). */
export interface Report {
  /** How many files the change has. */
  files: number;
  decisions: Touched[];
  /** How many of them bind and are not mentioned. */
  unsaid: number;
  /** Why names in its messages and new comments mean no decision. */
  unknown?: string[];
  /** Where the decisions were read: a memory, or decision records of the repository at a commit. */
  from: { memory: string } | { records: number; commit: string };
}

/** Files of a decision that are shown. */
const MOST_FILES = 5;
const touchedBy = ({ touches, earlier }: Touched) =>
  `touched${earlier ? ', though it no longer names them' : ''}: ${firstOf(touches, MOST_FILES)}`;
const title = ({ decisions, files }: Report) =>
  `${counted(decisions.length, 'decision')} for ${counted(files, 'changed file')}`;
/** How a decision, or an earlier version of it, turned out badly; undefined where none did. */
function failureOf({ outcome, outcome_warning, outcome_reason, earlier_failure: earlier }: Touched) {
  const reason = (text: string | null | undefined) => (text ? `: ${text}` : '');
  if (outcome_warning) return `${outcome}${reason(outcome_reason)}`;
  return earlier && `failed before: ${earlier.decision}${reason(earlier.outcome_reason)}`;
}
const trailerOf = ({ topic, ref }: Touched) => `Decision: ${topic ?? ref}`;

const shortCommit = (commit: string) => commit.slice(0, 8);

/** What is said where there is neither a memory nor a decision record; undefined elsewhere. */
export const nothingIn = ({ from }: Report): string | undefined =>
  'records' in from && from.records === 0
    ? `Nothing is recorded: no memory here, and no decision records at ${shortCommit(from.commit)}.`
    : undefined;

/** How a person answers a lock or an axis that is touched. */
function howToSay(each: Touched, { from }: Report): string {
  const version = 'memory' in from ? 'its next version, its outcome' : 'a record that supersedes it';
  return `mention it: ${version}, or "${trailerOf(each)}" in the message`;
}

const unknownIn = ({ unknown = [] }: Report) =>
  unknown.map((said) => `named by a message or a new comment: ${said}`);

const source = ({ from }: Report) =>
  'memory' in from
    ? `workspace ${from.memory}`
    : `${counted(from.records, 'decision record')} at ${shortCommit(from.commit)}`;

export async function inText(report: Report): Promise<View> {
  const nothing = nothingIn(report);
  if (nothing !== undefined) return [line(warn(nothing))];
  const shown = await Promise.all(
    report.decisions.map(async (each) => [
      // Without the empty line at its end.
      ...(await viewOf('mama_files', { files: [], results: [each], everywhere: 0 })).slice(0, -1),
      indented(dim(touchedBy(each))),
      ...(each.state === 'unsaid'
        ? [indented(warn(`! touched but not mentioned; ${howToSay(each, report)}`))]
        : []),
      ...(each.state === 'said' ? [indented(good('mentioned'))] : []),
      line(''),
    ]),
  );
  return [
    ...shown.flat(),
    ...unknownIn(report).map((said) => line(warn(`! ${said}`))),
    line(dim(`${title(report)}  ${source(report)}`)),
  ];
}

/** Decisions that the summary of a job has: about twenty lines. */
const MOST = 15;

/** Characters of a text that the summary has: a comment has a limit. */
const LONGEST = 500;
const short = (text: string) => inMarkdown(cut(text, LONGEST));

/** Begins with a mark, by which a comment is found again. */
export function asMarkdown(report: Report): string {
  const rows = report.decisions.slice(0, MOST).map((each) => {
    const failed = failureOf(each);
    const parts = [
      `**${short(each.topic ?? each.ref)}** (${each.strength}): ${short(each.decision)}`,
      ...(each.why ? [`why: ${short(each.why)}`] : []),
      ...(failed ? [`⚠️ ${short(failed)}`] : []),
      ...(each.decided_twice ? [`⚠️ decided twice: ${short(each.decided_twice)}`] : []),
      short(touchedBy(each)),
      ...(each.state === 'unsaid' ? [`**touched but not mentioned**; ${short(howToSay(each, report))}`] : []),
    ];
    return `- ${parts.join('; ')}`;
  });
  const more = report.decisions.length > MOST ? [`- and ${report.decisions.length - MOST} more`] : [];
  const hints = unknownIn(report).map((said) => `- ⚠️ ${short(said)}`);
  const nothing = nothingIn(report);
  const text = nothing === undefined ? [...rows, ...more, ...hints] : [nothing];
  return `${['<!-- precedent check -->', `### ${title(report)}`, '', ...text].join('\n')}\n`;
}

/** SARIF 2.1.0: a rule for each decision, a result for each of its files. */
export function asSarif({ decisions, ...report }: Report): object {
  const levels = decisions.map((each) =>
    each.state === 'unsaid' ? 'error' : failureOf(each) || each.decided_twice ? 'warning' : 'note',
  );
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'Precedent',
            version: pkg.version,
            rules: decisions.map((each, index) => ({
              id: each.topic ?? each.id,
              shortDescription: { text: inMessage(each.decision) },
              defaultConfiguration: { level: levels[index] },
            })),
          },
        },
        results: decisions.flatMap((each, ruleIndex) => {
          const failed = failureOf(each);
          const text = [
            `${each.topic ?? each.ref} (${each.strength}): ${each.decision}`,
            ...(each.why ? [`Why: ${each.why}`] : []),
            ...(failed ? [`It ${failed}`] : []),
            ...(each.decided_twice ? [`Decided twice: ${each.decided_twice}`] : []),
            ...(each.state === 'unsaid'
              ? [`Touched but not mentioned; ${howToSay(each, { decisions, ...report })}`]
              : []),
          ].join('\n');
          return each.touches.map((file) => ({
            ruleId: each.topic ?? each.id,
            ruleIndex,
            level: levels[ruleIndex],
            message: { text: inMessage(text) },
            locations: [
              {
                physicalLocation: {
                  artifactLocation: {
                    uri: file.split('/').map(encodeURIComponent).join('/'),
                    uriBaseId: '%SRCROOT%',
                  },
                  // The decision is about the file; who shows it asks for a line.
                  region: { startLine: 1 },
                },
              },
            ],
          }));
        }),
      },
    ],
  };
}

/** A text in which SARIF finds neither a place for an argument nor a link. */
const inMessage = (text: string) => text.replace(/[{}]/g, '$&$&').replaceAll('](', '] (');
