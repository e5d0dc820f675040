import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Memory } from '../src/index.ts';
import { type EngineUnderTest, enginesInTurn, fixed, optionsOf } from './support/engines.ts';
import { everyFormat, filesOf, takeRecords } from './support/exported.ts';
import { exported } from './support/stream.ts';

/** A key as a cloud gives it; what follows it says where it was written. */
const SECRET = 'AKIAHUNTER7';
const WRITTEN = new RegExp(`${SECRET}([a-z]*)`, 'gi');
const at = (place: string) => `key ${SECRET}${place} here`;
const AUTHOR = { author: `Kim <${SECRET}author@example.com>` };

/** Where each format shows what was written, of all that {@link furnish} writes. */
const SHOWN: Record<string, string> = {
  madr: 'author before evidence failed outcome reasoning scope text topic withdrawal',
  html: 'reasoning scope text topic',
};

/** The secret in every text of every kind of record. */
async function furnish(memory: Memory): Promise<string> {
  const call = async (name: string, input: object) =>
    (await memory.call(name, input, AUTHOR)) as { id: string };
  const { id } = await call('mama_save', {
    topic: at('topic'),
    scope: at('scope'),
    decision: at('before'),
    reasoning: at('reasoning'),
    evidence: [at('evidence')],
  });
  await memory.mama.update({ id, outcome: 'failed', reason: at('failed') });
  await memory.anchor.save({ hint: at('hint'), targetRef: id, type: 'decision_link' });
  await memory.decision.revise({ id, text: at('text') });
  const gone = await call('mama_save', { topic: 'gone', decision: 'short', reasoning: `builds_on: ${id}` });
  await memory.mama.update({ id: gone.id, outcome: 'success', reason: at('outcome') });
  await memory.decision.revise({ id: gone.id, withdrawn: true, reasoning: at('withdrawal') });
  await memory.mama.save({
    type: 'checkpoint',
    summary: at('summary'),
    next_steps: at('next'),
    open_files: [`${SECRET}file.ts`],
  });
  const about = { title: at('title'), type: at('type'), project: at('project'), topic_key: at('topickey') };
  const seen = await memory.mem.save({ ...about, content: at('revised') });
  await memory.mem.save({ ...about, content: at('seen') });
  const plan = await memory.mem.save({ title: 'plan', content: at('plan') });
  await memory.mem.relate({
    from_id: seen.id,
    to_id: plan.id,
    relation_type: at('relation'),
    note: at('note'),
  });
  const keywords = [at('keyword')];
  const { infoId } = await memory.memo.save({ fullText: at('earlier'), keywords });
  await memory.memo.edit({ infoId, fullText: at('memo') });
  return id;
}

/** Which of the places each format shows, also in the names of its files. */
async function placesIn(memory: Memory, terms?: { at: string }): Promise<Record<string, string>> {
  const places = Object.groupBy(await everyFormat(memory, terms), ([path]) => path.split(' ')[0] ?? '');
  return Object.fromEntries(
    Object.entries(places).map(([format, files = []]) => {
      const found = files.flat().flatMap((text) => [...text.matchAll(WRITTEN)].map(([, place]) => place));
      return [format, [...new Set(found.map((place = '') => place.toLowerCase()))].sort().join(' ')];
    }),
  );
}

const NONE = Object.fromEntries(Object.keys(SHOWN).map((format) => [format, '']));

/** Redacts a record, and all that the look-over names then, as an operator does. */
async function redactAll(memory: Memory, id: string, secret: string): Promise<void> {
  for (let named = [id]; named[0] !== undefined; ) {
    const { remaining } = await memory.redact(named[0], secret);
    const shown = [...(await everyFormat(memory))].join().toLowerCase().includes(secret.toLowerCase());
    assert(remaining.length > 0 || !shown, 'an export shows what the look-over did not find');
    named = remaining.map((place) => place.id);
  }
}

async function openOn(engine: EngineUnderTest) {
  const time = { now: Date.UTC(2026, 0, 1) };
  const clock = () => (time.now += 1_000);
  const memory = await engine.openFast({ newId: fixed().newId, clock });
  return { memory, time };
}

for (const engine of enginesInTurn(6)) {
  describe(`exports of a redacted memory, on ${engine.name}`, optionsOf(engine), () => {
    it('[I-5] [C-1] what redact and its look-over blanked is in no byte of any format, nor of its past', async () => {
      const { memory, time } = await openOn(engine);
      const id = await furnish(memory);
      const then = new Date(time.now).toISOString();
      assert.deepEqual(await placesIn(memory), SHOWN);
      await redactAll(memory, id, SECRET);
      assert.deepEqual(await placesIn(memory), NONE);
      assert.deepEqual(await placesIn(memory, { at: then }), NONE);
      assert.doesNotMatch((await exported(memory)).join('\n'), WRITTEN);
    });

    it('[I-5] [C-1] a secret that came in with the name of a file goes from that name, and its number stays', async () => {
      for (const secret of ['sk_live_Hunter9', 'HUNTER9X']) {
        const { memory: source } = await openOn(engine);
        await source.mama.save({ topic: 'keys', decision: `Use ${secret}` });
        await source.decision.save({ text: `Nameless ${secret}` });
        const { memory } = await openOn(engine);
        await takeRecords(memory, await filesOf(source));
        const { decisions } = await memory.decision.list({});
        await redactAll(memory, decisions[0]?.id ?? '', secret);
        assert.deepEqual(
          [...(await filesOf(memory)).keys()],
          ['0001-use-redacted.md', '0002-nameless-redacted.md'],
        );
        const all = [...(await everyFormat(memory)), ...(await exported(memory))];
        assert.doesNotMatch(all.join('\n'), /hunter/i);
      }
    });
  });
}
