import { openMemory } from '../src/index.ts';

const RECORDS = 10_000;
const WORDS =
  'cache token session payment queue index login ticket seat refund order ledger webhook deploy schema'.split(
    ' ',
  );

/** Fills a memory with ten thousand records that share fifteen words: nearly each holds any two of them. */
export async function fillWithCommonWords(db: string): Promise<void> {
  const memory = await openMemory({ db });
  const some = (seed: number, count: number) =>
    Array.from({ length: count }, (_, n) => WORDS[(seed * 7 + n * n * 3 + n) % WORDS.length]).join(' ');
  for (let n = 0; n < RECORDS / 2; n++) {
    const topic = `${WORDS[n % WORDS.length]}:${n}`;
    await memory.mama.save({ topic, decision: `${some(n, 12)} ${n}`, reasoning: some(n + 1, 25) });
    await memory.mem.save({ title: `${some(n, 4)} ${n}`, content: some(n + 2, 60) });
  }
  await memory.close();
}
