import * as z from 'zod';
import { invalid } from '../../domain/error.ts';
import { type FilterKey, givenKeys, OF_WRITER } from '../../domain/filter/filter.ts';
import { seqsOf } from '../../domain/id.ts';
import type { Meant } from '../../store/kinds/condition.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { listMemos } from '../../store/lists/records.ts';
import { findKeywords } from '../../store/memos/keyword.ts';
import {
  type MemoLink,
  memoLinks,
  memoRevisions,
  relatedLinks,
  type StoredMemo,
  successorOf,
} from '../../store/memos/memo.ts';
import { FILTERED } from '../../store/search/looked.ts';
import type { Tx } from '../../store/tx.ts';
import { camel } from '../cases.ts';
import { defineDocument } from '../documents.ts';
import { asOf, cursor, wholeNumber } from '../fields/basic.ts';
import { commonFilter, type FilterFields, listFilter, toFilter } from '../fields/filter.ts';
import { infoId, keyword } from '../fields/memo.ts';
import { briefAnswered } from '../results/answered.ts';
import { outdated, toOutdated, viewOutdated } from '../results/copies.ts';
import { iso, resultDate } from '../results/fields.ts';
import { isDeletedMemo, memoBrief, memoNames, requireMemo, toMemoBrief } from '../results/memo.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { type AskedPage, askedPage, moreWith, nextCursor } from '../results/page.ts';
import {
  type Block,
  type Branch,
  date,
  dim,
  facts,
  indented,
  line,
  shortId,
  strong,
  table,
  tree,
  type View,
  warn,
} from '../view.ts';

const KNOWN: FilterKey[] = [...OF_WRITER, 'since', 'until', 'words'];

/** A memo in a list; with `fullText` the whole of it. */
export const listedMemo = memoBrief.extend({
  search_depth: z.int(),
  related: z.int().describe('Keywords found around it'),
  full_text: z.string().optional().describe('Only with infoId'),
  source: z.string(),
  deleted: z.boolean().optional().describe('Only its id still leads to it'),
  replaced_by: z
    .string()
    .optional()
    .describe('The memo that took the place of a deleted one: id and first words'),
  outdated: outdated(),
  revisions: z
    .array(z.object({ summary: z.string(), full_text: z.string(), until: resultDate() }))
    .optional()
    .describe('With infoId: its earlier texts, oldest first'),
});
/** A link of a memo to a keyword. */
export const memoLink = z.object({
  info_id: z.string(),
  type: z.enum(['ABOUT', 'RELATED_TO']),
  keyword: z.string(),
  depth: z.int().describe('0: the memo is about it; else the step that found it'),
  via_keyword: z.string().nullable().describe('The keyword whose neighbour it is'),
  at: resultDate(),
});

