import { mapTexts } from './json.ts';
import type { Found } from './secret-check.ts';
import { SECRET_FORMS, type SecretForm } from './secret-forms.ts';
import type { Row } from './secret-tokens.ts';

/** Receives the name of the form of each secret that is masked. */
export type Tell = (name: string) => void;

/** Most texts have the sign of no form. */
const FORMS = SECRET_FORMS.map((form: SecretForm) => ({ ...form, likely: new RegExp(form.sign) }));
/** How what was masked is known. */
const MARK = /\[masked: [A-Za-z ]{1,40}\]/;
const MARKS = new RegExp(MARK, 'g');

/**
 * Replaces each secret in a known form by a mark that names the form, `[masked: GitHub token]` (Z-9). Masking again changes
 * nothing.
 */
export function mask(text: string, tell: Tell = () => {}): string {
  let masked = text;
  for (const { name, likely, pattern, isSecret } of FORMS) {
    if (!likely.test(masked)) continue;
    masked = masked.replace(pattern(), (whole: string, ...rest: unknown[]) => {
      const groups = rest.at(-1);
      const found = { secret: whole, ...(typeof groups === 'object' && present(groups)) } as Found;
      const form = typeof name === 'string' ? name : rowOf(name, found);
      if (isSecret?.(found) === false) return whole;
      tell(form);
      return `${whole.slice(0, whole.length - found.secret.length)}[masked: ${form}]`;
    });
  }
  return masked;
}

/** The name of the form of the first secret in a text; undefined where it has none. For names, which are refused then. */
export function secretIn(text: string): string | undefined {
  const found: string[] = [];
  mask(text, (name) => found.push(name));
  return found[0];
}

/** {@link mask} for every string and key inside JSON; other values stay as they are. */
export const maskDeep = (value: unknown, tell?: Tell): unknown => mapTexts(value, (text) => mask(text, tell));

/** Whether a secret was masked in a text. */
export function isMasked(text: string): boolean {
  return MARK.test(text);
}

/** A text without the marks of what was masked in it. */
export function withoutMarks(text: string): string {
  return text.replace(MARKS, ' ');
}

/** The masked secrets, counted by form: `2 GitHub tokens, 1 password`. */
export function countedForms(names: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, count]) => `${count} ${name}${count === 1 ? '' : 's'}`).join(', ');
}

/** The name of the row that was found, whose group is the secret. */
function rowOf(rows: readonly Row[], found: Found): string {
  const [group = '', secret = ''] = Object.entries(found).find(([each]) => each.startsWith('row')) ?? [];
  found.secret = secret;
  return rows[Number(group.slice('row'.length))]?.[0] ?? '';
}

/** Only groups that took part. */
function present(groups: object | null): Record<string, string> {
  return Object.fromEntries(Object.entries(groups ?? {}).filter(([, text]) => text !== undefined));
}
