import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const LOCK = {
  topic: 'auth:token',
  decision: 'Session cookies, HttpOnly. Nothing else.',
  strength: 'lock',
} as const;

/** D-20: an axis or a lock never gives way in silence. */
export function guards(engine: EngineUnderTest): void {
  describe('axes and locks', () => {
    const opened = async () => {
      const memory = await engine.open();
      return { memory, lock: await memory.mama.save({ ...LOCK, reasoning: 'scripts cannot read them' }) };
    };
    const ways: [
      what: string,
      how: (memory: Memory, id: string, reasoning?: string) => Promise<{ warnings: string[] }>,
      said: string,
    ][] = [
      [
        'replacing',
        (memory, _, reasoning) => memory.mama.save({ ...LOCK, decision: 'JWT', reasoning }),
        'replaced',
      ],
      [
        'replacing by id',
        (memory, id, reasoning) => memory.decision.revise({ id, text: 'JWT', reasoning }),
        'replaced',
      ],
      [
        'lowering',
        (memory, _, reasoning) => memory.mama.save({ ...LOCK, strength: 'normal', reasoning }),
        'lowered',
      ],
      [
        'rescoping',
        (memory, id, reasoning) => memory.decision.revise({ id, scope: 'web', reasoning }),
        'moved to another scope',
      ],
      [
        'withdrawing',
        (memory, id, reasoning) => memory.decision.revise({ id, withdrawn: true, reasoning }),
        'withdrawn',
      ],
    ];
    for (const [what, how, said] of ways) {
      it(`[D-20] ${what} a lock needs a reason in the same call, and is answered by a warning that names what was active`, async () => {
        const { memory, lock } = await opened();
        // A withdrawal of anything needs a reason.
        if (what === 'withdrawing') await refuses(how(memory, lock.id), 'invalid', 'reasoning');
        else
          await refuses(
            how(memory, lock.id),
            'conflict',
            'reasoning',
            lock.id,
            '“Session cookies, HttpOnly. Nothing else.”',
          );
        assert.equal((await memory.decision.get({ id: lock.id })).versions.length, 1, 'nothing was changed');
        const { warnings } = await how(memory, lock.id, 'an audit asked for it');
        assert.equal(
          warnings[0],
          `⚠️ a lock of “auth” was ${said}: “Session cookies, HttpOnly. Nothing else.” (${lock.id})`,
        );
      });
    }

    it('[D-20] saying it again, raising it, another confidence and new evidence need none', async () => {
      const { memory, lock } = await opened();
      assert.equal((await memory.mama.save(LOCK)).unchanged, true);
      const calls = [
        { confidence: 0.9 },
        { evidence: ['an audit'] },
        { strength: 'axis' as const },
        { scope: 'Auth' },
      ];
      for (const more of calls) {
        const { warnings } = await memory.mama.save({ ...LOCK, strength: undefined, ...more });
        assert.deepEqual(warnings, [], JSON.stringify(more));
      }
      const { decision } = await memory.decision.get({
        id: (await memory.mama.search({ domain: 'auth' })).results[0]?.id ?? lock.id,
      });
      assert.deepEqual([decision.strength, decision.reasoning], ['axis', 'scripts cannot read them']);
    });

    it('[D-20] a normal decision, and one that is no longer active, give way as ever', async () => {
      const { memory, lock } = await opened();
      await memory.mama.save({ topic: 'n', decision: 'A' });
      assert.deepEqual((await memory.mama.save({ topic: 'n', decision: 'B' })).warnings, []);
      await memory.decision.revise({ id: lock.id, withdrawn: true, reasoning: 'gone' });
      assert.deepEqual((await memory.mama.save({ ...LOCK, decision: 'JWT' })).warnings, []);
    });
  });

  describe('tiers under a limit', () => {
    it('[D-21] no tier is crowded out by those before it, and what is left out is said in words', async () => {
      const memory = await engine.openFast();
      const save = async (count: number, scope: string, strength: 'axis' | 'lock' | 'normal') => {
        for (let n = 1; n <= count; n++)
          await memory.decision.save({ text: `${scope} ${strength} ${n}`, scope, strength });
      };
      await save(12, 'global', 'axis');
      await save(1, 'ui', 'lock');
      await save(6, 'ui', 'normal');
      const tiersOf = async (limit: number) => {
        const { decisions, leftOut } = await memory.decision.retrieve({ domain: 'ui', limit });
        const counts = ['global+axis', 'domain+axis', 'domain+lock', 'domain+normal'].map(
          (tier) => decisions.filter((decision) => decision.tier === tier).length,
        );
        return { counts, leftOut };
      };
      assert.deepEqual(await tiersOf(8), {
        counts: [5, 0, 1, 2],
        leftOut:
          'Left out by the limit: 7 of the global axes, 4 of the normal decisions of ui. Raise it to read them.',
      });
      assert.deepEqual((await tiersOf(2)).counts, [1, 0, 1, 0]);
      assert.deepEqual(await tiersOf(19), { counts: [12, 0, 1, 6], leftOut: undefined });
    });
  });
}
