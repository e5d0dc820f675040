import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openMemory } from '../../src/index.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab, pageOf } from '../support/explorer.ts';
import { type Serving, serving } from '../support/serving.ts';

/** Texts that would run, if anything took them for more than texts. */
const ATTACKS = [
  '<img src=x onerror="window.ran=1">',
  '<svg onload="window.ran=1"><script>window.ran=1</script></svg>',
  'javascript:window.ran=1',
  '"><a href="javascript:window.ran=1" onmouseover=window.ran=1 style=color:red>{{7*7}}',
];

/** What the operations answer that save something. */
interface Saved {
  id: string;
  infoId?: string;
  memo?: { infoId: string };
}

describe('[H-3] texts of a memory stay texts on the page', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let browser: Browser;
  const addresses = [
    '#/',
    '#/list?q=ran',
    '#/list?state=any',
    '#/rules',
    '#/observations',
    '#/memos',
    '#/health',
    '#/changes',
    '#/__proto__',
    '#/constructor/x',
  ];
  before(async () => {
    const memory = await openMemory({ db: join(folder, 'evil.db'), workspace: 'evil' });
    const writer = {
      author: `${ATTACKS[0]} <a@b.example>`,
      session: ATTACKS[1] as string,
      client: ATTACKS[2] as string,
    };
    const call = (name: string, input: object) =>
      memory.call(name, input, writer) as unknown as Promise<Saved>;
    for (const [n, attack] of ATTACKS.entries()) {
      const topic = `t${n}:${attack}`;
      const reasoning = `${attack}\nbuilds_on: t0:${ATTACKS[0]}`;
      const given = { topic, decision: attack, reasoning, scope: attack, evidence: [attack] };
      const { id } = await call('mama_save', { ...given, strength: 'axis', confidence: 0.2 });
      await call('mama_update', { id, outcome: 'failed', reason: attack });
      const next = await call('mama_save', { ...given, decision: `${attack} again` });
      await call('anchor_save', { hint: attack, targetRef: next.id, type: 'decision_link' });
      const fields = { title: attack, content: attack, type: attack, project: attack, topic_key: topic };
      const saved = await call('mem_save', fields);
      await call('mem_save', { ...fields, content: `${attack} again` });
      if (n > 0)
        await call('mem_relate', { from_id: saved.id, to_id: 1, relation_type: attack, note: attack });
      const memo = await call('memo_save', { fullText: attack, keywords: [attack, 'plain'] });
      const memoId = memo.memo?.infoId ?? memo.infoId;
      const state = await call('mama_save', {
        type: 'checkpoint',
        summary: attack,
        next_steps: attack,
        open_files: [attack],
      });
      addresses.push(`#/c/${state.id}`, `#/changes?kind=${encodeURIComponent(attack)}`);
      addresses.push(`#/d/${next.id}`, `#/d/${id}`, `#/o/${saved.id}`, `#/m/${memoId}`);
      addresses.push(
        `#/rules?scope=${encodeURIComponent(attack)}`,
        `#/memos?keyword=${encodeURIComponent(attack)}`,
      );
      addresses.push(`#/list?q=${encodeURIComponent(attack)}`, `#/${encodeURIComponent(attack)}`);
      addresses.push(`#/d/${encodeURIComponent(attack)}`, `#/list?at=${encodeURIComponent(attack)}`);
    }
    await memory.close();
    server = await serving(folder, {}, { page: pageOf(true) });
    browser = await startChromium();
  });
  after(async () => {
    await server?.close();
  });

  it('in every field, in every view, and in the address', async (test) => {
    const { page, said, foreign, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    for (const address of addresses) {
      await go(address);
      const made = await page.evaluate<string[]>(`[...document.querySelectorAll(
        'main img, main script, main iframe, main style, [onerror], [onload], [onmouseover], a:not([href^="#"])'
      )].map((each) => each.outerHTML)`);
      assert.deepEqual(made, [], address);
    }
    assert.equal(await page.evaluate('window.ran'), undefined);
    // What an address asks for in vain is answered as a fault, which the browser says in its console.
    assert.deepEqual(
      said.filter((text) => !/the server responded with a status of (400|404)/.test(text)),
      [],
    );
    assert.deepEqual(foreign, []);
  });

  it('since no text can become markup there, and nothing can be sent elsewhere', async (test) => {
    const { page, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const tried = (code: string) =>
      page.evaluate<string>(
        `(async () => { try { ${code}; return 'did' } catch (error) { return error.name } })()`,
      );
    assert.equal(await tried(`document.body.innerHTML = '<b>x</b>'`), 'TypeError');
    assert.equal(await tried(`await fetch('http://localhost:9/?' + sessionStorage.length)`), 'TypeError');
    const policy = (await page.request.get(`${server.url}/`)).headers()['content-security-policy'] ?? '';
    for (const part of [
      "default-src 'none'",
      "script-src 'self'",
      "frame-ancestors 'none'",
      "trusted-types 'none'",
    ])
      assert.ok(policy.includes(part), part);
  });
});
