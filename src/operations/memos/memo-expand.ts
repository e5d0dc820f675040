import * as z from 'zod';
import { invalid, notFound, type PrecedentError } from '../../domain/error.ts';
import { cut } from '../../domain/text/sentence.ts';
import { newestHolding } from '../../store/lists/holding.ts';
import { conversationOf, readConversation } from '../../store/memos/conversation.ts';
import { findKeywords } from '../../store/memos/keyword.ts';
import {
  countRelated,
  exploreMemo,
  findMemo,
  keywordsAbout,
  newestMemos,
  newestMemosAbout,
  type StoredMemo,
} from '../../store/memos/memo.ts';
import { shortIds } from '../../store/prefix.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import { infoId, sessionId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { iso, warnings } from '../results/fields.ts';
import { keywordSpans, requireLiveMemo } from '../results/memo.ts';
import { dim, good, indented, line } from '../view.ts';

/** Records that a step names at most, and characters of each. */
const RECORDS = 5;
const LONGEST_TEXT = 200;
/** Memos that a refusal names. */
const MOST_MEMOS = 3;

export const memoExpand = defineOperation({
  name: 'memo_expand',
  family: 'memos',
  title: 'Find more around a memo',
  summary:
    'When the user asks for more (더 찾아, 관련된 거, expand, more): find it one step further through the keyword graph from the last memo, or the one given. Answers with at most 5 keywords and the newest records that have them; once for each request.',
  access: 'write',
  exact: true,
  positional: ['infoId'],
  input: z.strictObject({
    infoId: infoId().optional(),
    sessionId: sessionId(),
  }),
  output: z.object({
    action: z.literal('memo_expanded'),
    infoId: z.string(),
    previousDepth: z.int(),
    newDepth: z.int(),
    newlyFound: z.array(z.string()),
    totalRelated: z.int(),
    records: z
      .array(
        z.object({ kind: z.enum(['memo', 'decision', 'observation']), id: z.string(), text: z.string() }),
      )
      .optional()
      .describe('The newest that have these keywords, or else those of the memo'),
    warnings: warnings(),
  }),
  async run(tx, { infoId, sessionId }) {
    if (infoId !== undefined && sessionId !== undefined)
      throw invalid.both_given(
        'memo_expand: Expected "infoId" or "sessionId", found both. Give one of them: a session means its last memo.',
      );
    const memo = infoId === undefined ? await lastMemo(tx, sessionId) : await requireLiveMemo(tx, infoId);
    const newlyFound = await exploreMemo(tx, memo);
    if (newlyFound.length === 0)
      tx.notes.push(
        'Nothing is left to find around this memo: another step finds more only once new memos or messages have its keywords.',
      );
    const records = await recordsAround(tx, memo, newlyFound);
    return {
      action: 'memo_expanded' as const,
      infoId: memo.id,
      previousDepth: memo.searchDepth,
      newDepth: memo.searchDepth + 1,
      newlyFound,
      totalRelated: await countRelated(tx, memo.seq),
      ...(records.length > 0 && { records }),
    };
  },
  view: ({ infoId, newDepth, newlyFound, totalRelated, records = [] }) => [
    newlyFound.length > 0
      ? line(good(`✔ depth ${newDepth} `), ...keywordSpans(newlyFound), dim(`  ${infoId}`))
      : line(dim(`nothing new at depth ${newDepth}  ${infoId}`)),
    indented(dim(`${totalRelated} related in all`)),
    ...records.map(({ kind, id, text }) => indented(dim(`${kind} `), text, dim(`  ${id}`))),
  ],
});

/** The newest memos, decisions and observations with these words, or with the memo's own; the memo itself is not (T-13). */
async function recordsAround(tx: Tx, memo: StoredMemo, found: string[]) {
  const words = found.length > 0 ? found : ((await keywordsAbout(tx, [memo.seq])).get(memo.seq) ?? []);
  if (words.length === 0) return [];
  const seqs = (await findKeywords(tx, words)).map(({ seq }) => seq);
  const [memos, others] = await together(
    newestMemosAbout(tx, seqs, RECORDS + 1),
    newestHolding(tx, words, RECORDS),
  );
  const newest = [
    ...memos
      .filter(({ seq }) => seq !== memo.seq)
      .map(({ id, fullText, createdAt }) => ({
        kind: 'memo' as const,
        id,
        title: null,
        text: fullText,
        at: createdAt,
      })),
    ...others,
  ]
    .toSorted((one, other) => other.at - one.at)
    .slice(0, RECORDS);
  const idsOf = (kind: string) => newest.flatMap((each) => (each.kind === kind ? [String(each.id)] : []));
  const [memoId, decisionId] = await together(
    shortIds(tx, 'memos', idsOf('memo')),
    shortIds(tx, 'decisions', idsOf('decision')),
  );
  return newest.map(({ kind, id, title, text }) => ({
    kind,
    id: kind === 'memo' ? memoId(String(id)) : kind === 'decision' ? decisionId(String(id)) : `#${id}`,
    text: cut(title === null ? text : `${title}: ${text}`, LONGEST_TEXT),
  }));
}

/**
 * The last memo of a conversation (M-12).
 * @param named the conversation, when the call names one
 * @throws PrecedentError `not_found`, which names the newest memos
 */
async function lastMemo(tx: Tx, named: string | undefined): Promise<StoredMemo> {
  const { lastMemoSeq } = await readConversation(tx, named ?? conversationOf(tx));
  const memo = lastMemoSeq === null ? undefined : await findMemo(tx, { seq: lastMemoSeq });
  if (!memo) throw await noMemo(tx, named);
  return memo;
}

/** The refusal where no memo can be meant. It names the newest. */
async function noMemo(tx: Tx, named: string | undefined): Promise<PrecedentError> {
  const where = named === undefined ? 'this conversation' : `session "${named}"`;
  const newest = await newestMemos(tx, MOST_MEMOS);
  const advice =
    newest.length === 0
      ? 'Save one with memo_save.'
      : `To go on with one of another conversation, give its infoId. The newest: ${newest.map(brief).join('; ')}. recall finds more.`;
  return notFound.no_record(`memo_expand: Expected a memo in ${where}, found none. ${advice}`);
}

const brief = ({ id, summary, createdAt }: StoredMemo) => `${id} "${summary}" (${iso(createdAt)})`;
