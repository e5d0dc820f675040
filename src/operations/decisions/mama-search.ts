import * as z from 'zod';
import type { Decision } from '../../domain/decision.ts';
import { OUTCOME_FILTERS } from '../../domain/outcome.ts';
import { patternsIn } from '../../domain/place.ts';
import { decisionsNaming } from '../../store/decisions/naming.ts';
import { scopeMeant } from '../../store/decisions/topic.ts';
import { ofDecision } from '../../store/kinds/condition.ts';
import { meantBy } from '../../store/lists/meant.ts';
import { eligibleVersions } from '../../store/search/chains.ts';
import { searchDecisions } from '../../store/search/decisions.ts';
import { lookedAt } from '../../store/search/looked.ts';
import { matchedWords } from '../../store/search/matched.ts';
import type { Tx } from '../../store/tx.ts';
import { lookedFor } from '../entries/looked.ts';
import { asOf, cursor, limitOfSearch, query } from '../fields/basic.ts';
import { askedFiles, domain } from '../fields/decision.ts';
import { askedOf, toFilter } from '../fields/filter.ts';
import { defineOperation } from '../operation.ts';
import { answeredFields, answeredWhen, briefAnswered, viewAnswered } from '../results/answered.ts';
import {
  briefFoundRow,
  type FoundRow,
  foundRow,
  rowName,
  toDecisionRow,
  toMamaRow,
  viewDecisionRow,
} from '../results/decision-row.ts';
import { detailsOf } from '../results/details.ts';
import { degraded, emptyWorkspace, workspaceWhen } from '../results/fields.ts';
import { viewWholeThenNames, wholeThenNames } from '../results/names.ts';
import { saidFilter } from '../results/none.ts';
import { askedPage, moreWith, nextCursor, pageAsked } from '../results/page.ts';
import { counted, dim, line, shares, type View } from '../view.ts';

