import fc from 'fast-check';
import { ATTRIBUTES } from '../../src/domain/decision.ts';
import { type Memory, PrecedentError } from '../../src/index.ts';
import { VALUES } from '../contract/fields.ts';
import { named } from './named.ts';

const WORDS = ['token', 'cookie', '세션', 'cache', 'queue', 'retry'] as const;
const TOPICS = ['auth:a', 'auth:b', 'web:c', 'Global'] as const;
const word = fc.constantFrom(...WORDS);
const said = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const call = <T extends Record<string, fc.Arbitrary<unknown>>>(name: string, fields: T) =>
  fc.record(fields).map((given) => ({ name, given: given as Record<string, unknown> }));
/** Which of the things made so far is meant; `take` finds its id. */
const some = fc.integer({ min: 0, max: 11 });

/** Everything that can be done to a memory but what removes for good. */
const CALLS = [
  call('mama_save', {
    topic: fc.constantFrom(...TOPICS),
    decision: said,
    builds_on: maybe(some),
    evidence: maybe(fc.array(said, { maxLength: 2 })),
    ...Object.fromEntries(ATTRIBUTES.map((name) => [name, maybe(fc.constantFrom(...VALUES[name]))])),
  }),
  call('decision_revise', {
    id: fc.constantFrom(...TOPICS),
    text: maybe(said),
    scope: maybe(fc.constantFrom('auth', 'ui')),
  }),
  call('decision_revise', { id: fc.constantFrom(...TOPICS), withdrawn: fc.constant(true) }),
  call('mama_update', {
    id: some,
    outcome: fc.constantFrom('failed', 'success', 'partial'),
    reason: maybe(said),
  }),
  call('evidence_save', { decisionRef: some, content: said }),
  call('anchor_save', { targetRef: some, type: fc.constant('decision_link'), hint: said }),
  call('mama_save', { type: fc.constant('checkpoint'), summary: said }),
  call('rename', {
    from: fc.constantFrom(...TOPICS),
    to: fc.constantFrom(...TOPICS),
    join: fc.constant(true),
  }),
  call('rename', {
    kind: fc.constant('scope'),
    from: fc.constantFrom('auth', 'web', 'ui'),
    to: fc.constantFrom('auth', 'web', 'new'),
    join: fc.constant(true),
  }),
  call('mem_save', {
    title: said,
    content: said,
    topic_key: maybe(fc.constantFrom('k', 'l')),
    project: maybe(fc.constantFrom('p', 'q')),
  }),
  call('mem_save', { title: fc.constant('again'), content: fc.constant('the same words') }),
  call('mem_update', { id: some, title: maybe(word), content: maybe(said) }),
  call('mem_update', {
    id: some,
    project: maybe(fc.constantFrom('p', 'q')),
    topic_key: maybe(fc.constantFrom('k', 'm')),
    scope: maybe(fc.constantFrom('personal', 'project')),
  }),
  call('delete', { observation: some }),
  call('mem_relate', { from_id: some, to_id: some, relation_type: word }),
  call('mem_unrelate', { relation_id: some }),
  call('keywords_record', { keywords: fc.array(word, { minLength: 1, maxLength: 4 }) }),
  call('memo_save', { fullText: said, keywords: fc.array(word, { minLength: 1, maxLength: 2 }) }),
  call('memo_expand', { infoId: some }),
  call('undo', {}),
  call('undo', { redo: fc.constant(true) }),
  call('rename', {
    from: fc.constantFrom(...TOPICS),
    to: fc.constantFrom('auth:renamed', 'web:renamed', ...TOPICS),
  }),
  call('undelete', { observation: some }),
  call('memo_edit', { infoId: some, fullText: said }),
  call('delete', { memo: some }),
  call('undelete', { memo: some }),
];

/** What every life begins with, so that there is something to change. */
const BEGINNING = [
  ...TOPICS.map((topic) => ({ name: 'mama_save', given: { topic, decision: `what of ${topic}` } })),
  ...WORDS.map((title) => ({ name: 'mem_save', given: { title, content: `on ${title}` } })),
  ...[1, 2, 3].map((to_id) => ({
    name: 'mem_relate',
    given: { from_id: 0, to_id, relation_type: 'because' },
  })),
];

