import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { patternsIn } from '../../domain/place.ts';
import { subjectOf } from '../../domain/prompt/prompt.ts';
import { readPrompt } from '../../domain/prompt/reading.ts';
import { LIMITS } from '../../domain/text/text.ts';
import type { Tx } from '../../store/tx.ts';
import { aboutPrompt } from '../briefing/about-prompt.ts';
import { atError } from '../briefing/at-error.ts';
import { atFiles } from '../briefing/at-files.ts';
import { atStart } from '../briefing/at-start.ts';
import { text } from '../fields/basic.ts';
import { askedFiles } from '../fields/decision.ts';
import { defineOperation } from '../operation.ts';

/** Far more ids and patterns than a start looks at, and than the tokens of a session allow. */
const MANY = 2_000;
/** More names than a hook sends of any text. */
const NAMES = 500;
/** More words than are read of any prompt. */
const WORDS = 100;
/** More lines than a hook reads of any error. */
const LINES = 20;
/** Farther from 0 than any prompt of this length can speak. */
const MANNER = 1_000;
/** Characters of a pattern. */
const PATTERN = 1_000;

const list = (limit: number, item: string, most: number, about: string) =>
  z.array(text(limit, item)).max(most, `to hold at most ${most} items`).optional().describe(about);

const input = z.strictObject({
  at: z
    .enum(['start', 'prompt', 'names', 'files', 'error'])
    .describe(
      'The occasion: the start of a session, a prompt, names in a text, files, or an error of a tool',
    ),
  files: askedFiles(
    'Files: at a start those that the last sessions changed, with names those that the text is written into',
  ).optional(),
  ids: list(
    LIMITS.id,
    'An id',
    MANY,
    'At a start the decisions that the last sessions were shown; with names those whose hints were found',
  ),
  sharing: list(
    LIMITS.id,
    'An id',
    MANY,
    'With names: those that share words with hints, less sure than a name',
  ),
  wide: list(
    PATTERN,
    'A pattern',
    MANY,
    'Patterns that cover much of the repository: their rules hold everywhere',
  ),
  prompt: z
    .string()
    .max(LIMITS.message, `to have at most ${LIMITS.message} characters`)
    .optional()
    .describe('What the person asks'),
  words: list(LIMITS.query, 'A word of it', WORDS, 'Its words, in place of the prompt'),
  names: list(
    LIMITS.query,
    'A name',
    WORDS,
    'References to records in the prompt: paths, topics, ids or id prefixes, `#38`, `topic@2`',
  ),
  manner: z
    .number()
    .min(-MANNER)
    .max(MANNER)
    .optional()
    .describe(
      'How far the prompt is about decisions: below 0 if it is about the open file, the screen or looks',
    ),
  trigger: z
    .enum(['memo', 'expand'])
    .optional()
    .describe('The request of the prompt: to save a memo, or to expand one'),
  shown: list(
    LIMITS.scope,
    'An id',
    MANY,
    'Ids of records that the agent was shown before: others take their place',
  ),
  keys: list(
    LIMITS.query,
    'A name',
    NAMES,
    'Names in lower case: a product, a package (`pkg:moment`), a call, an option, a form of SQL',
  ),
  read: z.boolean().optional().describe('The files were read, and not changed'),
  marked: list(LIMITS.id, 'A topic or an id', NAMES, 'What the files name as decisions themselves'),
  lines: list(LIMITS.query, 'A line', LINES, 'The lines of its output that report the error'),
});

const shape = {
  id: z.string().describe('Of the record; an observation is #38'),
  name: z.string().describe('Its status and its name: its topic, else its first words'),
  line: z.string(),
  why: z.string().optional().describe('Its reason in a sentence, for where there is room'),
  whole: z.string().optional().describe('All of its reason, for where there is more'),
  binds: z.boolean().optional().describe('Whether it binds, or warns of what failed'),
  lock: z.literal(true).optional().describe('Set for a lock that holds'),
  match: z
    .object({ by: z.enum(['pattern', 'path', 'mark']), of: z.string(), at: z.string() })
    .optional()
    .describe('By which of its patterns it names which file'),
};
/** A line for the context of an agent. */
const fact = z.object(shape).meta({ id: 'Fact' });

