import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab } from '../support/explorer.ts';
import type { Serving } from '../support/serving.ts';
import { servingThousands } from '../support/thousands.ts';
import { until } from '../support/until.ts';

const COUNT = 5_000;

it('[X-2] script and style take at most 60 kB compressed, with the library of Markdown', () => {
  const files = readdirSync('dist/page').filter((name) => /\.(js|css)$/.test(name));
  assert.equal(files.length, 2);
  const bytes = files.map((name) => gzipSync(readFileSync(join('dist/page', name))).length);
  assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= 60_000, String(bytes));
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
    await server?.close();
  });

  it('[X-2] shows the newest of each area and a page of a list, and asks little', async (test) => {
    const { page, settled, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await settled();
    assert.match(await page.innerText('main [role=status]'), /5,000 active decisions in 12 scopes/);
    assert.equal(await page.locator('.areas section').count(), 12);
    assert.equal(await page.locator('.areas .rows > li').count(), 40);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) as string));
    // Thousands of decisions take as many requests as ten: who reads, the lists, the counts, what is new.
    await page.reload();
    await settled();
    const read = asked.filter((name) => name !== '' && name !== 'changed_since' && !name.startsWith('page-'));
    assert.deepEqual([...new Set(read)].sort(), ['decision_list', 'list_names', 'me', 'review', 'timeline']);
    // One of them for what waits (V-3).
    assert.equal(read.length, 16);
    await page.click('nav.views >> text=Decisions');
    await page.waitForSelector('main h1:text-is("Decisions")');
    await settled();
    assert.match(await page.innerText('main [role=status]'), /50 of 5,000/);
    assert.equal(await page.locator('main .rows > li').count(), 50);
    await page.click('main button:text-is("Show more")');
    await until(async () => (await page.locator('main .rows > li').count()) === 150);
    // A frame of scrolling lays nothing out: what it costs is the browser's own.
    const browserSession = await page.context().newCDPSession(page);
    await browserSession.send('Performance.enable');
    const layouts = async () => {
      const { metrics } = await browserSession.send('Performance.getMetrics');
      return metrics.find(({ name }) => name === 'LayoutCount')?.value ?? Number.NaN;
    };
    const earlier = await layouts();
    const frames = 30;
    await page.evaluate(`(async () => {
      for (let frame = 0; frame < ${frames}; frame++) {
        scrollBy(0, 200);
        await new Promise(requestAnimationFrame);
      }
    })()`);
    assert(await page.evaluate('scrollY > 1_000'));
    const laidOut = (await layouts()) - earlier;
    assert(laidOut < frames / 10, `${laidOut} layouts in ${frames} frames`);
  });
});
