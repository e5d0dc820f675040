import type { ErrorCode } from '../../domain/error.ts';
import { visible, visibleJson } from '../../domain/text/visible.ts';
import type { View } from '../../operations/view.ts';
import { EXIT_CODE, NOT_FOUND } from '../exit.ts';

/** What a command has to say. */
export interface Answer {
  /** For a program: what `--json` prints. */
  report: object;
  /** For a person. */
  view: View;
  /** The exit code, when the answer is that something is wrong. */
  code?: ErrorCode;
  /** False when what was looked for is not there, which the exit code says as that of grep does (M-15). */
  found?: false;
}

/** Prints an answer as a person reads it, or as JSON. */
export async function print({ report, view, code, found }: Answer, json: boolean): Promise<void> {
  endQuietly();
  if (code) process.exitCode = EXIT_CODE[code];
  if (found === false) process.exitCode = NOT_FOUND;
  if (json) {
    process.stdout.write(`${visibleJson(JSON.stringify(report, null, 2))}\n`);
    return;
  }
  const { render } = await import('./render.ts');
  const width = process.stdout.columns ?? 100;
  process.stdout.write(`${render(view, { width, color: wantsColor(process.env) })}\n`);
}

/** Writes a line for a person to standard error. */
export function log(message: string): void {
  process.stderr.write(`precedent: ${visible(message)}\n`);
}

/** Ends without an error when the reader of standard output has seen enough, as `head` has. */
export function endQuietly(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    log(`Standard output cannot be written (${error.code}).`);
    process.exit(EXIT_CODE.internal);
  });
}

/** The conventions of no-color.org and force-color.org; without either, colour where a terminal can show it. */
function wantsColor(environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return !['0', 'false'].includes(environment.FORCE_COLOR);
  return process.stdout.isTTY && process.stdout.hasColors();
}
