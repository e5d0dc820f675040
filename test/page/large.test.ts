import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { lanesOf } from '../../src/page/pictures/lanes.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab } from '../support/explorer.ts';
import type { Serving } from '../support/serving.ts';
import { servingThousands } from '../support/thousands.ts';
import { until } from '../support/until.ts';

const COUNT = 5_000;

it('[X-2] script and style take at most 40 kB compressed', () => {
  const files = readdirSync('dist/page').filter((name) => /\.(js|css)$/.test(name));
  assert.equal(files.length, 2);
  const bytes = files.map((name) => gzipSync(readFileSync(join('dist/page', name))).length);
  assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= 40_000, String(bytes));
});

describe('the page with thousands of decisions', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let browser: Browser;
  before(async () => {
    server = await servingThousands(folder, COUNT);
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('[X-2] draws what is in view and nothing else, and asks little', async (test) => {
    const { page, settled, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await settled();
    const drawn = () =>
      page.evaluate<number>("Number(document.querySelector('.lanes canvas').dataset.drawn)");
    await until(async () => (await drawn()) > 100);
    assert.match(await page.innerText('main [role=status]'), /5,000 of 5,000/);
    assert.ok((await drawn()) < COUNT, `${await drawn()} marks`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) as string));
    // Who looks at thousands asks as often as who looks at ten: whose token, the picture, what was last, what is new.
    await page.reload();
    await settled();
    await until(async () => (await drawn()) > 100);
    const read = () => asked.filter((name) => name !== '' && !name.startsWith('page-'));
    assert.deepEqual([...new Set(read())].sort(), ['changed_since', 'decision_graph', 'me', 'timeline']);
    assert.equal(read().filter((name) => name !== 'changed_since').length, 3);
    asked.length = 0;
    await page.focus('.lanes');
    for (const key of ['ArrowRight', '+', '+', '+', '+', 'ArrowDown']) await page.keyboard.press(key);
    await until(async () => (await drawn()) < 600);
    assert.deepEqual(
      asked.filter((name) => name !== 'changed_since'),
      [],
    );
    await page.keyboard.press('2');
    await page.waitForSelector('main h1:text-is("Decisions")');
    await settled();
    assert.match(await page.innerText('main [role=status]'), /50 of 5,000/);
    assert.equal(await page.locator('main .rows > li').count(), 50);
    await page.click('main .paging button >> nth=0');
    await until(async () => (await page.locator('main .rows > li').count()) === 150);
  });
});

it('[X-1] chains of a row do not overlap, each has the lane of its scope, and each version its own strength', () => {
  const node = (n: number, since: number, last: number) => ({
    id: String(n),
    topic: `t${n}`,
    text: '',
    scope: n % 2 === 0 ? 'even' : 'odd',
    strength: 'normal' as const,
    versions: 2,
    status: 'stands' as const,
    outcome: null,
    since: new Date(since).toISOString(),
    createdAt: new Date(last).toISOString(),
    marks: [
      [new Date(since).toISOString(), 'failed', 'normal'],
      [new Date(last).toISOString(), null, 'lock'],
    ] as [string, 'failed' | null, 'normal' | 'lock'][],
  });
  const { lanes, tracks, rows } = lanesOf(
    Array.from({ length: 60 }, (_, n) => node(n, n * 1000, n * 1000 + ((n * 37) % 11) * 900)),
  );
  assert.equal(
    lanes.reduce((sum, lane) => sum + lane.rows, 0),
    rows,
  );
  for (const { node, row, marks } of tracks) {
    const lane = lanes.find(({ top, rows }) => row >= top && row < top + rows);
    assert.equal(lane?.scope, node.scope);
    assert.deepEqual(
      marks.map(({ strength }) => strength),
      ['normal', 'lock'],
    );
    for (const other of tracks)
      if (other.row === row && other.node !== node)
        assert.ok(
          (other.marks.at(-1)?.at ?? 0) < (marks[0]?.at ?? 0) ||
            (other.marks[0]?.at ?? 0) > (marks.at(-1)?.at ?? 0),
        );
  }
});
