import { fstatSync, writeSync } from 'node:fs';
import { visible } from '../../domain/text/visible.ts';
import { hasProcess, here } from '../../files/surroundings.ts';
import { EXIT_CODE } from '../exit.ts';

/** Standard output as far as an answer asks what it is. */
export type Screen = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows' | 'hasColors'>;

const NO_SCREEN: Screen = { isTTY: false, columns: 0, rows: 0, hasColors: () => false };

/** What standard output is. Of a pipe and a file that is known without Node's streams, which take 5 ms to load. */
export function screen(): Screen {
  return isPlain() ? NO_SCREEN : here().stdout;
}

/** Writes an answer: to a pipe or a file past Node's streams, and through them what a full pipe does not take at once. */
export function writeOut(text: string): void {
  const bytes = Buffer.from(text);
  let written = 0;
  try {
    while (isPlain() && !isFull && written < bytes.length) written += writeSync(1, bytes, written);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error)) throw error;
    if (error.code !== 'EAGAIN') end({ code: String(error.code) });
    isFull = true;
  }
  if (written === bytes.length) return;
  endQuietly();
  here().stdout.write(bytes.subarray(written));
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

let known: boolean | undefined;
/** Whether a pipe took no more at once: what follows must not overtake what waits in Node's streams. */
let isFull = false;

function isPlain(): boolean {
  if (!hasProcess()) return false;
  known ??= kindOf();
  return known;
}

function kindOf(): boolean {
  try {
    const output = fstatSync(1);
    return output.isFIFO() || output.isSocket() || output.isFile();
  } catch {
    return false;
  }
}
