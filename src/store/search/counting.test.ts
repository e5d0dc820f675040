import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Tx } from '../tx.ts';
import { counting } from './counting.ts';

it('[CC-1] [Z-5] the questions of one answer count each word once, also at the same time', async () => {
  const asked: string[][] = [];
  const frequencies = async (_: unknown, terms: string[]) => {
    asked.push(terms);
    return { documents: 9, of: new Map(terms.map((term) => [term, term.length])) };
  };
  const count = counting({ text: { frequencies } } as unknown as Tx);
  const [one, other] = await Promise.all([count(['a', 'bb']), count(['bb', 'ccc'])]);
  assert.deepEqual(one, { documents: 9, of: new Map(Object.entries({ a: 1, bb: 2 })) });
  assert.equal(other.of.get('bb'), 2);
  assert.equal(other.of.get('ccc'), 3);
  assert.equal((await count(['a'])).documents, 9);
  assert.deepEqual(asked, [['a', 'bb'], ['ccc']]);
  assert.deepEqual(await count([]), { documents: 0, of: new Map() });
});
