import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openCore } from '../src/memory/core.ts';
import { loadOperation } from '../src/operations/load.ts';
import { print } from './measure.ts';

/**
 * Of how many saves that contradict a standing decision on another topic the warnings name it (T-6), and how many saves that
 * only stand next to one are warned of an ordinary decision. The first half of the pairs is for choosing numbers; the second
 * is for looking once. With `all`, each pair is shown. Another set, such as a fresh one, is in a folder of its own:
 *
 *   node bench/contradictions.ts [DIR] [dev | held] [all]
 *
 * DIR has `memory.jsonl`, `pairs-dev.jsonl`, `pairs-held.jsonl` and, where a text contradicts more than one, `also.json`.
 */
type Saved = { topic: string; decision: string; reasoning: string };
type Line = Saved & { operation: string; key: string; of: string; builds_on?: string[]; strength?: string };
type Pair = Saved & { against: string; kind: 'lock' | 'other' | 'neighbour' };

const given = process.argv.slice(2);
const half = given.includes('held') ? 'held' : 'dev';
const isWhole = given.includes('all');
const DATA = given.find((each) => !['dev', 'held', 'all'].includes(each)) ?? 'bench/data/contradictions';
const read = <T>(name: string): T[] =>
  readFileSync(`${DATA}/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
/** Further decisions that a text contradicts: to name one of these is right, too. */
const also: Record<string, string[]> = existsSync(`${DATA}/also.json`)
  ? JSON.parse(readFileSync(`${DATA}/also.json`, 'utf8'))
  : {};

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  await using memory = await openCore({ db: join(folder, 'rental.db') }, loadOperation);
  const ids = new Map<string, string>();
  const strengths = new Map<string, string>();
  for (const line of read<Line>('memory')) {
    const { operation, key, of, builds_on, ...input } = line;
    if (operation === 'mama_update') {
      await memory.call(operation, { ...input, id: ids.get(of) });
      continue;
    }
    const links = (builds_on ?? []).map((each) => `\nbuilds_on: ${ids.get(each)}`).join('');
    const { id } = await memory.call(operation, { ...input, reasoning: `${input.reasoning}${links}` });
    ids.set(key, String(id));
    strengths.set(key, input.strength ?? 'normal');
  }
  const counts = { lock: { hits: 0, all: 0 }, other: { hits: 0, all: 0 }, neighbour: { hits: 0, all: 0 } };
  let warned = 0;
  let binding = 0;
  for (const { against, kind, ...input } of read<Pair>(`pairs-${half}`)) {
    const { warnings } = (await memory.call('mama_save', input)) as { warnings: string[] };
    await memory.call('undo', {});
    const named = [...ids].flatMap(([key, id]) =>
      warnings.some((each) => each.includes(id.slice(0, 8))) ? [key] : [],
    );
    const isRight = [against, ...(also[input.topic] ?? [])].some((key) => named.includes(key));
    const ordinary = named.filter((key) => strengths.get(key) === 'normal');
    binding += named.length - ordinary.length;
    const counted = kind === 'neighbour' ? ordinary.length > 0 : isRight;
    counts[kind].all += 1;
    if (counted) counts[kind].hits += 1;
    if (named.length > 0) warned += 1;
    if (isWhole) print(`${counted ? '+' : '-'} ${kind} ${input.topic} → ${against}: ${named.join(' ')}`);
  }
  print(`| ${half} | pairs | warned | aim |\n|---|---|---|---|`);
  const aims = { lock: '≥ 80 %', other: '≥ 60 %', neighbour: '≤ 15 %' };
  for (const [kind, { hits, all }] of Object.entries(counts))
    print(`| ${kind} | ${all} | ${((100 * hits) / all).toFixed(1)} % | ${aims[kind as Pair['kind']]} |`);
  print(`\n${warned} saves have a warning; ${binding} locks and axes are named in all`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
