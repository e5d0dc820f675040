import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type Memory, openMemory } from '../../src/index.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab, pageOf, type Tab } from '../support/explorer.ts';
import { ACTS, DAY, decide, KIM, LEE, NOW } from '../support/housekeeping.ts';
import { type Serving, serving } from '../support/serving.ts';

/** A memory for each act, in which it was done. */
async function kept(folder: string): Promise<void> {
  for (const [index, keepHouse] of Object.values(ACTS).entries()) {
    const db = join(folder, `kept${index}.db`);
    const open: Memory[] = [];
    const as = async (writer: typeof KIM, at: number) => {
      const memory = await openMemory({ db, workspace: `kept${index}`, clock: () => at, writer });
      open.push(memory);
      return memory;
    };
    const id = await decide(await as(KIM, NOW - 10 * DAY));
    await keepHouse(await as(LEE, NOW), id, (writer) => as(writer, NOW));
    for (const memory of open) await memory.close();
  }
}

describe('housekeeping on the page', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let tab: Tab;
  before(async () => {
    await kept(folder);
    server = await serving(folder, {}, { page: pageOf(false) });
    tab = await openTab(await startChromium(), server.url, server.tokens.all);
  });
  after(async () => {
    await tab?.close();
    await server?.close();
  });

  for (const [index, act] of Object.keys(ACTS).entries())
    it(`[TR-3] after ${act}, the page says who decided, when, why and how it went`, async () => {
      const shown = async (view: string, query = '') => {
        await tab.go(`#/${view}?in=kept${index}${query}`);
        return tab.page.innerText('main');
      };
      const row = (await shown('list', '&q=cookies')).replaceAll('\n', ' ');
      assert.match(row, /success.*Scripts cannot read them.*Nov 10, 2026 · Kim Minsu/);
      assert.doesNotMatch(await shown('list', '&q=by:Lee'), /live in/);
      assert.doesNotMatch(await shown('list', '&q=since:5d'), /live in/);
      const whole = (await shown(`d/${encodeURIComponent('auth:token')}`)).replaceAll('\n', ' ');
      assert.match(whole, /Why\s+Scripts cannot read them/);
      assert.match(whole, /Since Nov 10, 2026.* By Kim Minsu/);
      assert.match(whole, /no theft in a year/);
      assert.doesNotMatch(whole, /Changed because:?\s+Scripts/);
      if (act.includes('name of its topic'))
        assert.match(whole, /Former name, renamed by auth:token · Lee Jiwoo · Nov 20, 2026/);
      await shown('changes');
      const decided = await tab.page
        .locator('main .rows > li', {
          hasText: 'decided',
          has: tab.page.locator('.badge:text-is("decided")'),
        })
        .allInnerTexts();
      assert.equal(decided.length, 1);
      assert.match(decided[0] ?? '', /Nov 10, 2026.*Kim Minsu/s);
    });
});
