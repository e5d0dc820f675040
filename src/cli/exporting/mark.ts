import { sha256 } from '../../domain/text/digest.ts';

/** Signs of a digest: enough to see that somebody has changed a file. */
const SIGNS = 16;
/** In the front matter of a file, or in a comment at the end of one that has none. */
const IN_FRONT = /^precedent_export: (\w+)-([0-9a-f]{16})\n/m;
const AT_END = /\n<!-- precedent_export: (\w+)-([0-9a-f]{16}) -->\n*$/;
const FENCE = '---\n';

/** What the mark of a file says. */
export interface Mark {
  /** The format of the export that wrote the file. */
  format: string;
  /** Whether the file is as the export wrote it. */
  isUnchanged: boolean;
}

/**
 * A text of an export with a mark of its own (Z-4): the format, and a digest of all the rest. By the mark, and by nothing
 * in the file itself, the next export knows that it wrote the file, and whether somebody has changed it since. It is no
 * proof of who wrote it: whoever may write into a folder may mark a file there, and only that file.
 */
export function marked(text: string, format: string): string {
  const mark = `precedent_export: ${format}-${digestOf(text)}`;
  const end = endOfFront(text);
  return end < 0 ? `${text}\n<!-- ${mark} -->\n` : `${text.slice(0, end)}${mark}\n${text.slice(end)}`;
}

/** The mark of a file; undefined where it has none. */
export function markOf(text: string): Mark | undefined {
  const plain = text.replaceAll('\r\n', '\n');
  const [, format, digest] = found(plain) ?? [];
  return format === undefined ? undefined : { format, isUnchanged: digest === digestOf(plain) };
}

/** A digest of all of a text but its mark. Git may have changed the line ends since. */
export function digestOf(text: string): string {
  const plain = text.replaceAll('\r\n', '\n');
  const [line = ''] = found(plain) ?? [];
  return sha256(plain.replace(line, '')).slice(0, SIGNS);
}

function found(plain: string): RegExpExecArray | null {
  const end = endOfFront(plain);
  return end < 0 ? AT_END.exec(plain.slice(-200)) : IN_FRONT.exec(plain.slice(0, end));
}

/** Where the line is that ends the front matter; -1 where there is none. */
function endOfFront(text: string): number {
  return text.startsWith(FENCE) ? text.indexOf(`\n${FENCE}`, FENCE.length - 1) + 1 || -1 : -1;
}
