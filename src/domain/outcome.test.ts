import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  type Failure,
  failedBasisWarning,
  failedBeforeWarning,
  OUTCOME_FILTERS,
  OUTCOMES,
  outcomeWarning,
} from './outcome.ts';

describe('outcomeWarning', () => {
  it('[O-4] begins with ⚠️ outcome: failed and gives the reason', () => {
    assert.equal(outcomeWarning('failed', 'too cold'), '⚠️ outcome: failed — “too cold”');
  });

  it('[O-4] says so when a failure has no reason', () => {
    assert.equal(outcomeWarning('failed', null), '⚠️ outcome: failed — no reason was given');
  });

  it('[O-4] only a failure warns', () => {
    for (const outcome of [...OUTCOMES, null]) {
      assert.equal(outcomeWarning(outcome, 'r') !== undefined, outcome === 'failed', String(outcome));
    }
  });
});

describe('outcome filters', () => {
  it('[O-6] every outcome can be asked for, and pending', () => {
    assert.deepEqual(OUTCOME_FILTERS, ['success', 'failed', 'partial', 'pending']);
  });
});

describe('warnings to whoever saves', () => {
  const failure: Failure = { id: 'id1', decision: 'Walls of 100 mm', outcomeReason: 'too cold' };
  const cases: [name: string, warn: (failure: Failure) => string, start: string][] = [
    ['[O-8] a close decision that failed', failedBeforeWarning, '⚠️ something close to this failed:'],
    ['[O-9] a basis that failed', failedBasisWarning, '⚠️ builds on a failed decision:'],
  ];
  for (const [name, warn, start] of cases) {
    it(`${name} is named with its text, id and reason`, () => {
      assert.equal(warn(failure), `${start} “Walls of 100 mm” (id1) — “too cold”`);
      assert.equal(
        warn({ ...failure, outcomeReason: null }),
        `${start} “Walls of 100 mm” (id1) — no reason was given`,
      );
    });
  }
});
