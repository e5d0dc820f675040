import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, type TestContext } from 'node:test';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { sixWeeks } from '../../scripts/demo/narae.ts';
import { readPage } from '../../src/cli/serving/run.ts';
import type { Grant } from '../../src/http/access/grant.ts';
import type { AppOptions } from '../../src/http/app.ts';
import { openMemory } from '../../src/index.ts';
import { startChromium } from './chromium.ts';
import { scratch } from './engines.ts';
import { NOW, type Serving, serving } from './serving.ts';
import { until } from './until.ts';

/** The page as it was built, with the writes of people or without. */
export const pageOf = (isWriting: boolean) => ({ files: readPage('dist/page'), isWriting });

/** The memory of six weeks as a file: made by the first suite of this process that asks for it. */
let remembered: { ids: Map<string, string>; bytes: Buffer } | undefined;

async function remember(db: string) {
  const { lines, ids } = await sixWeeks(false);
  const memory = await openMemory({ db, workspace: 'narae' });
  await memory.import(lines);
  await memory.close();
  return { ids, bytes: readFileSync(db) };
}

/** A server with the memory of six weeks of one project, and the page. */
export async function explored(
  folder: string,
  grants: Record<string, Partial<Grant>> = {},
  options: Partial<AppOptions> = {},
): Promise<Serving & { ids: Map<string, string> }> {
  const db = join(folder, 'narae.db');
  remembered ??= await remember(db);
  const { ids, bytes } = remembered;
  writeFileSync(db, bytes);
  const server = await serving(folder, grants, { page: pageOf(false), ...options });
  return { ...server, ids };
}

/** The view that the address names is shown, or somebody is asked for a token, and nothing is read any more. */
const SETTLED = `(() => {
  const main = document.querySelector('main');
  const isShown = main?.className === 'alone' || main?.dataset.shown === location.hash;
  return isShown && !main.querySelector('[aria-busy=true]');
})()`;

/** A tab, with what it complained of and whom it asked. */
export interface Tab {
  page: Page;
  /** Messages of the console, and errors that nothing caught. */
  said: string[];
  /** Addresses of other servers. */
  foreign: string[];
  /** Goes to a view, and waits until everything that it reads is there. */
  go(hash: string): Promise<void>;
  /** Waits until nothing is read any more. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

/** A tab that no test has at the moment: a new one takes half a second of the processor. */
let idle: Page | undefined;

async function newPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext({
    locale: 'en-US',
    viewport: { width: 1280, height: 900 },
    ...options,
  });
  const page = await context.newPage();
  // The same day as that of the server.
  await page.clock.setFixedTime(NOW);
  return page;
}

/** Leaves a tab as if it were new: nothing of its page is kept, routed or listened to. */
async function emptied(page: Page): Promise<void> {
  for (const event of ['console', 'pageerror', 'request']) page.removeAllListeners(event);
  await page.unrouteAll();
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await page.mouse.move(0, 0);
  await page.goto('about:blank');
}

/**
 * Ends what waits for the page in vain, and says what is shown: Playwright's own limits are timers, which never pass here
 * (patient.cjs).
 */
async function watch(page: Page, isOver: () => boolean): Promise<void> {
  try {
    await until(isOver);
  } catch {
    const shown = await Promise.race([page.innerText('body'), until(isOver)]).catch(() => 'nothing');
    await page.close({
      reason: `Expected the test of the page to end, found it waiting. Shown is: ${shown}`,
    });
  }
}

/**
 * Opens the page with a token, as the link of the server does.
 * @param token undefined to open it without
 * @param options of a browser of its own; without any, tests have the same tab one after the other, emptied in between
 */
export async function openTab(
  browser: Browser,
  url: string,
  token: string | undefined,
  options?: BrowserContextOptions,
): Promise<Tab> {
  const page = (!options && idle) || (await newPage(browser, options ?? {}));
  if (page === idle) idle = undefined;
  const said: string[] = [];
  const foreign: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(String(error)));
  page.on('request', (request) => {
    if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
      foreign.push(request.url());
  });
  const settled = async () => {
    await until(() => page.evaluate<boolean>(SETTLED));
  };
  let isOver = false;
  const watched = watch(page, () => isOver);
  await page.goto(token === undefined ? `${url}/` : `${url}/#token=${token}`);
  await settled();
  return {
    page,
    said,
    foreign,
    settled,
    async go(hash) {
      await page.evaluate(`location.hash = ${JSON.stringify(hash)}`);
      await settled();
    },
    async close() {
      isOver = true;
      await watched;
      if (options || idle || page.isClosed()) return page.context().close();
      await emptied(page);
      idle = page;
    },
  };
}

/** How a test opens the page: with the token of who may do everything, another one, or none. */
type Opening = BrowserContextOptions & { token?: string | undefined | null };

/**
 * What a suite about the page stands on: a server with the memory of six weeks, and Chromium. Both are there while the tests
 * run that are described beside it.
 */
export function exploring(
  ...given: [grants?: Record<string, Partial<Grant>>, options?: Partial<AppOptions>]
) {
  let server: Awaited<ReturnType<typeof explored>>;
  let browser: Browser;
  const folder = scratch();
  before(async () => {
    server = await explored(folder, ...given);
    browser = await startChromium();
  });
  after(async () => {
    await server?.close();
  });
  return {
    get server() {
      return server;
    },
    /** Opens the page in a tab that is closed when the test is over. */
    async open(test: TestContext, { token = server.tokens.all, ...options }: Opening = {}): Promise<Tab> {
      const isPlain = Object.keys(options).length === 0;
      const tab = await openTab(browser, server.url, token ?? undefined, isPlain ? undefined : options);
      test.after(tab.close);
      return tab;
    },
  };
}

/** An address of each view, with what the memory of six weeks has to show there. */
export async function addressesOfViews({ api }: Serving): Promise<string[]> {
  const read = async <Result>(name: string, input: object) =>
    (await api(`narae/${name}`, input)).body as unknown as Result;
  const { decisions } = await read<{ decisions: { id: string; earlierFailure?: string }[] }>(
    'decision_list',
    {
      limit: 200,
    },
  );
  const failed = decisions.find(({ earlierFailure }) => earlierFailure);
  const { entries } = await read<{ entries: { id: string }[] }>('timeline', { kind: ['checkpoint'] });
  const { memos } = await read<{ memos: { infoId: string; keywords: string[] }[] }>('memo_list', {});
  return [
    '#/',
    '#/list',
    '#/list?q=outcome:failed+state:any',
    '#/list?q=redis',
    `#/d/${failed?.id}`,
    '#/d/booking%3Aseat-hold',
    '#/list?at=2026-10-20',
    '#/changes',
    '#/changes?q=since:4w',
    `#/c/${entries[0]?.id}`,
    '#/rules',
    '#/rules?scope=booking',
    '#/observations',
    '#/observations?q=type:bugfix+since:2026-10-20',
    '#/o/1',
    '#/memos',
    `#/memos?keyword=${encodeURIComponent(memos[0]?.keywords[0] ?? '')}`,
    `#/m/${memos[0]?.infoId}`,
    '#/health',
  ];
}
