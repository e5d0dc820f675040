/** What a piece of text means to a person; a face decides how it looks. */
export type Tone = 'plain' | 'strong' | 'dim' | 'good' | 'warn' | 'bad';

/** A piece of a line. A bare string is plain. */
export type Span = string | { text: string; tone: Tone };

/** A node of a tree drawn with lines. */
export interface Branch {
  label: Span[];
  children: Branch[];
}

export type Block =
  | { kind: 'line'; spans: Span[]; indent: number }
  | { kind: 'row'; spans: Span[]; text: string }
  | { kind: 'table'; head: string[]; rows: Span[][] }
  | { kind: 'tree'; root: Branch };

/** A result as a person sees it, independent of any terminal. */
export type View = Block[];

export const line = (...spans: Span[]): Block => ({ kind: 'line', spans, indent: 0 });
export const indented = (...spans: Span[]): Block => ({ kind: 'line', spans, indent: 1 });
/** Exactly one line: what does not fit of the text is cut. */
export const row = (spans: Span[], text: string): Block => ({ kind: 'row', spans, text });
export const table = (head: string[], rows: Span[][]): Block => ({ kind: 'table', head, rows });
export const tree = (root: Branch): Block => ({ kind: 'tree', root });

const toned = (tone: Tone) => (text: string) => ({ text, tone });
export const strong = toned('strong');
export const dim = toned('dim');
export const good = toned('good');
export const warn = toned('warn');
export const bad = toned('bad');

/** Warnings as a person sees them, one a line. */
export const warnings = (texts: readonly string[]): View => texts.map((text) => indented(warn(`! ${text}`)));
