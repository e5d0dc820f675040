import * as z from 'zod';
import { OUTCOMES } from '../../domain/outcome.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { viaOf } from '../../domain/via.ts';
import { scopeMeant } from '../../store/decisions/topic.ts';
import { listAuthors, listScopes, listTopics, otherScopeNames } from '../../store/lists/names.ts';
import { agentSessions } from '../../store/lists/sessions.ts';
import { OF_DECISIONS } from '../../store/search/looked.ts';
import type { Tx } from '../../store/tx.ts';
import { asOf, name, nameCursor, wholeNumber } from '../fields/basic.ts';
import { defineOperation } from '../operation.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { markOfOutcome } from '../results/named-decision.ts';
import { noneFields, noneOf, viewNone } from '../results/none.ts';
import { askedPageOfNames, nextCursor, shownOf } from '../results/page.ts';
import { by, toBy } from '../results/writer.ts';
import { type Block, counted, dim, line, strong, warn } from '../view.ts';

const KINDS = ['topics', 'scopes', 'authors', 'sessions'] as const;
/** How each kind calls one of them. */
const ONE = { topics: 'topic', scopes: 'scope', authors: 'author', sessions: 'session' } as const;
const ofStrength = () =>
  z.int().optional().describe('Of a scope: how many of its decisions have this strength');

const row = z.object({
  name: z.string().describe('Empty if nobody is named as the author'),
  count: z
    .int()
    .describe('Versions of a topic, active decisions of a scope, records of an author, saves of a session'),
  leads_to: z.string().optional().describe('The topic of its decision, when that is another'),
  id: z.string().optional().describe('Of a topic: the newest version'),
  ref: z.string().optional().describe('A prefix of the id'),
  scope: z.string().optional().describe('Of a topic'),
  status: z.enum(['active', 'withdrawn']).optional().describe('Of a topic'),
  outcome: z.enum(OUTCOMES).nullable().optional().describe('Of a topic'),
  created_at: resultDate().optional().describe('Of a topic: when its newest version was saved'),
  axis: ofStrength(),
  lock: ofStrength(),
  normal: ofStrength(),
  names: z.array(z.string()).optional().describe('Other names that lead to the scope'),
  ...by(),
  undone: z.int().optional().describe('Of a session: how many of its saves were undone'),
  first: resultDate().optional().describe('When the session saved first'),
  last: resultDate().optional().describe('When the session saved last'),
});
type Row = z.infer<typeof row>;

export const listNames = defineOperation({
  name: 'list_names',
  family: 'decisions',
  title: 'List topics, scopes, authors or sessions',
  summary:
    'Lists the topics by name, each with its decision; the scopes that have active decisions; the authors of this memory, with the programs that they used; or the sessions of agents, newest first.',
  access: 'read',
  tool: false,
  positional: ['kind', 'beginning'],
  input: z.strictObject({
    kind: z.enum(KINDS).describe('Which of the four lists'),
    beginning: name(LIMITS.topic, 'Only topics that begin with this text, such as auth:').optional(),
    scope: name(LIMITS.scope, 'Only topics of this scope').optional(),
    limit: wholeNumber(1, 1_000, 'Maximum names').default(200),
    cursor: nameCursor(),
    as_of: asOf(),
  }),
  variants: {
    field: 'kind',
    kinds: {
      topics: { fields: ['beginning', 'scope', 'limit', 'cursor', 'as_of'], required: [] },
      scopes: { fields: ['limit', 'cursor', 'as_of'], required: [] },
      authors: { fields: ['limit', 'cursor', 'as_of'], required: [] },
      sessions: { fields: ['limit'], required: [] },
    },
  },
  output: z.object({
    kind: z.enum(KINDS),
    names: z.array(row),
    total: z.int().describe('How many there are, shown or not'),
    programs: z
      .array(z.string())
      .optional()
      .describe('With authors: the programs that wrote without a terminal'),
    next_cursor: nextCursor(),
    ...noneFields(),
  }),
  async run(tx, given) {
    const { kind, limit, beginning, scope } = given;
    const { after, cursorTo } = askedPageOfNames(tx, 'list_names', given);
    const { rows, total, next, programs } = await LISTS[kind](tx, { beginning, scope, limit, after });
    return {
      kind,
      names: rows,
      total,
      ...(programs && { programs }),
      ...(next !== undefined && { next_cursor: cursorTo(next) }),
      ...(rows.length === 0 &&
        (kind === 'sessions'
          ? { workspace: tx.workspace }
          : await noneOf(tx, {
              what: ONE[kind],
              total,
              filter: { beginning, scope },
              fields: OF_DECISIONS,
            }))),
    };
  },
  view: ({ kind, names, total, next_cursor, looked, workspace }) =>
    names.length === 0 && kind !== 'sessions'
      ? viewNone(looked, workspace)
      : [...names.map(LINES[kind]), ...shownOf(names.length, total, next_cursor)],
});

