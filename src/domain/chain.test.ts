import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generator } from '../../test/support/random.ts';
import { type Based, Chain, inOrder, type Version } from './chain.ts';

const version = (id: string, createdAt: number, basedOn: string[], more: Partial<Based> = {}): Based => ({
  ...{ id, createdAt, basedOn: basedOn.join('\n') || null },
  ...{ strength: 'normal', scope: '', withdrawn: 0, isMistake: false, ...more },
});
const idsOf = (versions: Based[]) => versions.map(({ id }) => id);

describe('the order of a chain', () => {
  it('[Y-6] is by what was seen, then by date, and ends with the side that binds most', () => {
    const sides = [version('a', 1, []), version('b', 9, ['a']), version('c', 5, ['a'], { strength: 'lock' })];
    assert.deepEqual(idsOf(inOrder(sides)), ['a', 'b', 'c']);
    assert.deepEqual(idsOf(inOrder(sides.slice(0, 2).concat(version('c', 5, ['a'])))), ['a', 'c', 'b']);
  });

  it('[Y-6] stays when a version is saved after the last one, or settles', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = generator(seed);
      const all = [version('v0', 0, [])];
      for (let at = 1; at < 8; at++) {
        const ordered = inOrder(all);
        const last = ordered.at(-1) as Based;
        // Another machine may have seen any version. Here it is the last one, and all heads where it settles.
        const isHere = random() < 0.6;
        const seen = isHere ? last : (all[Math.floor(random() * all.length)] as Based);
        const heads = all.filter(({ id }) => !all.some(({ basedOn }) => basedOn?.split('\n').includes(id)));
        const others = isHere && random() < 0.3 ? heads.filter((head) => head !== last) : [];
        const bases = [seen, ...others];
        const date = Math.max(Math.floor(random() * 20), ...bases.map(({ createdAt }) => createdAt));
        const next = version(
          `v${at}`,
          date,
          bases.map(({ id }) => id),
          { withdrawn: !isHere && random() < 0.3 ? 1 : 0 },
        );
        all.push(next);
        if (isHere) assert.deepEqual(idsOf(inOrder(all)), [...idsOf(ordered), next.id], `seed ${seed}`);
      }
    }
  });
});

describe('a chain', () => {
  const whole = (number: number, more: Partial<Version> = {}): Version => ({
    ...{
      id: `v${number}`,
      rootId: 'v1',
      version: number,
      topic: 'db',
      text: `Text ${number}`,
      reasoning: null,
    },
    ...{
      previousVersionId: number === 1 ? null : `v${number - 1}`,
      basedOn: number === 1 ? null : `v${number - 1}`,
    },
    ...{
      tidies: null,
      strength: 'normal',
      scope: 'db',
      confidence: 1,
      revisit: null,
      files: null,
      branch: null,
    },
    ...{ isActive: false, withdrawn: false, isMistake: false, outcome: null, outcomeReason: null },
    ...{ createdAt: number, updatedAt: number, author: 'Kim', host: 'a', client: 'cli', session: 's' },
    ...more,
  });

  it('[O-8] [T-7] [K-6] names what failed before, without what was undone, and grounds of earlier versions alone', () => {
    const versions = [
      whole(1, { outcome: 'failed' }),
      whole(2, { outcome: 'failed', isMistake: true }),
      whole(3, { isActive: true }),
    ];
    const failure = whole(1, { id: 'other', rootId: 'other', outcome: 'failed' });
    const groundsOf = (version: number) => new Chain(versions, [{ failure, version }]).failedGrounds.length;
    const chain = new Chain(versions, []);
    assert.deepEqual(idsOf(chain.failuresBefore(whole(3))), ['v1']);
    assert.deepEqual(idsOf(chain.failuresBefore(whole(1))), []);
    assert.equal(chain.active?.id, 'v3');
    assert.deepEqual([groundsOf(1), groundsOf(3)], [1, 0]);
  });

  it('[Y-2] [Y-6] has sides until a version saw all of them, and again when that was undone', () => {
    const forked = [
      whole(1),
      whole(2, { text: 'Redis' }),
      whole(3, { text: 'Valkey', basedOn: 'v1', isActive: true }),
    ];
    assert.deepEqual(idsOf(new Chain(forked, []).sides), ['v2', 'v3']);
    assert.deepEqual(new Chain(forked, []).agreedHeads, []);
    const settles = whole(4, { basedOn: 'v3\nv2', isActive: true });
    assert.deepEqual(idsOf(new Chain([...forked, settles], []).sides), []);
    assert.deepEqual(idsOf(new Chain([...forked, { ...settles, isMistake: true }], []).heads), ['v2']);
    const agreed = new Chain(
      forked.map((each) => ({ ...each, text: 'Redis' })),
      [],
    );
    assert.deepEqual([agreed.sides, agreed.agreedHeads], [[], ['v2', 'v3']]);
  });

  it('[T-2] tells of a side that it failed before', () => {
    const failed = whole(1, { text: 'REDIS', outcome: 'failed', outcomeReason: 'lost data' });
    const sides = [whole(2, { text: 'Redis' }), whole(3, { basedOn: 'v1', isActive: true })];
    assert.deepEqual(
      new Chain([failed, ...sides], []).sides.map(({ failedAs }) => failedAs?.version),
      [1, undefined],
    );
  });

  it('[Y-6] whatever was seen: a save follows agreed heads to one head, and leaves others open', () => {
    for (let seed = 1; seed <= 300; seed++) {
      const random = generator(seed);
      const versions = [whole(1)];
      for (let number = 2; number < 8; number++) {
        const seen = versions.filter(() => random() < 0.3).map(({ id }) => id);
        const basedOn = [...new Set([seen[0] ?? `v${number - 1}`, ...seen])].join('\n');
        const text = random() < 0.7 ? 'Redis' : 'Valkey';
        versions.push(whole(number, { basedOn, text, isMistake: random() < 0.1, withdrawn: random() < 0.1 }));
      }
      const chain = new Chain(versions, []);
      const next = whole(8, { isActive: true, previousVersionId: 'v7' });
      const after = chain.followedBy(next, chain.agreedHeads, next);
      assert.equal(after.active?.id, 'v8', `seed ${seed}`);
      const open = chain.sides.length === 0 ? [] : chain.heads.filter(({ id }) => id !== 'v7');
      assert.deepEqual(idsOf(after.heads), [...idsOf(open), 'v8'], `seed ${seed}`);
    }
  });

  it('[Z-12] of which only the newest versions were read has one head', () => {
    const chain = new Chain([whole(3, { outcome: 'failed' }), whole(200, { isActive: true })], []);
    assert.deepEqual(chain.agreedHeads, ['v200']);
    assert.deepEqual(idsOf(chain.recentBefore(200)), []);
    assert.deepEqual(idsOf(chain.recentBefore(103)), ['v3']);
  });
});
