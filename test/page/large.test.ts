import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import type { Browser } from 'playwright-core';
import { openMemory } from '../../src/index.ts';
import { lanesOf } from '../../src/page/pictures/lanes.ts';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { openTab, pageOf } from '../support/explorer.ts';
import { fillDecisions } from '../support/fill-decisions.ts';
import { type Serving, serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const COUNT = 5_000;

it('[X-2] script and style take at most 40 kB compressed', () => {
  const files = readdirSync('dist/page').filter((name) => /\.(js|css)$/.test(name));
  assert.equal(files.length, 2);
  const bytes = files.map((name) => gzipSync(readFileSync(join('dist/page', name))).length);
  assert.ok(bytes.reduce((sum, each) => sum + each, 0) <= 40_000, String(bytes));
});

describe('the page with thousands of decisions', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let browser: Browser;
  before(async () => {
    const file = join(folder, 'large.db');
    await (await openMemory({ db: file, workspace: 'large' })).close();
    const database = new DatabaseSync(file);
    fillDecisions(database, COUNT);
    database.exec(
      `update decisions set scope = 'scope' || (seq % 12), created_at = 1700000000000 + (seq * 7919 % ${COUNT}) * 3600000`,
    );
    database.exec(`insert or ignore into decision_edges select a.id, b.id, 'builds_on', a.created_at from decisions a
      join decisions b on b.seq in (a.seq * 31 % ${COUNT} + 1, a.seq * 17 % ${COUNT} + 1) and b.id <> a.id`);
    database.close();
    server = await serving(folder, {}, { page: pageOf(false) });
    browser = await startChromium();
  });
  after(async () => {
    await browser?.close();
    await server?.close();
  });

  it('[X-2] draws what is in view and nothing else, and asks little', async (test) => {
    const { page, settled, close } = await openTab(browser, server.url, server.tokens.all);
    test.after(close);
    await settled();
    const drawn = () =>
      page.evaluate<number>("Number(document.querySelector('.lanes canvas').dataset.drawn)");
    await until(async () => (await drawn()) > 100);
    assert.match(await page.innerText('main [role=status]'), /5,000 of 5,000/);
    assert.ok((await drawn()) < COUNT, `${await drawn()} marks`);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1) as string));
    await page.focus('.lanes');
    for (const key of ['ArrowRight', '+', '+', '+', '+', 'ArrowDown']) await page.keyboard.press(key);
    await until(async () => (await drawn()) < 600);
    assert.deepEqual(
      asked.filter((name) => name !== 'changed_since'),
      [],
    );
    await page.keyboard.press('2');
    await page.waitForSelector('main h1:text-is("Decisions")');
    await settled();
    assert.match(await page.innerText('main [role=status]'), /50 of 5,000/);
    assert.equal(await page.locator('main .rows > li').count(), 50);
    await page.click('main .paging button >> nth=0');
    await until(async () => (await page.locator('main .rows > li').count()) === 150);
  });
});

it('[X-1] chains of a row do not overlap, and each has the lane of its scope', () => {
  const node = (n: number, since: number, last: number) => ({
    id: String(n),
    topic: `t${n}`,
    text: '',
    scope: n % 2 === 0 ? 'even' : 'odd',
    strength: 'normal' as const,
    versions: 2,
    status: 'stands' as const,
    outcome: null,
    since: new Date(since).toISOString(),
    createdAt: new Date(last).toISOString(),
    marks: [
      [new Date(since).toISOString(), 'failed'],
      [new Date(last).toISOString(), null],
    ] as [string, 'failed' | null][],
  });
  const { lanes, tracks, rows } = lanesOf(
    Array.from({ length: 60 }, (_, n) => node(n, n * 1000, n * 1000 + ((n * 37) % 11) * 900)),
  );
  assert.equal(
    lanes.reduce((sum, lane) => sum + lane.rows, 0),
    rows,
  );
  for (const { node, row, marks } of tracks) {
    const lane = lanes.find(({ top, rows }) => row >= top && row < top + rows);
    assert.equal(lane?.scope, node.scope);
    for (const other of tracks)
      if (other.row === row && other.node !== node)
        assert.ok(
          (other.marks.at(-1)?.at ?? 0) < (marks[0]?.at ?? 0) ||
            (other.marks[0]?.at ?? 0) > (marks.at(-1)?.at ?? 0),
        );
  }
});
