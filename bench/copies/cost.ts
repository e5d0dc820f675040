import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { openCore } from '../../src/memory/core.ts';
import { loadOperation } from '../../src/operations/load.ts';
import { findSimilar } from '../../src/operations/results/similar-decisions.ts';
import { fillSearch } from '../../test/support/fill-search.ts';
import { machine, print, spread } from '../measure.ts';
import { openStore, WRITER } from '../store.ts';

/**
 * The time that it adds to a save to look for records that still say what it replaced (CC-1): the question that a save ends with, asked in
 * turns with and without it. Of the replaced claims of two sets, and of chains of the records around them, of 30 to 60 words.
 *
 *   node bench/copies/cost.ts [records, default 100000]
 */
const [size = 100_000] = process.argv.slice(2).map(Number);
const ROUNDS = 3;
const OF_CHAINS = 20;

interface Line {
  topic: string;
  text?: string;
  old?: string;
  new?: string;
  how?: string;
  kind: string;
}
const read = (set: string, file: string): Line[] =>
  readFileSync(join(import.meta.dirname, set, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
try {
  const file = join(folder, 'cost.db');
  const replaced: string[] = [];
  {
    await using memory = await openCore({ db: file }, loadOperation);
    const raw = new DatabaseSync(file);
    fillSearch(raw, size);
    raw.close();
    const save = async (topic: string, decision: string | undefined) =>
      String(((await memory.call('mama_save', { topic, decision })) as { id?: string }).id);
    for (const set of ['a', 'b']) {
      const claims = read(set, 'claims.jsonl').filter(
        ({ kind, how }) => kind === 'decision' && how === 'replaced',
      );
      for (const { topic, old } of claims) await save(`${set}:${topic}`, old);
      for (const { kind, topic, text } of read(set, 'records.jsonl'))
        if (kind === 'decision') await save(`${set}:${topic}`, text);
      for (const { topic, new: text } of claims) replaced.push(await save(`${set}:${topic}`, text));
    }
  }
  const store = await openStore(file);
  const raw = new DatabaseSync(file, { readOnly: true });
  const chains = raw
    .prepare("select id from decisions where version = 2 and is_active = 1 and id like '0000%' limit ?")
    .all(OF_CHAINS)
    .map(({ id }) => String(id));
  raw.close();
  /** Milliseconds of the processor. */
  const spent = async (id: string, isSaved: boolean) => {
    const before = process.cpuUsage();
    await store.read(WRITER, (tx) => findSimilar(tx, id, { isSaved }));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  };
  machine();
  print(`${size} records; milliseconds of the processor for a save: p10, median, p90 of ${ROUNDS} rounds`);
  for (const [what, ids] of Object.entries({ 'replaced claims': replaced, 'chains of 45 words': chains })) {
    const [without, more]: [number[], number[]] = [[], []];
    for (let round = -1; round < ROUNDS; round++)
      for (const id of ids) {
        const alone = await spent(id, false);
        const both = await spent(id, true);
        if (round < 0) continue;
        without.push(alone);
        more.push(both - alone);
      }
    const shown = (times: number[]) =>
      Object.values(spread(times))
        .map((each) => each.toFixed(2))
        .join(' … ');
    print(`${what} (${ids.length}): without ${shown(without)}; more with it ${shown(more)}`);
  }
  await store.close();
} finally {
  rmSync(folder, { recursive: true });
}