export const memoList = defineDocument({
  name: 'memo_list',
  family: 'memos',
  title: 'List memos and their keywords',
  summary: 'Show my memos (메모 보여줘): a list, newest first. With infoId: one memo whole.',
  access: 'read',
  positional: ['keyword'],
  input: z.strictObject({
    keyword: keyword('Only those about it').optional(),
    infoId: infoId().optional(),
    ...commonFilter(),
    view: z
      .enum(['memos', 'links'])
      .default('memos')
      .describe('What to list; links: the keywords that exploration found, by depth')
      .meta({ model: false }),
    limit: wholeNumber(1, 1_000, 'Maximum memos').default(10),
    cursor: cursor(),
    asOf: asOf(),
  }),
  output: z.object({
    memos: z.array(listedMemo),
    links: z.array(memoLink),
    total: z.int().describe('How many memos or links there are, shown or not'),
    next_cursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const filter = await filterOf(tx, given);
    const listed = await list(tx, given, askedPage(tx, 'memo_list', given), filter);
    if (listed.memos.length + listed.links.length > 0) return listed;
    const { keyword, infoId, view } = given;
    const none = await noneOf(tx, {
      what: view === 'links' ? 'link' : 'memo',
      total: listed.total,
      filter: { keyword, infoId, ...listFilter(given, filter) },
      fields: FILTERED,
    });
    return { ...listed, ...none };
  },
  toModel: ({ next_cursor: next, looked, ...rest }) => ({
    ...briefAnswered({ looked }, 0),
    ...camel(rest),
    ...(next && { left_out: 'more: raise limit' }),
  }),
  view: ({ memos, links, total, next_cursor, looked, workspace }) => {
    if (memos.length === 0 && links.length === 0) return viewNone(looked, workspace);
    const [only] = memos;
    if (only?.full_text !== undefined) return viewWholeMemo(only, links);
    const shown = memos.length > 0 ? memos.length : links.length;
    return [
      ...(memos.length > 0 ? memos.flatMap(viewMemo) : [viewMemoLinks(links)]),
      ...(shown < total ? [line(dim(`${shown} of ${total}; more with --limit`))] : []),
      ...moreWith(next_cursor),
    ];
  },
});

type Given = FilterFields & {
  keyword?: string | undefined;
  infoId?: string | undefined;
  view: 'memos' | 'links';
  limit: number;
};
/** The filter, when one is given. @throws PrecedentError `invalid` where no memos are listed */
async function filterOf(tx: Tx, given: Given): Promise<Meant> {
  const filter = toFilter('memo_list', given, KNOWN, tx.now);
  if (givenKeys(filter).length === 0) return {};
  if (given.infoId === undefined && given.view === 'memos') return meantBy(tx, filter);
  throw invalid.wrong_filter(
    'memo_list: Expected a filter where memos are listed, found one of links or of one memo.',
  );
}

async function list(
  tx: Tx,
  { keyword, infoId, view, limit }: Given,
  { from, cursorTo }: AskedPage,
  filter: Meant,
) {
  if (infoId !== undefined) {
    if (keyword !== undefined)
      throw invalid.both_given('memo_list: Expected "keyword" or "infoId", found both.');
    return oneMemo(tx, await requireMemo(tx, infoId), view);
  }
  const seq = keyword === undefined ? undefined : (await findKeywords(tx, [keyword]))[0]?.seq;
  // A keyword that no message and no memo ever held is not stored.
  if (keyword !== undefined && seq === undefined) return { memos: [], links: [], total: 0 };
  if (view === 'links') {
    const [depth = 0, memoSeq = 0, keywordSeq = 0] = from ?? [];
    const found = await relatedLinks(tx, seq, limit + 1, from && { depth, memoSeq, keywordSeq });
    const links = found.links.slice(0, limit);
    const last = found.links.length > limit ? links.at(-1) : undefined;
    return {
      memos: [],
      links: links.map(toLink),
      total: found.total,
      ...(last && { next_cursor: cursorTo([last.depth, last.memoSeq, last.keywordSeq]) }),
    };
  }
  const { rows: memos, total, next } = await listMemos(tx, filter, seq, limit, from);
  const links = await memoLinks(tx, seqsOf(memos));
  return {
    memos: memos.map((each) => toMemo(each, links)),
    links: [],
    total,
    ...(next && { next_cursor: cursorTo(next) }),
  };
}

/** A memo whole, or its links. */
export async function oneMemo(tx: Tx, only: StoredMemo, view: 'memos' | 'links') {
  const all = await memoLinks(tx, [only.seq]);
  const links = view === 'links' ? all.filter(({ depth }) => depth > 0) : all;
  return {
    memos: view === 'links' ? [] : [await wholeOf(tx, only, all)],
    links: links.map(toLink),
    total: links.length,
  };
}

async function wholeOf(tx: Tx, only: StoredMemo, links: MemoLink[]): Promise<z.input<typeof listedMemo>> {
  const earlier = await memoRevisions(tx, only);
  const isDeleted = await isDeletedMemo(tx, only);
  const successor = isDeleted ? await successorOf(tx, only) : undefined;
  return {
    ...toMemo(only, links),
    full_text: only.fullText,
    ...(isDeleted ? { deleted: true } : await toOutdated(tx, { title: null, text: only.fullText })),
    ...(successor && { replaced_by: await memoNames(tx, [successor]) }),
    ...(earlier.length > 0 && {
      revisions: earlier.map(({ summary, fullText, replacedAt }) => ({
        summary,
        full_text: fullText,
        until: iso(replacedAt),
      })),
    }),
  };
}

function toMemo(stored: StoredMemo, links: MemoLink[]): z.input<typeof listedMemo> {
  const own = links.filter(({ memoSeq }) => memoSeq === stored.seq);
  return {
    ...toMemoBrief(stored, own),
    search_depth: stored.searchDepth,
    related: own.filter(({ depth }) => depth > 0).length,
    source: stored.source,
  };
}

function toLink({ infoId, keyword, depth, via, createdAt }: MemoLink): z.input<typeof memoLink> {
  return {
    info_id: infoId,
    type: depth === 0 ? 'ABOUT' : 'RELATED_TO',
    keyword,
    depth,
    via_keyword: via,
    at: iso(createdAt),
  };
}

type Shown = z.output<typeof listedMemo>;
type ShownLink = z.output<typeof memoLink>;

/** A memo to read: its text, unless the summary says the same, and its graph. */
export function viewWholeMemo(only: Shown, links: ShownLink[]): View {
  const { full_text: whole = only.summary } = only;
  const text = whole === only.summary ? [] : [line(whole), line('')];
  const earlier = (only.revisions ?? []).map((each) =>
    indented(dim('until '), date(each.until), dim(': '), each.full_text),
  );
  const end = only.replaced_by === undefined ? 'deleted' : `replaced by ${only.replaced_by}`;
  const deleted = only.deleted ? [line(warn(end))] : [];
  return [...deleted, ...text, ...viewOutdated(only), tree(graphOf(only, links)), ...earlier];
}

/** A memo's graph as a tree: a branch for each depth, below it the keywords found there. */
function graphOf(only: Shown, links: ShownLink[]): Branch {
  const depths = [...new Set(links.map(({ depth }) => depth))];
  return {
    label: [
      strong(only.summary),
      dim('  '),
      date(only.created_at),
      dim(` · depth ${only.search_depth} · ${shortId(only.info_id)}`),
    ],
    children: depths.map((depth) => ({
      label: [dim(depth === 0 ? 'about' : `depth ${depth}`)],
      children: links.filter((each) => each.depth === depth).map(leaf),
    })),
  };
}

function leaf({ keyword, via_keyword: via }: ShownLink): Branch {
  return { label: [keyword, ...(via ? [dim(`  via ${via}`)] : [])], children: [] };
}

function viewMemo({ info_id, summary, created_at, keywords, search_depth, related }: Shown): View {
  return [
    line(strong(summary)),
    indented(keywords.join(' · '), dim(`  ${related} related, depth ${search_depth}`)),
    facts(date(created_at), shortId(info_id)),
  ];
}

function viewMemoLinks(links: ShownLink[]): Block {
  return table(
    ['depth', 'keyword', 'via', 'memo'],
    links.map(({ depth, keyword, via_keyword, info_id }) => [
      String(depth),
      keyword,
      via_keyword ?? '',
      info_id,
    ]),
  );
}
