import { type Memory, openMemory } from '../../src/index.ts';
import { fixed } from './engines.ts';
import { named } from './named.ts';
import { exported } from './stream.ts';

/** Records of each kind: more than the hundred best hits that a search ranks at first. */
export const COUNT = 130;
/** Every tenth chain has three versions, the first of which failed; every tenth but five has two. */
export const FAILED = COUNT / 10;
export const VERSIONS = COUNT + COUNT / 5 + FAILED;
/** Chains of the scope `ui`, and as many of `global`. */
export const OF_SCOPE = 35;

/** A word that is in a third of the decisions, another third of the observations, and another of the memos. */
const shared = (n: number, kind: number) => (n % 3 === kind ? '공통' : '');

const numbers = Array.from({ length: COUNT }, (_, n) => n);
let lines: Promise<string[]> | undefined;

/** The stream of a memory in which every listing is longer than its pages, the same in every run; made once in a process. */
export function filledLines(): Promise<string[]> {
  lines ??= (async () => {
    const memory = await openMemory({ db: ':memory:', ...fixed() });
    await fill(memory);
    const written = await exported(memory);
    await memory.close();
    return written;
  })();
  return lines;
}

/** Decisions, observations around the first one, memos: all with the word "토큰". */
async function fill(memory: Memory): Promise<void> {
  const strengths = ['axis', 'lock', 'normal'] as const;
  const draft = (n: number, version: number) => ({
    topic: `t:${n}`,
    decision: `token 토큰 ${shared(n, 0)} ${n}, ${version}`,
    scope: n < OF_SCOPE ? 'ui' : n < 2 * OF_SCOPE ? 'global' : 'else',
    strength: strengths[n % 3] ?? 'normal',
    reasoning: 'Measured anew',
  });
  for (const n of numbers) await memory.mama.save(draft(n, 1));
  for (const n of numbers.filter((n) => n % 10 === 0)) {
    await memory.mama.update({ id: `t:${n}`, outcome: 'failed', reason: 'It expired' });
    await memory.mama.save({ ...draft(n, 2), ...(await named(memory, `t:${n}`)) });
  }
  for (const n of numbers.filter((n) => n % 5 === 0))
    await memory.mama.save({ ...draft(n, 3), ...(await named(memory, `t:${n}`)) });
  const hub = await memory.mem.save({ title: 'hub', content: 'in the middle' });
  for (const n of numbers) {
    const { id } = await memory.mem.save({
      title: `토큰 ${n}`,
      content: `note ${shared(n, 1)} ${n}`,
      topic_key: `k${n}`,
    });
    await memory.mem.relate({ from_id: hub.id, to_id: id, relation_type: 'relates_to' });
    if (n < 20) await memory.mem.relate({ from_id: id, to_id: hub.id, relation_type: 'relates_to' });
  }
  await memory.keywords.record({ keywords: ['even', 'near', 'odd'], sessionId: 'a' });
  await memory.keywords.record({ keywords: ['far', 'lone'], sessionId: 'b' });
  for (const n of numbers)
    await memory.memo.save({
      fullText: `메모 ${shared(n, 2)} ${n}`,
      keywords: [n % 2 === 0 ? 'even' : 'far'],
    });
}
