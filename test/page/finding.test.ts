import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring } from '../support/explorer.ts';
import { until } from '../support/until.ts';

describe('what a reader looks for on the page', { skip: NO_CHROMIUM }, () => {
  const site = exploring();

  it('[X-1] the kinds of observations are counted as they were on the day that is looked at', async (test) => {
    const { page, go } = await site.open(test);
    const total = async () => {
      const options = await page.locator('label:has-text("Kind") option').allInnerTexts();
      return options.reduce((sum, each) => sum + Number(/\((\d+)\)/.exec(each)?.[1] ?? 0), 0);
    };
    await go('#/observations');
    const today = await total();
    await go('#/observations?at=2026-10-20');
    assert((await total()) < today / 2, `${await total()} of ${today}`);
  });

  it('[X-1] the home has the newest decisions of each area, its failures, and a way to all of the area', async (test) => {
    const { page, settled } = await site.open(test);
    const area = page.locator('.areas section', { has: page.locator('h2 a:text-is("booking")') });
    assert.deepEqual(await area.locator('.head a').allInnerTexts(), [
      'booking:overbooking',
      'booking:fairness',
      'booking:seat-hold',
      'booking:limit',
      'booking:waiting-room',
    ]);
    assert.match(await area.innerText(), /An earlier version failed: .*SET NX.*nine seats were sold twice/s);
    // What is read is shown: the forty newest of 46. Areas without any of them are named.
    assert.equal(await page.locator('.areas .rows > li').count(), 40);
    assert.equal(await page.locator('.areas section').count(), 12);
    assert.match(await page.innerText('main'), /Older areas: global 2/);
    await area.locator('h2 a').click();
    await until(() => page.url().endsWith('#/list?scope=booking'));
    await settled();
    assert.match(await page.innerText('main [role=status]'), /5 of 5/);
  });

  it('[V-1] lists are narrowed to what agents wrote, and each row says by which one', async (test) => {
    const { page, go, settled } = await site.open(test);
    const rows = () => page.locator('main .rows > li').allInnerTexts();
    await go('#/list');
    const all = await rows();
    await go('#/list?via=agent');
    const ofAgents = await rows();
    assert(ofAgents.length > 0 && ofAgents.length < all.length, `${ofAgents.length} of ${all.length}`);
    assert(ofAgents.every((text) => /via (claude-code|codex)/.test(text)));
    assert(all.some((text) => !text.includes('via ')));
    // Each program by its name, and each session by when, by what and its id.
    for (const [label, shown, wanted] of [
      ['Program', /^codex$/, /via codex/],
      ['Session', /via claude-code · /, /via claude-code/],
    ] as const) {
      await go('#/list');
      const field = page.locator(`label:has-text("${label}") select`);
      const options = await field.locator('option').allInnerTexts();
      await field.selectOption({
        label: options.findLast((each) => shown.test(each)) ?? assert.fail(options.join()),
      });
      await until(() => /[?&](via|session)=/.test(page.url()));
      await settled();
      const narrowed = await rows();
      assert(narrowed.length > 0 && narrowed.length < all.length, `${label}: ${narrowed.length}`);
      assert(
        narrowed.every((text) => wanted.test(text)),
        label,
      );
    }
  });

  it('[X-1] [T-9] what was looked for is marked, in Korean too, and a question that nothing answers is told so', async (test) => {
    const { page, go } = await site.open(test);
    const marks = async () => [
      ...new Set((await page.locator('main mark').allInnerTexts()).map((each) => each.toLowerCase())),
    ];
    await go(`#/list?q=${encodeURIComponent('why are the seats held')}`);
    assert.deepEqual((await marks()).sort(), ['held', 'seat', 'seats']);
    await go(`#/list?q=${encodeURIComponent('환불은 언제까지')}`);
    assert.ok((await marks()).includes('환불'), String(await marks()));
    await go(`#/list?q=${encodeURIComponent('who approves vacation days')}`);
    assert.match(await page.innerText('main'), /Nothing recorded answers this in these words; nearest:/);
    assert.deepEqual((await marks()).sort(), ['day']);
    await go(`#/list?q=${encodeURIComponent('(.*)[$^')}`);
    assert.deepEqual(await marks(), []);
  });

  it('[X-1] the rows that a list shows are saved as CSV, JSON and Markdown', async (test) => {
    const { page, go } = await site.open(test);
    for (const [address, format, holds] of [
      ['#/list?scope=booking', 'CSV', /^\uFEFF[^\n]*topic.*booking:seat-hold/s],
      ['#/observations', 'JSON', /^\[\n {2}\{.*"title"/s],
      ['#/rules?scope=booking', 'MD', /^\| .*\n\| --- .*booking:seat-hold/s],
    ] as const) {
      await go(address);
      const coming = page.waitForEvent('download');
      await page.click(`main button:text-is("${format}")`);
      const file = await coming;
      assert.match(file.suggestedFilename(), new RegExp(`^precedent-[a-z]+\\.${format.toLowerCase()}$`));
      assert.match(readFileSync(await file.path(), 'utf8'), holds, address);
    }
  });

  it('[X-1] a checkpoint is shown with what was to come next and the files that were open', async (test) => {
    const { page, go } = await site.open(test);
    const { entries } = (await site.server.api('narae/timeline', { kind: ['checkpoint'] }))
      .body as unknown as {
      entries: { id: string }[];
    };
    const id = entries[0]?.id;
    const { checkpoint } = (await site.server.api('narae/show', { ref: id })).body as unknown as {
      checkpoint: { summary: string; nextSteps: string; openFiles: string[] };
    };
    await go(`#/c/${id}`);
    const shown = await page.innerText('main');
    for (const text of [checkpoint.summary, checkpoint.nextSteps, ...checkpoint.openFiles])
      assert.ok(shown.includes(text), text);
  });

  it('[X-1] the same shapes stand for axis, lock and failure in search, in lists and in the log', async (test) => {
    const { page, go } = await site.open(test);
    for (const address of [
      '#/list?q=infra%3Aredis',
      '#/list?scope=infra',
      '#/changes?scope=infra&kind=decision',
    ]) {
      await go(address);
      const row = page
        .locator('main .rows > li', { has: page.locator('a[data-row]:has-text("infra:redis")') })
        .first();
      assert.equal(await row.locator('.mark rect.body').count(), 1, `${address} shows the lock`);
    }
  });

  it('[X-1] observations are narrowed by kind, project, author and time, with as many as there are', async (test) => {
    const { page, go, settled } = await site.open(test);
    await go('#/observations');
    await page.selectOption('label:has-text("Kind") select', 'bugfix');
    await until(() => page.url().includes('type=bugfix'));
    await settled();
    const option = await page.innerText('label:has-text("Kind") option[value=bugfix]');
    const [count] = /\d+/.exec(option) ?? [];
    assert.match(await page.innerText('main [role=status]'), new RegExp(`^${count} of ${count}$`));
    await page.selectOption('label:has-text("When") select', 'dates');
    await page.fill('label:has-text("From") input', '2026-11-01');
    await until(() => page.url().includes('since=2026-11-01'));
    await settled();
    const { total } = (
      await site.server.api('narae/mem_list', { type: 'bugfix', since: '2026-11-01', deleted: true })
    ).body as { total?: unknown };
    assert.match(await page.innerText('main [role=status]'), new RegExp(`of ${total}$`));
    // What it is narrowed to stands above the list, and each part goes by itself.
    assert.deepEqual(
      (await page.locator('.chips a').allInnerTexts()).map((each) => each.trim()),
      ['From: 2026-11-01 ×', `Kind: bugfix (${count}) ×`, 'Clear filters'],
    );
    await page.click('.chips a:has-text("From")');
    await until(() => !page.url().includes('since='));
    assert.match(page.url(), /type=bugfix/);
    await page.click('text=Clear filters');
    await until(() => !page.url().includes('type='));
  });

  it('[X-1] active decisions and versions have one name and one number in every view', async (test) => {
    const { page, go } = await site.open(test);
    for (const [address, texts] of [
      ['#/', ['46 active decisions in 13 areas', '46 active decisions', '6 failed versions', '1 withdrawn']],
      ['#/health', ['46 active decisions', '6 failed versions', '1 withdrawn', '59 versions']],
    ] as const) {
      await go(address);
      const shown = (await page.innerText('main')).replace(/\s+/g, ' ');
      for (const text of texts) assert.ok(shown.includes(text), `${address}: ${text}`);
    }
    await go('#/list');
    assert.match(await page.innerText('main [role=status]'), /46 of 46/);
    await go('#/list?state=any');
    assert.match(await page.innerText('main [role=status]'), /of 59/);
  });

  it('[X-2] the menu closes at Escape, at a click elsewhere and after a choice, and each view names its tab', async (test) => {
    const { page, go } = await site.open(test);
    const menu = page.locator('#menu');
    const leaves = [
      () => page.keyboard.press('Escape'),
      () => page.click('main h1'),
      () => page.selectOption('#menu select', 'dark'),
    ];
    for (const leave of leaves) {
      await page.click('[popovertarget=menu]');
      await until(() => menu.isVisible());
      await leave();
      await until(async () => !(await menu.isVisible()));
    }
    const titles = new Set<string>();
    for (const hash of [
      '#/',
      '#/list',
      '#/list?q=redis',
      '#/d/db%3Aengine',
      '#/o/1',
      '#/rules',
      '#/health',
    ]) {
      await go(hash);
      const heading = (await page.locator('main h1').textContent()) ?? '';
      await until(async () => (await page.title()) === `${heading} · Precedent`);
      titles.add(await page.title());
    }
    assert.equal(titles.size, 7);
  });

  it('[X-2] on a phone the header is one row that stays, the views are in its menu, and what is touched is 44 px high', async (test) => {
    const { page, go } = await site.open(test, { viewport: { width: 390, height: 844 } });
    for (const hash of ['#/', '#/list', '#/d/booking%3Aseat-hold', '#/observations']) {
      await go(hash);
      const small = await page.evaluate<string[]>(`[...document.querySelectorAll(
        'button:not(.skip), .button, .keyword, select, input, summary, nav.views a, .head > a'
      )].filter((each) => each.checkVisibility() && each.getBoundingClientRect().height < 43.5).map((each) => each.outerHTML)`);
      assert.deepEqual(small, [], hash);
      const height = (await page.locator('header').boundingBox())?.height ?? 0;
      assert.ok(height > 50 && height < 70, `${hash}: ${height}`);
      await page.evaluate('scrollTo(0, 10_000)');
      assert.equal((await page.locator('header').boundingBox())?.y, 0, hash);
      await page.click('[popovertarget=places]');
      await until(() => page.locator('nav.views').isVisible());
      const low = await page
        .locator('#places :is(a, button)')
        .evaluateAll((all) => all.filter((each) => each.getBoundingClientRect().height < 43.5).length);
      assert.equal(low, 0);
      await page.keyboard.press('Escape');
      await until(async () => !(await page.locator('nav.views').isVisible()));
    }
    await page.click('[popovertarget=places]');
    await page.click('nav.views a:text-is("Health")');
    await page.waitForSelector('main h1:text-is("Health")');
    await until(async () => !(await page.locator('nav.views').isVisible()));
  });

  it('[X-2] no tab moves when another one is the current', async (test) => {
    const { page, go } = await site.open(test);
    const places = () =>
      page.locator('nav.views a').evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
    const before = await places();
    await go('#/rules');
    assert.deepEqual(await places(), before);
  });

  it('[X-2] colours that the system forces leave the picture readable, and one tab the current one', async (test) => {
    const { page, go } = await site.open(test, { forcedColors: 'active' });
    await go('#/d/booking%3Aseat-hold');
    const style = (selector: string, name: string) =>
      page.evaluate<string>(
        `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue('${name}')`,
      );
    assert.notEqual(await style('.node', 'background-color'), await style('.node strong', 'color'));
    const edges = [`nav.views a[aria-current]`, `nav.views a:not([aria-current])`];
    const [current, other] = await Promise.all(edges.map((each) => style(each, 'border-bottom-color')));
    assert.notEqual(current, other);
  });

  it('[X-2] language and colours are kept, and a copied link holds no token', async (test) => {
    const { page, go, settled } = await site.open(test, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.click('[popovertarget=menu]');
    await page.selectOption('#menu select', 'dark');
    await page.click('[popovertarget=menu]');
    await page.click('button:text-is("한국어")');
    await page.reload();
    await settled();
    assert.equal(
      await page.evaluate(
        '[document.documentElement.lang, document.documentElement.style.colorScheme].join()',
      ),
      'ko,dark',
    );
    await go('#/d/db%3Aengine');
    await page.click('button:has-text("링크 복사")');
    await page.waitForSelector('text=복사됨');
    assert.equal(await page.evaluate('navigator.clipboard.readText()'), `${site.server.url}/#/d/db%3Aengine`);
  });

  it('[F-1] [X-1] a path that is looked for is answered first by what names it', async (test) => {
    const { page, go } = await site.open(test);
    await site.server.api('narae/mama_save', {
      ...{ topic: 'web:seat-map', decision: 'Seats are drawn on a canvas', strength: 'lock' },
      files: 'apps/지도/**',
    });
    await go(`#/list?q=${encodeURIComponent('apps/지도/seat.tsx')}`);
    const first = page.locator('section[aria-labelledby=placed]');
    assert.match(await first.innerText(), /web:seat-map[\s\S]*drawn on a canvas[\s\S]*apps\/지도\/\*\*/);
    assert.equal(await first.locator('.mark rect.body').count(), 1, 'the lock');
    await go('#/list?q=and%2For');
    assert.equal(await first.count(), 0);
  });
});
