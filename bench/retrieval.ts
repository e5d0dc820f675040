import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine, print } from './measure.ts';
import { historyCases } from './retrieval/history.ts';
import { askAll, belowFloor, type Floor, report } from './retrieval/score.ts';

/**
 * How well search finds, over MCP, as an agent would ask it, on this project's own sets (bench/locomo.ts asks LoCoMo's).
 * Fails when a set falls below its floor in bench/data/sets.json, or shows a replaced decision before its successor, or one that
 * failed without its warning.
 */
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  const sets: { title: string; files: string[]; floor: Floor }[] = JSON.parse(
    readFileSync('bench/data/sets.json', 'utf8'),
  );
  for (const { title, files, floor } of sets) {
    const results = await askAll(historyCases(files.map((file) => join('bench/data', file))), folder);
    report(title, results);
    const problems = belowFloor(results, floor);
    for (const problem of problems) print(`! ${problem}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
