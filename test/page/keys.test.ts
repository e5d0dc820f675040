import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring } from '../support/explorer.ts';
import { until } from '../support/until.ts';

describe('the page by keys alone', { skip: NO_CHROMIUM }, () => {
  const site = exploring();

  it('[X-2] searches, goes down the answers and opens one', async (test) => {
    const { page, settled } = await site.open(test);
    await page.keyboard.press('/');
    await page.keyboard.type('redis holds');
    // The first word alone is searched for, too, on a machine that is busy.
    await until(() => /q=redis.*holds/.test(page.url()));
    await page.waitForSelector('main [data-row]');
    await settled();
    const first = await page.locator('main [data-row]').first().innerText();
    await page.keyboard.press('ArrowDown');
    assert.equal(await page.evaluate('document.activeElement.innerText'), first);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate('document.activeElement.innerText'), first);
    await page.keyboard.press('Enter');
    await until(() => /#\/[dom]\//.test(page.url()));
    await settled();
    assert.equal(await page.locator('main h1').count(), 1);
    // While one types, the history gets no step for each letter.
    await page.goBack();
    await until(() => page.url().includes('q=redis'));
    await page.goBack();
    await until(() => !page.url().includes('q='));
  });

  it('[X-2] goes to every view, shows its keys, and comes back out of them', async (test) => {
    const { page, settled } = await site.open(test);
    const titles = new Set<string>();
    for (const key of '1234567') {
      await page.keyboard.press(key);
      await until(() =>
        page.evaluate(`document.querySelectorAll('nav.views a')[${Number(key) - 1}].ariaCurrent === 'page'`),
      );
      await settled();
      titles.add(await page.innerText('main h1'));
    }
    assert.equal(titles.size, 7);
    await page.keyboard.press('?');
    assert.match(await page.innerText('dialog[open]'), /search/);
    await page.keyboard.press('Escape');
    await page.waitForSelector('dialog', { state: 'detached' });
  });

  it('[X-1] looks back with the slider, in every view until it is let go', async (test) => {
    const { page, settled } = await site.open(test);
    const count = async () => Number(/^\d+/.exec(await page.innerText('main [role=status]'))?.[0]);
    const now = await count();
    await page.click('text=Look back');
    await page.focus('#moment');
    await until(() =>
      page.evaluate("document.querySelector('#moment').min < document.querySelector('#moment').max - 20"),
    );
    await page.keyboard.press('Home');
    for (let n = 0; n < 9; n++) await page.keyboard.press('ArrowRight');
    await until(() => page.url().includes('at='));
    await settled();
    const then = await count();
    assert.ok(then > 0 && then < now, `${then} of ${now}`);
    // Who leaves before the slider has come to rest stays where they went, at the day it came to rest on.
    const day = () => /at=([\d-]+)/.exec(page.url())?.[1];
    const left = day();
    await page.keyboard.press('ArrowRight');
    await page.click('nav.views >> text=Decisions');
    await until(() => day() !== left);
    assert.match(page.url(), /#\/list\?at=/);
    await page.click('.moment button');
    await until(() => !page.url().includes('at='));
    // A link into the past says that it leads there.
    await page.evaluate("location.hash = '#/list?at=2026-10-20'");
    await page.waitForSelector('.moment.past >> text=Oct 20, 2026');
  });
});
