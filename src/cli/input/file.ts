import { once } from 'node:events';
import { createReadStream, type ReadStream } from 'node:fs';
import { requireFile, unreadable } from './input.ts';

/** A file to be read from its beginning. @throws PrecedentError `not_found`, or `unavailable` when it cannot be read */
export async function openFile(file: string, expected: string): Promise<ReadStream> {
  requireFile(file, expected);
  const stream = createReadStream(file);
  await once(stream, 'open').catch((error: unknown) => {
    throw unreadable(file, expected, error);
  });
  return stream;
}