export const mamaSearch = defineOperation({
  name: 'mama_search',
  family: 'decisions',
  title: 'Search decisions',
  summary:
    'Search past decisions and their reasons before you choose or change anything: why is it so, what failed? Ask in several wordings and languages at once, with other names. Three answers are whole; then names: ✗ failed, ⊘ withdrawn, ↩ replaced.',
  access: 'read',
  essential: true,
  positional: ['query'],
  input: z.strictObject({
    query: query().optional(),
    limit: limitOfSearch(),
    domain: domain('Only decisions of this scope').optional(),
    outcome_filter: z
      .enum(OUTCOME_FILTERS)
      .optional()
      .describe('Only decisions with this outcome; pending: none yet'),
    ...askedOf(),
    files: askedFiles('Paths to change').optional(),
    history: z.boolean().default(false).describe('Every version that matches, and the newest'),
    cursor: cursor(),
    as_of: asOf(),
  }),
  output: z.object({
    ...answeredFields(),
    results: z.array(foundRow),
    total: z.int().describe('Chains that matched, shown or not; with history or a filter, versions'),
    next_cursor: nextCursor(),
    workspace: emptyWorkspace(),
    degraded: degraded(),
  }),
  embeddingQuery: ({ query }) => query,
  async run(tx, input) {
    const { query, limit, domain: asked, outcome_filter: outcome, history, author, since, files } = input;
    const { from, cursorTo } = askedPage(tx, 'mama_search', input);
    const domain = await scopeMeant(tx, asked);
    const filter = toFilter('mama_search', { author, since }, ['by', 'since'], tx.now);
    const only = ofDecision(tx, { ...(await meantBy(tx, filter)), byDate: true });
    const {
      hits,
      total,
      next,
      isAnswered,
      asked: question,
    } = await searchDecisions(tx, { query, ...pageAsked(limit), from, domain, outcome, only, history });
    const naming = files === undefined || input.cursor ? [] : await decisionsNaming(tx, patternsIn(files));
    const isNamed = new Set(naming.map(({ decision }) => decision.id));
    // Without a question, other decisions would pass for ones that bind these files.
    const isOfFiles =
      files !== undefined && [query, asked, outcome, author, since].every((each) => each === undefined);
    const others = isOfFiles ? [] : hits.filter(({ decision }) => !isNamed.has(decision.id));
    const decisions = [...naming, ...others].map(({ decision }) => decision);
    const detailOf = await detailsOf(tx, decisions, query);
    const rowOf = (decision: Decision) => toMamaRow(toDecisionRow(decision, detailOf(decision)));
    const rows = others.map(({ seq, decision, similarity, nearness }) => ({
      seq,
      row: {
        ...rowOf(decision),
        similarity,
        ...(nearness !== undefined && { nearness }),
      },
    }));
    const matched = await matchedWords(
      tx,
      question,
      rows.map(({ seq, row }) => ({ seq, shown: shownOf(row) })),
    );
    const says = isAnswered || naming.length > 0;
    const isEmpty = decisions.length === 0;
    const versions = { domain, outcome, only, history };
    return {
      ...answeredWhen(says, question),
      ...(isOfFiles && isEmpty && (await noneNames(tx, files))),
      ...((!says || (isEmpty && !isOfFiles)) &&
        (await lookedFor(tx, {
          what: 'decision',
          kinds: ['decision'],
          query,
          eligible: eligibleVersions(versions),
          all: eligibleVersions({}),
          filter: { domain, outcome_filter: outcome, author, since },
        }))),
      results: [
        ...naming.map(({ decision, pattern }) => ({
          ...rowOf(decision),
          similarity: 0,
          matched: `names this file (${pattern})`,
        })),
        ...rows.map(({ seq, row }) => {
          const words = matched.get(seq);
          return words === undefined ? row : { ...row, matched: words };
        }),
      ].sort((one, other) => Number(isForked(other)) - Number(isForked(one))),
      total: isOfFiles ? naming.length : total,
      ...(next && !isOfFiles && { next_cursor: cursorTo(next) }),
      ...workspaceWhen(isEmpty, tx.workspace),
    };
  },
  toModel: ({ results, next_cursor: next, answered, looked, read_as, ...rest }) => ({
    ...briefAnswered({ answered, looked, read_as }, results.length),
    ...wholeThenNames(results, answered !== false, briefFoundRow, (row) => [rowName(row)], next),
    ...rest,
  }),
  view: ({ results, total, next_cursor, workspace, ...said }) => [
    ...viewAnswered(said, results.length, 0, workspace),
    ...viewWholeThenNames(results, said.answered !== false, viewRows, (row) => [rowName(row)]),
    ...(results.length > 0 ? [line(dim(summary(total, results)))] : []),
    ...moreWith(next_cursor),
  ],
});

/** The answer where no decision names these files (RE-8). */
async function noneNames(tx: Tx, files: string) {
  const { records: unfiltered } = await lookedAt(tx, ['decision'], eligibleVersions({}));
  const filter = saidFilter({ files });
  return {
    looked: { what: 'decision' as const, records: 0, languages: [], unfiltered, ...(filter && { filter }) },
  };
}

/** Y-2: of an axis or a lock that was decided twice all binds, and nobody must miss it. */
const isForked = ({ strength, decided_twice }: FoundRow) =>
  strength !== 'normal' && decided_twice !== undefined;

function viewRows(results: readonly FoundRow[]): View {
  const answers = shares(results.map(({ similarity }) => similarity));
  return results.flatMap((row, at) => [...viewDecisionRow(row, answers[at]), line('')]);
}

/** All that a brief row shows of its decision. */
function shownOf({ topic, decision, why, outcome_warning, outcome_reason }: FoundRow): string {
  return [topic, decision, why, outcome_warning, outcome_reason].join('\n');
}

/** How many decisions were found and are shown, and how many earlier versions with them. */
function summary(total: number, results: FoundRow[]): string {
  const earlier = results.filter((row) => !row.is_current && !row.withdrawn).length;
  // With history or an outcome filter every version counts for itself.
  if (earlier === results.length) return `${results.length} of ${counted(total, 'version')}`;
  const replaced = earlier > 0 ? `, with ${counted(earlier, 'earlier version')}` : '';
  return `${results.length - earlier} of ${counted(total, 'decision')}${replaced}`;
}
