import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../../src/index.ts';
import type { EngineUnderTest } from '../support/engines.ts';
import { refuses } from '../support/expect.ts';

const RULE = { topic: 'auth:token', decision: 'Session cookies, HttpOnly. Nothing else.' } as const;
const LOCK = { ...RULE, strength: 'lock' } as const;
const WHY = 'an audit asked for it';
/** The clock of these memories. */
const DAY = '2026-04-07';

/** D-20, T-6: an axis or a lock never gives way in silence, a lock only to who names it. */
export function guards(engine: EngineUnderTest): void {
  describe('axes and locks', () => {
    const opened = async (strength: 'axis' | 'lock' = 'lock') => {
      const memory = await engine.open({ clock: () => new Date(`${DAY}T12:00:00`).getTime() });
      const rule = { ...RULE, strength };
      return {
        memory,
        rule,
        lock: await memory.mama.save({ ...rule, reasoning: 'scripts cannot read them' }),
      };
    };
    type Named = { reasoning?: string; replaces?: string };
    const ways: [
      what: string,
      how: (memory: Memory, id: string, named: Named) => Promise<{ warnings?: string[] | undefined }>,
      said: string,
    ][] = [
      [
        'replacing',
        (memory, _, named) => memory.mama.save({ ...RULE, decision: 'JWT', ...named }),
        'replaced',
      ],
      [
        'replacing with decision_save',
        (memory, _, named) => memory.decision.save({ topic: RULE.topic, text: 'JWT', ...named }),
        'replaced',
      ],
      [
        'replacing by id',
        (memory, id, named) => memory.decision.revise({ id, text: 'JWT', ...named }),
        'replaced',
      ],
      [
        'lowering',
        (memory, _, named) => memory.mama.save({ ...RULE, strength: 'normal', ...named }),
        'lowered',
      ],
      [
        'rescoping',
        (memory, id, named) => memory.decision.revise({ id, scope: 'web', ...named }),
        'moved to another scope',
      ],
      [
        'withdrawing',
        (memory, id, named) => memory.decision.revise({ id, withdrawn: true, ...named }),
        'withdrawn',
      ],
      [
        'joining its scope',
        (memory, _, { replaces, ...named }) =>
          memory.rename({
            kind: 'scope',
            from: 'auth',
            to: 'web',
            ...named,
            ...(replaces && { replaces: [replaces] }),
            join: true,
          }),
        'moved to another scope',
      ],
      [
        'joining its topic',
        async (memory, _, { replaces, ...named }) => {
          await memory.mama.save({ topic: 'auth:cookie', decision: 'Lax' });
          const locks = replaces && { replaces: [replaces] };
          return memory.rename({ from: RULE.topic, to: 'auth:cookie', ...named, ...locks, join: true });
        },
        'withdrawn',
      ],
    ];
    /** A first try of a withdrawal of anything needs a reason. */
    const unreasoned = (what: string) => (what === 'withdrawing' ? 'invalid' : 'conflict');
    const isReplaced = (said: string) => said === 'replaced';
    const narrower =
      '. If a narrower case was meant: save it on a topic of its own and save the old text again';
    for (const [what, how, said] of ways) {
      it(`[D-20] ${what} an axis needs a reason in the same call, and is answered by a warning that names what was active`, async () => {
        const { memory, lock } = await opened('axis');
        const quote = what === 'withdrawing' ? [] : [lock.id, '“Session cookies, HttpOnly. Nothing else.”'];
        await refuses(how(memory, lock.id, {}), unreasoned(what), 'reasoning', ...quote);
        assert.equal((await memory.decision.get({ id: lock.id })).versions.length, 1, 'nothing was changed');
        const { warnings } = await how(memory, lock.id, { reasoning: WHY });
        assert.equal(
          warnings?.[0],
          `⚠️ an axis of “auth” was ${said}: “Session cookies, HttpOnly. Nothing else.” (${lock.id}; ${DAY})${isReplaced(said) ? narrower : ''}`,
        );
      });

      it(`[T-6] ${what} a lock needs its name in the same call, in addition to a reason: the refusal quotes all of it and says how`, async () => {
        const { memory, lock } = await opened();
        const ref = lock.id.slice(0, 8);
        const whole = '“Session cookies, HttpOnly. Nothing else.”';
        const refused = (named: Named, found = 'found none') =>
          refuses(
            how(memory, lock.id, named),
            'conflict',
            ...[whole, found, 'its reason: “scripts cannot read them”'],
            `Ask the person first. If they agree, give replaces: "${ref}"`,
          );
        if (what !== 'withdrawing') await refused({});
        await refused({ reasoning: WHY });
        // What everybody knows without having read it names no version.
        for (const replaces of [RULE.topic, 'auth:token@2', 'ffffffff', 'yes'])
          await refused({ reasoning: WHY, replaces }, `found “${replaces}”, which is not that version`);
        await refused({ reasoning: `${WHY}. supersedes: auth:token` });
        const { versions } = await memory.decision.get({ id: lock.id });
        assert.deepEqual([versions.length, versions[0]?.isActive], [1, true], 'nothing was changed');
        if (what !== 'withdrawing')
          await refuses(how(memory, lock.id, { replaces: ref }), 'conflict', 'reasoning');
        const { warnings } = await how(memory, lock.id, { reasoning: WHY, replaces: ref });
        assert.equal(
          warnings?.[0],
          `⚠️ a lock of “auth” was ${said}: “Session cookies, HttpOnly. Nothing else.” (${lock.id}; ${DAY})`,
        );
      });
    }

    for (const [name, named] of [
      ['its id', (id: string) => ({ reasoning: WHY, replaces: id })],
      ['the beginning of its id', (id: string) => ({ reasoning: WHY, replaces: id.slice(0, 8) })],
      ['the version of its topic', () => ({ reasoning: WHY, replaces: 'auth:token@1' })],
      ['its id in the reasoning', (id: string) => ({ reasoning: `${WHY}\n\nsupersedes: ${id}` })],
      [
        'the beginning of its id there',
        (id: string) => ({ reasoning: `supersedes: [${id.slice(0, 8)}] since ${WHY}` }),
      ],
      [
        'the version of its topic there, in Korean',
        () => ({ reasoning: '감사에서 요청했다. supersedes: auth:token@1를' }),
      ],
    ] as const)
      it(`[T-6] a lock is named by ${name}, and that makes no link but the one of its chain`, async () => {
        const { memory, lock } = await opened();
        const { id, warnings } = await memory.mama.save({
          ...RULE,
          decision: '세션 쿠키만',
          ...named(lock.id),
        });
        assert.equal(warnings.length, 1, warnings.join());
        const { edges } = await memory.decision.get({ id });
        assert.deepEqual(
          edges.outgoing.map(({ relationship, decision }) => [relationship, decision.id]),
          [['supersedes', lock.id]],
        );
      });

    it('[T-6] [F-1] who takes files from a lock names it, and needs no reason; more files need neither', async () => {
      const { memory, rule } = await opened();
      const save = (files: string, replaces?: string) =>
        memory.mama.save({ ...rule, files, ...(replaces && { replaces }) });
      await save('src/a.ts');
      const { id, warnings } = await save('src/a.ts, src/b.ts');
      assert.deepEqual(warnings, []);
      for (const fewer of ['src/b.ts', '', 'src/c.ts'])
        await refuses(save(fewer), 'conflict', 'Taking files from “auth:token” overrides');
      assert.match(
        (await save('src/b.ts', id)).warnings.join(),
        /^⚠️ a lock of “auth” was taken from files that it bound: “Session cookies/,
      );
      const without = { id: 'auth:token', removeFiles: 'src/b.ts' };
      await refuses(memory.decision.revise(without), 'conflict', 'Taking files from “auth:token”');
      const { id: active } = (await memory.decision.get({ id: 'auth:token' })).decision;
      const { warnings: left } = await memory.decision.revise({ ...without, replaces: active });
      assert.match(left.join(), /taken from files/);
    });

    it('[T-6] a version of it that is no longer active, or another decision, is no name of it', async () => {
      const { memory, lock } = await opened();
      await memory.mama.save({ ...RULE, confidence: 0.9 });
      const other = await memory.mama.save({ topic: 'other', decision: 'X' });
      for (const { id } of [lock, other])
        await refuses(
          memory.mama.save({ ...RULE, decision: 'JWT', reasoning: WHY, replaces: id }),
          'conflict',
          'replaces',
        );
      const { warnings } = await memory.mama.save({
        topic: 'b',
        decision: 'B',
        reasoning: `supersedes: ${lock.id}`,
      });
      assert.match(
        warnings.join(),
        /supersedes: found .* ignored/,
        'a link to another chain is still answered',
      );
    });

    it('[T-6] another topic takes a lock elsewhere: it needs the name, and an axis needs none', async () => {
      const { memory, lock } = await opened();
      const rename = (...replaces: string[]) =>
        memory.rename({ from: RULE.topic, to: 'web:token', replaces });
      await refuses(rename(), 'conflict', 'Renaming “auth:token”', lock.id);
      assert.equal((await rename(lock.id)).to, 'web:token');
      await memory.mama.save({ topic: 'web:token', decision: RULE.decision, strength: 'axis' });
      assert.equal((await memory.rename({ from: 'web:token', to: 'x' })).to, 'x');
    });

    it('[T-6] a batch names no lock: what it overrides is warned of, with its line', async () => {
      const { memory, lock } = await opened();
      const lines = [
        { operation: 'mama_save', ...RULE, decision: 'JWT', reasoning: WHY },
        { operation: 'mama_save', topic: 'n', decision: 'N', strength: 'lock' },
        { operation: 'decision_save', topic: 'n', text: 'M', reasoning: WHY, replaces: 'n' },
        { operation: 'decision_revise', id: 'n', withdrawn: true, reasoning: WHY },
      ].map((line) => JSON.stringify(line));
      const { saved, warnings } = await memory.batch(lines);
      assert.equal(saved, 4);
      assert.deepEqual(
        warnings.map((warning) => warning.split(':')[0]),
        ['line 1', 'line 3', 'line 4'],
      );
      assert(warnings[0]?.includes(lock.id), warnings[0]);
    });

    it('[D-20] [T-6] saying it again, raising it, another confidence and new evidence need neither reason nor name', async () => {
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
      await memory.decision.revise({ id: lock.id, withdrawn: true, reasoning: 'gone', replaces: lock.id });
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
          'Left out by the limit: 7 of the global axes and locks, 4 of the normal decisions of ui. Raise it to read them.',
      });
      assert.deepEqual((await tiersOf(2)).counts, [1, 0, 1, 0]);
      assert.deepEqual(await tiersOf(19), { counts: [12, 0, 1, 6], leftOut: undefined });
    });
  });
}
