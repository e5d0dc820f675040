import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATE_FILES, openGateMemory } from '../test/support/gate.ts';
import { print } from './measure.ts';

/**
 * What is told unasked (A-3): generic prompts that get anything, and telling ones that get a right record, over memories of
 * 500 and 5,000 records. `--misses` also prints what went wrong. A path measures another file of prompts as well, of which
 * only the totals are printed: once, where it was not for choosing.
 */
const isExplaining = process.argv.includes('--misses');
const others = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const folder = mkdtempSync(join(tmpdir(), 'precedent-gate-'));
try {
  for (const files of [['memory-500'], ['memory-500', 'memory-5000']]) {
    const memory = await openGateMemory(join(folder, `${files.length}.db`), files);
    for (const file of [...GATE_FILES, ...others]) {
      const { noise, right, wrong } = await memory.judge(file);
      const telling = right.length + wrong.length;
      const found =
        telling === 0
          ? ''
          : `, ${right.length} of ${telling} telling ones what is right (${((100 * right.length) / telling).toFixed(0)} %)`;
      print(`${files.at(-1)} ${file}: ${noise.length} generic prompts got something${found}`);
      if (!isExplaining || others.includes(file)) continue;
      for (const { prompt, shown } of noise) print(`  noise ${shown.join(' ')}: ${prompt.slice(0, 100)}`);
      for (const { prompt, shown, expect } of wrong)
        print(
          `  ${shown.length > 0 ? `shown ${shown.join(' ')}` : 'silent'}, not ${expect.join(' ')}: ${prompt.slice(0, 120)}`,
        );
    }
    await memory.close();
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
