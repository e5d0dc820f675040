import fc from 'fast-check';
import type { DecisionFact, Facts } from '../../src/domain/import/facts.ts';
import { DAY, decided, found, observed, START } from './facts.ts';

/** Rows of one kind at most. */
const MOST = 7;
const TOPICS = ['auth', 'db:index', '외벽'] as const;
const WHEN = { min: 1, max: 30 };

const end = fc.integer({ min: 0, max: MOST + 1 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const outcome = fc.record({
  outcome: fc.constantFrom('success' as const, 'failed' as const, 'partial' as const),
  reason: fc.option(fc.constantFrom('it held', 'it leaked')),
});
const decision = fc.record({
  topic: fc.constantFrom(...TOPICS),
  day: fc.integer(WHEN),
  text: fc.constantFrom('one', 'two', 'three'),
  outcome: maybe(outcome),
  ground: maybe(fc.constantFrom('minutes', 'a benchmark')),
  session: maybe(fc.constantFrom('s1', 's2')),
  link: maybe(
    fc.record({ relationship: fc.constantFrom('builds_on' as const, 'debates' as const), to: end }),
  ),
  said: maybe(end),
  withdrawn: fc.boolean(),
});
const observation = fc.record({
  day: fc.integer(WHEN),
  revisions: fc.integer({ min: 0, max: 2 }),
  isDeleted: fc.boolean(),
  session: maybe(fc.constantFrom('s1', 's3')),
});
const relation = fc.record({ from: end, to: end, type: fc.constantFrom('causes', 'Depends On ') });
const rows = fc.record({
  decisions: fc.array(decision, { maxLength: MOST }),
  observations: fc.array(observation, { maxLength: MOST }),
  checkpoints: fc.array(fc.integer(WHEN), { maxLength: 2 }),
  relations: fc.array(relation, { maxLength: MOST }),
});
type Rows = typeof rows extends fc.Arbitrary<infer T> ? T : never;

/**
 * What any source may hold: versions of few topics, equal texts and relations, references among them in any direction, in
 * circles and to what is not there, rows that were deleted or taken back.
 */
export const randomFacts: fc.Arbitrary<Facts> = rows.map((each) =>
  found({
    decisions: inOrder(decisionsOf(each)),
    observations: each.observations.map(({ day, revisions, isDeleted, session }, n) =>
      observed(`o${n}`, day, {
        session,
        revisions: Array.from({ length: revisions }, (_, at) => ({
          title: `o${n}`,
          content: `text ${at}`,
          type: 'note',
          replacedAt: START + (day + at) * DAY,
        })),
        updatedAt: START + (day + 3) * DAY,
        deletedAt: isDeleted ? START + (day + 4) * DAY : undefined,
        rest: { pinned: n % 2 },
      }),
    ),
    checkpoints: each.checkpoints.map((day, n) => ({
      key: `c${n}`,
      at: START + day * DAY,
      summary: `half ${n}`,
      nextSteps: null,
      openFiles: ['a.ts'],
    })),
    relations: each.relations.map(({ from, to, type }, n) => ({
      key: `r${n}`,
      at: START + DAY,
      from: `o${from}`,
      to: `o${to}`,
      type,
      note: null,
    })),
  }),
);

function decisionsOf({ decisions }: Rows): DecisionFact[] {
  return decisions.map(({ day, outcome, ground, link, said, withdrawn, ...rest }, n) => {
    const isLast = decisions.every(
      (other, at) => other.topic !== rest.topic || placeOf(other.day, at) <= placeOf(day, n),
    );
    const { text, topic, session } = rest;
    return decided(`d${n}`, day, {
      topic,
      text,
      session,
      reasoning: said === undefined ? null : `since then. builds_on: decision_d${said}`,
      outcome: outcome && { ...outcome, at: START + (day + 1) * DAY },
      ...(ground && { evidence: [{ text: ground, at: START + day * DAY }] }),
      ...(link && { links: [{ relationship: link.relationship, to: `d${link.to}` }] }),
      // As readers give it: what was taken back without a next version.
      ...(withdrawn && isLast && { withdrawn: { reason: 'gone', at: START + (day + 2) * DAY } }),
    });
  });
}

const placeOf = (day: number, n: number) => day * 100 + n;

/**
 * The order of a topic's versions is what their reader says (D-22), and readers say that of their dates. Everything else
 * may come in any order.
 */
export function inOrder(decisions: DecisionFact[]): DecisionFact[] {
  const places = Map.groupBy(decisions.keys(), (n) => decisions[n]?.topic);
  const ordered = [...decisions];
  for (const of of places.values()) {
    const facts = of
      .map((n) => decisions[n] as DecisionFact)
      .sort((a, b) => a.at - b.at || (a.key < b.key ? -1 : 1));
    for (const [at, n] of of.entries()) ordered[n] = facts[at] as DecisionFact;
  }
  return ordered;
}

/** The same rows in another order. @param random numbers in 0..1 */
export function shuffled(facts: Facts, random: () => number): Facts {
  const mix = <T>(all: T[]) =>
    all
      .map((each) => ({ each, by: random() }))
      .sort((a, b) => a.by - b.by)
      .map(({ each }) => each);
  return {
    ...facts,
    decisions: inOrder(mix(facts.decisions)),
    observations: mix(facts.observations),
    checkpoints: mix(facts.checkpoints),
    relations: mix(facts.relations),
  };
}

/** Some of the rows. */
export function someOf(facts: Facts, random: () => number): Facts {
  const pick = <T>(all: T[]) => all.filter(() => random() < 0.5);
  return {
    ...facts,
    decisions: pick(facts.decisions),
    observations: pick(facts.observations),
    checkpoints: pick(facts.checkpoints),
    relations: pick(facts.relations),
  };
}
