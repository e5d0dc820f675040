import { fstatSync, writeFileSync } from 'node:fs';
import type { ErrorCode } from '../../domain/error.ts';
import { visible, visibleJson } from '../../domain/text/visible.ts';
import { hasProcess, here, type Surroundings } from '../../files/surroundings.ts';
import type { View } from '../../operations/view.ts';
import { type Looks, wantsColor, widthOf } from './terminal.ts';

/** What a command has to say. */
export interface Answer {
  /** For a program: what `--json` prints. */
  report: object;
  /** For a person. */
  view: View;
  /** Set where a person sees the report, too: only programs ask for it. */
  isJson?: true;
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
export async function print(answer: Answer, how: Printing): Promise<void> {
  const { report, view, isJson, code, found, question } = answer;
  if (code) here().exitCode = EXIT_CODE[code];
  if (found === false) here().exitCode = NOT_FOUND;
  if (how.jsonl) return writeOut(linesOf(report));
  if (how.json || isJson) return writeOut(inJson(report));
  const { env, stdout } = here();
  const { render } = await import('./render.ts');
  const width = widthOf(stdout, env);
  const color = wantsColor(how.color, env, stdout);
  const isPiped = (!stdout.isTTY && !env.COLUMNS) || env.TERM === 'dumb';
  const entries = how.oneline ? 'oneline' : how.full ? 'full' : 'line';
  // Nothing is marked without colours, and the pattern knows all letters, which takes it a millisecond.
  const mark = color ? markOf(question) : undefined;
  const text = `${render(view, { width, color, now: new Date(), mark, entries, isPiped })}\n`;
  if (!isPaged(text, how, stdout)) return writeOut(text);
  endQuietly();
  const { page } = await import('./pager.ts');
  await page(text, env);
}

/** As `--json` has it. */
export const inJson = (report: object): string => `${visibleJson(JSON.stringify(report, null, 2))}\n`;

/** The records of a listing, a line of JSON each; how the next page is asked for goes to standard error. */
function linesOf(report: object): string {
  const all = Object.entries(report);
  const [, records = []] = all.find(([, value]) => Array.isArray(value)) ?? [];
  const [, next] = all.find(([name]) => /^next_?cursor$/i.test(name)) ?? [];
  if (next) log(`There is more: --cursor ${next}`);
  return (records as object[]).map((record) => `${visibleJson(JSON.stringify(record))}\n`).join('');
}

/** An answer that is longer than the screen goes through a pager, where standard output is a screen (U-9). */
function isPaged(text: string, { pager }: Printing, { isTTY, rows }: Surroundings['stdout']): boolean {
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

/** Words shorter than this would mark half of an answer. */
const SHORTEST = 2;

/**
 * A pattern of the words of a question, to mark where an answer holds them (U-9). A word of letters with blanks between is
 * marked at its beginning, whatever its ending; one of Hangul, Han or Kana wherever it is.
 * @returns undefined when there is nothing to mark
 */
export function markOf(question: string | undefined): RegExp | undefined {
  const words = [...new Set(question?.match(/[\p{L}\p{N}]+/gu) ?? [])].filter(
    (word) => word.length >= SHORTEST,
  );
  if (words.length === 0) return undefined;
  const longestFirst = words.sort((a, b) => b.length - a.length);
  const isSyllables = (word: string) => /[\p{Script=Hangul}\p{Script=Han}\p{Script=Hiragana}]/u.test(word);
  return new RegExp(
    longestFirst.map((word) => (isSyllables(word) ? word : `(?<![\\p{L}\\p{N}])${word}`)).join('|'),
    'giu',
  );
}

/** Writes an answer. To a file not by Node's own stream, which silently drops what the disk has no room for. */
export function writeOut(text: string): void {
  endQuietly();
  if (!isFile()) {
    here().stdout.write(text);
    return;
  }
  try {
    writeFileSync(1, text);
  } catch (error) {
    end(error as NodeJS.ErrnoException);
  }
}

function isFile(): boolean {
  try {
    return hasProcess() && fstatSync(1).isFile();
  } catch {
    return false;
  }
}

/** Ends without an error when the reader of standard output has seen enough, as `head` has. */
export function endQuietly(): void {
  here().stdout.off('error', end).once('error', end);
}

function end({ code }: { code?: string | undefined }): never {
  if (code === 'EPIPE') process.exit(0);
  here().stderr.write(`precedent: ${visible(`Standard output cannot be written (${code}).`)}\n`);
  process.exit(EXIT_CODE.internal);
}

/** What a shell sees when there is nothing to find. */
export const NOT_FOUND = 1;

/** What a shell sees of each kind of error. */
export const EXIT_CODE: Record<ErrorCode, number> = {
  internal: 1,
  invalid: 2,
  not_found: 3,
  conflict: 4,
  unavailable: 5,
  unauthorized: 6,
};
