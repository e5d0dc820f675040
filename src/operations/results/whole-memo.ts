import * as z from 'zod';
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
import { resultDate } from './fields.ts';
import { memoBrief } from './memo.ts';

/** A memo in a list; with `fullText` the whole of it. */
export const listedMemo = memoBrief.extend({
  searchDepth: z.int(),
  related: z.int().meta({ description: 'Keywords found around it' }),
  fullText: z.string().optional().meta({ description: 'Only with infoId' }),
  source: z.string(),
  deleted: z.boolean().optional().meta({ description: 'It is read by its id alone' }),
  revisions: z
    .array(z.object({ summary: z.string(), fullText: z.string(), until: resultDate() }))
    .optional()
    .meta({ description: 'With infoId: its earlier texts, oldest first' }),
});
/** A link of a memo to a keyword. */
export const memoLink = z.object({
  infoId: z.string(),
  type: z.enum(['ABOUT', 'RELATED_TO']),
  keyword: z.string(),
  depth: z.int().meta({ description: '0: the memo is about it; else the step that found it' }),
  viaKeyword: z.string().nullable().meta({ description: 'The keyword whose neighbour it is' }),
  at: resultDate(),
});

type Shown = z.output<typeof listedMemo>;
type ShownLink = z.output<typeof memoLink>;

/** A memo to read: its text, unless the summary says the same, and its graph. */
export function viewWholeMemo(only: Shown, fullText: string, links: ShownLink[]): View {
  const text = fullText === only.summary ? [] : [line(fullText), line('')];
  const earlier = (only.revisions ?? []).map((each) =>
    indented(dim('until '), date(each.until), dim(': '), each.fullText),
  );
  const deleted = only.deleted ? [line(warn('deleted'))] : [];
  return [...deleted, ...text, tree(graphOf(only, links)), ...earlier];
}

/** A memo's graph as a tree: a branch for each depth, below it the keywords found there. */
function graphOf(only: Shown, links: ShownLink[]): Branch {
  const depths = [...new Set(links.map(({ depth }) => depth))];
  return {
    label: [
      strong(only.summary),
      dim('  '),
      date(only.createdAt),
      dim(` · depth ${only.searchDepth} · ${shortId(only.infoId)}`),
    ],
    children: depths.map((depth) => ({
      label: [dim(depth === 0 ? 'about' : `depth ${depth}`)],
      children: links.filter((each) => each.depth === depth).map(leaf),
    })),
  };
}

function leaf({ keyword, viaKeyword }: ShownLink): Branch {
  return { label: [keyword, ...(viaKeyword ? [dim(`  via ${viaKeyword}`)] : [])], children: [] };
}

export function viewMemo({ infoId, summary, createdAt, keywords, searchDepth, related }: Shown): View {
  return [
    line(strong(summary)),
    indented(keywords.join(' · '), dim(`  ${related} related, depth ${searchDepth}`)),
    facts(date(createdAt), shortId(infoId)),
  ];
}

export function viewMemoLinks(links: ShownLink[]): Block {
  return table(
    ['depth', 'keyword', 'via', 'memo'],
    links.map(({ depth, keyword, viaKeyword, infoId }) => [String(depth), keyword, viaKeyword ?? '', infoId]),
  );
}
