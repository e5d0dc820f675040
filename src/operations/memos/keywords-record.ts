import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { seqsOf } from '../../domain/id.ts';
import { KEYWORD_RELATIONS } from '../../domain/keyword.ts';
import { KEYWORDS_TAKEN, keywordsIn } from '../../domain/language/keywords.ts';
import { findTrigger } from '../../domain/language/trigger.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { conversationOf, recordMessage } from '../../store/memos/conversation.ts';
import { keywordsAt, type RecordedLink } from '../../store/memos/keyword.ts';
import { memoLinks, newestMemosAbout } from '../../store/memos/memo.ts';
import type { Tx } from '../../store/tx.ts';
import { defineDocument } from '../documents.ts';
import { wholeNumber } from '../fields/basic.ts';
import { keyword, keywords, sessionId } from '../fields/memo.ts';
import { written } from '../results/fields.ts';
import { keywordSpans, memoBrief, toMemoBrief } from '../results/memo.ts';
import { dim, good, indented, line, table, warn } from '../view.ts';

const MEMOS_SHOWN = 3;

export const keywordsRecord = defineDocument({
  name: 'keywords_record',
  family: 'memos',
  title: 'Record the keywords of a message',
  summary: `Note what a message is about, so that memos can be explored: its keywords are linked to each other and to those of the message before. Give keywords, or a text to take at most ${KEYWORDS_TAKEN} from; the text itself is not stored. Answers with the newest memos about them, and with trigger when the text asks for a memo or for more.`,
  access: 'write',
  createsMemory: true,
  tool: 'optIn',
  positional: ['text'],
  input: z.strictObject({
    text: z
      .string()
      .max(LIMITS.message, `to have at most ${LIMITS.message} characters`)
      .optional()
      .describe('The message'),
    keywords: keywords('Its keywords, if you know better ones than the text has').optional(),
    belongsTo: keyword('A keyword that all of them belong to, such as their field').optional(),
    sessionId: sessionId(),
    limit: wholeNumber(0, 1_000, 'Maximum relations shown, strongest first').default(5),
  }),
  output: written({
    session_id: z.string(),
    keywords: z.array(
      z.object({
        name: z.string(),
        visits: z.int().describe('Messages that held it, this one included'),
      }),
    ),
    relations: z.array(
      z.object({
        from: z.string(),
        type: z.enum(KEYWORD_RELATIONS),
        to: z.string(),
        weight: z.number(),
      }),
    ),
    relations_total: z.int().describe('How many relations were made or strengthened'),
    trigger: z
      .enum(['memo', 'expand'])
      .nullable()
      .describe('memo: the text asks for memo_save; expand: for memo_expand. Neither was called'),
    memos: z.array(memoBrief).describe(`The ${MEMOS_SHOWN} newest memos about these keywords`),
  }),
  async run(tx, { text, keywords: given, belongsTo, sessionId = conversationOf(tx), limit }) {
    if (text === undefined && given === undefined)
      throw invalid.missing('keywords_record: Expected "text" or "keywords", found neither.');
    const names = given?.length ? given : keywordsIn(text ?? '');
    const { keywords, links } = await recordMessage(tx, sessionId, names, belongsTo);
    const seqs = keywords.map(({ seq }) => seq);
    return {
      session_id: sessionId,
      keywords: keywords.map(({ name, visits }) => ({ name, visits })),
      relations: await heaviest(tx, links, limit),
      relations_total: links.length,
      trigger: findTrigger(text ?? '')?.trigger ?? null,
      memos: await memosAbout(tx, seqs),
    };
  },
  view: ({ keywords, relations, relations_total, trigger, memos, workspace }) => [
    keywords.length > 0
      ? line(
          good('✔ recorded '),
          ...keywordSpans(keywords.map(({ name }) => name)),
          dim(`  workspace ${workspace}`),
        )
      : line(dim(`no keyword in it; nothing was recorded in workspace ${workspace}`)),
    ...(relations.length > 0
      ? [
          table(
            ['from', 'relation', 'to', 'weight'],
            relations.map(({ from, type, to, weight }) => [from, type, to, String(weight)]),
          ),
        ]
      : []),
    ...(relations_total > relations.length
      ? [line(dim(`${relations_total} relations in all; more with --limit`))]
      : []),
    ...memos.map((memo) => indented('memo ', memo.summary, dim(`  ${memo.info_id}`))),
    ...(trigger ? [line(warn(trigger === 'memo' ? 'asks for a memo' : 'asks for more'))] : []),
  ],
});

/** The heaviest of these relations with the names of their ends. */
async function heaviest(tx: Tx, links: RecordedLink[], limit: number) {
  const shown = links
    .toSorted((a, b) => b.weight - a.weight || a.from - b.from || a.to - b.to)
    .slice(0, limit);
  const ends = [...new Set(shown.flatMap(({ from, to }) => [from, to]))];
  const nameOf = new Map((await keywordsAt(tx, ends)).map(({ seq, name }) => [seq, name]));
  return shown.map(({ from, type, to, weight }) => ({
    from: nameOf.get(from) as string,
    type,
    to: nameOf.get(to) as string,
    weight,
  }));
}

async function memosAbout(tx: Tx, seqs: number[]): Promise<z.input<typeof memoBrief>[]> {
  const memos = await newestMemosAbout(tx, seqs, MEMOS_SHOWN);
  const links = await memoLinks(tx, seqsOf(memos));
  return memos.map((memo) => toMemoBrief(memo, links));
}
