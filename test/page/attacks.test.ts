import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { openMemory } from '../../src/index.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab, pageOf } from '../support/explorer.ts';
import { isTried } from '../support/part.ts';
import { type Serving, serving } from '../support/serving.ts';

/** Texts that would run, if anything took them for more than texts. */
const ATTACKS = [
  '<img src=x onerror="window.ran=1">',
  '<svg onload="window.ran=1"><script>window.ran=1</script></svg>',
  'javascript:window.ran=1',
  '"><a href="javascript:window.ran=1" onmouseover=window.ran=1 style=color:red>{{7*7}}',
];

/** Markdown that would run something, or ask another server, if it were drawn as a page that trusts it. */
const MARKDOWN = [
  '[a](javascript:window.ran=1) [b](JaVaScRiPt:window.ran=1) [c](<java\nscript:window.ran=1>)',
  '[d](data:text/html,<script>window.ran=1</script>) [e](vbscript:window.ran) [f](file:///etc/passwd)',
  '[g][1] [1]\n\n[1]: javascript:window.ran=1\n[2]: <javascript:window.ran=1> "t"',
  '![a](http://evil.example/a.png) ![b][3] ![c](x" onerror="window.ran=1)\n\n[3]: http://evil.example/b.png',
  '<javascript:window.ran=1> <img src=x onerror="window.ran=1">\n\n<div onload=window.ran=1>\n<script>window.ran=1</script>\n</div>',
  '```"><script>window.ran=1</script>\n<img src=x onerror=window.ran=1>\n```\n`<svg onload=window.ran=1>`',
  '| <img src=x onerror=window.ran=1> | [a](javascript:window.ran=1) |\n| - | - |\n| <iframe src=//evil.example> | ![](//evil.example/x) |',
  '[a](#/__proto__) [b](//evil.example/x) [c](/api/v1/me) [d](#token=abcdefgh)',
  // Addresses in other letters: entities, tabs and line ends, signs that browsers leave out, backslashes, per cent.
  '[a](&#106;avascript:window.ran=1) [b](javascript&colon;window.ran=1) [c](&#x6A;&#x61;vascript&#58;window.ran=1)',
  '[a](java\tscript:window.ran=1) [b](<java\tscript:window.ran=1>) [c](<\u0001javascript:window.ran=1>) [d](<\u00a0javascript:window.ran=1>)',
  '[a](<  javascript:window.ran=1>) [b](java%0ascript:window.ran=1) [c](\\javascript:window.ran=1) [d](<feed:javascript:window.ran=1>)',
  '[a][x&colon;] <javascript&colon;window.ran=1>\n\n[x&colon;]: &#x6a;avascript:window.ran=1',
  '[a](data:text/html;base64,PHNjcmlwdD53aW5kb3cucmFuPTE8L3NjcmlwdD4=) [b](DATA&colon;text/html,x) [c](blob:x) [d](view-source:x) [e](ms-settings:x)',
  '[![a](javascript:window.ran=1)](javascript:window.ran=1) ![a](data:image/svg+xml,<svg/onload=window.ran=1>) [**![x](//evil.example/x)**](vbscript:x)',
  '[a](https://a.example/"onmouseover="window.ran=1) [b](https://a.example/ "x" onmouseover="window.ran=1") https://a.example/<script>window.ran=1</script>',
  '<a href=javascript:window.ran=1>x</a> <base href=//evil.example> <meta http-equiv=refresh content="0;url=//evil.example">',
  '<style>@import "//evil.example/x"</style> <link rel=stylesheet href=//evil.example> <form action=//evil.example><button>x</form>',
  '<!--><img src=x onerror=window.ran=1>--> <![CDATA[<img src=x onerror=window.ran=1>]]> <?x <img src=x onerror=window.ran=1>?>',
  '<math><mtext></form><form><mglyph><style></math><img src=x onerror=window.ran=1> <noscript><p title="</noscript><img src=x onerror=window.ran=1>">',
  '1. > - | a | `<img src=x onerror=window.ran=1>` ~~<svg onload=window.ran=1>~~ | [a](javascript:window.ran=1)\n   > | - | - |',
];
/** What agents write every day. */
const PLAIN = `## Why

- [x] **Redis** is *out*: see #1 and \`infra:redis\`
  1. ~~first~~ <https://a.example/b>
- [the page](https://a.example/c "said")

\`\`\`sh
npm test
\`\`\`

| a | b |
| - | - |
| 1 | 2 |

> quoted`;
/** What would keep a reader busy: nesting, and what never closes. */
const DEEP = [
  ...[
    '>',
    '> ',
    '- ',
    '1. ',
    '- > ',
    '[',
    '![',
    '[a](',
    '[a][',
    '**',
    '~~x ',
    '`x ',
    '<b>',
    '<div>\n',
    '| ',
    '# ',
  ].flatMap((each) => [4_000, 10_000].map((levels) => `${each.repeat(levels)}a`)),
  // Closed as often as it is opened.
  ...[
    ['[', '](https://a.example/)'],
    ['![', '](x)'],
    ['**_', '_**'],
    ['<b>', '</b>'],
    ['(<', '>)'],
  ].map(([open = '', shut = '']) => `${open.repeat(9_000)}a${shut.repeat(9_000)}`),
  `${'*a **b '.repeat(5_000)}${'b** a*'.repeat(5_000)}`,
  Array.from({ length: 400 }, (_, depth) => `${' '.repeat(2 * depth)}- a`).join('\n'),
  ...['[', '*', '`', '*a_', '![', '<a ', '|-', 'builds_on: !'].map((each) =>
    each.repeat(200_000 / each.length),
  ),
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
  /** Observations with Markdown, and what was written. */
  const written: [id: string, text: string][] = [];
  const addresses = [
    '#/',
    '#/list?q=ran',
    '#/list?q=state:any',
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
      addresses.push(
        `#/c/${state.id}`,
        `#/changes?q=kind:${encodeURIComponent(attack)}`,
        `#/list?q=scope:${encodeURIComponent(attack)}`,
      );
      addresses.push(`#/d/${next.id}`, `#/d/${id}`, `#/o/${saved.id}`, `#/m/${memoId}`);
      addresses.push(
        `#/rules?scope=${encodeURIComponent(attack)}`,
        `#/memos?keyword=${encodeURIComponent(attack)}`,
      );
      addresses.push(`#/list?q=${encodeURIComponent(attack)}`, `#/${encodeURIComponent(attack)}`);
      addresses.push(`#/d/${encodeURIComponent(attack)}`, `#/list?at=${encodeURIComponent(attack)}`);
    }
    const deep = DEEP.filter((_, index) => isTried(index));
    for (const content of [...MARKDOWN, ...deep, PLAIN])
      written.push([(await call('mem_save', { title: 'Markdown', content })).id, content]);
    await memory.close();
    server = await serving(folder, { all: { person: true } }, { page: pageOf(true) });
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
        'main img, main script, main iframe, main style, [onerror], [onload], [onmouseover], a:not([href^="#/"])'
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

  it('in Markdown, however deep or long: it is drawn, and the page goes on', async (test) => {
    const { page, said, foreign, go, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    for (const [id, text] of written) {
      await go(`#/o/${id}`);
      const length = await page.evaluate<number>(`document.querySelector('.markdown').textContent.length`);
      assert.ok(
        text === PLAIN || length > text.length / 2,
        `${length} of ${text.length}: ${text.slice(0, 20)}`,
      );
      const made = await page.evaluate<string[]>(`[...document.querySelectorAll(
        'main :is(img, script, iframe, style, link, base, meta, form, svg:not(.mark), math, [onerror], [onload], [onmouseover]), main a:not([href^="#/"]):not([href^="http://evil.example/"]):not([href^="https://a.example/"])'
      )].map((each) => each.outerHTML)`);
      assert.deepEqual(made, [], text.slice(0, 200));
    }
    const drawn = await page.evaluate<string[]>(`[...document.querySelector('.markdown').querySelectorAll(
      'strong, em, ul > li, ol > li > del, pre code, p code, li code, td, blockquote, a'
    )].map((each) => each.tagName + ' ' + (each.getAttribute('href') ?? each.textContent.slice(0, 8)))`);
    assert.deepEqual(drawn, [
      'STRONG Why',
      'LI ☑ Redis ',
      'STRONG Redis',
      'EM out',
      'A #/o/1',
      'CODE infra:re',
      'DEL first',
      'A https://a.example/b',
      'LI the page',
      'A https://a.example/c',
      'CODE npm test',
      'TD 1',
      'TD 2',
      'BLOCKQUOTE quoted',
    ]);
    assert.equal(await page.evaluate('window.ran'), undefined);
    assert.deepEqual([said, foreign], [[], []]);
  });

  it('since no text can become markup there, and nothing can be sent elsewhere', async (test) => {
    const { page, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    const tried = (code: string) =>
      page.evaluate<string>(
        `(async () => { try { ${code}; return 'did' } catch (error) { return error.name } })()`,
      );
    assert.equal(await tried(`document.body.innerHTML = '<b>x</b>'`), 'TypeError');
    assert.equal(
      await tried(
        `await fetch('http://localhost:${server.port}/?' + sessionStorage.length, { mode: 'no-cors' })`,
      ),
      'TypeError',
    );
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
