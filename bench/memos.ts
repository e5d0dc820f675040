import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { fillKeywords } from '../test/support/fill-keywords.ts';
import { machine, print, spread } from './measure.ts';

/**
 * Recording, saving and expanding in a small keyword graph and in a large one, in turns in the same run: what they cost
 * may at most double while the graph grows a hundredfold. Messages hold six keywords, one of them a hub.
 *
 *   node bench/memos.ts
 */
const RUNS = 200;
const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  const small = await graph(1_000, 10_000, [500, 200]);
  const large = await graph(100_000, 1_000_000, [10_000, 5_000]);
  print(
    '\n| what | 1,000 keywords, 10,000 relations: median ms | 100,000 and 1,000,000 | ratio | p10 … p90 of both |',
  );
  print('|---|---|---|---|---|');
  for (const what of ['record', 'save', 'expand'] as const) {
    const times: [number[], number[]] = [[], []];
    for (let n = -10; n < RUNS; n++) {
      for (const [side, each] of [small, large].entries()) {
        const started = performance.now();
        await each[what](n + 10);
        if (n >= 0) times[side as 0 | 1].push(performance.now() - started);
      }
    }
    const [few, many] = times.map(spread) as [ReturnType<typeof spread>, ReturnType<typeof spread>];
    const cells = [
      what,
      few.median.toFixed(2),
      many.median.toFixed(2),
      (many.median / few.median).toFixed(2),
      `${few.p10.toFixed(2)} … ${few.p90.toFixed(2)}, ${many.p10.toFixed(2)} … ${many.p90.toFixed(2)}`,
    ];
    print(`| ${cells.join(' | ')} |`);
  }
  await small.close();
  await large.close();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function graph(count: number, relations: number, hubs: number[]) {
  const file = join(folder, `${count}.db`);
  const memory = await openMemory({ db: file });
  const raw = new DatabaseSync(file);
  fillKeywords(raw, count, relations, hubs);
  raw.close();
  /** Six keywords, a hub among them; others with each call. */
  const keywords = (n: number) =>
    [n % hubs.length, ...[1, 2, 3, 4, 5].map((k) => (k * 7919 * (n + 1)) % count)].map((k) => `word ${k}`);
  const memos: string[] = [];
  return {
    record: (n: number) => memory.keywords.record({ keywords: keywords(n), sessionId: `session ${n % 5}` }),
    async save(n: number) {
      const { infoId } = await memory.memo.save({ fullText: 'A memo', keywords: keywords(n) });
      memos.push(infoId);
    },
    expand: (n: number) => memory.memo.expand({ infoId: memos[n % 20] as string }),
    close: () => memory.close(),
  };
}
