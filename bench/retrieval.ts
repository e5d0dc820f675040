import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machine, print } from './measure.ts';
import { historyCases } from './retrieval/history.ts';
import { conversationCases } from './retrieval/locomo.ts';
import { askAll, belowFloor, report } from './retrieval/score.ts';

/**
 * How well search finds, over MCP, as an agent would ask it: on this project's own set, and with `--data` on the turns
 * of LoCoMo's conversations (data/locomo10.json of snap-research/LoCoMo, CC BY-NC: download it yourself).
 *
 *   npm run bench:retrieval -- --data locomo10.json
 *
 * Fails when the own set falls below bench/data/floor.json, or shows a replaced decision before its successor, or one
 * that failed without its warning.
 */
const { values } = parseArgs({ options: { data: { type: 'string' } } });
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  const own = await askAll(historyCases(), folder);
  report("This project's own set", own);
  const problems = belowFloor(own, JSON.parse(readFileSync('bench/data/floor.json', 'utf8')));
  for (const problem of problems) print(`! ${problem}`);
  process.exitCode = problems.length > 0 ? 1 : 0;
  if (values.data) {
    const data = JSON.parse(readFileSync(values.data, 'utf8'));
    report('LoCoMo, turn level', await askAll(conversationCases(data), folder));
  } else {
    print('\nLoCoMo was left out: give its file with --data.');
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
