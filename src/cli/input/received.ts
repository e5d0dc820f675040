import { createWriteStream } from 'node:fs';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { here } from '../../files/surroundings.ts';
import { isDiskFull } from '../../memory/engines.ts';
import type { PlaceOptions } from '../place.ts';
import { COPY, inScratch, notMade, scratchPlace } from '../scratch.ts';
import { pipeAt } from './file.ts';

/**
 * Works on a file of lines, or on what arrives through a pipe. That is written into a file first: the work holds the lock of
 * the memory, and a pipe may take as long as it likes.
 * @param file undefined or `-` for standard input
 * @param expected what the file should be, for messages
 * @param place the memory that is meant: the file of a pipe is made next to it, and is gone afterwards
 * @param work receives the path of a file that can be read
 */
export async function withReceived<Result>(
  file: string | undefined,
  expected: string,
  place: PlaceOptions,
  work: (path: string) => Promise<Result>,
): Promise<Result> {
  const pipe = file === undefined || file === '-' ? here().stdin : pipeAt(file, expected);
  if (pipe === undefined) return work(resolve(here().cwd(), file as string));
  return inScratch(await scratchPlace(place), async (folder) => {
    const received = join(folder, COPY.lines);
    await pipeline(pipe, createWriteStream(received, { mode: 0o600 })).catch((error: unknown) => {
      throw isDiskFull(folder, error) ? notMade(folder, error) : error;
    });
    return work(received);
  });
}
