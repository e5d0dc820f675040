import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { linksOfMessage } from '../../domain/keyword.ts';
import { keywordsIn } from '../../domain/language/keywords.ts';
import { summarize } from '../../domain/memo.ts';
import { LIMITS, quoted } from '../../domain/text/text.ts';
import { conversationOf, updateConversation } from '../../store/memos/conversation.ts';
import { ensureKeywords, recordLinks } from '../../store/memos/keyword.ts';
import { deleteMemo, exploreMemo, insertMemo, memoLinks, type StoredMemo } from '../../store/memos/memo.ts';
import type { Tx } from '../../store/tx.ts';
import { savedDate, text, verbatim } from '../fields/basic.ts';
import { infoId, keywords, sessionId } from '../fields/memo.ts';
import { defineOperation } from '../operation.ts';
import { copyWarnings } from '../results/copies.ts';
import { warnings } from '../results/fields.ts';
import { keywordSpans, memoNames, requireLiveMemo } from '../results/memo.ts';
import { memosLike } from '../results/memos-like.ts';
import { dim, good, indented, line } from '../view.ts';

const input = z.strictObject({
  fullText: verbatim(
    LIMITS.memoText,
    'What to remember; shorten a longer answer',
    'shorten it, or keep the whole text with mem_save',
  ),
  summary: text(
    LIMITS.memoSummary,
    'One sentence; made from the text when left out',
    'shorten it, or leave it out',
  ).optional(),
  keywords: keywords('What it is about; taken from the text when left out').optional(),
  replaces: infoId().describe('infoId of the memo that this corrects').optional(),
  sessionId: sessionId(),
  date: savedDate(),
});

export const memoSave = defineOperation({
  name: 'memo_save',
  family: 'memos',
  title: 'Save a memo',
  summary: `When the user asks to note or remember something (메모, 기억해, remember, save): keep the answer as a memo of at most ${LIMITS.memoText} characters, found by its keywords; memo_expand finds more around it.`,
  access: 'write',
  createsMemory: true,
  exact: true,
  searchHint: 'remember, note, memo, 기억해, 메모',
  positional: ['fullText'],
  input,
  output: z.object({
    action: z.literal('memo_created'),
    infoId: z.string(),
    summary: z.string(),
    keywords: z.array(z.string()),
    relatedFound: z.object({ depth: z.int(), nodes: z.array(z.string()), count: z.int() }),
    session: z
      .object({
        lastMemoId: z.string(),
        lastMemoDepth: z.int(),
        lastMemoKeywords: z.array(z.string()),
      })
      .describe('The last memo of the conversation: this one, or with a date the one that it had'),
    warnings: warnings(),
  }),
  run: (tx, input) => save(tx, input),
  // What a batch has saved is not in the index yet: its lines are not compared.
  runInBatch: (tx, input) => save(tx, input, true),
  view: ({ infoId, summary, keywords, relatedFound }) => [
    line(good('✔ noted '), summary, dim(`  ${infoId}`)),
    indented(dim('about    '), ...keywordSpans(keywords)),
    indented(dim('related  '), ...keywordSpans(relatedFound.nodes)),
  ],
});

async function save(tx: Tx, values: z.output<typeof input>, isBatch = false) {
  const { fullText, summary: asked, keywords: given, replaces, sessionId } = values;
  const names = given?.length ? given : keywordsIn(fullText);
  if (names.length === 0)
    throw invalid.missing(
      'memo_save: Expected "keywords", or a text with keywords, found none in the text. Give "keywords": a memo is found by them.',
    );
  const replaced = replaces === undefined ? undefined : await requireLiveMemo(tx, replaces);
  const { same, older } = isBatch ? NONE : await memosLike(tx, fullText, replaced?.seq);
  const summary = asked ?? summarize(fullText);
  const { memo, keywords, related } = same
    ? await kept(tx, same)
    : await created(tx, { summary, fullText }, names, sessionId);
  if (replaced) {
    await deleteMemo(tx, replaced, memo);
    tx.notes.push(
      `Replaced: ${await memoNames(tx, [replaced])}. It is deleted, and can still be read by its id.`,
    );
  }
  const isNew = (asked ?? memo.summary) !== memo.summary || given?.some((each) => !keywords.includes(each));
  if (same && isNew)
    tx.notes.push(
      `This memo was there already, and keeps its summary and keywords. To change them, save it again with "replaces": "${same.id}".`,
    );
  if (!same && older.length > 0)
    tx.notes.push(
      `older: ${await memoNames(tx, older)}. If this corrects it, save this again with "replaces": its id.`,
    );
  // A conversation goes on with what it said, not with history that was entered in it (U-7).
  const last = tx.now === tx.entered ? { lastMemoSeq: memo.seq } : {};
  await updateConversation(tx, sessionId ?? conversationOf(tx), last);
  const corrected = replaced && { memo: replaced.id, old: replaced.fullText, next: fullText };
  const copies = corrected && !isBatch ? await copyWarnings(tx, corrected) : [];
  const warnings = [...warned(given ?? []), ...copies];
  return {
    action: 'memo_created' as const,
    infoId: memo.id,
    summary: memo.summary,
    keywords,
    relatedFound: { depth: memo.searchDepth, nodes: related, count: related.length },
    session: { lastMemoId: memo.id, lastMemoDepth: memo.searchDepth, lastMemoKeywords: keywords },
    ...(warnings.length > 0 && { warnings }),
  };
}

const NONE = { same: undefined, older: [] };

/** Writes a memo about these keywords, and takes its first step. */
async function created(
  tx: Tx,
  text: Pick<StoredMemo, 'summary' | 'fullText'>,
  keywords: string[],
  session: string | undefined,
) {
  const nodes = await ensureKeywords(tx, keywords, { visited: false });
  const seqs = nodes.map(({ seq }) => seq);
  const memo = await insertMemo(tx, text, seqs, session);
  // Without a hook, nothing else would relate keywords (T-13).
  await recordLinks(tx, linksOfMessage([], seqs));
  const related = await exploreMemo(tx, memo);
  return { memo: { ...memo, searchDepth: memo.searchDepth + 1 }, keywords, related };
}

/** A memo that was there already, as it is: the same words again change nothing of it (RE-10). */
async function kept(tx: Tx, memo: StoredMemo) {
  const links = await memoLinks(tx, [memo.seq]);
  const [about, found] = [true, false].map((isAbout) =>
    links.filter(({ depth }) => (depth === 0) === isAbout).map(({ keyword }) => keyword),
  );
  return { memo, keywords: about ?? [], related: found ?? [] };
}

/** That what looks like several keywords is one. */
function warned(names: string[]): string[] {
  const listed = names.find((each) => each.includes(','));
  if (listed === undefined) return [];
  const remedy = 'If several were meant, give each by itself; on the command line, repeat --keywords';
  return [`${quoted(listed)} is one keyword, with its commas. ${remedy}`];
}
