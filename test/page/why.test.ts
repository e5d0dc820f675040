import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { NO_CHROMIUM } from '../support/chromium.ts';
import { exploring } from '../support/explorer.ts';
import { until } from '../support/until.ts';

describe('what a reader asks the page: why, and what changed', { skip: NO_CHROMIUM }, () => {
  const site = exploring();

  it('[X-1] what changed last is a click away, as the log has it', async (test) => {
    const { page, go, settled } = await site.open(test);
    const { body } = await site.server.api('narae/timeline', { limit: 50 });
    const logged = body.entries as unknown as { topic?: string; title?: string; text: string }[];
    await page.click('main aside >> text=Show all changes');
    await page.waitForSelector('main h1:text-is("Changes")');
    await settled();
    assert.deepEqual(
      await page.locator('main .rows > li .head > :first-child').allTextContents(),
      logged.map(({ topic, title, text }) => topic ?? title ?? text),
    );
    await go('#/changes?q=until:2026-01-01');
    assert.match(
      await page.innerText('main'),
      /Nothing was found\.\s+Fields of a filter: scope:, topic:, by:/,
    );
  });

  it('[X-1] what worked only in part is shown with the active version, and what it depends on today comes first', async (test) => {
    const { page, go } = await site.open(test);
    await go('#/d/booking:seat-hold');
    const beware = await page.innerText('.alarm');
    assert.match(beware, /An earlier version worked only in part: .*7 minutes.*p99 4\.8 s.*version 2/s);
    assert.match(beware, /An earlier version failed: .*10 minutes.*version 1/s);
    assert.match(await page.innerText('.summary'), /3 versions: why it changed ↓.*depends on 1 ↓/s);
    const [first, second] = await page.locator('.two .rows li').allInnerTexts();
    assert.match(first ?? '', /^db:engine/);
    assert.match(second ?? '', /^infra:redis.*version 1 only/s);
  });

  it('[X-1] why a decision was changed is shown with the change, on the page of each version and between two of them', async (test) => {
    const { page, go } = await site.open(test);
    for (const [version, why] of [
      [3, /^Why\s+Nobody waits behind/],
      [2, /^Why\s+What may not be lost/],
    ] as const) {
      await go(`#/d/booking%3Aseat-hold%40${version}`);
      assert.match(await page.innerText('section:has(#why)'), why);
      assert.match(
        await page.innerText('section:has(#versions)'),
        /How it changed, and why.*v3.*Changed because version 2 worked only in part:\s+Nobody waits.*v2.*Changed because version 1 failed:\s+What may.*v1/s,
      );
    }
    // A version without an outcome was replaced for a reason of its own.
    await go('#/d/infra%3Acdn');
    assert.match(await page.innerText('.chain'), /v2.*Changed because:\s+Its bot rules cut.*v1/s);
  });

  it('[X-1] what failed is said once on the page of a decision: before its reason, or with the version that came later', async (test) => {
    const { page, go } = await site.open(test);
    for (const [version, inWarnings] of [
      [3, ['nine seats were sold twice', 'row locks queue up']],
      [2, ['nine seats were sold twice']],
      [1, ['nine seats were sold twice']],
    ] as const) {
      await go(`#/d/booking%3Aseat-hold%40${version}`);
      const [whole, warnings] = [await page.innerText('main'), await page.innerText('.alarm')];
      for (const failure of ['nine seats were sold twice', 'row locks queue up'])
        assert.equal(whole.split(failure).length, 2, `${version}: ${failure}`);
      for (const failure of inWarnings) assert.ok(warnings.includes(failure), `${version}: ${failure}`);
    }
  });

  it('[X-1] a link to a record that does not exist says so, with the ways on', async (test) => {
    const { page, go } = await site.open(test);
    for (const [address, name] of [
      ['#/d/no%3Asuch', 'no:such'],
      ['#/o/9999', '#9999'],
      ['#/m/abcd', 'abcd'],
      ['#/c/abcd', 'abcd'],
    ] as const) {
      await go(address);
      assert.equal(await page.innerText('main h1'), `There is no “${name}” here`);
      assert.deepEqual(await page.locator('main a').allInnerTexts(), [
        `Search for “${name}”`,
        'Go to the overview',
      ]);
    }
  });

  it('[X-1] the log can have decisions alone, and a revision says what it was and why', async (test) => {
    const { page, go, settled } = await site.open(test);
    await go('#/changes');
    await page.click('text=Only decisions and outcomes');
    await until(() => page.url().includes('kind'));
    await settled();
    const badges = await page.locator('main .rows > li .badge').allInnerTexts();
    assert.deepEqual(
      badges.filter((each) => !/decided|revised|withdrawn|worked|failed/.test(each)),
      [],
    );
    assert.match(
      await page.locator('main .rows > li', { hasText: 'infra:cdn' }).first().innerText(),
      /revised.*Cloudflare stands before everything.*Was: CloudFront stands before images only.*Changed because:\s+Its bot rules cut/s,
    );
    await go('#/changes?q=since:2026-11-07');
    assert.deepEqual(
      await page.locator('main .rows > li', { hasText: 'led_to' }).locator('.text a').allInnerTexts(),
      ['#76', '#77'],
    );
    const count = await page.locator('main .rows > li').count();
    await go('#/changes?q=since:2026-11-07&at=2026-11-10');
    const then = await page.locator('main .rows > li').count();
    assert.ok(then > 0 && then < count, `${then} of ${count}`);
  });

  it('[X-1] what happened is narrowed by kind, and leads to where it is shown whole', async (test) => {
    const { page, go, settled } = await site.open(test);
    for (const [kind, view] of [
      ['checkpoint', 'c'],
      ['evidence', 'd'],
      ['outcome', 'd'],
      ['observation', 'o'],
      ['memo', 'm'],
    ] as const) {
      await go(`#/changes?q=kind:${kind}`);
      await page.click('main .head a >> nth=0');
      await until(() => page.url().includes(`#/${view}/`));
      await settled();
      assert.equal(await page.locator('main h1').count(), 1, kind);
      assert.equal(await page.locator('main [role=alert]').count(), 0, kind);
    }
  });

  it('[X-1] [W-2] references in a reason are links, and a link that only replaced versions have is dashed', async (test) => {
    const { page, go, settled } = await site.open(test);
    await go('#/d/booking%3Aseat-hold');
    assert.equal(await page.locator('.around .link').count(), 2);
    assert.equal(await page.locator('.around .link.replaced').count(), 1);
    assert.deepEqual(await page.locator('section:has(#why) a').allInnerTexts(), ['db:engine']);
    assert.match(await page.innerText('section:has(#why)'), /lost in a failover\.\s+builds on db:engine$/);
    assert.deepEqual(await page.locator('.chain .why a').allInnerTexts(), [
      'db:engine',
      'db:engine',
      'infra:redis',
    ]);
    await page.click('section:has(#why) a');
    await page.waitForSelector('main h1:text-is("db:engine")');
    await settled();
    // In lists, too: a warning leads to what it is about, and no reason shows the line.
    await go('#/rules?scope=booking');
    assert.doesNotMatch(await page.innerText('main'), /builds_on:/);
    await go('#/list?q=is:debated');
    await page.click('.rows .beware a:has-text("api:graphql")');
    await page.waitForSelector('main h1:text-is("api:graphql")');
  });

  it('[X-1] [D-10] [T-5] what binds is every axis and lock: of everywhere first, then by area', async (test) => {
    const { page, go } = await site.open(test);
    await go('#/rules');
    assert.match(await page.innerText('main [role=status]'), /^15 of 15$/);
    assert.deepEqual(
      (await page.locator('main h2').allInnerTexts()).map((each) => each.replace(/\W*\d+$/, '')),
      ['Everywhere', 'auth', 'booking', 'db', 'infra', 'legal', 'notify', 'ops', 'payment', 'ui'],
    );
    assert.equal(await page.locator('main .rows > li').count(), 15);
    assert.equal(await page.locator('main .rows > li .badge:is(.axis, .lock)').count(), 15);
    // A lock of everywhere is shown with the rules of an area, too.
    await site.server.api('narae/mama_save', {
      topic: 'global:money',
      decision: 'Amounts are integers',
      strength: 'lock',
      scope: 'global',
    });
    await go('#/rules?scope=booking');
    assert.match(
      await page.innerText('main'),
      /Axes that hold everywhere 2.*Locks that hold everywhere 1\s+global:money.*Locks of this scope 2.*Other decisions of this scope 3/s,
    );
  });
});