/** One thing that is done: who does it, and how many milliseconds after the one before. */
const step = fc.record({
  call: fc.oneof(...CALLS),
  after: fc.constantFrom(0, 1, 1_000, 86_400_000),
  author: fc.constantFrom('Kim <kim@example.com>', 'Lee <lee@example.com>'),
});
export interface Step {
  call: { name: string; given: Record<string, unknown> };
  after: number;
  author: string;
}

/** A life of so many steps. */
export const life = (steps: number) =>
  fc
    .array(step, { minLength: steps, maxLength: steps })
    .map((rest): Step[] => [
      ...BEGINNING.map((call) => ({ call, after: 1, author: 'Kim <kim@example.com>' })),
      ...rest,
    ]);

/** What was made so far, by the fields that mean it. */
export class Made {
  readonly decisions: string[] = [];
  readonly memos: string[] = [];
  readonly evidence: string[] = [];
  observations = 0;
  relations = 0;

  /** The input of a call, with the id of something that was made in the place of a number. */
  resolved({ name, given }: Step['call']): Record<string, unknown> {
    const decision = (at: unknown) => this.decisions[Number(at) % this.decisions.length] ?? 'none';
    const { builds_on, ...input } = given;
    if (name === 'mama_update') input.id = decision(given.id);
    if (name === 'evidence_save') input.decisionRef = decision(given.decisionRef);
    if ('targetRef' in given) input.targetRef = decision(given.targetRef);
    if ('infoId' in given) input.infoId = this.memos[Number(given.infoId) % this.memos.length] ?? 'none';
    const { observation, memo } = given;
    delete input.observation;
    delete input.memo;
    if (observation !== undefined) input.ref = `#${1 + (Number(observation) % (this.observations || 1))}`;
    if (memo !== undefined) input.ref = this.memos[Number(memo) % this.memos.length] ?? 'none';
    if (name === 'mem_update') input.id = 1 + (Number(given.id) % (this.observations || 1));
    if (name === 'mem_relate') {
      input.from_id = 1 + (Number(given.from_id) % (this.observations || 1));
      input.to_id = 1 + (Number(given.to_id) % (this.observations || 1));
    }
    if (name === 'mem_unrelate') input.relation_id = 1 + (Number(given.relation_id) % (this.relations || 1));
    // What binds gives way only with a reason.
    if (['decision_revise', 'undo', 'rename'].includes(name)) input.reasoning = 'for a reason';
    if (name === 'mama_save' && given.decision !== undefined)
      input.reasoning = builds_on === undefined ? 'for a reason' : `builds_on: ${decision(builds_on)}`;
    return Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  }

  /** Notes what a call made. */
  note(name: string, input: Record<string, unknown>, result: Record<string, unknown>): void {
    const { decision } = result as { decision?: { id: string } };
    if (name === 'mama_save' && input.decision !== undefined) this.decisions.push(String(result.id));
    if (decision && typeof decision === 'object') this.decisions.push(decision.id);
    if (name === 'evidence_save') this.evidence.push((result as { evidence: { id: string } }).evidence.id);
    if (name === 'memo_save') this.memos.push(String((result as { infoId?: string }).infoId));
    if (name === 'mem_save') this.observations = Math.max(this.observations, Number(result.id));
    if (name === 'mem_relate') this.relations += 1;
  }
}

/** Takes one step; a refusal is an answer, too. */
export async function take(memory: Memory, { call: asked, author }: Step, made: Made): Promise<void> {
  const resolved = made.resolved(asked);
  const { topic, id = topic } = resolved;
  const isOverriding =
    /^(mama_save|decision_revise|topic_(join|rename))$/.test(asked.name) && id !== undefined;
  const input = { ...resolved, ...(isOverriding && (await named(memory, String(id)))) };
  try {
    const result = await memory.call(asked.name, input, { author, session: `session of ${author}` });
    made.note(asked.name, input, result);
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.code === 'internal') throw error;
  }
}

/** A question, and the field by which it is asked of the past. */
export type Question = { name: string; given: Record<string, unknown>; field: 'as_of' | 'asOf' };

