import assert from 'node:assert/strict';
import { it } from 'node:test';
import { viewOfHeard } from './heard.ts';

it('[Y-5] of many topics that were decided twice a sync shows a few whole, and where all are', () => {
  const decidedTwice = Array.from({ length: 1_200 }, (_, at) => ({
    topic: `topic ${at}`,
    heads: [],
    sides: ['“one”', '“two”'],
    settle: `precedent settle "topic ${at}"`,
  }));
  const nothing = { came: [], blanked: [], settled: [], overridden: [], warnings: [] };
  const shown = JSON.stringify(viewOfHeard({ ...nothing, decidedTwice }, []));
  assert.match(shown, /topic 4/);
  assert.doesNotMatch(shown, /topic 5/);
  assert.match(shown, /and 1195 more decided twice.*precedent list is:forked/);
});
