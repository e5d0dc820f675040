import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Attack } from './hostile/scene.ts';
import { newScene } from './hostile/scene.ts';
import { SERVERS } from './hostile/servers.ts';

/** What strangers try, an area a file. */
const AREAS: Record<string, Attack[]> = { 'clients of a server': SERVERS };

/** Faces of each attack that are tried: two, unless all are asked for. */
const FACES = process.env.PRECEDENT_TEST_DEEP === '1' ? Number.POSITIVE_INFINITY : 2;

describe('nothing of a stranger is run or believed', () => {
  for (const [area, attacks] of Object.entries(AREAS))
    describe(area, () => {
      for (const { tries, skip, faces } of attacks)
        for (const [face, meet] of Object.entries(faces).slice(0, FACES))
          it(`${tries}: ${face}`, { ...(skip !== undefined && { skip }) }, async (test) => {
            const scene = newScene(test);
            const before = scene.look();
            await meet(scene);
            scene.assertHarmless(before);
          });
    });

  it('each attack has a name of its own, and names a promise', () => {
    const names = Object.values(AREAS).flatMap((attacks) => attacks.map(({ tries }) => tries));
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /\[Z-\d+\]/);
  });
});