/** Everything that can be asked without words. */
export function questionsOf(made: Made): Question[] {
  const camel = (name: string, given = {}): Question => ({ name, given, field: 'asOf' });
  const snake = (name: string, given = {}): Question => ({ name, given, field: 'as_of' });
  const decisions = [...new Set(made.decisions)].slice(-6);
  const observations = Array.from({ length: Math.min(made.observations, 6) }, (_, index) => index + 1);
  return [
    camel('decision_list'),
    camel('decision_list', { state: 'any', limit: 100 }),
    camel('decision_list', { failedBasis: true, state: 'any' }),
    camel('decision_list', { debated: true }),
    camel('decision_list', { stale: '1h', author: 'kim' }),
    camel('decision_list', { scope: 'auth' }),
    camel('decision_list', { noEvidence: true, outcome: 'pending' }),
    camel('decision_retrieve'),
    camel('decision_retrieve', { domain: 'auth' }),
    camel('decision_graph'),
    snake('timeline', { limit: 200 }),
    snake('timeline', { since: '1h', kind: ['change', 'observation'] }),
    ...['scopes', 'topics', 'authors'].map((kind) => snake('list_names', { kind })),
    camel('memo_list', { limit: 50 }),
    camel('memo_list', { view: 'links', limit: 50 }),
    snake('mem_list', { deleted: true, limit: 100 }),
    snake('mem_list', { project: 'p' }),
    snake('mem_stats'),
    snake('mama_search', { limit: 50 }),
    snake('mem_search', { limit: 50 }),
    snake('mama_load_checkpoint'),
    ...[...TOPICS, 'auth:renamed'].map((ref) => snake('show', { ref })),
    ...made.evidence.slice(-2).map((ref) => snake('show', { ref })),
    ...decisions.flatMap((id) => [
      camel('decision_get', { id, depth: 2 }),
      snake('history', { ref: id }),
      snake('history', { ref: id, diff: true }),
      camel('decision_graph', { around: id }),
    ]),
    ...observations.flatMap((id) => [
      snake('show', { ref: `#${id}` }),
      snake('history', { ref: `#${id}` }),
      snake('mem_get_observation', { id }),
      snake('mem_relations', { observation_id: id }),
      snake('mem_build_context', { observation_id: id }),
    ]),
    ...made.memos.slice(-3).map((infoId) => camel('memo_list', { infoId })),
  ];
}

/** What is asked in words. */
export function searches(query: string): Question[] {
  const snake = (name: string, given = {}): Question => ({ name, given, field: 'as_of' });
  return [
    snake('mama_search', { query, limit: 20 }),
    snake('mama_search', { query, history: true, outcome_filter: 'failed' }),
    snake('mem_search', { query, limit: 20 }),
    snake('search', { query, limit: 20 }),
    snake('recall', { task: query, domain: 'auth', token_budget: 50_000 }),
    { name: 'decision_list', given: { filter: query }, field: 'asOf' },
    snake('timeline', { filter: query }),
  ];
}

interface Shown {
  id: string | number;
  root_id?: string;
  title?: string;
  kind?: string;
}

/**
 * Which topics, notes and memos a search found. How rare a word is comes from today's index (J-3): the order, what fits on a full
 * page, and which version of a topic stands for it may be others.
 */
export function unranked(answer: string): unknown {
  const said: { results?: Shown[]; entries?: Shown[] } = JSON.parse(answer);
  const list = said.results ?? said.entries;
  if (list === undefined) return answer;
  const nameOf = ({ id, root_id, kind, title }: Shown) => root_id ?? (kind === 'decision' ? title : id);
  return list.length < 20 ? list.map((each) => String(nameOf(each))).sort() : list.length;
}

/** What a memory says, now or as of a moment; a cursor belongs to its own question. */
export async function answerOf(
  memory: Memory,
  { name, given, field }: Question,
  at?: number,
): Promise<string> {
  const moment = at === undefined ? {} : { [field]: new Date(at).toISOString() };
  try {
    const result = await memory.call(name, { ...given, ...moment });
    // Reviewers are known of today alone.
    return JSON.stringify(result, (key, value) =>
      key === 'reviewed_by' ? undefined : /^next_?[cC]ursor$/.test(key) ? 'another page' : value,
    );
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.code === 'internal') throw error;
    return error.code;
  }
}
