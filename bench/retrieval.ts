import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, print } from './measure.ts';
import { historyCases } from './retrieval/history.ts';
import { askAll, belowFloor, report } from './retrieval/score.ts';

/**
 * How well search finds, over MCP, as an agent would ask it, on this project's own set (bench/locomo.ts asks LoCoMo's).
 * Fails when the set falls below bench/data/floor.json, or shows a replaced decision before its successor, or one that
 * failed without its warning.
 */
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  const own = await askAll(historyCases(), folder);
  report("This project's own set", own);
  const problems = belowFloor(own, JSON.parse(readFileSync('bench/data/floor.json', 'utf8')));
  for (const problem of problems) print(`! ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
