import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { engines, optionsOf } from './support/engines.ts';
import { isTried } from './support/part.ts';
import { compare, inWords, recordedLives } from './support/recording.ts';

const lives = recordedLives();

for (const [around, engine] of engines.entries()) {
  describe(`recorded lives on ${engine.name}`, { ...optionsOf(engine), concurrency: 1 }, () => {
    for (const life of lives.filter((_, index) => isTried(index + around)))
      it(`${life} is answered as when it was recorded`, async () => {
        const differences = (await compare(engine, life)).filter(({ intended }) => intended === undefined);
        const shown = differences.slice(0, 3).map((each) => inWords(each));
        assert.equal(differences.length, 0, `${differences.length} calls differ\n${shown.join('\n')}`);
      });
  });
}
