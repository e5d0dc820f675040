import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring, pageOf } from '../support/explorer.ts';
import { inTurn } from '../support/part.ts';
import { until } from '../support/until.ts';

/** October 10, 2026, as a date field takes it where the month is first, and where the day is. */
const TENTH = '10102026';

/** Tabs on until the focus is where it is meant to be, and can be seen. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let steps = 0; steps < 150; steps++) {
    await page.keyboard.press('Tab');
    const is = await page.evaluate<string>(`(() => {
      const at = document.activeElement;
      if (!at.matches(${JSON.stringify(selector)})) return '';
      const { outlineStyle, outlineWidth } = getComputedStyle(at);
      const { top, bottom, width } = at.getBoundingClientRect();
      const header = at.closest('header, dialog') ? 0 : document.querySelector('header').getBoundingClientRect().bottom;
      const isSeen = width > 0 && bottom > header && top < innerHeight && outlineStyle !== 'none' && outlineWidth !== '0px';
      return isSeen ? 'seen' : 'hidden: ' + [outlineStyle, outlineWidth, top, bottom, header];
    })()`);
    if (is !== '') return assert.equal(is, 'seen', selector);
  }
  assert.fail(`the keys do not reach ${selector}`);
}

describe('the page by keys alone', { skip: NO_CHROMIUM }, () => {
  const site = exploring({ all: { person: true } }, { page: pageOf(true) });

  it('[X-2] searches, goes on to the answers at Enter, and opens one', async (test) => {
    const { page, settled } = await site.open(test);
    // The filter is just before the content.
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.type('redis holds');
    // The first word alone is searched for, too, on a machine that is busy.
    await until(() => /q=redis.*holds/.test(page.url()));
    await page.waitForSelector('main .rows a');
    await settled();
    const first = await page.locator('main .rows a').first().innerText();
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
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

  it('[X-1] [U-5] looks back by a day that is typed, in every view until it is emptied', async (test) => {
    const { page, go, settled } = await site.open(test);
    const count = async () => Number(/^\d+/.exec(await page.innerText('main [role=status]'))?.[0]);
    const now = await count();
    await tabTo(page, 'header input[type=date]');
    await page.keyboard.type(TENTH);
    await until(() => page.url().includes('at=2026-10-10'));
    await settled();
    const then = await count();
    assert.ok(then > 0 && then < now, `${then} of ${now}`);
    await page.click('nav.views >> text=Decisions');
    await until(() => page.url().includes('#/list?at=2026-10-10'));
    await page.fill('header input[type=date]', '');
    await until(() => !page.url().includes('at='));
    // A link into the past says that it leads there.
    await go('#/list?at=2026-10-20');
    await page.click('.warning:has-text("Oct 20, 2026") >> text=Today');
    await until(() => !page.url().includes('at='));
  });

  // Each with a decision of its own, which is withdrawn at the end.
  const WAYS = [
    { viewport: { width: 1280, height: 900 }, colorScheme: 'light', locale: 'en-US' },
    { viewport: { width: 390, height: 844 }, colorScheme: 'dark', locale: 'ko-KR' },
    { viewport: { width: 390, height: 844 }, forcedColors: 'active', locale: 'en-US' },
    { viewport: { width: 1280, height: 900 }, forcedColors: 'active', locale: 'ko-KR' },
  ] as const;
  for (const way of inTurn(WAYS, 0))
    it(`[X-2] does ten tasks, and the focus is always seen: ${Object.values(way).slice(1).join(', ')}, ${way.viewport.width} px`, async (test) => {
      const permissions = ['clipboard-read', 'clipboard-write'];
      const { page, settled, said } = await site.open(test, { ...way, permissions });
      const topic = ['ops:oncall', 'ops:release', 'ui:fonts', 'ui:tests'][WAYS.indexOf(way)] as string;
      const shown = async () =>
        (await site.server.api('narae/show', { ref: topic })).body.decision as unknown as {
          versions: { status: string; outcomes: unknown[] }[];
          evidence: unknown[];
        };
      const press = async (...keys: string[]) => {
        for (const key of keys) await page.keyboard.press(key);
      };
      const button = (place: number) => `.acts button:nth-child(${place})`;
      // 1. Finds a decision in Korean, and 2. opens it.
      await tabTo(page, '#search');
      await page.keyboard.type('환불');
      await until(() => page.url().includes(encodeURIComponent('환불')));
      await page.waitForSelector('main mark');
      await settled();
      await press('Enter', 'Tab', 'Enter');
      await until(() => /#\/[dom]\//.test(page.url()));
      await settled();
      // 3. Learns that nothing answers a question.
      await tabTo(page, '#search');
      await press('Control+a');
      await page.keyboard.type('who approves vacation days');
      await page.waitForSelector(
        `main p:text-matches("${way.locale === 'ko-KR' ? '이 단어가 들어 있는 기록이 없습니다' : 'No record shares enough of these words'}")`,
      );
      await settled();
      // 4. Narrows a list, and takes that back.
      await press('Control+a');
      await page.keyboard.type('scope:ops');
      await press('Enter');
      await until(() => page.url().includes('q=scope%3Aops'));
      await settled();
      await tabTo(page, '#search');
      await press('Escape');
      await until(() => !page.url().includes('q='));
      // 5. Reads one decision, down to what it depends on.
      await page.evaluate(`location.hash = '#/d/${encodeURIComponent('booking:seat-hold')}'`);
      await settled();
      await tabTo(page, '.acts + .buttons button:nth-child(2)');
      await press('Enter');
      await tabTo(page, '#dependencies ~ .two a');
      // 6. Copies the link to a decision.
      await page.evaluate(`location.hash = '#/d/${encodeURIComponent(topic)}'`);
      await page.waitForSelector(`main h1:text-is("${topic}")`);
      await settled();
      await tabTo(page, '.summary .badges button');
      await press('Enter');
      await until(async () => (await page.evaluate('navigator.clipboard.readText()')) === page.url());
      // 7. Records an outcome, and takes that back.
      const { outcomes } = (await shown()).versions[0] ?? { outcomes: [] };
      await tabTo(page, button(1));
      await press('Enter');
      await tabTo(page, 'dialog select');
      await press('ArrowDown');
      await tabTo(page, 'dialog textarea');
      await page.keyboard.type('It held');
      await tabTo(page, 'dialog button.main');
      await press('Enter');
      await until(async () => (await shown()).versions[0]?.outcomes.length === outcomes.length + 1);
      await settled();
      await tabTo(page, '.acts [role=status] button');
      await press('Enter');
      await page.waitForSelector('dialog[open]');
      await tabTo(page, 'dialog button.main');
      await press('Enter');
      await page.waitForSelector('dialog', { state: 'detached' });
      await settled();
      // 8. Withdraws it.
      await tabTo(page, button(3));
      await press('Enter');
      await tabTo(page, 'dialog textarea');
      await page.keyboard.type('Others do it now');
      await tabTo(page, 'dialog button.main');
      await press('Enter');
      await until(async () => (await shown()).versions[0]?.status === 'withdrawn');
      await page.waitForSelector('dialog', { state: 'detached' });
      await settled();
      // 9. Says how something that waits turned out.
      await page.evaluate("location.hash = '#/'");
      await page.waitForSelector('#waiting');
      await settled();
      await tabTo(page, '#waiting ~ details summary');
      await press('Enter');
      const waiting = await page.locator('#waiting').innerText();
      await tabTo(page, 'details[open] li button');
      await press('Enter');
      await until(async () => (await page.locator('#waiting').innerText()) !== waiting);
      await settled();
      // 10. Looks back, and reads the page in the other language.
      const openMenu = async () => {
        if (way.viewport.width >= 800) return;
        await page.evaluate('scrollTo(0, 0)');
        await tabTo(page, '[popovertarget=places]');
        await press('Enter');
      };
      await openMenu();
      await tabTo(page, '#places input');
      await page.keyboard.type(TENTH);
      await until(() => page.url().includes('at=2026-10-10'));
      await settled();
      await openMenu();
      await tabTo(page, '#places button[lang]');
      await press('Enter');
      await until(() => page.evaluate(`document.documentElement.lang !== '${way.locale.slice(0, 2)}'`));
      assert.deepEqual(said, []);
    });
});
