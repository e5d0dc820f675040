import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { CDPSession } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { scratch } from '../test/support/engines.ts';
import { servingThousands } from '../test/support/thousands.ts';
import { until } from '../test/support/until.ts';
import { machine, print, spread } from './measure.ts';

/**
 * How fast the page opens: Chromium without a GPU, on the same processors as the server, 1,280 × 900 pixels.
 *
 *   node bench/page.ts [decisions, default 5000]
 */
const COUNT = Number(process.argv[2] ?? 5_000);
const OPENINGS = 9;
/** Milliseconds until the home is shown, and bytes, at most. */
const BARS = { first: 1_000, bytes: 40_000 };

const server = await servingThousands(scratch(), COUNT);
const browser = await startChromium();
const chromium: CDPSession = await browser.newBrowserCDPSession();
try {
  machine();
  const load = loadavg().map((each) => each.toFixed(1));
  print(`${COUNT} decisions; load ${load.join(', ')} when it began; ${browser.version()}, no GPU`);
  print(
    '\nThe time to the first view depends on what else the machine runs. The last column has what the page itself costs.',
  );
  print('\n| what | measured | bar | p10 … p90 | of the processor |');
  print('|---|---|---|---|---|');
  await measureBytes();
  await measureFirst();
} finally {
  await browser.close();
  await server.close();
}

async function measureBytes(): Promise<void> {
  const files = readdirSync('dist/page').filter((name) => /\.(js|css)$/.test(name));
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(`dist/page/${name}`)).length, 0);
  row('script and style, compressed', `${bytes} bytes`, `≤ ${BARS.bytes}`, bytes <= BARS.bytes);
}

/** From the navigation of a fresh browser until the home shows its areas. */
async function measureFirst(): Promise<void> {
  const times: number[] = [];
  let spent = 0;
  for (let n = 0; n <= OPENINGS; n++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(`(() => {
      const look = () => document.querySelector('.areas')
        ? (window.firstView = performance.now()) : requestAnimationFrame(look);
      look();
    })()`);
    const before = await processor();
    await page.goto(`${server.url}/#token=${server.tokens.all}`);
    await until(() => page.evaluate<boolean>('window.firstView > 0'));
    // The first opening warms the server, as the one before a person's would have.
    if (n > 0) {
      times.push(await page.evaluate<number>('window.firstView'));
      spent += (await processor()) - before;
    }
    await context.close();
  }
  const { p10, median, p90 } = spread(times);
  row(
    `first view, ${OPENINGS} openings`,
    `${median.toFixed(0)} ms`,
    `≤ ${BARS.first}`,
    median <= BARS.first,
    `${p10.toFixed(0)} … ${p90.toFixed(0)}`,
    `${(spent / OPENINGS).toFixed(0)} ms, the server's share included`,
  );
}

/** Milliseconds of the processor that all processes of Chromium and the server have used. */
async function processor(): Promise<number> {
  const { processInfo } = await chromium.send('SystemInfo.getProcessInfo');
  const { user, system } = process.cpuUsage();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0) + (user + system) / 1_000;
}

function row(what: string, measured: string, bar: string, isMet: boolean, between = '–', cost = '–'): void {
  print(`| ${what} | ${measured} | ${bar} ${isMet ? '✔' : '✘'} | ${between} | ${cost} |`);
}
