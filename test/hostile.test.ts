import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { after, describe, it } from 'node:test';
import { DATABASES } from './hostile/databases.ts';
import { exports } from './hostile/exports.ts';
import { GIT } from './hostile/git.ts';
import { imports } from './hostile/imports.ts';
import { PLACES } from './hostile/places.ts';
import type { Attack } from './hostile/scene.ts';
import { newMachine, newScene } from './hostile/scene.ts';
import { secrets } from './hostile/secrets.ts';
import { SERVERS } from './hostile/servers.ts';
import { settings } from './hostile/settings.ts';
import { STALE } from './hostile/stale.ts';
import { sync } from './hostile/sync.ts';
import { WRITERS } from './hostile/writers.ts';
import { inTurn } from './support/part.ts';

/** What strangers try, an area a file. */
const AREAS: Record<string, Attack[]> = {
  'git folders': GIT,
  settings,
  exports,
  imports,
  databases: DATABASES,
  places: PLACES,
  secrets,
  sync,
  'files that instruct': STALE,
  'clients of a server': SERVERS,
  'who wrote it': WRITERS,
};

describe('nothing of a stranger is run or believed', () => {
  const machine = newMachine();
  after(() => rmSync(machine.neighbours, { recursive: true, force: true, maxRetries: 5 }));
  for (const [area, attacks] of Object.entries(AREAS))
    describe(area, () => {
      for (const [index, { tries, skip, faces, spends, isAmongOthers }] of attacks.entries())
        for (const [face, meet] of inTurn(Object.entries(faces), index))
          it(`${tries}: ${face}`, { ...(skip !== undefined && { skip }) }, async (test) => {
            const scene = newScene(test, isAmongOthers ? machine : undefined);
            const before = scene.look();
            await meet(scene);
            await scene.assertHarmless(before, spends);
          });
    });

  it('each attack has a name of its own, and names a promise', () => {
    const names = Object.values(AREAS).flatMap((attacks) => attacks.map(({ tries }) => tries));
    assert.equal(new Set(names).size, names.length);
    for (const name of names) assert.match(name, /\[Z-\d+\]/);
  });
});
