/** What a piece of text means to a person; a face decides how it looks. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad';

/** A piece of a line. A bare string is plain; a date is ISO 8601, and shown in the time of its reader. */
export type Span = string | { text: string; tone: Tone; date?: true };

/** A node of a tree drawn with lines. */
export interface Branch {
  label: Span[];
  children: Branch[];
}

/** What a list or the log shows of a record (U-3). */
export interface Entry {
  /** What became of it, as one character. */
  mark: Span;
  ref: string;
  /** ISO 8601. */
  at: string;
  who?: string | undefined;
  /** What happened, such as `decided`; nothing where every line would say the same. */
  what?: string | undefined;
  title: string;
  text: string;
  /** Its reason, in a sentence. */
  why?: string | undefined;
}

export type Block =
  | { kind: 'line'; spans: Span[]; indent: number; isCopied?: true }
  | { kind: 'entry'; entry: Entry }
  | { kind: 'table'; head: string[]; rows: Span[][] }
  | { kind: 'tree'; root: Branch };

/** A result as a person sees it, independent of any terminal. */
export type View = Block[];

export const line = (...spans: Span[]): Block => ({ kind: 'line', spans, indent: 0 });
export const indented = (...spans: Span[]): Block => ({ kind: 'line', spans, indent: 1 });
/** A command or a path that a person copies: it is never wrapped, which the terminal does. */
export const copied = (text: string): Block => ({
  kind: 'line',
  spans: [dim(text)],
  indent: 1,
  isCopied: true,
});
/** A record of a list or of the log: how much of it is shown is up to its reader. */
export const entry = (of: Entry): Block => ({ kind: 'entry', entry: of });
export const table = (head: string[], rows: Span[][]): Block => ({ kind: 'table', head, rows });
export const tree = (root: Branch): Block => ({ kind: 'tree', root });

const toned = (tone: Tone) => (text: string) => ({ text, tone });
export const strong = toned('strong');
export const dim = toned('dim');
export const good = toned('good');
export const warn = toned('warn');
export const bad = toned('bad');

/** What was done, and to which memory. */
export const did = (what: string, workspace: string): Block =>
  line(good('✔ '), what, dim(`  workspace ${workspace}`));

/** A moment, ISO 8601, as a face shows it to its reader. */
export const date = (iso: string): Span => ({ text: iso, tone: 'dim', date: true });

/** What is shown of a record below it: when and who, then its id (U-9). What is missing is left out. */
export const facts = (...parts: (Span | false | 0 | undefined)[]): Block =>
  indented(
    ...parts
      .filter((part): part is Span => Boolean(part))
      .flatMap((part, index) => [
        ...(index === 0 ? [] : [dim(' · ')]),
        typeof part === 'string' ? dim(part) : part,
      ]),
  );

/** Digits of an id that a person sees; every command takes them. An id that is not a UUID is shown whole. */
const SHORT = 8;
/** An id as a person sees it. */
export const shortId = (id: string): string => (UUID.test(id) ? id.slice(0, SHORT) : id);
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** The first line of a text, which says when there are more. */
export function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length > 0 ? `${first} …` : first;
}

/** A count with what is counted: `1 record`, `2 records`. */
export const counted = (count: number, what: string, many = `${what}s`): string =>
  `${count} ${count === 1 ? what : many}`;

/** How much of a question each answers, where that orders the list: then a person reads it as such (U-9). */
export function shares(similarities: readonly (number | undefined)[]): (string | undefined)[] {
  const isOrdered = similarities.every(
    (each, at) => each !== undefined && (at === 0 || each <= (similarities[at - 1] ?? 0)),
  );
  const isTelling = isOrdered && new Set(similarities).size > 1;
  return similarities.map((each) =>
    isTelling && each !== undefined ? `answers ${Math.round(100 * each)} %` : undefined,
  );
}

/** Warnings as a person sees them, one a line. */
export const warnings = (texts: readonly string[]): View => texts.map((text) => indented(warn(`! ${text}`)));
