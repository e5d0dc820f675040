import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openMemory } from '../dist/index.js';
import { fillSearch } from '../test/support/fill-search.ts';
import { generator } from '../test/support/random.ts';
import { compare, heading, machine, print } from './measure.ts';
import { nearest, wordsOf } from './words.ts';

/**
 * What a search costs above the bare query of the text index, measured in turns on the same file and driver: questions
 * of three rare, middling or common words, and as in a text.
 *
 *   node bench/search.ts [records, default 100000]
 */
const count = Number(process.argv[2] ?? 100_000);
const RUNS = count > 300_000 ? 20 : 60;
/** In which share of all records each word of a question stands. */
const KINDS = { rare: 0.0005, middle: 0.01, common: 0.2 };
/** What stands in more records than this is a stop word in any language. */
const STOP_WORD = 0.3;
/** For each kind of question as many as there are runs, so that none is asked twice by one side. */
const QUESTIONS = RUNS + 5;

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  machine();
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  const file = join(folder, 'search.db');
  const memory = await openMemory({ db: file });
  const raw = new DatabaseSync(file);
  const started = performance.now();
  fillSearch(raw, count);
  print(`${count} records filled in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  const search = rawSearch(raw);
  const questions = questionsOf(raw);

  for (const [face, ask] of [
    ['mama_search', memory.mama.search],
    ['mem_search', memory.mem.search],
  ] as const) {
    heading(`${count} records, ${face} for three words against bm25`);
    for (const [kind, queries] of Object.entries(questions)) {
      const query = (n: number) => queries[n % queries.length] as string[];
      const totals = queries.map((terms) => search.count(terms)).toSorted((a, b) => a - b);
      await compare(
        `${kind} (${totals[Math.floor(totals.length / 2)]} hits)`,
        RUNS,
        (n) => ask({ query: query(n).join(' '), limit: 10 }),
        (n) => search.best(query(n)),
        1.5,
      );
    }
  }
  raw.close();
  await memory.close();
}

/** What a program written by hand would send: the ten best rows of the index, and their records. */
function rawSearch(raw: DatabaseSync) {
  const match = (terms: string[]) => terms.map((term) => `"${term}"`).join(' OR ');
  const best = raw.prepare(
    'select rowid, bm25(search_text, 3, 1) as s from search_text where search_text match ? order by s limit 10',
  );
  const decision = raw.prepare('select * from decisions where seq = ?');
  const observation = raw.prepare('select * from observations where seq = ?');
  const hits = raw.prepare('select count(*) as hits from search_text where search_text match ?');
  return {
    best: (terms: string[]) =>
      best
        .all(match(terms))
        .map(({ rowid }) => decision.get(rowid as number) ?? observation.get(rowid as number)),
    count: (terms: string[]) => hits.get(match(terms))?.hits as number,
  };
}

/** Questions of each kind: three of the words whose frequency is nearest to what the kind says. */
function questionsOf(raw: DatabaseSync): Record<string, string[][]> {
  const random = generator(2);
  const pick = <T>(from: T[]) => from[Math.floor(random() * from.length)] as T;
  const three = (from: string[]) => {
    const words = new Set<string>();
    while (words.size < 3) words.add(pick(from));
    return [...words];
  };
  const words = wordsOf(raw);
  const near = (share: number, many: number) => nearest(words, count, share, many);
  const asked = (from: () => string[]) => Array.from({ length: QUESTIONS }, from);
  const kinds = Object.entries(KINDS).map(([kind, share]) => {
    // Few words are common.
    const some = near(share, share > 0.1 ? 8 : 60);
    return [kind, asked(() => three(some))] as const;
  });

  const stopWords = new Set(words.filter(({ doc }) => doc > STOP_WORD * count).map(({ term }) => term));
  const text = raw.prepare('select body from search_text where rowid = ?');
  const natural = asked(() => {
    const body = text.get(1 + Math.floor(random() * count))?.body as string;
    return three(body.split(' ').filter((word) => !stopWords.has(word)));
  });
  return { ...Object.fromEntries(kinds), 'as in a text': natural };
}
