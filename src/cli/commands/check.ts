import { STRENGTHS } from '../../domain/decision.ts';
import { PrecedentError } from '../../domain/error.ts';
import { patternsIn } from '../../domain/place.ts';
import { here } from '../../files/surroundings.ts';
import { type Change, changeOf } from '../../git/change.ts';
import { askable } from '../../git/folder.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { loadOperation } from '../../operations/load.ts';
import { counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import { withMemoryToRead } from '../open.ts';
import { inMarkdown } from '../output/markdown.ts';
import { type Answer, inJson, NOT_FOUND, writeOut } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import type { Result } from '../result.ts';

export const check = defineCommand({
  name: 'check',
  summary: 'Which decisions name the files of a change',
  about:
    'Shows which active decisions name the files of a change, what failed there before, and which locks and axes it touches without a word: a version or an outcome since the commit that the change starts from, or a line "Decision: auth:session" in the message of one of its commits. What binds is read from the memory, never from the change. With --strict such a lock or axis makes the exit code 1; other decisions never do.',
  examples: ['check', 'check main...HEAD --format markdown', 'check --staged --strict'],
  arguments: { range: { about: 'main...HEAD, or main alone; left out: what is staged' } },
  options: {
    staged: { about: 'what is staged, as without a range' },
    format: { about: 'how it is written', value: 'format', choices: ['text', 'markdown', 'json'] },
    strict: { about: 'exit code 1 for a lock or an axis without a word' },
  },
  async run({ range, staged, format = 'text', strict }, place): Promise<Answer | undefined> {
    if (staged && range !== undefined)
      throw new PrecedentError('invalid', `Expected a range or --staged, found both: "${range}".`);
    const git = askable(here().cwd());
    if (!git) throw new PrecedentError('invalid', 'Expected a git repository, found none that git may read.');
    const [base = '', head = ''] = range?.split(/\.{2,3}/) ?? [];
    const change = await changeOf(
      git,
      range === undefined ? undefined : { base: base || 'HEAD', head: head || 'HEAD' },
    );
    if ('problem' in change)
      throw new PrecedentError('invalid', `Expected a change that git can tell: ${change.problem}.`);
    return withMemoryToRead(place, async (memory) => {
      const touched = await touchedBy(memory, change);
      const unsaid = touched.filter(({ state }) => state === 'unsaid').length;
      const report = { files: change.files.length, decisions: touched, unsaid, workspace: memory.workspace };
      const isRefused = strict && unsaid > 0;
      if (format === 'text') return { report, view: await view(report), ...(isRefused && { found: false }) };
      writeOut(format === 'json' ? inJson(report) : markdown(report));
      if (isRefused) here().exitCode = NOT_FOUND;
      return undefined;
    });
  },
});

type Row = Result<'mama_files'>['results'][number];
/** A decision that names files of a change; whether it must be spoken of, and was. */
type Touched = Row & { touches: string[]; state: 'said' | 'unsaid' | 'free' };
interface Report {
  files: number;
  decisions: Touched[];
  unsaid: number;
  workspace: string;
}

/** The decisions that name files of a change: those that bind first, then what failed. */
async function touchedBy(memory: MemoryCore, change: Change): Promise<Touched[]> {
  const { results } = (await memory.call('mama_files', {})) as Result<'mama_files'>;
  const { namedBy } = await import('../../domain/place-match.ts');
  const trailers = new Set(
    [...change.messages.matchAll(/^Decision:[ \t]*(.+)$/gim)].map(([, name = '']) => name.trim()),
  );
  const touched: Touched[] = [];
  for (const row of results) {
    const touches = namedBy(patternsIn(row.files), change.files);
    if (touches.length === 0) continue;
    const isFree = row.strength === 'normal';
    const isSaid =
      !isFree &&
      ([row.topic, row.ref, row.id].some((name) => name !== null && trailers.has(name)) ||
        (await changedAt(memory, row.id)) > change.since);
    touched.push({ ...row, touches, state: isFree ? 'free' : isSaid ? 'said' : 'unsaid' });
  }
  const rank = ({ strength, outcome_warning, earlier_failure }: Touched) =>
    STRENGTHS.indexOf(strength) - (outcome_warning || earlier_failure ? 0.5 : 0);
  return touched.sort((a, b) => rank(a) - rank(b));
}

/** When this version was saved, or its outcome: in milliseconds UTC. */
async function changedAt(memory: MemoryCore, id: string): Promise<number> {
  const { decision } = (await memory.call('decision_get', { id })) as Result<'decision_get'>;
  return Math.max(Date.parse(decision.createdAt), Date.parse(decision.updatedAt));
}

/** Files of a decision that are shown. */
const SHOWN = 5;
const list = (files: string[]) =>
  files.slice(0, SHOWN).join(', ') + (files.length > SHOWN ? ` and ${files.length - SHOWN} more` : '');
const howToSay = ({ topic, ref }: Touched) =>
  `say it: its next version, its outcome, or "Decision: ${topic ?? ref}" in the message`;

async function view({ files, decisions, workspace }: Report): Promise<View> {
  const named = await loadOperation('mama_files');
  return [
    ...decisions.flatMap((each) => [
      // Without the empty line at its end.
      ...named.view({ files: [], answered: true, results: [each], everywhere: 0, workspace }).slice(0, -1),
      indented(dim(`touched: ${list(each.touches)}`)),
      ...(each.state === 'unsaid' ? [indented(warn(`! touched without a word; ${howToSay(each)}`))] : []),
      ...(each.state === 'said' ? [indented(good('spoken of'))] : []),
      line(''),
    ]),
    line(
      dim(
        `${counted(decisions.length, 'decision')} for ${counted(files, 'changed file')}  workspace ${workspace}`,
      ),
    ),
  ];
}

/** Decisions that the summary of a job has: about twenty lines. */
const MOST = 15;

function markdown({ files, decisions }: Report): string {
  const rows = decisions.slice(0, MOST).map((each) => {
    const failed = each.outcome_warning ?? each.earlier_failure?.outcome_reason;
    const parts = [
      `**${inMarkdown(each.topic ?? each.ref)}** (${each.strength}): ${inMarkdown(each.decision)}`,
      ...(each.why ? [`why: ${inMarkdown(each.why)}`] : []),
      ...(failed ? [`⚠️ failed: ${inMarkdown(failed)}`] : []),
      `touched: ${inMarkdown(list(each.touches))}`,
      ...(each.state === 'unsaid' ? ['**touched without a word**'] : []),
    ];
    return `- ${parts.join('; ')}`;
  });
  const more = decisions.length > MOST ? [`- and ${decisions.length - MOST} more`] : [];
  const head = `### ${counted(decisions.length, 'decision')} for ${counted(files, 'changed file')}`;
  return `${[head, '', ...rows, ...more].join('\n')}\n`;
}
