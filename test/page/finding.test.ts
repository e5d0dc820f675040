import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring } from '../support/explorer.ts';
import { until } from '../support/until.ts';

describe('what a reader looks for on the page', { skip: NO_CHROMIUM }, () => {
  const site = exploring();

  /** What the box offers for what is typed in it. */
  const offered = async (page: Page, typed: string): Promise<string[]> => {
    await page.fill('#search', typed);
    // The values are asked for when the box is used first.
    await until(() => page.evaluate("document.querySelectorAll('#completions option').length > 0"));
    return page.locator('#completions option').evaluateAll((all) => all.map((each) => each.value));
  };

  it('[B-9] [U-4] one box completes fields and their values, and narrows the list as the command line does', async (test) => {
    const { page, settled } = await site.open(test);
    const fields = await offered(page, '');
    assert.ok(
      ['scope:', 'by:', 'outcome:', 'since:', 'is:'].every((each) => fields.includes(each)),
      fields.join(),
    );
    assert.ok(!fields.includes('project:'), 'decisions have no project');
    for (const [typed, value, filter] of [
      ['scope:bo', 'scope:booking', 'scope:booking'],
      ['scope:booking by:', 'scope:booking by:minho@narae.example', 'scope:booking by:minho@narae.example'],
      ['outcome:', 'outcome:failed', 'outcome:failed'],
      ['via:', 'via:agent', 'via:agent'],
      ['is:', 'is:debated', 'is:debated'],
    ] as const) {
      const values = await offered(page, typed);
      assert.ok(values.includes(value), `${typed}: ${values}`);
      await page.fill('#search', value);
      await page.keyboard.press('Enter');
      await until(() => new URL(page.url().replace('#', '')).searchParams.get('q') === filter);
      await settled();
      const { total } = (await site.server.api('narae/decision_list', { filter })).body as {
        total?: unknown;
      };
      const shown = await page.innerText('main [role=status]');
      assert.match(shown, total === 0 ? /^Nothing was found/ : new RegExp(`of ${total}$`), filter);
    }
  });

  it('[B-9] a field that is mistyped, has a wrong value or means nothing in a list is refused with those that there are', async (test) => {
    const { page, go } = await site.open(test);
    for (const [address, said] of [
      ['#/list?q=scoep:auth', /Expected one of scope:, topic:, by:.*Did you mean "scope:auth"/s],
      ['#/list?q=outcome:broken', /success, failed, partial, pending/],
      ['#/list?q=scope:bookin', /Did you mean "booking"/],
      ['#/list?q=project:narae', /Expected a filter of scope:, topic:/],
      ['#/observations?q=outcome:failed', /Expected a filter of topic:, by:/],
    ] as const) {
      await go(address);
      assert.match(await page.innerText('main [role=alert]'), said, address);
    }
  });

  it('[B-9] each field that a list offers means something there', async (test) => {
    const { page, go } = await site.open(test);
    const few = { outcome: 'failed', strength: 'lock', state: 'any', kind: 'decision', is: 'debated' };
    const values: Record<string, string> = { ...few, since: '2w', until: 'today', stale: '90d' };
    for (const [view, operation] of [
      ['list', 'decision_list'],
      ['changes', 'timeline'],
      ['observations', 'mem_list'],
    ] as const) {
      await go(`#/${view}`);
      const fields = await offered(page, '');
      assert.ok(fields.length > 5, fields.join());
      for (const field of fields) {
        const filter = field + (values[field.replace(':', '')] ?? 'x');
        const { body } = await site.server.api(`narae/${operation}`, { filter });
        assert.doesNotMatch(JSON.stringify(body), /wrong_filter|Expected a filter/, `${view} ${filter}`);
      }
    }
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
    assert.match(await page.innerText('main'), /Older scopes: global 2/);
    await area.locator('h2 a').click();
    await until(() => page.url().endsWith('#/list?q=scope%3Abooking'));
    await settled();
    assert.match(await page.innerText('main [role=status]'), /5 of 5/);
  });

  it('[V-1] lists are narrowed to what agents wrote, and each row says by which one', async (test) => {
    const { page, go } = await site.open(test);
    const rows = () => page.locator('main .rows > li').allInnerTexts();
    await go('#/list');
    const all = await rows();
    await go('#/list?q=via:agent');
    const ofAgents = await rows();
    assert(ofAgents.length > 0 && ofAgents.length < all.length, `${ofAgents.length} of ${all.length}`);
    assert(ofAgents.every((text) => /via (claude-code|codex)/.test(text)));
    assert(all.some((text) => !text.includes('via ')));
    await go('#/list?q=via:codex');
    const ofCodex = await rows();
    assert(ofCodex.length > 0 && ofCodex.length < ofAgents.length);
    assert(ofCodex.every((text) => /via codex/.test(text)));
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
    assert.match(
      await page.innerText('main'),
      /No record shares enough of these words \(\d+ looked at, .*\)\. Ask in other words\. Nearest names:/,
    );
    assert.deepEqual((await marks()).sort(), ['day']);
    await go(`#/list?q=${encodeURIComponent('(.*)[$^')}`);
    assert.deepEqual(await marks(), []);
  });

  it('[X-1] a checkpoint is shown with what was to come next and the files that were open', async (test) => {
    const { page, go } = await site.open(test);
    const { entries } = (await site.server.api('narae/timeline', { kind: ['checkpoint'] }))
      .body as unknown as {
      entries: { id: string }[];
    };
    const id = entries[0]?.id;
    const { checkpoint } = (await site.server.api('narae/show', { ref: id })).body as unknown as {
      checkpoint: { summary: string; next_steps: string; open_files: string[] };
    };
    await go(`#/c/${id}`);
    const shown = await page.innerText('main');
    for (const text of [checkpoint.summary, checkpoint.next_steps, ...checkpoint.open_files])
      assert.ok(shown.includes(text), text);
  });

  it('[X-1] the same shapes stand for axis, lock and failure in search, in lists and in the log', async (test) => {
    const { page, go } = await site.open(test);
    for (const address of [
      '#/list?q=infra%3Aredis',
      '#/list?q=scope:infra',
      '#/changes?q=scope:infra+kind:decision',
    ]) {
      await go(address);
      const row = page.locator('main .rows > li', { has: page.locator('a:has-text("infra:redis")') }).first();
      assert.equal(await row.locator('.mark rect.body').count(), 1, `${address} shows the lock`);
    }
  });

  it('[X-1] observations are narrowed by kind, project and time, each list in its own address', async (test) => {
    const { page, go, settled } = await site.open(test);
    await go('#/observations');
    assert.ok((await offered(page, 'type:')).includes('type:bugfix'));
    await page.fill('#search', 'type:bugfix since:2026-11-01');
    await page.keyboard.press('Enter');
    await until(() => page.url().includes('#/observations?q='));
    await settled();
    const { total } = (
      await site.server.api('narae/mem_list', { type: 'bugfix', since: '2026-11-01', deleted: true })
    ).body as { total?: unknown };
    assert.match(await page.innerText('main [role=status]'), new RegExp(`of ${total}$`));
    // Emptied, it shows all again.
    await page.fill('#search', '');
    await until(() => !page.url().includes('q='));
    await settled();
    assert.ok(Number((/of (\d+)/.exec(await page.innerText('main [role=status]')) ?? [])[1]) > Number(total));
  });

  it('[X-1] active decisions and versions have one name and one number in every view', async (test) => {
    const { page, go } = await site.open(test);
    for (const [address, texts] of [
      ['#/', ['46 active decisions in 13 scopes', '46 active decisions', '6 failed versions', '1 withdrawn']],
      ['#/health', ['46 active decisions', '6 failed versions', '1 withdrawn', '59 versions']],
    ] as const) {
      await go(address);
      const shown = (await page.innerText('main')).replace(/\s+/g, ' ');
      for (const text of texts) assert.ok(shown.includes(text), `${address}: ${text}`);
    }
    await go('#/list');
    assert.match(await page.innerText('main [role=status]'), /46 of 46/);
    await go('#/list?q=state:any');
    assert.match(await page.innerText('main [role=status]'), /of 59/);
  });

  it('[X-2] each view names its tab', async (test) => {
    const { page, go } = await site.open(test);
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

  it('[X-2] the language is kept, and a copied link holds no token', async (test) => {
    const { page, go, settled } = await site.open(test, {
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    await page.click('button:text-is("한국어")');
    await page.reload();
    await settled();
    assert.equal(await page.evaluate('document.documentElement.lang'), 'ko');
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
