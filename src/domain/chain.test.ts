import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { generator } from '../../test/support/random.ts';
import { type Based, inOrder } from './chain.ts';

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
