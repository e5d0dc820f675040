import { Unreadable } from '../edit/format.ts';
import { valueAt } from '../edit/value.ts';
import { type Entry, FORMATS } from '../entry.ts';
import { bytesOf } from '../files.ts';

/** What is entered in the place of an entry. @throws Unreadable */
export function presentAt({ file, format, path }: Entry): unknown {
  const text = bytesOf(file)
    ?.toString()
    .replace(/^\uFEFF/, '');
  if (text === undefined || format === 'text') return text;
  try {
    return valueAt(FORMATS[format].read(text), path);
  } catch (error) {
    throw error instanceof Unreadable ? new Unreadable(`${file}: ${error.message}`) : error;
  }
}
