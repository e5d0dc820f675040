import type { ErrorCode } from '../../domain/error.ts';
import { visible, visibleJson } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';
import type { View } from '../../operations/view.ts';
import { EXIT_CODE, NOT_FOUND } from '../exit.ts';
import { markOf } from './mark.ts';
import { endQuietly, type Screen, screen, writeOut } from './standard-output.ts';
import { type Looks, wantsColor, widthOf } from './terminal.ts';

/** What a command has to say. */
export interface Answer {
  /** For a program: what `--json` prints. */
  report: object;
  /** For a person. */
  view: View;
  /** The words that were searched for: they are marked. */
  question?: string | undefined;
  /** The exit code, when the answer is that something is wrong. */
  code?: ErrorCode;
  /** False when what was looked for is not there, which the exit code says as that of grep does (M-15). */
  found?: false;
}

/** How an answer is printed. */
export interface Printing extends Looks {
  json: boolean;
  /** Each record of a listing as a line of JSON. */
  jsonl?: boolean;
  oneline?: boolean;
  full?: boolean;
}

/** Prints an answer as a person reads it, or as JSON. */
export async function print({ report, view, code, found, question }: Answer, how: Printing): Promise<void> {
  if (code) here().exitCode = EXIT_CODE[code];
  if (found === false) here().exitCode = NOT_FOUND;
  if (how.jsonl) {
    writeOut(linesOf(report));
    return;
  }
  if (how.json) {
    writeOut(`${visibleJson(JSON.stringify(report, null, 2))}\n`);
    return;
  }
  const { env } = here();
  const stdout = screen();
  const { render } = await import('./render.ts');
  const width = widthOf(stdout, env);
  const color = wantsColor(how.color, env, stdout);
  const isPiped = !stdout.isTTY && !env.COLUMNS;
  const entries = how.oneline ? 'oneline' : how.full ? 'full' : 'line';
  // Nothing is marked without colours, and the pattern knows all letters, which takes it a millisecond.
  const mark = color ? markOf(question) : undefined;
  const text = `${render(view, { width, color, now: new Date(), mark, entries, isPiped })}\n`;
  if (!isPaged(text, how, stdout)) {
    writeOut(text);
    return;
  }
  endQuietly();
  const { page } = await import('./pager.ts');
  await page(text, env);
}

/** The records of a listing, a line of JSON each; how the next page is asked for goes to standard error. */
function linesOf(report: object): string {
  const all = Object.entries(report);
  const [, records = []] = all.find(([, value]) => Array.isArray(value)) ?? [];
  const [, next] = all.find(([name]) => /^next_?cursor$/i.test(name)) ?? [];
  if (next) log(`There is more: --cursor ${next}`);
  return (records as object[]).map((record) => `${visibleJson(JSON.stringify(record))}\n`).join('');
}

/** An answer that is longer than the screen goes through a pager, where standard output is a screen (U-9). */
function isPaged(text: string, { pager }: Printing, { isTTY, rows }: Screen): boolean {
  return pager !== false && isTTY && rows > 0 && text.split('\n').length > rows;
}

/** Writes a line for a person to standard error. */
export function log(message: string): void {
  here().stderr.write(`precedent: ${visible(message)}\n`);
}

/**
 * For a server, which goes on when the reader of its standard output or error has gone away.
 * @returns writes to standard output; throws what kept it from being written before
 */
export function outlastReader(): (text: string) => void {
  let lost: Error | undefined;
  here().stdout.on('error', (error) => {
    lost = error;
  });
  here().stderr.on('error', () => {});
  return (text) => {
    if (lost) throw lost;
    here().stdout.write(text);
  };
}
