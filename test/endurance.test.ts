import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { contend, crash, fuzz } from './support/endurance.ts';
import { citus, optionsOf } from './support/engines.ts';
import { portion } from './support/part.ts';
import { CITUS } from './support/postgres.ts';
import { workbench } from './support/program.ts';

/** Short runs, shorter yet unless `--deep`; `npm run endure` makes long ones. */
describe('endurance', () => {
  it('[C-4] servers killed at random moments keep every write that they acknowledged', async (test) => {
    const acknowledged = await crash(workbench(test), portion(12));
    assert(acknowledged > portion(100), `${acknowledged} writes acknowledged`);
  });

  it('[C-5] eight processes on one memory lose nothing, double nothing, and no call fails', async (test) => {
    await contend(workbench(test), 8, portion(20) * 5);
  });

  it('[C-6] whatever is sent to any tool, the answer is a result or one of the six errors', async (test) => {
    const { refused } = await fuzz(workbench(test), portion(5_000));
    assert(refused > portion(1_000), `${refused} refused`);
  });
});

describe('endurance on Citus', optionsOf(citus), () => {
  it('[C-4] [N-3] programs killed at random moments keep every write that they acknowledged', async (test) => {
    const acknowledged = await crash(workbench(test), portion(12), undefined, CITUS);
    assert(acknowledged > portion(100), `${acknowledged} writes acknowledged`);
  });

  it('[C-5] [N-3] eight processes in one workspace lose nothing, double nothing, and no call fails', async (test) => {
    await contend(workbench(test), 8, portion(20) * 5, CITUS);
  });
});
