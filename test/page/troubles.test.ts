import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring } from '../support/explorer.ts';
import { inTurn } from '../support/part.ts';

/** What a server in trouble answers, and what is said of it; 0: nothing at all. */
const TROUBLES: [status: number, en: RegExp, ko: RegExp][] = [
  [0, /does not answer/, /응답하지 않습니다/],
  [403, /refuses to answer here/, /요청을 거절했습니다/],
  [404, /no such memory here/, /그런 이름의 기억이 없거나/],
  [429, /asked too often.*Next try in 7 s/, /요청이 너무 많았습니다.*다음 시도: 7초 뒤/],
  [500, /internal error/, /서버 내부 오류/],
  [503, /memory cannot be reached/, /기억을 읽을 수 없습니다/],
];

/** Makes the server answer so, as long as it is not undone. */
async function trouble(page: Page, status: number): Promise<void> {
  await page.route('**/api/**', (route) =>
    status === 0
      ? route.abort()
      : route.fulfill({
          status,
          headers: status === 429 ? { 'retry-after': '7' } : {},
          json: { error: { code: 'unavailable', message: 'It is so.' } },
        }),
  );
}

const LOCALES = ['en-US', 'ko-KR'] as const;

/** A tab of its own, whose clock may be replaced. */
const OWN_CLOCK = { locale: 'en-US' };

describe('a server in trouble', { skip: NO_CHROMIUM }, () => {
  const site = exploring();

  for (const locale of LOCALES)
    it(`[X-1] [X-2] is distinguished before anything is shown, in ${locale}, and the page mends itself`, async (test) => {
      const { page } = await site.open(test, { token: null, locale });
      await page.clock.install();
      await page.evaluate(
        `sessionStorage.setItem('precedent-token', ${JSON.stringify(site.server.tokens.all)})`,
      );
      const own = TROUBLES.filter((_, index) => inTurn(LOCALES, index).includes(locale));
      for (const [status, en, ko] of own) {
        await trouble(page, status);
        await page.reload();
        await page.waitForSelector('main.alone [role=alert]');
        assert.match(await page.innerText('main [role=alert]'), locale === 'en-US' ? en : ko, String(status));
        await page.unroute('**/api/**');
        // Whoever waits as long as the server asked for sees the memory, without a click.
        await page.clock.runFor(status === 429 ? 6_000 : 2_000);
        assert.equal(await page.locator('main.alone').count(), 1, `${status}: not before its time`);
        await page.clock.runFor(2_000);
        await page.waitForSelector('.areas');
      }
    });

  it('[X-1] is shown above what was read already, which stays, and goes when it is over', async (test) => {
    const { page, settled } = await site.open(test, OWN_CLOCK);
    await page.clock.install();
    await page.reload();
    await settled();
    for (const [status, en] of TROUBLES) {
      await trouble(page, status);
      await page.clock.runFor(6_000);
      await page.waitForSelector('header + [role=status] .warning');
      assert.match(await page.innerText('header + [role=status]'), en, String(status));
      assert.match(await page.innerText('main'), /46 active decisions/, String(status));
      await page.unroute('**/api/**');
      await page.clock.runFor(13_000);
      await page.waitForSelector('header + [role=status] .warning', { state: 'detached' });
      await settled();
    }
  });

  it('[X-1] one question that cannot be answered is said where its answer would stand', async (test) => {
    const { page, settled } = await site.open(test);
    await page.route('**/decision_list', (route) =>
      route.fulfill({ status: 500, json: { error: { message: 'It broke.' } } }),
    );
    await page.evaluate("location.hash = '#/list'");
    await page.waitForSelector('main [role=alert] >> text=It broke.');
    await settled();
    assert.equal(await page.locator('header + [role=status] .warning').count(), 0);
  });
});
