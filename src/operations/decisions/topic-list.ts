import * as z from 'zod';
import { OUTCOMES } from '../../domain/outcome.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { scopeMeant } from '../../store/decisions/topic.ts';
import { listTopics } from '../../store/lists/names.ts';
import { OF_DECISIONS } from '../../store/search/looked.ts';
import { asOf, name, nameCursor, wholeNumber } from '../fields/basic.ts';
import { markOf } from '../lists/listed-decision.ts';
import { defineOperation } from '../operation.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPageOfNames, nextCursor, shownOf } from '../results/page.ts';
import { dim, line, strong, warn } from '../view.ts';

export const topicList = defineOperation({
  name: 'topic_list',
  family: 'decisions',
  title: 'The topics, by name',
  summary: 'The topics by name, each with its decision; those that begin with a text, such as auth:.',
  access: 'read',
  tool: false,
  positional: ['beginning'],
  input: z.strictObject({
    beginning: name(LIMITS.topic, 'Only topics that begin so, such as auth:').optional(),
    scope: name(LIMITS.scope, 'Only topics of this scope').optional(),
    limit: wholeNumber(1, 1_000, 'Topics at most').default(200),
    cursor: nameCursor(),
    asOf: asOf(),
  }),
  output: z.object({
    topics: z.array(
      z.object({
        topic: z.string(),
        leadsTo: z.string().optional().describe('The topic of its decision, when that is another'),
        id: z.string().describe('The newest version'),
        ref: z.string().describe('The beginning of the id'),
        scope: z.string(),
        versions: z.int(),
        status: z.enum(['active', 'withdrawn']),
        outcome: z.enum(OUTCOMES).nullable(),
        createdAt: resultDate(),
      }),
    ),
    total: z.int().describe('How many topics there are, shown or not'),
    nextCursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { after, cursorTo } = askedPageOfNames(tx, 'topic_list', given);
    const wanted = { beginning: given.beginning, scope: await scopeMeant(tx, given.scope) };
    const { rows, total, next } = await listTopics(tx, wanted, given.limit, after);
    return {
      topics: rows.map(({ leadsTo, version, isActive, createdAt, ...row }) => ({
        ...row,
        ...(leadsTo !== null && { leadsTo }),
        versions: version,
        status: isActive ? ('active' as const) : ('withdrawn' as const),
        createdAt: iso(createdAt),
      })),
      total,
      ...(next !== undefined && { nextCursor: cursorTo(next) }),
      ...(rows.length === 0 &&
        (await noneOf(tx, {
          what: 'topic',
          total,
          filter: { beginning: given.beginning, scope: given.scope },
          fields: OF_DECISIONS,
        }))),
    };
  },
  view({ topics, total, nextCursor, looked, workspace }) {
    if (topics.length === 0) return viewNone(looked, workspace);
    const lines = topics.map(({ topic, leadsTo, ref, versions, status, outcome, createdAt }) => {
      const facts = [
        ref,
        dayOf(createdAt),
        versions > 1 && `${versions} versions`,
        leadsTo && `→ ${leadsTo}`,
      ];
      const gone = status === 'withdrawn' ? warn('  withdrawn') : '';
      return line(markOf(outcome), ' ', strong(topic), gone, dim(`  ${facts.filter(Boolean).join(' · ')}`));
    });
    return [...lines, ...shownOf(topics.length, total, nextCursor)];
  },
});
