import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { replacePauses, stopClock } from '../../test/support/clock.ts';
import { PrecedentError } from '../domain/error.ts';
import type { Fault } from './engine.ts';
import { retry } from './retry.ts';
import { LostRace } from './tx.ts';

const failing = (fault: Fault) => ({ fault: () => fault });
const code = (error: unknown) => (error instanceof PrecedentError ? error.code : String(error));

/** More tries than any limit allows: work that is never given up succeeds then, and its test fails instead of hanging. */
const TOO_MANY = 10_000;

/** Fails `times` times, then answers how often it was tried. */
function stubborn(times: number, error: () => Error) {
  let tries = 0;
  return async () => {
    if (++tries <= times) throw error();
    return tries;
  };
}

describe('retry', () => {
  it('goes on while the database is busy, and says so when patience ends', async (test) => {
    replacePauses(test, stopClock(test));
    const busy = failing({ kind: 'busy' });
    assert.equal(
      await retry(
        busy,
        stubborn(5, () => new Error('locked')),
        assert.fail,
        Number.POSITIVE_INFINITY,
      ),
      6,
    );
    const never = stubborn(TOO_MANY, () => new Error('locked'));
    const error = await retry(busy, never, assert.fail, 100).catch((thrown) => thrown);
    assert.equal(code(error), 'unavailable');
    assert.match(error.message, /busy for 0\.1 seconds; nothing was written/);
  });

  it('[P-6] counts how long a server has waited for a lock itself', async (test) => {
    const pass = stopClock(test);
    let tries = 0;
    const overdue = async () => {
      tries++;
      pass(100);
      throw new Error('lock timeout');
    };
    const error = await retry(failing({ kind: 'busy' }), overdue, assert.fail, 100).catch((thrown) => thrown);
    assert.deepEqual([error.reason, tries], ['busy', 1]);
  });

  it('reruns a lost race, but not for ever', async (test) => {
    replacePauses(test);
    const bug = failing({ kind: 'bug' });
    assert.equal(
      await retry(
        bug,
        stubborn(20, () => new LostRace()),
        assert.fail,
        Number.POSITIVE_INFINITY,
      ),
      21,
    );
    const log: string[] = [];
    const race = failing({ kind: 'race' });
    const always = stubborn(TOO_MANY, () => new Error('unique'));
    await assert.rejects(
      retry(race, always, (line) => log.push(line), Number.POSITIVE_INFINITY),
      (error) => code(error) === 'internal',
    );
    assert.equal(log.length, 1);
  });

  it('[D-12] everything else fails at once; detail goes to the log only', async () => {
    const log: string[] = [];
    const once = stubborn(1, () => new Error('near "selct": syntax error'));
    const error = await retry(failing({ kind: 'bug' }), once, (line) => log.push(line)).catch(
      (thrown) => thrown,
    );
    assert.equal(code(error), 'internal');
    assert.doesNotMatch(error.message, /selct/);
    // A parser quotes the text of a record (OP-2).
    assert.match(log.join(), /near "…": syntax error/);
    const full = failing({ kind: 'unavailable', message: 'The disk is full.', reason: 'full' });
    await assert.rejects(
      retry(
        full,
        stubborn(1, () => new Error('13')),
        assert.fail,
      ),
      /The disk is full/,
    );
    const own = new PrecedentError('conflict', 'not_empty', 'as it is');
    await assert.rejects(
      retry(
        failing({ kind: 'busy' }),
        stubborn(1, () => own),
        assert.fail,
      ),
      own,
    );
  });
});
