import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { chargedTo, giveWay } from './turns.ts';

describe('[Z-12] turns at the pauses of calls', () => {
  it('the caller that used least goes first, and one goes on with each turn of the event loop', async () => {
    const went: string[] = [];
    const call = (name: string, used: number, pauses: number) =>
      chargedTo({ used }, async () => {
        for (let n = 0; n < pauses; n++) {
          await giveWay();
          went.push(name);
        }
      });
    const greedy = Array.from({ length: 64 }, (_, n) => call(`greedy${n}`, 1e9, 3));
    await call('cheap', 0, 5);
    assert(went.length <= 5 + 1, went.join());
    await Promise.all(greedy);
    assert.equal(went.length, 64 * 3 + 5, 'nobody is forgotten');
  });

  it('work is charged to its caller, also where it fails', async () => {
    const share = { used: 0 };
    const work = chargedTo(share, async () => {
      await giveWay();
      createHash('sha256').update('x'.repeat(20_000_000)).digest();
      throw new Error('x');
    });
    await assert.rejects(work, /x/);
    assert(share.used > 1_000, `${share.used}`);
  });
});
