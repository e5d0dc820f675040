import { stringify } from 'yaml';
import { plainIn } from '../importers/embedded.ts';

/**
 * A text under a heading: as it is where it reads back the same, else word for word in a block of code whose marks it
 * does not hold, or as a JSON string where a file would change its line ends.
 */
export function embedded(text: string): string {
  if (isPlain(text)) return text;
  const isChanging = text.includes('\r');
  const shown = isChanging ? JSON.stringify(text) : text;
  const longest = Math.max(2, ...[...shown.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${isChanging ? 'json' : 'text'}\n${shown}\n${fence}`;
}

/** Whether a text is its own section: it neither ends it, nor begins another one, nor loses anything at its ends. */
function isPlain(text: string): boolean {
  return text.trim() === text && text !== '' && !text.includes('\r') && plainIn(text);
}

/** Values as YAML between two lines of hyphens; what is undefined is left out. */
function frontMatterOf(values: Record<string, unknown>): string {
  const given = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
  return `---\n${stringify(given, { lineWidth: 0, aliasDuplicateObjects: false })}---\n`;
}

/** A file of front matter and parts with a blank line between them. */
export function page(values: Record<string, unknown>, parts: (string | undefined)[]): string {
  const body = parts.filter((part) => part !== undefined).join('\n\n');
  return `${frontMatterOf(values)}\n${body}\n`;
}