interface Asked {
  beginning: string | undefined;
  scope: string | undefined;
  limit: number;
  /** The name after which the page begins. */
  after: string | undefined;
}

interface Page {
  rows: Row[];
  total: number;
  next?: string | undefined;
  programs?: string[];
}

const LISTS: Record<(typeof KINDS)[number], (tx: Tx, asked: Asked) => Promise<Page>> = {
  async topics(tx, { beginning, scope, limit, after }) {
    const wanted = { beginning, scope: await scopeMeant(tx, scope) };
    const { rows, ...page } = await listTopics(tx, wanted, limit, after);
    const named = rows.map(
      ({ topic, leadsTo, version, isActive, createdAt, ...topicRow }): Row => ({
        ...{ name: topic, count: version, ...topicRow },
        ...(leadsTo !== null && { leads_to: leadsTo }),
        status: isActive ? 'active' : 'withdrawn',
        created_at: iso(createdAt),
      }),
    );
    return { rows: named, ...page };
  },
  async scopes(tx, { limit, after }) {
    const { rows, ...page } = await listScopes(tx, limit, after);
    const scopes = rows.map(({ scope }) => scope);
    const others = await otherScopeNames(tx, scopes);
    const named = rows.map(({ scope, total, ...strengths }): Row => {
      const names = others.get(scope);
      return { name: scope, count: total, ...strengths, ...(names && { names }) };
    });
    return { rows: named, ...page };
  },
  async authors(tx, { limit, after }) {
    const { rows, clients, ...page } = await listAuthors(tx, limit, after);
    return {
      rows: rows.map(({ author, records }) => ({ name: author, count: records })),
      ...page,
      programs: [...new Set(clients.flatMap((client) => viaOf(client) ?? []))].sort(),
    };
  },
  async sessions(tx, { limit }) {
    const { rows, total } = await agentSessions(tx, limit);
    const named = rows.map(
      ({ session, saves, undone, first, last, ...writer }): Row => ({
        ...{ name: session, count: saves, ...toBy(writer), undone },
        ...(first !== null && { first: iso(first) }),
        ...(last !== null && { last: iso(last) }),
      }),
    );
    return { rows: named, total };
  },
};

const LINES: Record<(typeof KINDS)[number], (row: Row) => Block> = {
  topics({ name, leads_to, ref, count, status, outcome = null, created_at = '' }) {
    const facts = [
      ref,
      dayOf(created_at),
      count > 1 && `${count} versions`,
      leads_to !== undefined && `→ ${leads_to}`,
    ];
    const gone = status === 'withdrawn' ? warn('  withdrawn') : '';
    return line(
      markOfOutcome(outcome),
      ' ',
      strong(name),
      gone,
      dim(`  ${facts.filter(Boolean).join(' · ')}`),
    );
  },
  scopes({ name, axis = 0, lock = 0, normal = 0, names }) {
    const tiers = [
      axis > 0 && counted(axis, 'axis', 'axes'),
      lock > 0 && counted(lock, 'lock'),
      normal > 0 && `${normal} normal`,
    ];
    const also = names ? dim(`  also called ${names.join(', ')}`) : '';
    return line(strong(name), `  ${tiers.filter(Boolean).join(', ')}`, also);
  },
  authors: ({ name, count }) =>
    line(name === '' ? dim('(nobody said)') : strong(name), dim(`  ${counted(count, 'record')}`)),
  sessions: ({ name, count, via }) =>
    line(strong(name), dim(`  ${via ?? 'an agent'} · ${counted(count, 'save')}`)),
};
