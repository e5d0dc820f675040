import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/memory/memory.ts';
import { MOST_GIVEN } from '../src/operations/bounds.ts';
import { operations } from '../src/operations/index.ts';

const TOO_MANY = MOST_GIVEN.values + 1;

/** A list whose items nobody may look at. */
const untouchable = (): unknown[] =>
  new Proxy(new Array(TOO_MANY).fill('x'), {
    get(list, key) {
      assert(typeof key !== 'string' || !/^\d+$/.test(key), `item ${String(key)} was looked at`);
      return Reflect.get(list, key);
    },
  });

describe('[Z-12] what is too large is refused by its length', () => {
  it('a list in any field of any operation, before an item of it is looked at', async () => {
    const memory = await openMemory({ db: ':memory:' });
    for (const { name, input } of operations)
      for (const field of Object.keys(input.shape))
        await assert.rejects(
          memory.call(name, { [field]: untouchable() }),
          {
            reason: 'too_many',
            message: `${name}: Expected at most ${MOST_GIVEN.values} values in all, found ${TOO_MANY + 1} or more in "${field}". Send them in several calls.`,
          },
          `${name}.${field}`,
        );
    await memory.close();
  });

  const nested = (levels: number): unknown => (levels === 0 ? 'x' : [nested(levels - 1)]);
  for (const [what, given, expected] of [
    [
      'fields',
      Object.fromEntries(Array.from({ length: TOO_MANY }, (_, at) => [`f${at}`, 1])),
      { reason: 'too_many' },
    ],
    [
      'levels',
      { evidence: nested(MOST_GIVEN.levels + 1) },
      { reason: 'wrong_form', message: /levels, found more in "evidence"/ },
    ],
    ['a list within a list', { evidence: [untouchable()] }, { reason: 'too_many' }],
    [
      'lists that are too many together',
      { evidence: nested(1), open_files: new Array(TOO_MANY - 2).fill('x') },
      { reason: 'too_many' },
    ],
    [
      'a text',
      { reasoning: 'x'.repeat(MOST_GIVEN.characters + 1) },
      { reason: 'too_long', message: /at most 1000000 characters, found one of 1000001 in "reasoning"/ },
    ],
    [
      'the name of a field, which is not repeated',
      { ['x'.repeat(MOST_GIVEN.characters + 1)]: 1 },
      { reason: 'too_long', message: /found one of 1000001\.$/ },
    ],
  ] as const)
    it(`${what}, too`, async () => {
      const memory = await openMemory({ db: ':memory:' });
      const save = { topic: 'a:b', decision: 'd', ...given };
      await assert.rejects(memory.call('mama_save', save), expected);
      await memory.close();
    });

  it('the same in a line of a batch', async () => {
    const memory = await openMemory({ db: ':memory:' });
    const line = JSON.stringify({
      operation: 'mama_save',
      topic: 'a:b',
      decision: 'd',
      evidence: new Array(TOO_MANY).fill('x'),
    });
    await assert.rejects(memory.batch([line]), {
      reason: 'too_many',
      message: /^Line 1: mama_save: Expected at most/,
    });
    await memory.close();
  });

  it('but not what becomes short when what is private and what a terminal obeys are cut', async () => {
    const memory = await openMemory({ db: ':memory:' });
    const reasoning = `because <private>${'x'.repeat(500_000)}</private> ${'\u001b[31m'.repeat(50_000)} it is`;
    const { id } = (await memory.call('mama_save', { topic: 'a:b', decision: 'd', reasoning })) as {
      id: string;
    };
    const { decision } = (await memory.call('decision_get', { id })) as { decision: { reasoning: string } };
    assert.equal(decision.reasoning.replace(/\s+/g, ' '), 'because [REDACTED] it is');
    await memory.close();
  });
});
