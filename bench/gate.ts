import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GATE_FILES, GATE_SETS, openGateMemory, type Prompted, promptedOver } from '../test/support/gate.ts';
import { print } from './measure.ts';

/**
 * What is told unasked (A-3): generic prompts that get anything, and telling ones that get a right record, over memories of
 * 500 and 5,000 records. `--misses` also prints what went wrong. A path measures another file of prompts as well, of which
 * only the totals are printed: once, where it was not for choosing. Then the same of `bench/data/gate-2/` and `gate-3/`, each
 * over memories of 10 and 300 records (T-10); `--held` measures its other half instead, which is not for choosing.
 */
const isExplaining = process.argv.includes('--misses');
const others = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const half = process.argv.includes('--held') ? 'held' : 'dev';
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
  for (const set of GATE_SETS) for (const records of ['10', '300'] as const) await measureSet(set, records);
  if (half === 'held') await measureSet('gate-4', '300');
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Prompts of a set: those that share words with what they touch apart from the others. */
async function measureSet(set: string, records: '10' | '300'): Promise<void> {
  const all = await promptedOver(join(folder, `${set}-${records}.db`), set, records, half);
  const isTold = ({ expect, shown }: Prompted & { shown: string[] }) =>
    shown.some((key) => expect.includes(key));
  const share = (part: number, whole: number) =>
    `${part} of ${whole} (${((100 * part) / whole).toFixed(0)} %)`;
  const telling = all.filter(({ expect }) => expect.length > 0);
  for (const words of ['near', 'other words', 'other language'])
    for (const isBinding of [true, false]) {
      const some = telling.filter((each) => each.words === words && each.binding === isBinding);
      const what = isBinding ? 'locks, axes and failures' : 'others';
      print(
        `${set} ${records} ${half}, ${words}, ${what}: ${share(some.filter(isTold).length, some.length)} told`,
      );
    }
  const generic = all.filter(({ expect }) => expect.length === 0);
  const noise = generic.filter(({ shown }) => shown.length > 0);
  const spoken = all.filter(({ shown }) => shown.length > 0);
  const wrong = spoken.filter((each) => !isTold(each));
  const others = spoken.flatMap(({ expect, shown }) => shown.filter((key) => !expect.includes(key)));
  print(`${set} ${records} ${half}, generic: ${share(noise.length, generic.length)} got something`);
  print(
    `${records} ${half}, of what is told: ${share(wrong.length, spoken.length)} nothing that was expected; ` +
      `${share(others.length, spoken.flatMap(({ shown }) => shown).length)} of the records were not`,
  );
  if (!isExplaining || half === 'held') return;
  for (const { prompt, shown } of noise) print(`  noise ${shown.join(' ')}: ${prompt.slice(0, 100)}`);
  for (const each of telling.filter((each) => !isTold(each)))
    print(
      `  ${each.words} ${each.binding ? 'binding ' : ''}${each.shown.join(' ') || 'silent'}, not ${each.expect.join(' ')}: ${each.prompt.slice(0, 120)}`,
    );
}
