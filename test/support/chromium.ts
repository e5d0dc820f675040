import { existsSync } from 'node:fs';
import { after } from 'node:test';
import { type Browser, chromium } from 'playwright-core';

/** Debian's. That without windows comes first: a page takes it two thirds of the processor. */
const DEBIAN = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'];
/** The one that is named, else Debian's; nothing is ever downloaded. */
const PROGRAM = process.env.PRECEDENT_TEST_CHROMIUM || (DEBIAN.find(existsSync) ?? '/usr/bin/chromium');
/** Set where there is none. In CI there must be one: there it is looked for in vain, and fails. */
export const NO_CHROMIUM =
  !existsSync(PROGRAM) &&
  !process.env.PRECEDENT_TEST_ALL &&
  'no Chromium: on Debian, as root, "apt-get install chromium-headless-shell" brings it';

let started: Promise<Browser> | undefined;
after(async () => (await started)?.close());

/**
 * Starts it, once for all tests of this process: what is in a context of its own is shared with none. It ends after them.
 * Every name is one of this machine, so that no request leaves it.
 */
export function startChromium(): Promise<Browser> {
  started ??= chromium.launch({
    executablePath: PROGRAM,
    args: ['--no-sandbox', '--disable-gpu', '--host-resolver-rules=MAP * 127.0.0.1'],
    timeout: 600_000,
  });
  return started;
}
