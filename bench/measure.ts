import { cpus, totalmem } from 'node:os';

/** Says on what was measured. */
export function machine(): void {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  print(`${cpu?.model}, ${cpus().length} cores, ${memory} GiB, Node ${process.version}`);
}

/** Begins a table. @param sides what is compared, both in milliseconds unless the title says otherwise */
export function heading(title: string, [one, other]: [string, string] = ['product', 'floor']): void {
  print(`\n${title}\n`);
  print(`| what | ${one}, median | ${other}, median | ratio | bar | ${one} p10 … p90 |`);
  print('|---|---|---|---|---|---|');
}

/**
 * Times product and floor in turns, so that both meet the same state of the machine, and prints a row.
 * @param bar the highest ratio that is good enough
 */
export async function compare(
  what: string,
  runs: number,
  product: (n: number) => unknown,
  floor: (n: number) => unknown,
  bar?: number,
): Promise<void> {
  const times: [number[], number[]] = [[], []];
  const warmUp = Math.min(5, runs);
  for (let n = -warmUp; n < runs; n++) {
    for (const [side, run] of [product, floor].entries()) {
      const started = performance.now();
      await run(n + warmUp);
      if (n >= 0) times[side as 0 | 1].push(performance.now() - started);
    }
  }
  row(what, ...times, bar);
}

export function row(what: string, product: number[], floor: number[], bar?: number): void {
  const [mine, theirs] = [spread(product), spread(floor)];
  const ratio = mine.median / theirs.median;
  const cells = [
    what,
    mine.median.toFixed(2),
    theirs.median.toFixed(2),
    ratio.toFixed(2),
    bar === undefined ? '–' : `≤ ${bar} ${ratio <= bar ? '✔' : '✘'}`,
    `${mine.p10.toFixed(2)} … ${mine.p90.toFixed(2)}`,
  ];
  print(`| ${cells.join(' | ')} |`);
}

export function spread(times: number[]): { p10: number; median: number; p90: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(times.length * share)] as number;
  return { p10: at(0.1), median: at(0.5), p90: at(0.9) };
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
