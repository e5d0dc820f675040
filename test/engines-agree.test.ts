import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../src/index.ts';
import { citus, type EngineUnderTest, engines, fixed, optionsOf } from './support/engines.ts';
import { inTurn } from './support/part.ts';
import { newWorkspace } from './support/postgres.ts';
import { generator } from './support/random.ts';
import { linesOfRows } from './support/stream.ts';

const WORDS =
  'token cookie session cache queue retry index schema login 토큰 쿠키 세션 캐시 인증 서버 저장 배포 오류 設定 認証'.split(
    ' ',
  );

/**
 * Saves, revises, relates and deletes at random, the same for each seed.
 * @param long the share of observations of several windows of words, in which it matters what stands together
 */
async function live(memory: Memory, seed: number, steps: number, long = 0): Promise<void> {
  const random = generator(seed);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const words = (count: number) => Array.from({ length: count }, () => pick(WORDS)).join(' ');
  const text = (least: number) => words(least + Math.floor(random() * 12));
  const passage = () => (long > 0 && random() < long ? words(100) : text(5));
  const decisions: string[] = [];
  const observations: number[] = [];
  for (let step = 0; step < steps; step++) {
    const dice = random();
    if (dice < 0.4) {
      const earlier = decisions.length > 0 && random() < 0.3 ? `debates: ${pick(decisions)}` : undefined;
      const { id } = await memory.mama.save({
        topic: `${pick(['auth', 'web', 'db'])}:${Math.floor(random() * 30)}`,
        decision: text(3),
        ...(earlier && { reasoning: earlier }),
        evidence: random() < 0.3 ? [text(2)] : [],
      });
      decisions.push(id);
    } else if (dice < 0.7) {
      const { id } = await memory.mem.save({ title: text(1), content: passage(), project: pick(['a', 'b']) });
      observations.push(id);
    } else if (dice < 0.78 && observations.length > 1) {
      const [from_id, to_id] = [pick(observations), pick(observations)];
      await memory.mem.relate({ from_id, to_id, relation_type: pick(['because', 'about']) }).catch(() => {});
    } else if (dice < 0.86 && observations.length > 0) {
      await memory.mem.update({ id: pick(observations), content: text(4) }).catch(() => {});
    } else if (dice < 0.9 && observations.length > 0) {
      const id = pick(observations);
      await memory.delete({ ref: id, hard_delete: random() < 0.5 }).catch(() => {});
    } else if (dice < 0.95 && decisions.length > 0) {
      await memory.mama.update({ id: pick(decisions), outcome: pick(['failed', 'success']), reason: 'so' });
    } else {
      await memory.keywords.record({ keywords: [pick(WORDS), pick(WORDS), pick(WORDS)] });
      await memory.memo.save({ fullText: text(4), keywords: [pick(WORDS)] });
    }
  }
}

/** All that a memory says of a question. */
async function answers(memory: Memory, query: string): Promise<unknown> {
  return [
    await memory.mama.search({ query, limit: 20 }),
    await memory.mama.search({ query, limit: 20, history: true }),
    await memory.mama.search({ query, limit: 5, domain: 'auth', outcome_filter: 'pending' }),
    await memory.mem.search({ query, limit: 20 }),
    await memory.mem.search({ query, limit: 5, project: 'a' }),
    await memory.search({ query, limit: 20 }),
    await memory.recall({ task: query, domain: 'auth' }),
  ];
}

const writer = { session: 'one', client: 'test' };
/** A memory of this name on each engine, since a name takes tokens too. */
const openFixed = (engine: EngineUnderTest, workspace: string) =>
  engine.open({ ...fixed(), writer, workspace });

const [first, ...others] = engines as [EngineUnderTest, ...EngineUnderTest[]];
for (const other of [...others, citus]) {
  describe(`${first.name} and ${other.name}`, { ...optionsOf(other), concurrency: 1 }, () =>
    agree(first, other),
  );
}

/** Both answer alike, and take in each other's exports. */
function agree(one: EngineUnderTest, other: EngineUnderTest): void {
  it('[P-1] the same life gives the same answers: ids, order, scores and totals, after changes and deletions', async () => {
    for (const seed of inTurn([1, 2, 3, 4], 0)) {
      const workspace = newWorkspace();
      const memories = [await openFixed(one, workspace), await openFixed(other, workspace)] as const;
      for (const memory of memories) await live(memory, seed, 250, 0.1);
      const random = generator(seed);
      for (let n = 0; n < 20; n++) {
        const length = 1 + Math.floor(random() * 4);
        const query = Array.from({ length }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');
        assert.deepEqual(
          await answers(memories[1], query),
          await answers(memories[0], query),
          `${seed}: ${query}`,
        );
      }
      assert.deepEqual((await memories[1].inspect()).problems, []);
    }
  });

  it('[P-1] [E-1] one stream: what one engine wrote out is, row for row, what the other does after taking it in', async () => {
    const exported = async (memory: Memory) => {
      const lines: string[] = [];
      await memory.export('jsonl', (line) => lines.push(line));
      return lines;
    };
    const embedder = {
      model: 'm',
      // Of unit length, and with sums that are exact also in single precision, in which pgvector adds up.
      embed: async (texts: string[]) =>
        texts.map((text) =>
          Float32Array.from([0, 1, 2, 3], (bit) => ((text.length >> bit) & 1 ? 0.5 : -0.5)),
        ),
    };
    for (const [from, to] of [
      [one, other],
      [other, one],
    ] as const) {
      const workspace = newWorkspace();
      const source = await from.open({ ...fixed(), writer, embedder, workspace });
      await live(source, 7, 120);
      assert.equal((await source.embed()).missing, 0);
      const lines = await exported(source);
      assert(lines.some((line) => line.startsWith('{"table":"vectors"')));
      const target = await to.open({ embedder, workspace });
      await target.import(lines);
      assert.deepEqual(linesOfRows(await exported(target)), linesOfRows(lines));
      const [before, after] = [lines[0], (await exported(target))[0]].map((line) => JSON.parse(line ?? ''));
      assert.deepEqual([after.last, after.rows], [before.last, before.rows]);
      // The model is tried anew where a memory was taken in.
      await target.embed();
      assert.deepEqual(await answers(target, 'token 세션'), await answers(source, 'token 세션'));
    }
  });
}
