import { readdirSync, readFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { gzipSync } from 'node:zlib';
import type { CDPSession, Page } from 'playwright-core';
import { startChromium } from '../test/support/chromium.ts';
import { scratch } from '../test/support/engines.ts';
import { openTab } from '../test/support/explorer.ts';
import { servingThousands } from '../test/support/thousands.ts';
import { until } from '../test/support/until.ts';
import { machine, print, spread } from './measure.ts';

/**
 * How fluent the page is: Chromium without a GPU, on the same processors as the server, 1,280 × 900 pixels.
 *
 *   node bench/page.ts [decisions, default 5000]
 */
const COUNT = Number(process.argv[2] ?? 5_000);
const [OPENINGS, FRAMES] = [9, 240];
/** Milliseconds to the first picture at most, frames a second at least, bytes at most. */
const BARS = { first: 1_000, frames: 30, bytes: 40_000 };

/** What moves the picture in each frame `n`; as a person's mouse would, through the page's own handlers. */
const MOVES = {
  'zoom in and out': `new WheelEvent('wheel', { ctrlKey: true, bubbles: true, cancelable: true, deltaY: n % 40 < 20 ? -1 : 1 })`,
  'pan, at a quarter of the time': `new PointerEvent('pointermove', { buttons: 1, bubbles: true, clientX: 600 + 200 * Math.sin(n / 15) })`,
  'scroll through the lanes': `(box.scrollTop = 150 + 150 * Math.sin(n / 20), new Event('move'))`,
};

const server = await servingThousands(scratch(), COUNT);
const browser = await startChromium();
const chromium: CDPSession = await browser.newBrowserCDPSession();
try {
  machine();
  const load = loadavg().map((each) => each.toFixed(1));
  print(`${COUNT} decisions; load ${load.join(', ')} when it began; ${browser.version()}, no GPU`);
  print(
    '\nFrames a second and the time to the first picture are what other programs leave; what the page itself costs is the last column: 33 ms a frame are thirty frames a second on one processor.',
  );
  print('\n| what | measured | bar | p10 … p90 | of the processor |');
  print('|---|---|---|---|---|');
  await measureBytes();
  await measureFirst();
  await measureFrames();
} finally {
  await browser.close();
  await server.close();
}

async function measureBytes(): Promise<void> {
  const files = readdirSync('dist/page').filter((name) => /\.(js|css)$/.test(name));
  const bytes = files.reduce((sum, name) => sum + gzipSync(readFileSync(`dist/page/${name}`)).length, 0);
  row('script and style, compressed', `${bytes} bytes`, `≤ ${BARS.bytes}`, bytes <= BARS.bytes);
}

/** From the navigation of a fresh browser to the first picture with marks in it. */
async function measureFirst(): Promise<void> {
  const times: number[] = [];
  let spent = 0;
  for (let n = 0; n <= OPENINGS; n++) {
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const page = await context.newPage();
    await page.addInitScript(`(() => {
      const look = () => Number(document.querySelector('.lanes canvas')?.dataset.drawn) > 0
        ? (window.firstPicture = performance.now()) : requestAnimationFrame(look);
      look();
    })()`);
    const before = await processor();
    await page.goto(`${server.url}/#token=${server.tokens.all}`);
    await until(() => page.evaluate<boolean>('window.firstPicture > 0'));
    // The first opening warms the server, as the one before a person's would have.
    if (n > 0) {
      times.push(await page.evaluate<number>('window.firstPicture'));
      spent += (await processor()) - before;
    }
    await context.close();
  }
  const { p10, median, p90 } = spread(times);
  row(
    `first picture, ${OPENINGS} openings`,
    `${median.toFixed(0)} ms`,
    `≤ ${BARS.first}`,
    median <= BARS.first,
    `${p10.toFixed(0)} … ${p90.toFixed(0)}`,
    `${(spent / OPENINGS).toFixed(0)} ms, the server's share included`,
  );
}

async function measureFrames(): Promise<void> {
  const { page, close } = await openTab(browser, server.url, server.tokens.all);
  await until(() =>
    page.evaluate<boolean>("Number(document.querySelector('.lanes canvas').dataset.drawn) > 100"),
  );
  for (const [what, event] of Object.entries(MOVES)) {
    await page.focus('.lanes');
    await page.keyboard.press('0');
    if (what.startsWith('pan')) for (const key of '+++') await page.keyboard.press(key);
    const before = await processor();
    const { p10, median, p90 } = spread(await framesOf(page, event));
    const spent = ((await processor()) - before) / FRAMES;
    const perSecond = 1_000 / median;
    row(
      what,
      `${perSecond.toFixed(0)} frames a second`,
      `≥ ${BARS.frames}`,
      perSecond >= BARS.frames,
      `${(1_000 / p90).toFixed(0)} … ${(1_000 / p10).toFixed(0)}`,
      `${spent.toFixed(1)} ms a frame`,
    );
  }
  await close();
}

/** Milliseconds from frame to frame while every one of them brings a move. */
function framesOf(page: Page, event: string): Promise<number[]> {
  return page.evaluate<number[]>(`new Promise((resolve) => {
    const box = document.querySelector('.lanes');
    box.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true, buttons: 1, clientX: 600 }));
    const times = [];
    let n = 0;
    let before;
    const step = (now) => {
      if (before !== undefined) times.push(now - before);
      before = now;
      if (n++ === ${FRAMES}) return resolve(times);
      box.dispatchEvent(${event});
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  })`);
}

/**
 * Milliseconds of the processor that Chromium, all processes of it, and the server have had: on a machine that others use
 * too, this is what the page costs, and frames a second are what they leave.
 */
async function processor(): Promise<number> {
  const { processInfo } = await chromium.send('SystemInfo.getProcessInfo');
  const { user, system } = process.cpuUsage();
  return processInfo.reduce((sum, { cpuTime }) => sum + cpuTime * 1_000, 0) + (user + system) / 1_000;
}

function row(what: string, measured: string, bar: string, isMet: boolean, between = '–', cost = '–'): void {
  print(`| ${what} | ${measured} | ${bar} ${isMet ? '✔' : '✘'} | ${between} | ${cost} |`);
}