const rule = z.object({
  ...shape,
  scope: z.string(),
  everywhere: z.boolean().describe('Whether it holds everywhere'),
  lately: z.boolean().describe('Whether it binds the files of the last sessions, or has one of their scopes'),
  placed: z.boolean().describe('Whether it is also shown with its files'),
  unreviewed: z.boolean().describe('Whether no person wrote or reviewed it'),
});

const start = z.object({
  rules: z
    .array(rule)
    .describe('Axes and locks: first those that persons wrote, each in the order of decision_retrieve'),
  scopes: z
    .array(z.object({ scope: z.string(), count: z.int() }))
    .describe('How many axes and locks there are in all'),
  failed: z.array(fact).describe('Recent failures, newest first'),
  failures: z.int().describe('Number of recent failures, shown or not'),
  checkpoint: fact.nullable().describe('Where work was left'),
  topics: z.array(z.string()).describe('Topics of other decisions, newest first'),
  decided: z.int().describe('How many other decisions have a topic'),
  due: z.int().describe('How many decisions are due for review'),
});

export const briefingGet = defineOperation({
  name: 'briefing_get',
  family: 'decisions',
  title: 'What an agent is shown by its hooks',
  summary:
    'Answers with lines that a hook puts into the context of an agent. At a start: axes and locks, what failed in the last two weeks, where work was left, and what else is decided. With a prompt, or its words: up to three records that matter for it. With names: what rejects, forbids or failed with what is named. With files: what binds them, what failed there, and what was decided for exactly these. At an error: notes and failed decisions whose own text has it. If unsure, it answers with no lines. It records nothing.',
  access: 'read',
  tool: false,
  positional: ['at'],
  input,
  variants: {
    field: 'at',
    kinds: {
      start: { fields: ['files', 'ids', 'wide'], required: [] },
      prompt: { fields: ['prompt', 'words', 'names', 'manner', 'trigger', 'shown'], required: [] },
      names: { fields: ['keys', 'ids', 'sharing', 'files'], required: [] },
      files: { fields: ['files', 'read', 'marked'], required: ['files'] },
      error: { fields: ['lines'], required: ['lines'] },
    },
  },
  output: z.object({
    facts: z
      .array(fact)
      .describe('The most relevant first; with files and names, axes and locks first; none at a start'),
    start: start.optional().describe('At a start'),
    trigger: z
      .enum(['memo', 'expand'])
      .nullable()
      .optional()
      .describe('With a prompt. memo: it asks for memo_save; expand: for memo_expand, and there is a memo'),
    workspace: z.string(),
  }),
  async run(tx, given) {
    const { ids = [], sharing = [], wide = [], keys = [], marked = [], read = false, lines = [] } = given;
    const { workspace } = tx;
    const paths = patternsIn(given.files ?? '');
    switch (given.at) {
      case 'start': {
        const { checkpoint = null, ...start } = await atStart(tx, { paths, ids, wide });
        return { facts: [], start: { ...start, checkpoint }, workspace };
      }
      case 'prompt':
        return { ...(await withPrompt(tx, given)), workspace };
      case 'names': {
        const asked = { keys, ids, sharing, paths: given.files === undefined ? undefined : paths };
        const { opposing } = await import('../briefing/opposing.ts');
        return { facts: await opposing(tx, asked), workspace };
      }
      case 'files':
        return { facts: await atFiles(tx, { paths, isRead: read, marked }), workspace };
      case 'error':
        return { facts: await atError(tx, lines), workspace };
    }
  },
});

async function withPrompt(tx: Tx, given: z.output<typeof input>) {
  const { prompt, words, names = [], manner = 0, trigger, shown = [] } = given;
  if ((prompt === undefined) === (words === undefined)) {
    const found = prompt === undefined ? 'neither' : 'both';
    throw invalid[prompt === undefined ? 'missing' : 'both_given'](
      `briefing_get: Expected "prompt" or "words", found ${found}.`,
    );
  }
  const inWords = {
    ...{ said: '', words: words ?? [], subject: subjectOf(words ?? []), names, manner, trigger },
    ...{ deciding: undefined, recordable: [] },
  };
  const asked = prompt === undefined ? inWords : readPrompt(prompt);
  const about = await aboutPrompt(tx, asked, new Set(shown));
  // A hook that sends words alone asks for names by itself.
  return { facts: [...about.named, ...about.facts], trigger: about.trigger ?? null };
}
