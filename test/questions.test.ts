import assert from 'node:assert/strict';
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it, mock } from 'node:test';
import { inSeoul, sixWeeks } from '../scripts/demo/narae.ts';
import type { Result } from '../src/operations/index.ts';
import { workbench } from './support/program.ts';
import {
  answered,
  holdsAnswer,
  QUESTIONS,
  type Question,
  withFolders,
  withNames,
} from './support/questions.ts';

/** The Monday after the six weeks, when all is asked. */
const ASKED = '2026-11-16 09:00';
/** Questions that must be answered by one command each. */
const ANSWERED = 42;

// Commands run in this process, which has none to share: for it, too, it is that moment in Seoul.
const SEOUL = 'Asia/Seoul';
process.env.TZ = SEOUL;
mock.timers.enable({ apis: ['Date'], now: inSeoul(ASKED) });

describe('what a person asks after six weeks', { concurrency: 2 }, () => {
  const bench = workbench({ after }, 'here');
  const stream = join(bench.folder, 'narae.jsonl');
  const folders = { out: join(bench.folder, 'decisions'), colleague: join(bench.folder, 'of a colleague') };
  let ids: ReadonlyMap<string, string> = new Map();

  /** Runs a command in a memory of that name. */
  const type = (workspace: string, command: string[], as: Pick<Question, 'by' | 'editor'> = {}) =>
    bench.succeed(command, { env: environment(workspace, as) });
  const environment = (workspace: string, { by, editor }: Pick<Question, 'by' | 'editor'> = {}) => ({
    PRECEDENT_DB: undefined,
    PRECEDENT_WORKSPACE: workspace,
    PRECEDENT_AUTHOR: by ?? 'Yuna Park <yuna@narae.example>',
    VISUAL: editor,
    PATH: process.env.PATH,
  });

  /** The six weeks as a memory of their own: a person has kept each rule of them. */
  async function comes(workspace: string) {
    await type(workspace, ['import', stream]);
    const { groups } = JSON.parse(await type(workspace, ['review', '--json'])) as Result<'review'>;
    const imported = groups.filter(({ kind }) => kind === 'imported').flatMap(({ items }) => items);
    await type(workspace, ['tool', 'reviewed', ...imported.map(({ key }) => key)]);
  }

  before(async () => {
    const made = await sixWeeks(true);
    ids = made.ids;
    writeFileSync(stream, `${made.lines.join('\n')}\n`);
    await comes('narae');
    await type('colleague', ['decide', 'map:tiles', 'Tiles come from our own server']);
    await type('colleague', ['decide', 'map:zoom', '확대는 다섯 단계']);
    await type('colleague', ['export', '--format', 'madr', folders.colleague]);
  });

  it('[E-1] the six weeks come in whole and sound', async () => {
    const { rows } = JSON.parse(await type('again', ['import', stream, '--json']));
    const { decisions, observations, memos, outcomes, relations } = rows;
    assert.deepEqual([decisions, observations, memos, outcomes, relations], [60, 80, 20, 14, 13]);
    assert.match(await type('narae', ['doctor']), /^✔ sound$/m);
  });

  it('[U-3] [U-4] every question has its command or says why not, and 42 of 44 have one', () => {
    const numbers = new Set(QUESTIONS.map(({ n }) => Number.parseInt(n, 10)));
    assert.deepEqual(
      [...numbers],
      Array.from({ length: 44 }, (_, index) => index + 1),
    );
    for (const { n, command, later } of QUESTIONS)
      assert.equal(command === undefined, later !== undefined, n);
    assert(answered().size >= ANSWERED, `${answered().size} of 44 are answered: ${[...answered()]}`);
  });

  for (const question of QUESTIONS.filter(({ command }) => command)) {
    it(`${question.n}: ${question.ask}`, () => answers(question));
  }

  async function answers(question: Question): Promise<void> {
    const { n, command = [], changes, json, gone } = question;
    const words = command.map((word) => withNames(withFolders(word, folders), ids));
    const workspace = changes ? `narae-${n}` : 'narae';
    if (changes) await comes(workspace);
    const printed = await type(workspace, words, question);
    if (json) {
      const answer = JSON.parse(printed) as Record<string, unknown>;
      for (const [field, value] of Object.entries(json)) assert.deepEqual(answer[field], value, field);
    } else {
      const files = question.files ? globSync('*.md', { cwd: folders.out }).sort() : [];
      const texts = files.map((file) => readFileSync(join(folders.out, file), 'utf8'));
      holdsAnswer([printed, ...texts].join('\n'), question, ids);
    }
    if (gone) assert.doesNotMatch(await type(workspace, ['export', '--format', 'jsonl']), new RegExp(gone));
  }
});
