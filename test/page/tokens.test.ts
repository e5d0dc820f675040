import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { explored, openTab, pageOf } from '../support/explorer.ts';
import { NOW } from '../support/serving.ts';
import { until } from '../support/until.ts';

describe('tokens on the page', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Awaited<ReturnType<typeof explored>>;
  let browser: Browser;
  before(async () => {
    const grants = { reader: { access: 'read' }, late: { expires: NOW - 1 }, other: {} } as const;
    server = await explored(folder, grants, { page: pageOf(true) });
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  const open = (token: string | undefined, url = server.url) => openTab(browser, url, token);
  const holds = 'sessionStorage.getItem("precedent-token")';

  it('[X-1] the link of the server opens it, and leaves no token in the address or the history', async (test) => {
    const { page, said, foreign, close } = await open(server.tokens.all);
    test.after(close);
    assert.equal(page.url(), `${server.url}/`);
    assert.equal(await page.evaluate(holds), server.tokens.all);
    assert.equal(
      await page.evaluate(
        'JSON.stringify([document.cookie, Object.keys(localStorage).filter((key) => /token/.test(key))])',
      ),
      '["",[]]',
    );
    assert.match(await page.innerText('main'), /47 of 47 topics/);
    assert.equal(await page.evaluate('document.documentElement.outerHTML.includes("prec_")'), false);
    assert.deepEqual([said, foreign], [[], []]);
    await page.reload();
    assert.match(await page.innerText('h1'), /\w/);
  });

  it('[X-1] a deep link without a token asks for one, and leads there once it is given', async (test) => {
    const id = server.ids.get('seat-hold-3') ?? [...server.ids.values()][0];
    const { page, close, settled } = await open(undefined);
    test.after(close);
    await page.evaluate(`location.hash = "#/d/${id}"`);
    await page.fill('input[type=password]', 'prec_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await page.fill('input[type=password]', ` ${server.tokens.all} `);
    await page.keyboard.press('Enter');
    await page.waitForSelector('article.decision');
    await settled();
    assert.equal(page.url(), `${server.url}/#/d/${id}`);
  });

  it('[X-1] a token that has expired is said to be so, and forgotten', async (test) => {
    const { page, close } = await open(server.tokens.late);
    test.after(close);
    assert.match(await page.innerText('[role=alert]'), /expired/);
    assert.equal(await page.evaluate(holds), null);
  });

  it("[X-1] [H-3] another's link does not change the token that is held, unless its reader says so", async (test) => {
    const { page, close } = await open(server.tokens.all);
    test.after(close);
    for (const [button, kept] of [
      ['Keep mine', server.tokens.all],
      ['Use the new one', server.tokens.other],
    ] as const) {
      await page.goto(`${server.url}/#token=${server.tokens.other}`);
      await page.waitForSelector('dialog[open]');
      assert.equal(page.url(), `${server.url}/`);
      assert.equal(await page.evaluate(holds), server.tokens.all);
      await page.click(`button:text-is("${button}")`);
      await until(() => page.evaluate(`${holds} === ${JSON.stringify(kept)}`));
    }
    // One beside something else is no token, and does not stay in the address either.
    await page.goto(`${server.url}/#/list?token=${server.tokens.all}`);
    await until(() => page.url() === `${server.url}/`);
    assert.equal(await page.evaluate(holds), server.tokens.other);
  });

  it('[X-3] a token that may only read is told so', async (test) => {
    const { page, close } = await open(server.tokens.reader);
    test.after(close);
    assert.match(await page.innerText('header'), /read only/);
  });

  it('[X-1] a server that is gone is said to be gone, and the page goes on when it is back', async (test) => {
    const { page, close } = await open(server.tokens.all);
    test.after(close);
    await page.route('**/api/**', (route) => route.abort());
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('.banners .warning');
    assert.match(await page.innerText('main'), /47 of 47 topics/);
    await page.unroute('**/api/**');
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('.banners .warning', { state: 'detached' });
  });

  it('[X-1] what is saved elsewhere is there soon', async (test) => {
    const { page, close } = await open(server.tokens.all);
    test.after(close);
    await server.api('narae/mama_save', { topic: 'new:thing', decision: 'It is new', reasoning: 'r' });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('text=48 of 48 topics');
  });
});
