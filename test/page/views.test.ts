import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { addressesOfViews, exploring, pageOf } from '../support/explorer.ts';
import { IS_DEEP, isTried } from '../support/part.ts';

/** Where a picture of each view is kept when all are tried, to be looked at; git ignores it. */
const PICTURES = '.pictures';

/** What axe finds against WCAG 2.2 AA and its best practice, in a line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  return page.evaluate<string[]>(`axe.run().then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ': ' + html.slice(0, 120))))`);
}

describe('every view of the page', { skip: NO_CHROMIUM }, () => {
  const site = exploring({ all: { person: true } }, { page: pageOf(true) });

  // Each colour with each language, and each of both on every width.
  for (const [index, [width, colorScheme, locale]] of (
    [
      [390, 'light', 'en-US'],
      [390, 'dark', 'ko-KR'],
      [1280, 'light', 'ko-KR'],
      [1280, 'dark', 'en-US'],
      [2560, 'light', 'en-US'],
      [2560, 'dark', 'ko-KR'],
    ] as const
  ).entries())
    it(`[X-1] [X-2] is whole at ${width} px, ${colorScheme}, in ${locale}`, async (test) => {
      const options = { viewport: { width, height: 900 }, colorScheme, locale };
      const { page, said, foreign, go } = await site.open(test, options);
      assert.equal(await page.evaluate('document.documentElement.lang'), locale.slice(0, 2));
      for (const [place, hash] of (await addressesOfViews(site.server)).entries()) {
        if (!isTried(place + index)) continue;
        await go(hash);
        assert.equal(await page.locator('main h1').count(), 1, hash);
        assert.equal(await page.locator('[role=alert]').count(), 0, hash);
        assert.ok(
          await page.evaluate('document.documentElement.scrollWidth <= innerWidth'),
          `${hash} scrolls sideways`,
        );
        assert.deepEqual(await violations(page), [], hash);
        if (!IS_DEEP) continue;
        const view = /^#\/(\w*)/.exec(hash)?.[1] || 'home';
        const name = [String(place).padStart(2, '0'), view, width, colorScheme, locale].join('-');
        await page.screenshot({ path: join(PICTURES, `${name}.png`), fullPage: width < 2000 });
      }
      assert.deepEqual([said, foreign], [[], []]);
    });

  it('[X-1] draws what a decision is linked with as its lists name it, today and on an earlier day', async (test) => {
    const { page, go } = await site.open(test);
    for (const [hash, others] of [
      ['#/d/db%3Aengine', 6],
      ['#/d/db%3Aengine?at=2026-10-15', 1],
    ] as const) {
      await go(hash);
      assert.equal(await page.locator('.around .node:not(.middle)').count(), others, `${hash} draws`);
      assert.equal(await page.locator('.two .rows > li').count(), others, `${hash} lists`);
    }
    await go('#/d/booking%3Aseat-hold');
    assert.match(await page.locator('.two .rows > li.failed').innerText(), /infra:redis.*version 1 only/s);
  });
});
