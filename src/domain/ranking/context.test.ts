import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, scoresInContext } from './context.ts';
import { SHARES, SHORT } from './weights.ts';

const frequencies = {
  documents: 100,
  of: new Map([
    ['rare', 1],
    ['other', 10],
  ]),
};
const NONE = { next: [], second: [], related: [] };
const answer = (seq: number, own: number, session: number, ...terms: string[]): Answer => ({
  seq,
  own,
  session,
  matched: new Set(terms),
  words: 10,
});
/** Scores without the session's share, which is the same for all of one session. */
const gains = (answers: Answer[], around: Partial<Parameters<typeof scoresInContext>[1]>) => {
  const alone = scoresInContext(answers, NONE, frequencies);
  const together = scoresInContext(answers, { ...NONE, ...around }, frequencies);
  return answers.map(({ seq }) => Number(((together.get(seq) ?? 0) - (alone.get(seq) ?? 0)).toFixed(6)));
};

describe('scoresInContext', () => {
  it('[S-4] gives each record its share of what stands next, second and related, both ways as the pairs say', () => {
    // Without a term no session has a share.
    const answers = [answer(1, 10, 1), answer(2, 4, 1)];
    for (const kind of ['next', 'second', 'related'] as const) {
      const [first, second] = gains(answers, { [kind]: [{ to: 1, from: 2 }] });
      assert.deepEqual([first, second], [SHARES[kind] * 4, 0], kind);
      const both = gains(answers, {
        [kind]: [
          { to: 1, from: 2 },
          { to: 2, from: 1 },
        ],
      });
      assert.deepEqual(both, [SHARES[kind] * 4, SHARES[kind] * 10], kind);
    }
  });

  it('[S-4] lifts a long record less, in proportion to its words', () => {
    const long = (times: number) => ({ ...answer(1, 10, 1), words: times * SHORT });
    const next = [{ to: 1, from: 2 }];
    for (const [times, share] of [
      [1, 1],
      [2, 1 / 2],
      [8, 1 / 8],
    ] as const)
      assert.equal(gains([long(times), answer(2, 4, 1)], { next })[0], share * SHARES.next * 4);
  });

  it('[S-4] lifts nothing that is no answer itself, and by nothing that is none', () => {
    const answers = [answer(1, 10, 1)];
    assert.deepEqual(
      gains(answers, {
        next: [
          { to: 9, from: 1 },
          { to: 1, from: 9 },
        ],
      }),
      [0],
    );
    const scores = scoresInContext(answers, { ...NONE, next: [{ to: 9, from: 1 }] }, frequencies);
    assert.deepEqual([...scores.keys()], [1]);
  });

  it('[S-4] a session counts by how much of the question all its records answer together', () => {
    const scores = scoresInContext(
      [answer(1, 10, 1, 'rare'), answer(2, 0, 1, 'other'), answer(3, 0, 2, 'other'), answer(4, 0, 3)],
      NONE,
      frequencies,
    );
    assert.equal(scores.get(1), 10 + SHARES.session * 10);
    assert.equal(scores.get(2), SHARES.session * 10, 'its session answers the whole question');
    assert((scores.get(3) ?? 0) > 0 && (scores.get(3) ?? 0) < SHARES.session * 10);
    assert.equal(scores.get(4), 0);
  });

  it('takes a hundred thousand answers in as many sessions', () => {
    const answers = Array.from({ length: 150_000 }, (_, n) => answer(n, n, n, 'rare'));
    assert.equal(scoresInContext(answers, NONE, frequencies).size, answers.length);
  });
});

describe('SHARES', () => {
  it('are those that the retrieval benchmark chose: measure before changing one (decision 0021)', () => {
    assert.deepEqual(SHARES, { next: 0.4, second: 0.2, related: 0.2, session: 0.5, evidence: 0.5 });
  });
});
