import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Browser } from 'playwright-core';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { explored, openTab } from '../support/explorer.ts';
import type { Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

describe('what a reader looks for on the page', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let browser: Browser;
  before(async () => {
    server = await explored(folder);
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });
  const open = () => openTab(browser, server.url, server.tokens.all);

  it('[X-1] the last week in which anything changed is a click away, and a quiet week leads there', async (test) => {
    const { page, go, settled, close } = await open();
    test.after(close);
    const shown = () => page.locator('main .rows > li').count();
    const happened = async (since: string) => {
      const { body } = await server.api('narae/timeline', { since, limit: 1000 });
      return (body.entries as unknown as unknown[]).length;
    };
    const lastWeek = 'text=What changed from Nov 7, 2026 to Nov 13, 2026';
    const expected = await happened('2026-11-07');
    assert(expected > 0 && expected < 50);
    await page.click(lastWeek);
    await page.waitForSelector('main h1:text-is("What changed")');
    await settled();
    assert.equal(await shown(), expected);
    await go('#/changes?since=7d');
    assert.equal(await shown(), 0);
    assert.match(await page.innerText('main'), /Nothing changed then\. The last change was on Nov 13, 2026/);
    await page.click(lastWeek);
    await until(async () => (await shown()) === expected);
    await page.selectOption('label:has-text("When") select', '90d');
    await until(() => page.url().includes('since=90d'));
    await settled();
    assert.equal(await shown(), Math.min(50, await happened('90d')));
    await go('#/changes?until=2026-01-01');
    await page.click('text=Show all changes');
    await until(async () => (await shown()) === 50);
  });

  it('[X-1] what held only in part is told with what stands, and what it rests on today comes first', async (test) => {
    const { page, go, close } = await open();
    test.after(close);
    await go('#/d/booking:seat-hold');
    const beware = await page.innerText('.alarm');
    assert.match(beware, /An earlier version held only in part: .*7 minutes.*p99 4\.8 s.*version 2/s);
    assert.match(beware, /An earlier version failed: .*10 minutes.*version 1/s);
    assert.match(await page.innerText('.chain'), /v2.*partial: No double sales, but row locks queue up.*v1/s);
    assert.match(await page.innerText('.jumps'), /rests on 1 ↓/);
    const [first, second] = await page.locator('.two .rows li').allInnerTexts();
    assert.match(first ?? '', /^db:engine/);
    assert.match(second ?? '', /^infra:redis.*version 1 only/s);
  });

  it('[X-1] what happened is narrowed by kind, and leads to where it is told whole', async (test) => {
    const { page, go, settled, close } = await open();
    test.after(close);
    for (const [kind, view] of [
      ['checkpoint', 'c'],
      ['evidence', 'd'],
      ['outcome', 'd'],
      ['observation', 'o'],
      ['memo', 'm'],
    ] as const) {
      await go(`#/changes?kind=${kind}`);
      await page.click('main [data-row] >> nth=0');
      await until(() => page.url().includes(`#/${view}/`));
      await settled();
      assert.equal(await page.locator('main h1').count(), 1, kind);
      assert.equal(await page.locator('main [role=alert]').count(), 0, kind);
    }
  });

  it('[X-1] a checkpoint is shown with what was to come next and the files that were open', async (test) => {
    const { page, go, close } = await open();
    test.after(close);
    const { entries } = (await server.api('narae/timeline', { kind: ['checkpoint'] })).body as unknown as {
      entries: { id: string }[];
    };
    const id = entries[0]?.id;
    const { checkpoint } = (await server.api('narae/show', { ref: id })).body as unknown as {
      checkpoint: { summary: string; nextSteps: string; openFiles: string[] };
    };
    await go(`#/c/${id}`);
    const shown = await page.innerText('main');
    for (const text of [checkpoint.summary, checkpoint.nextSteps, ...checkpoint.openFiles])
      assert.ok(shown.includes(text), text);
  });

  it('[X-1] the same shapes stand for axis, lock and failure in search, in lists and in the log', async (test) => {
    const { page, go, close } = await open();
    test.after(close);
    for (const address of [
      '#/list?q=infra%3Aredis',
      '#/list?scope=infra',
      '#/changes?scope=infra&kind=decision',
    ]) {
      await go(address);
      const row = page.locator('main .rows > li', { has: page.locator('a:text-is("infra:redis")') }).first();
      assert.equal(await row.locator('.mark rect.body').count(), 1, `${address} shows the lock`);
    }
  });

  it('[X-1] references in a reason are links, and a link that only replaced versions have is dashed', async (test) => {
    const { page, go, settled, close } = await open();
    test.after(close);
    await go('#/d/booking%3Aseat-hold');
    assert.equal(await page.locator('.around .link').count(), 2);
    assert.equal(await page.locator('.around .link.replaced').count(), 1);
    assert.deepEqual(await page.locator('section:has(#why) a').allInnerTexts(), ['db:engine']);
    assert.deepEqual(await page.locator('.chain .why a').allInnerTexts(), [
      'db:engine',
      'db:engine',
      'infra:redis',
    ]);
    await page.click('section:has(#why) a');
    await page.waitForSelector('main h1:text-is("db:engine")');
    await settled();
  });

  it('[X-1] observations are narrowed by kind, project, author and time, with as many as there are', async (test) => {
    const { page, go, settled, close } = await open();
    test.after(close);
    await go('#/observations');
    await page.selectOption('label:has-text("Kind") select', 'bugfix');
    await until(() => page.url().includes('type=bugfix'));
    await settled();
    const option = await page.innerText('label:has-text("Kind") option[value=bugfix]');
    const [count] = /\d+/.exec(option) ?? [];
    assert.match(await page.innerText('main [role=status]'), new RegExp(`^${count} of ${count}$`));
    await page.fill('label:has-text("From") input', '2026-11-01');
    await until(() => page.url().includes('since=2026-11-01'));
    await settled();
    const { total } = (
      await server.api('narae/mem_list', { type: 'bugfix', since: '2026-11-01', deleted: true })
    ).body as { total?: unknown };
    assert.match(await page.innerText('main [role=status]'), new RegExp(`of ${total}$`));
    await page.click('text=Clear filters');
    await until(() => !page.url().includes('type='));
  });

  it('[X-1] topics, decisions that stand and versions have one name and one number in every view', async (test) => {
    const { page, go, close } = await open();
    test.after(close);
    assert.match(
      (await page.innerText('.tally')).replace(/\s+/g, ' '),
      /47 of 47 topics 46 decisions that stand 1 withdrawn 59 versions 6 versions that failed/,
    );
    await go('#/health');
    const health = (await page.innerText('main')).replace(/\s+/g, ' ');
    for (const said of ['46 decisions that stand', '59 versions', '6 versions that failed', '1 withdrawn'])
      assert.ok(health.includes(said), said);
    await go('#/list');
    assert.match(await page.innerText('main [role=status]'), /46 of 46/);
    await go('#/list?state=any');
    assert.match(await page.innerText('main [role=status]'), /of 59/);
  });

  it('[X-2] language and colours are kept, and a copied link holds no token', async (test) => {
    const { page, go, settled, close } = await openTab(browser, server.url, server.tokens.all, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    test.after(close);
    await page.click('.menu summary');
    await page.selectOption('.menu select', 'dark');
    await page.click('button:text-is("한국어")');
    await page.reload();
    await settled();
    assert.equal(
      await page.evaluate('[document.documentElement.lang, document.documentElement.dataset.theme].join()'),
      'ko,dark',
    );
    await go('#/d/db%3Aengine');
    await page.click('button:has-text("링크 복사")');
    await page.waitForSelector('text=복사됨');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${server.url}/#/d/db%3Aengine`);
  });
});
