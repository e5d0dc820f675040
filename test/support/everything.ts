import type { Embedder, Memory } from '../../src/index.ts';

const embedder: Embedder = {
  model: 'm',
  embed: async (texts) => texts.map(() => Float32Array.of(0.6, 0.8)),
};

/** Options of a memory for {@link furnish}. */
export const withVectors = { embedder };

/** Fills a memory with a row in every table. */
export async function furnish(memory: Memory): Promise<void> {
  const { id } = await memory.mama.save({ topic: 'auth', decision: 'JWT', reasoning: 'r', evidence: ['e'] });
  await memory.mama.update({ id, outcome: 'failed', reason: 'a script could read them' });
  const next = await memory.mama.save({ topic: 'auth', decision: 'cookies' });
  await memory.mama.save({ topic: 'cache', decision: 'none', reasoning: `builds_on: ${next.id}` });
  await memory.anchor.save({ hint: 'why not JWT', targetRef: id, type: 'decision_link' });
  await memory.mama.save({ type: 'checkpoint', summary: 's', next_steps: 'n', open_files: ['a.ts'] });
  const observed = await memory.mem.save({ title: 't', content: 'one', topic_key: 'k' });
  await memory.mem.save({ title: 't', content: 'two', topic_key: 'k' });
  const other = await memory.mem.save({ title: 'other', content: 'to be blanked' });
  await memory.mem.relate({ from_id: observed.id, to_id: other.id, relation_type: 'because', note: 'n' });
  await memory.evidence.save({ decisionRef: next.id, observationId: observed.id });
  await memory.redact(String(other.id), 'blanked');
  await memory.keywords.record({ keywords: ['unity', 'mirror'] });
  const { infoId } = await memory.memo.save({ fullText: 'm', keywords: ['unity'] });
  await memory.memo.edit({ infoId, fullText: 'a memo' });
  await memory.embed();
}
