/** Stands in the place of private text. */
export const REDACTED = '[REDACTED]';

const TAG = /<(\/?)private(?![\w-])[^<>]*>?/gi;
const PROPER = /^<private\s*>$/i;
const DEEPEST = 100;

/**
 * Replaces every `<private>…</private>` by `[REDACTED]` (D-16). Nested tags end with the outermost one. A tag that is
 * never closed hides everything after it, since a leak cannot be taken back. A misspelt tag, such as `<private key>` or
 * one without its `>`, counts when a closing tag follows; `<private-subnet>` is another word.
 */
export function redact(text: string): string {
  let result = '';
  let copied = 0;
  let depth = 0;
  const lastClosing = text.toLowerCase().lastIndexOf('</private');
  for (const tag of text.matchAll(TAG)) {
    const closing = tag[1] === '/';
    if (!closing && !PROPER.test(tag[0]) && tag.index > lastClosing) continue;
    if (!closing && depth++ === 0) {
      result += text.slice(copied, tag.index) + REDACTED;
    } else if (closing && depth > 0 && --depth === 0) {
      copied = tag.index + tag[0].length;
    }
  }
  return depth > 0 ? result : result + text.slice(copied);
}

/**
 * {@link redact} for every string and key inside JSON; other values stay as they are. Values that lie deeper than the
 * input of any operation are dropped, so that the operation refuses the input.
 */
export function redactDeep(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return redact(value);
  if (value === null || typeof value !== 'object') return value;
  if (depth > DEEPEST) return undefined;
  if (Array.isArray(value)) return value.map((inner) => redactDeep(inner, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redact(key), redactDeep(inner, depth + 1)]),
  );
}
