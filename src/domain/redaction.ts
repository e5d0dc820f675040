const TAG = /<(\/?)private\b[^<>]*>/gi;
const MARK = '[REDACTED]';

/**
 * Replaces every `<private>…</private>` by `[REDACTED]` (D-16). Nested tags end with the outermost one; a
 * tag that is never closed hides everything after it, since a leak cannot be taken back.
 */
export function redact(text: string): string {
  let result = '';
  let copied = 0;
  let depth = 0;
  for (const tag of text.matchAll(TAG)) {
    const closing = tag[1] === '/';
    if (!closing && depth++ === 0) {
      result += text.slice(copied, tag.index) + MARK;
    } else if (closing && depth > 0 && --depth === 0) {
      copied = tag.index + tag[0].length;
    }
  }
  return depth > 0 ? result : result + text.slice(copied);
}

/** {@link redact} for every string inside a value, however deep; everything else is kept as it is. */
export function redactDeep(value: unknown): unknown {
  if (typeof value === 'string') return redact(value);
  if (Array.isArray(value)) return value.map(redactDeep);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, redactDeep(inner)]));
}
