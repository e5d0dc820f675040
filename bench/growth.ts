import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { parseArgs } from 'node:util';
import { openMemory } from '../dist/index.js';
import { findSimilar } from '../src/operations/results/similar-decisions.ts';
import { fillSearch } from '../test/support/fill-search.ts';
import { machine, print, spread } from './measure.ts';
import { openStore, WRITER } from './store.ts';

/**
 * How cost grows with the number of records: the same calls on memories of a thousand to a million, or ten.
 *
 *   node bench/growth.ts [--filled FOLDER] [sizes, default 1000 10000 100000 1000000]
 *
 * `--filled` keeps what it fills in that folder, and takes what is there: ten million records are filled once.
 */
const { values, positionals } = parseArgs({
  options: { filled: { type: 'string' } },
  allowPositionals: true,
});
const given = positionals.map(Number);
const sizes = given.length > 0 ? given : [1_000, 10_000, 100_000, 1_000_000];
const RUNS = 25;
/** A word of a question stands in this many records of a thousand. */
const SHARE = 0.01;

machine();
const rows = new Map<string, string[]>();
for (const size of sizes) {
  for (const [what, times] of await measure(size)) {
    const { median, p90 } = spread(times);
    rows.set(what, [...(rows.get(what) ?? []), `${median.toFixed(2)} (${p90.toFixed(2)})`]);
  }
}
print('\nMedian milliseconds (p90 in brackets) by number of records\n');
print(`| what | ${sizes.map((size) => size.toLocaleString('en')).join(' | ')} |`);
print(`|---|${sizes.map(() => '---').join('|')}|`);
for (const [what, cells] of rows) print(`| ${what} | ${cells.join(' | ')} |`);

async function measure(size: number): Promise<[string, number[]][]> {
  const folder = values.filled ?? mkdtempSync(join(tmpdir(), 'precedent-bench-'));
  try {
    const file = join(folder, `${size}.db`);
    const isFilled = existsSync(file);
    const memory = await openMemory({ db: file });
    const raw = new DatabaseSync(file);
    if (!isFilled) fillSearch(raw, size);
    const words = raw
      .prepare(
        'select term from search_terms where length(term) > 2 order by abs(ln(doc * 1.0 / ?)) limit 30',
      )
      .all(SHARE * size)
      .map(({ term }) => String(term));
    const query = (n: number) => [0, 7, 13].map((step) => words[(n + step) % words.length]).join(' ');
    const match = (n: number) =>
      query(n)
        .split(' ')
        .map((word) => `"${word}"`)
        .join(' OR ');
    const bm25 = raw.prepare(
      'select rowid, bm25(search_text, 3, 1) as s from search_text where search_text match ? order by s limit 10',
    );
    const observations = size / 2 - 1;
    const store = await openStore(file);
    const whole = raw.prepare('select id from decisions order by seq limit 1 offset ?');
    const decision = (n: number) => String(whole.get((n * 97) % observations)?.id);
    const timed = async (what: string, run: (n: number) => unknown): Promise<[string, number[]]> => {
      const times: number[] = [];
      for (let n = -3; n < RUNS; n++) {
        const started = performance.now();
        await run(n + 3);
        if (n >= 0) times.push(performance.now() - started);
      }
      return [what, times];
    };
    const found = [
      await timed('decision_save, close decisions named', (n) =>
        memory.decision.save({ text: `${query(n)} ${n} ${query(n + 1)}`, evidence: ['measured'] }),
      ),
      await timed('looking for close decisions alone, of 45 words', (n) =>
        store.read(WRITER, (tx) => findSimilar(tx, decision(n))),
      ),
      await timed('mem_save', (n) => memory.mem.save({ title: `Note ${n}`, content: query(n) })),
      await timed('mem_get_observation', (n) =>
        memory.mem.getObservation({ id: 1 + ((n * 97) % observations) }),
      ),
      await timed('mem_build_context, depth 3', (n) =>
        memory.mem.buildContext({ observation_id: 1 + ((n * 97) % observations), depth: 3 }),
      ),
      await timed('decision_retrieve', () => memory.decision.retrieve({ limit: 20 })),
      await timed('decision_retrieve of a scope', () =>
        memory.decision.retrieve({ domain: 'scope 3', limit: 20 }),
      ),
      await timed('mama_search, three words of 1 % each', (n) => memory.mama.search({ query: query(n) })),
      await timed('mem_search, three words of 1 % each', (n) => memory.mem.search({ query: query(n) })),
      await timed('bare FTS5 query, three words of 1 % each', (n) => bm25.all(match(n))),
      await timed('recall', (n) => memory.recall({ task: query(n) })),
    ];
    raw.close();
    await store.close();
    await memory.close();
    return found;
  } finally {
    if (values.filled === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
