import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring, pageOf } from '../support/explorer.ts';
import { NOW } from '../support/serving.ts';
import { until } from '../support/until.ts';

describe('tokens on the page', { skip: NO_CHROMIUM }, () => {
  const site = exploring(
    { reader: { access: 'read' }, late: { expires: NOW - 1 }, other: {} },
    { page: pageOf(true) },
  );
  const holds = 'sessionStorage.getItem("precedent-token")';

  it('[X-1] the link of the server opens it, and leaves no token in the address or the history', async (test) => {
    const { page, said, foreign } = await site.open(test);
    assert.equal(page.url(), `${site.server.url}/`);
    assert.equal(await page.evaluate(holds), site.server.tokens.all);
    assert.equal(
      await page.evaluate(
        'JSON.stringify([document.cookie, Object.keys(localStorage).filter((key) => /token/.test(key))])',
      ),
      '["",[]]',
    );
    assert.match(await page.innerText('main'), /46 active decisions in 13 scopes/);
    assert.equal(await page.evaluate('document.documentElement.outerHTML.includes("prec_")'), false);
    assert.deepEqual([said, foreign], [[], []]);
    await page.reload();
    assert.match(await page.innerText('h1'), /\w/);
  });

  it('[X-1] a deep link without a token asks for one, and leads there once it is given', async (test) => {
    const id = site.server.ids.get('seat-hold-3') ?? [...site.server.ids.values()][0];
    const { page, settled } = await site.open(test, { token: null });
    await page.evaluate(`location.hash = "#/d/${id}"`);
    await page.keyboard.type('prec_wrong');
    await page.keyboard.press('Enter');
    await page.waitForSelector('[role=alert]');
    await page.fill('input[type=password]', ` ${site.server.tokens.all} `);
    await page.keyboard.press('Enter');
    await page.waitForSelector('article');
    await settled();
    assert.equal(page.url(), `${site.server.url}/#/d/${id}`);
  });

  it('[X-1] a token that has expired is said to be so, and forgotten', async (test) => {
    const { page } = await site.open(test, { token: site.server.tokens.late });
    assert.match(await page.innerText('[role=alert]'), /expired/);
    assert.equal(await page.evaluate(holds), null);
  });

  it("[X-1] [H-3] another's link does not change the token that is held, unless its reader says so", async (test) => {
    const { page } = await site.open(test);
    for (const [button, kept] of [
      ['Keep mine', site.server.tokens.all],
      ['Use the new one', site.server.tokens.other],
    ] as const) {
      await page.goto(`${site.server.url}/#token=${site.server.tokens.other}`);
      await page.waitForSelector('dialog[open]');
      assert.equal(page.url(), `${site.server.url}/`);
      assert.equal(await page.evaluate(holds), site.server.tokens.all);
      await page.click(`button:text-is("${button}")`);
      await until(() => page.evaluate(`${holds} === ${JSON.stringify(kept)}`));
    }
    // A token next to something else is ignored, and does not stay in the address either.
    await page.goto(`${site.server.url}/#/list?token=${site.server.tokens.all}`);
    await until(() => page.url() === `${site.server.url}/`);
    assert.equal(await page.evaluate(holds), site.server.tokens.other);
  });

  it('[X-3] whoever has a token that may only read is informed', async (test) => {
    const { page } = await site.open(test, { token: site.server.tokens.reader });
    assert.match(await page.innerText('header'), /read only/);
  });

  it('[X-1] a server that is gone is said to be gone, and the page goes on when it is back', async (test) => {
    const { page } = await site.open(test);
    await page.route('**/api/**', (route) => route.abort());
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('header + [role=status] .warning');
    assert.match(await page.innerText('main'), /46 active decisions in 13 scopes/);
    await page.unroute('**/api/**');
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('header + [role=status] .warning', { state: 'detached' });
  });

  it('[X-1] what is saved elsewhere is there soon', async (test) => {
    const { page } = await site.open(test);
    await site.server.api('narae/mama_save', { topic: 'new:thing', decision: 'It is new', reasoning: 'r' });
    await page.evaluate('document.dispatchEvent(new Event("visibilitychange"))');
    await page.waitForSelector('text=47 active decisions in 14 scopes');
  });
});
