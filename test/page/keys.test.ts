import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring, pageOf } from '../support/explorer.ts';
import { inTurn } from '../support/part.ts';
import { until } from '../support/until.ts';

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
      await press('/');
      await page.keyboard.type('환불');
      await until(() => page.url().includes(encodeURIComponent('환불')));
      await page.waitForSelector('main mark');
      await settled();
      await press('ArrowDown', 'Enter');
      await until(() => /#\/[dom]\//.test(page.url()));
      await settled();
      // 3. Learns that nothing answers a question.
      await press('/', 'Control+a');
      await page.keyboard.type('who approves vacation days');
      await page.waitForSelector(
        `main p:text-matches("${way.locale === 'ko-KR' ? '답하는 기록이 없음' : 'Nothing recorded answers'}")`,
      );
      await settled();
      // 4. Narrows a list, and takes that back.
      await press('Escape', '2');
      await page.waitForSelector('.facets');
      await settled();
      if (way.viewport.width < 800) {
        await tabTo(page, '.facets summary');
        await press('Enter');
      }
      await tabTo(page, '.facets label:nth-of-type(2) select');
      await page.keyboard.type('ops');
      await until(() => page.url().includes('scope=ops'));
      await settled();
      await tabTo(page, '.chips a');
      await press('Enter');
      await until(() => !page.url().includes('scope='));
      // 5. Reads one decision, down to what it depends on.
      await page.evaluate(`location.hash = '#/d/${encodeURIComponent('booking:seat-hold')}'`);
      await settled();
      await tabTo(page, '.jumps button:nth-child(2)');
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
      await press('1');
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
      await press('Escape');
      await page.evaluate('scrollTo(0, 0)');
      if (way.viewport.width < 800) {
        await tabTo(page, '[popovertarget=places]');
        await press('Enter');
      }
      await tabTo(page, '#places button');
      await press('Enter');
      await tabTo(page, '#moment');
      await until(() =>
        page.evaluate("document.querySelector('#moment').min < document.querySelector('#moment').max - 20"),
      );
      await press('Home');
      await until(() => page.url().includes('at='));
      await settled();
      await tabTo(page, '[popovertarget=menu]');
      await press('Enter');
      await tabTo(page, '#menu button[lang]');
      await press('Enter');
      await until(() => page.evaluate(`document.documentElement.lang !== '${way.locale.slice(0, 2)}'`));
      assert.deepEqual(said, []);
    });
});
