/** The rows of a list, as an operation answers them. */
type Rows = readonly object[];

/** How the rows of a list are saved: JSON is the answer itself, the others have a column for each field that a row has. */
export const TABLES: Record<'csv' | 'json' | 'md', (rows: Rows) => string> = {
  // A spreadsheet takes what begins so for a formula. The mark at the beginning tells it that the text is UTF-8 (RFC 4180).
  csv: (rows) =>
    `\uFEFF${tableOf(rows)
      .map((cells) => cells.map((cell) => quoted(cell.replace(/^(?:[=+@\t\r]|-(?!\d+$))/, "'$&"))).join(','))
      .join('\r\n')}\r\n`,
  json: (rows) => `${JSON.stringify(rows, undefined, 2)}\n`,
  md: (rows) => {
    const [head = [], ...body] = tableOf(rows).map((cells) => cells.map(inLine));
    return [head, head.map(() => '---'), ...body].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
  },
};

function tableOf(rows: Rows): string[][] {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  return [names, ...rows.map((row) => names.map((name) => textOf((row as Record<string, unknown>)[name])))];
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

const quoted = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

/** A cell of a table in Markdown: no text ends it, and none is HTML. */
const inLine = (cell: string): string =>
  cell
    .replace(/[\\|]/g, '\\$&')
    .replaceAll('<', '&lt;')
    .replace(/\s*\n\s*/g, ' ');
