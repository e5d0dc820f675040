import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Memory, openMemory } from '../dist/index.js';
import { MOST_GIVEN } from '../src/operations/bounds.ts';
import { operations } from '../src/operations/index.ts';
import { machine, print } from './measure.ts';

/**
 * How long one call keeps others waiting: the longest pause of the event loop while it runs (Z-5, aim 250 ms), by the clock
 * and by what the process took of the processor in it, which a busy machine changes less.
 *
 *   node bench/pauses.ts [ordinary records, default 20000]
 */
const RECORDS = Number(process.argv[2] ?? 20_000);
/** Records of the memory on which each field of each operation is tried, and how many of the longest pauses are shown. */
const [TRIED, SHOWN] = [2_000, 10];
/** Observations as long as one may be. */
const [LONG, LONGEST] = [60, 200_000];

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
const word = (n: number) => `word${(n * 7_919) % 5_000}`;
const words = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) => word(from + 31 * n)).join(' ');

/** Syllables in an order that looks like none: each pair of them is a word of its own to the index. */
const syllables = (from: number, count: number) =>
  Array.from({ length: count }, (_, n) =>
    String.fromCharCode(0xac00 + (((from + n) * (from + 3 * n + 1)) % 11_172)),
  ).join('');

try {
  machine();
  const kinds: [what: string, lines: object[]][] = [
    [
      `${LONG} observations of ${LONGEST} characters`,
      Array.from({ length: LONG }, (_, n) => ({
        operation: 'mem_save',
        title: `t${n}`,
        content: `nr${n} ${words(n, LONGEST / 8)}`.padEnd(LONGEST, ' end').slice(0, LONGEST),
      })),
    ],
    [
      `${LONG} observations of ${LONGEST / 4} syllables`,
      Array.from({ length: LONG }, (_, n) => ({
        operation: 'mem_save',
        title: `t${n}`,
        content: syllables(7 * n, LONGEST / 4),
      })),
    ],
    [
      `${RECORDS} ordinary records`,
      Array.from({ length: RECORDS }, (_, n) =>
        n % 2 === 0
          ? {
              operation: 'mama_save',
              topic: `area${n % 90}:t${n}`,
              decision: words(n, 12),
              reasoning: words(n, 25),
            }
          : { operation: 'mem_save', title: `note ${n}`, content: words(n, 40) },
      ),
    ],
  ];
  print('\n| memory | call | longest pause, ms | of the processor, ms | whole call, ms of the processor |');
  print('|---|---|---|---|---|');
  for (const [index, [what, lines]] of kinds.entries()) {
    const memory = await openMemory({ db: join(folder, `${index}.db`) });
    await memory.batch(lines.map((line) => JSON.stringify(line)));
    const then = new Date(Date.now() + 1).toISOString();
    await new Promise((resolve) => setTimeout(resolve, 10));
    const calls: Record<string, (memory: Memory) => Promise<unknown>> = {
      'search with as_of': () => memory.search({ query: `${word(7)} ${word(38)}`, as_of: then }),
      search: () => memory.search({ query: `${word(7)} ${word(38)}` }),
      'search for 2000 words': () => memory.search({ query: words(0, 2_000) }),
      'search for 19000 syllables': () => memory.search({ query: syllables(5, 19_000) }),
      'recall with 2000 words': () => memory.recall({ task: words(0, 2_000), token_budget: 50_000 }),
      'recall with 19000 syllables': () =>
        memory.recall({ task: syllables(5, 19_000), token_budget: 50_000 }),
      'log by 1000 characters of words': () => memory.timeline({ filter: words(0, 100) }),
      'log by 1000 syllables': () => memory.timeline({ filter: syllables(5, 1_000) }),
      'save of signs that are spelled out': () =>
        memory.mem.save({ title: 'signs', content: '\ufdfa'.repeat(LONGEST) }),
      'save of a decision as long': () =>
        memory.mama.save({ topic: 'a:new', decision: syllables(3, 2_000), reasoning: words(5, 2_000) }),
      'save of an observation as long': () =>
        memory.mem.save({ title: 'new', content: words(3, LONGEST / 9).slice(0, LONGEST) }),
      'rebuild of the index': () => memory.repair(),
    };
    for (const [called, call] of Object.entries(calls)) {
      const { longest, processor, whole } = await longestPause(() => call(memory));
      print(`| ${[what, called, ...[longest, processor, whole].map((ms) => ms.toFixed(0))].join(' | ')} |`);
    }
    await memory.close();
  }
  await tryEveryField();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** Gives every field of every operation lists and texts as large as a call may have, alone and over its limit (Z-12). */
async function tryEveryField() {
  const memory = await openMemory({ db: join(folder, 'fields.db') });
  await memory.batch(
    Array.from({ length: TRIED }, (_, n) =>
      JSON.stringify({
        operation: 'mama_save',
        topic: `a:t${n}`,
        decision: words(n, 12),
        files: `src/${n % 90}/**`,
      }),
    ),
  );
  const fits = {
    topic: 'a:t1',
    id: 'a:t1',
    decision: 'd',
    query: word(1),
    task: word(1),
    files: 'src/1/a.ts',
  };
  const fitsToo = {
    title: 't',
    content: 'c',
    text: 't',
    words: [word(1)],
    prompt: 'p',
    name: 'n',
    outcome: 'failed',
  };
  const { values, characters } = MOST_GIVEN;
  const fill = (unit: string) => unit.repeat(characters).slice(0, characters);
  const large: [what: string, value: unknown][] = [
    ['list', Array.from({ length: values - 20 }, (_, n) => `${word(n)} ${n}`)],
    ['list over the limit', Array.from({ length: 90_000 }, (_, n) => `${word(n)} ${n}`)],
    [
      'files of a change',
      Array.from({ length: values / 4 }, (_, n) => ({ file: `src/${n}/a.ts`, marked: ['a:t1'] })),
    ],
    ...['https://u:p@h ', '</private>', '\u001b', 'a,', '가나 ', '\ufdfa'].map((unit): [string, unknown] => [
      `text of ${JSON.stringify(unit)}`,
      fill(unit),
    ]),
  ];
  const rows: { called: string; processor: number; whole: number }[] = [];
  for (const { name, input } of operations)
    for (const field of Object.keys(input.shape))
      for (const [what, value] of large) {
        const given = { ...fits, ...fitsToo, [field]: value };
        const known = Object.fromEntries(Object.entries(given).filter(([key]) => key in input.shape));
        const { processor, whole } = await longestPause(() => memory.call(name, known).catch(() => {}));
        rows.push({ called: `${name} ${field}: ${what}`, processor, whole });
      }
  rows.push({
    called: 'undo of the batch',
    ...(await longestPause(() => memory.call('undo', {}).catch(() => {}))),
  });
  rows.sort((a, b) => b.processor - a.processor);
  print(
    `\nThe longest of ${rows.length} calls, each field of each operation as large as it may be, ${TRIED} decisions:\n`,
  );
  print('| call | longest pause, ms of the processor | whole call, ms of the processor |\n|---|---|---|');
  for (const { called, processor, whole } of rows.slice(0, SHOWN))
    print(`| ${called} | ${processor.toFixed(0)} | ${whole.toFixed(0)} |`);
  await memory.close();
}

async function longestPause(work: () => Promise<unknown>) {
  let [longest, processor, isDone] = [0, 0, false];
  let [clock, used] = [performance.now(), process.cpuUsage()];
  const begun = used;
  const turn = () => {
    longest = Math.max(longest, performance.now() - clock);
    processor = Math.max(processor, milliseconds(used));
    [clock, used] = [performance.now(), process.cpuUsage()];
    if (!isDone) setImmediate(turn);
  };
  turn();
  await work();
  isDone = true;
  turn();
  return { longest, processor, whole: milliseconds(begun) };
}

function milliseconds(since: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1_000;
}
