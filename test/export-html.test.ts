import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fixed, sqlite } from './support/engines.ts';
import { AWKWARD, textOf } from './support/exported.ts';

const HOSTILE = `<script>alert(1)</script><img src="http://evil/x" onerror='x'>&amp;`;

describe('a memory as a page', () => {
  it('[V-8] has what is active by scope, with why, outcome and dates, and not what was replaced', async () => {
    const memory = await sqlite.openFast({
      ...fixed(Date.UTC(2026, 2, 1)),
      writer: { author: 'Kim <k@x.org>' },
    });
    await memory.mama.save({ topic: 'db:engine', decision: 'One server', reasoning: 'It was there' });
    await memory.mama.save({ topic: 'db:engine', decision: 'One file', reasoning: '서버가 필요 없다' });
    await memory.mama.update({ id: 'db:engine', outcome: 'failed', reason: 'locked by antivirus' });
    await memory.mama.save({
      topic: 'auth:token',
      decision: 'Cookies',
      strength: 'lock',
      revisit: '2027-03-01',
    });
    const page = await textOf(memory);
    const seen = page
      .replace(/<style>.*<\/style>/s, '')
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');
    assert.match(seen, /2 active auth · db auth auth:token Cookies lock · version 1 · 2026-03-01 · Kim/);
    assert.match(
      seen,
      /look again 2027-03-01 db db:engine One file Why: 서버가 필요 없다 ✘ failed 2026-03-01: locked by/,
    );
    assert.doesNotMatch(seen, /One server/);
    assert.doesNotMatch(await textOf(memory, { authors: false }), /Kim/);
    assert.doesNotMatch(await textOf(memory, { scope: 'auth' }), /One file/);
  });

  it('[V-8] runs nothing and asks for nothing, whatever the texts are', async () => {
    const memory = await sqlite.openFast(fixed(Date.UTC(2026, 2, 1)));
    const texts = [...AWKWARD, HOSTILE];
    for (const [index, text] of texts.entries())
      await memory.mama.save({
        topic: `${index} ${text.slice(0, 50)}`,
        decision: text,
        reasoning: text,
        scope: `s${text.slice(0, 20)}`,
      });
    const page = await textOf(memory);
    const tags = [...page.matchAll(/<\/?([a-z0-9]+)/gi)].map(([, name]) => name);
    const known = 'html head meta title style body h1 h2 h3 p nav a section article'.split(' ');
    assert.deepEqual(
      tags.filter((name) => !known.includes(name ?? '')),
      [],
    );
    assert.deepEqual(page.match(/<[^>]*\s(?:src|on\w+)=/gi), null);
    assert.deepEqual([...page.matchAll(/href="([^#])/g)], []);
    assert(page.includes('&lt;script&gt;alert(1)'));
    assert.equal(tags.filter((name) => name === 'article').length, 2 * texts.length);
  });
});
