import type { Facts } from '../../src/domain/import/facts.ts';
import { DAY, decided, found, observed, START } from './facts.ts';
import { generator } from './random.ts';

/** Texts are made of so many words; the rarer half stands in few of them. */
const WORDS = 5_000;
/** Of a hundred records: so many decisions, each with outcomes and evidence of some; the others are observations. */
const DECISIONS = 35;
const OUTCOMES = 15;
const EVIDENCE = 10;
const CHECKPOINTS = 3;

/**
 * A source that becomes so many records here, the same for equal numbers: decisions on topics of three versions, every
 * fifth with a reference in its reasoning, outcomes, evidence, observations, checkpoints, and relations beside them.
 */
export function manyFacts(records: number): Facts {
  const random = generator(7);
  const word = () => `word${Math.floor(WORDS * random() ** 2)}`;
  const words = (many: number) => Array.from({ length: many }, word).join(' ');
  const share = (of: number) => Math.floor((records * of) / 100);
  const decisions = share(DECISIONS);
  const observations = records - decisions - share(OUTCOMES) - share(EVIDENCE) - share(CHECKPOINTS);
  // Whole hours: a time is in whole milliseconds.
  const day = (n: number, all: number) => Math.floor((7200 * n) / all) / 24;
  return found({
    decisions: Array.from({ length: decisions }, (_, n) =>
      decided(`many_${n}`, day(n, decisions), {
        topic: `topic ${Math.floor(n / 3)}`,
        text: words(12),
        reasoning: n % 5 === 0 ? `${words(25)}\nbuilds_on: decision_many_${(n * 7) % decisions}` : words(30),
        ...(n < share(OUTCOMES) && {
          outcome: { outcome: 'success', reason: words(6), at: START + day(n, decisions) * DAY },
        }),
        ...(n < share(EVIDENCE) && { evidence: [{ text: words(15), at: START }] }),
        rest: { usage_count: n },
      }),
    ),
    observations: Array.from({ length: observations }, (_, n) =>
      observed(`note ${n}`, day(n, observations), { title: words(5), content: words(40), project: 'shop' }),
    ),
    checkpoints: Array.from({ length: share(CHECKPOINTS) }, (_, n) => ({
      key: `checkpoint ${n}`,
      at: START + n,
      summary: words(20),
      nextSteps: null,
      openFiles: ['a.ts'],
    })),
    relations: Array.from({ length: share(OUTCOMES) }, (_, n) => ({
      key: `relation ${n}`,
      at: START + n,
      from: `note ${n % observations}`,
      to: `note ${(n * 7 + 1) % observations}`,
      type: 'causes',
      note: null,
    })),
  });
}
