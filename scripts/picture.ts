import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

/**
 * `npm run picture` makes the pictures of the page in the README, from the memories of the demo. Needs Chromium
 * (PRECEDENT_TEST_CHROMIUM, else that of Debian) and a font with Korean letters.
 */
const FOLDER = 'docs/pictures';
/** By file: an address, and a heading that is there when it is drawn. */
const SHOWN = {
  // A decision with all that the page tells of one: what failed before it, its evidence, what rests on it.
  'explorer.png': { address: '#/d/booking:seat-hold', heading: 'booking:seat-hold' },
  'review.png': { address: '#/', heading: 'Overview' },
};
const SIZE = { width: 1_100, height: 820 };

const demo = spawn(process.execPath, ['dist/precedent.cjs', 'open', '--demo', '--no-open'], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
const browser = await chromium.launch({
  executablePath: process.env.PRECEDENT_TEST_CHROMIUM || '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  const page = await browser.newPage({ viewport: SIZE, locale: 'en', timezoneId: 'Asia/Seoul' });
  const link = await linkOf(demo.stdout);
  await page.goto(link);
  mkdirSync(FOLDER, { recursive: true });
  for (const [file, { address, heading }] of Object.entries(SHOWN)) {
    await page.goto(new URL(address, link).href);
    await page.getByRole('heading', { name: heading }).waitFor();
    while ((await page.getByText('Loading…').count()) > 0) await page.waitForTimeout(50);
    const groups = page.locator('details summary');
    if ((await groups.count()) > 1) await groups.last().click();
    await page.screenshot({ path: join(FOLDER, file) });
  }
} finally {
  await browser.close();
  demo.stdin.end();
  await once(demo, 'exit');
}

/** The link with its token, as the demo prints it. */
async function linkOf(output: NodeJS.ReadableStream): Promise<string> {
  let printed = '';
  for await (const piece of output) {
    printed += piece;
    const [link] = /http:\S+#token=\S+/.exec(printed) ?? [];
    if (link !== undefined) return link;
  }
  throw new Error(`The demo printed no link:\n${printed}`);
}
