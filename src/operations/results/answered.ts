import * as z from 'zod';
import { FOUND_KINDS, KINDS } from '../../domain/kinds.ts';
import { capitalize } from '../../domain/text/text.ts';
import type { Question } from '../../store/search/question.ts';
import { counted, dim, line, type View, warn } from '../view.ts';

/** What was looked at, where nothing answers or nothing is there: without it "no" would be read as of the whole memory (RE-8). */
const looked = z.object({
  what: z
    .enum(['record', 'author', 'decision', 'topic', 'scope', 'note', 'memo', 'link', 'checkpoint'])
    .describe('What was looked for; a note is an observation'),
  records: z.int().describe('How many of these were looked at'),
  languages: z.array(z.string()).describe('The languages that they are in, the commonest first'),
  filter: z.string().optional().describe('The fields that left some of them out'),
  unfiltered: z.int().optional().describe('How many there are without the filter'),
  there: z.array(z.string()).optional().describe('If none passes the filter: the values that exist'),
  meant: z.string().optional().describe('The filter that the words probably mean'),
  ended: z
    .int()
    .optional()
    .describe('If none is active: how many were replaced, withdrawn, undone or deleted'),
  excluded: z
    .array(z.string())
    .optional()
    .describe('Records that answer the question and do not pass the filter'),
  elsewhere: z
    .partialRecord(z.enum(FOUND_KINDS), z.int())
    .optional()
    .describe('How many records of other kinds answer: recall has them'),
  uncompared: z
    .array(z.string())
    .optional()
    .describe('Rules and failures in another language than the question, whose words could not be compared'),
});
export type Looked = z.infer<typeof looked>;

export const lookedField = () =>
  looked.optional().describe('If nothing answers or nothing is listed: the records that were looked at');

/** In the result of a search: what its reader must know before the results (T-8, RE-8). */
export const answeredFields = () => ({
  answered: z.literal(false).optional().describe('If no record shares enough of the words'),
  looked: lookedField(),
  read_as: z
    .record(z.string(), z.string())
    .optional()
    .describe(
      'Words that hardly any record has, each with the words that were also searched for: other names for it, or a corrected spelling',
    ),
});

interface Answered {
  answered?: false | undefined;
  looked?: Looked | undefined;
  read_as?: Record<string, string> | undefined;
}

/** {@link answeredFields} of a question as it was read. */
export const answeredWhen = (isAnswered: boolean, { readAs }: Question): Answered => ({
  ...(!isAnswered && { answered: false }),
  ...(readAs.size > 0 && { read_as: Object.fromEntries(readAs) }),
});

/** Records of each kind as people call them. */
const ofKind = (kind: keyof typeof KINDS, count: number) =>
  kind === 'observation' ? counted(count, 'note') : counted(count, kind, KINDS[kind].plural);

const listed = (names: readonly string[]) =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;

/**
 * What is said where nothing answers.
 * @param shown how many names follow @param holding how many are shown whatever was asked, before those
 * @param where the memory, for a person
 */
function unanswered(isQuestion: boolean, of: Looked, shown: number, holding: number, where = ''): string {
  const { what, records, languages, filter, unfiltered: all = 0, there = [], excluded = [] } = of;
  const { elsewhere = {}, uncompared = [], ended = 0, meant } = of;
  const others = Object.entries(elsewhere).map(([kind, count]) => ofKind(kind as keyof typeof KINDS, count));
  const count = Object.values(elsewhere).reduce((sum, each) => sum + each, 0);
  const [does, shares] = count === 1 ? ['does', 'shares'] : ['do', 'share'];
  const doing = isQuestion && records > 0 ? does : `${shares} these words`;
  const isFiltered = records === 0 && filter !== undefined && all > 0;
  const inLanguages = languages.length > 0 ? `, ${listed(languages)}` : '';
  const values = there.length > 0 ? `; there are ${there.join(', ')}` : '';
  const follows = [
    ...(holding > 0 ? ['what holds here'] : []),
    ...(shown > 0 ? [holding > 0 ? 'then the nearest names' : 'nearest names'] : []),
  ].join(', ');
  return [
    isFiltered
      ? `No ${what} passes ${filter}${where} (${all} without it${values}).${meant === undefined ? '' : ` Did you mean ${meant}?`}`
      : records === 0
        ? ended > 0
          ? `No ${what} is active${where} (${ended} ended).`
          : `No ${what} is recorded yet${where}.`
        : isQuestion
          ? `No ${what} shares enough of these words${where} (${records} looked at${inLanguages}).`
          : `No ${what} is listed${where} (${records} looked at).`,
    ...(excluded.length > 0 ? [`Left out by ${filter}: ${excluded.join('; ')}.`] : []),
    ...(others.length > 0 ? [`${listed(others)} ${doing}: recall.`] : []),
    ...(uncompared.length > 0 ? [`Not compared, in another language: ${uncompared.join(', ')}.`] : []),
    ...(isQuestion && records > 0
      ? [`Ask in other words, with other names for it${languages.length > 1 ? ', in each language' : ''}.`]
      : []),
    ...(follows === '' ? [] : [`${capitalize(follows)}:`]),
  ].join(' ');
}

/** What a model reads before the results: {@link unanswered}. */
export const briefAnswered = ({ answered, looked: of, read_as }: Answered, shown: number, holding = 0) => ({
  ...(of && { note: unanswered(answered === false, of, shown, holding) }),
  ...(answered === false && { answered }),
  ...(read_as && { read_as }),
});

/** What a person reads before the results: {@link unanswered}. `workspace` is given when there are none. */
export function viewAnswered(
  { answered, looked: of, read_as }: Answered,
  shown: number,
  holding = 0,
  workspace?: string,
): View {
  const where = workspace === undefined ? '' : ` in workspace ${workspace}`;
  const tone = shown + holding === 0 ? dim : warn;
  return [
    ...Object.entries(read_as ?? {}).map(([word, near]) =>
      line(dim(`"${word}" is in hardly any record: also searched for "${near}"`)),
    ),
    ...(of ? [line(tone(unanswered(answered === false, of, shown, holding, where)))] : []),
  ];
}
