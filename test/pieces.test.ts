import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { LIMITS } from '../src/domain/text/text.ts';
import { type Memory, openMemory } from '../src/index.ts';
import { analysed } from '../src/store/document.ts';
import { Pauses, STRETCH } from '../src/store/pauses.ts';
import { scratch } from './support/engines.ts';
import { longestStretch } from './support/stretches.ts';

/** Observations as long as one may be, and ordinary records. */
const [LONG, SHORT] = [12, 1_500];
/** A text is read and written whole: what is divided is never more than this. */
const MOST = { characters: 2 * LIMITS.content + 4 * STRETCH.characters, rows: 3 * STRETCH.rows };
/** More than a search looks for. */
const MANY_WORDS = Array.from({ length: 2_000 }, (_, n) => `word${n}`).join(' ');
/** What a search shows is read with one statement. */
const SHOWN = 10 * LIMITS.content;

describe('[Z-5] what one call does before others get their turn', () => {
  const db = join(scratch(), 'memory.db');
  let now = 1_700_000_000_000;
  let memory: Memory;
  before(async () => {
    memory = await openMemory({ db, clock: () => now });
    const words = Array.from({ length: LIMITS.content / 8 }, (_, n) => `word${n % 900}`).join(' ');
    const lines = Array.from({ length: LONG }, (_, n) =>
      JSON.stringify({
        operation: 'mem_save',
        title: `t${n}`,
        content: `nr${n} ${words}`.slice(0, LIMITS.content),
      }),
    );
    const short = Array.from({ length: SHORT }, (_, n) =>
      JSON.stringify({
        operation: 'mama_save',
        topic: `a:t${n}`,
        decision: `Rule r${n}`,
        reasoning: 'zebra',
      }),
    );
    await memory.batch([...lines, ...short]);
    now += 1_000;
  });
  after(() => memory.close());

  const calls: Record<string, () => Promise<unknown>> = {
    'a search in the past': () => memory.search({ query: 'zebra', as_of: new Date(now - 500).toISOString() }),
    'a search in the past for what long texts say': () =>
      memory.search({ query: 'word7 word8', as_of: new Date(now - 500).toISOString() }),
    'a save of a text as long as one may be': () =>
      memory.mem.save({ title: 'new', content: 'new words '.repeat(LIMITS.content / 10) }),
    'a save of signs that are spelled out in many characters': () =>
      memory.mem.save({ title: 'signs', content: '\ufdfa'.repeat(LIMITS.content) }),
    'a search of thousands of words for what long texts say': () => memory.search({ query: MANY_WORDS }),
    'a search of notes, of thousands of words, for what long texts say': () =>
      memory.mem.search({ query: MANY_WORDS }),
    'a task of thousands of words for what long texts say': () =>
      memory.recall({ task: MANY_WORDS, token_budget: 50_000 }),
    'a search that looks into long texts and shows one': () =>
      memory.mem.search({ query: MANY_WORDS, limit: 1 }),
    'a list by hundreds of words': () =>
      memory.timeline({ filter: MANY_WORDS.slice(0, MANY_WORDS.lastIndexOf(' ', LIMITS.filter)) }),
    'a rebuild of the text index': () => memory.repair(),
    'an export': () => memory.export('jsonl', () => {}),
  };
  for (const [what, call] of Object.entries(calls))
    it(`${what} is done in pieces`, async () => {
      const { rows, characters } = await longestStretch(call);
      assert(rows <= MOST.rows, `${rows} rows`);
      const shown = what.endsWith('what long texts say') ? SHOWN : 0;
      assert(characters <= MOST.characters + shown, `${characters} characters`);
      assert(rows > 0 && characters > 0);
    });

  it('a text is analysed in pieces of what it becomes', async () => {
    let pauses = 0;
    const counting = new Pauses(async () => pauses++);
    const body = '결정'.repeat(STRETCH.characters / 4);
    const document = await analysed({ seq: 1, title: '', body }, counting);
    // Each syllable is the pair that it begins, and a blank.
    assert(document.body.length > 2.9 * body.length);
    assert(pauses >= 1);
  });
});
