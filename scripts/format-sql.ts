/** SQL as a person would write it: a table's columns and constraints one a line, names without needless quotes. */
export function formatSql(statement: string): string {
  const parts = tokens(statement.trim());
  const isTable = /^create table /i.test(statement);
  let depth = 0;
  let text = '';
  for (const part of parts) {
    if (part === ')') depth--;
    if (part === ')' && depth === 0 && isTable) text += '\n';
    text += part === ' ' && /\n {2}$/.test(text) ? '' : part;
    if (part === '(') depth++;
    const breaks = isTable && depth === 1 && (part === '(' || part === ',');
    if (breaks) text += '\n  ';
  }
  return `${text.replace(/^create (unique |virtual )?(table|index)/i, (words) => words.toLowerCase())};`;
}

/** Quoted texts and names, brackets and commas, runs of blanks as one, and all that stands between these. */
function tokens(statement: string): string[] {
  const found = statement.match(/'(?:[^']|'')*'|"(?:[^"]|"")*"|[(),]|\s+|[^\s'"(),]+/g) ?? [];
  return found.map((token) => {
    if (/^\s/.test(token)) return ' ';
    return /^"[a-z_][a-z0-9_]*"$/.test(token) ? token.slice(1, -1) : token;
  });
}
