import { cpus, totalmem } from 'node:os';

/** Says on what was measured. */
export function machine(): void {
  const [cpu] = cpus();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  print(`${cpu?.model}, ${cpus().length} cores, ${memory} GiB, Node ${process.version}`);
}

export function spread(times: number[]): { p10: number; median: number; p90: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.floor(times.length * share)] as number;
  return { p10: at(0.1), median: at(0.5), p90: at(0.9) };
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
