import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { machine } from './measure.ts';
import { conversationCases } from './retrieval/locomo.ts';
import { askAll, report } from './retrieval/score.ts';

/**
 * How well search finds the turns of LoCoMo's conversations, over MCP, as an agent would ask it. The data is not part of
 * this project (data/locomo10.json of snap-research/LoCoMo, CC BY-NC): download it yourself.
 *
 *   npm run build && node bench/locomo.ts locomo10.json
 */
const [file] = process.argv.slice(2);
if (file === undefined) throw new Error('Expected the path of locomo10.json, found nothing.');
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  report(
    'LoCoMo, turn level',
    await askAll(conversationCases(JSON.parse(readFileSync(file, 'utf8'))), folder),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
