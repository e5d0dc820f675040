import { snakeCase, TABLE_NAMES } from '../tables.ts';

/** The schema that holds all workspaces of a database. */
export const SCHEMA = 'precedent';
/** The setting that says which workspace a transaction is in, and the function of the schema that reads it. */
export const SETTING = 'precedent.workspace';
export const OWN = 'ws()';

/**
 * The workspace, out of a row of its own: with it Citus sends an `insert … select` to the workspace's node as it is. Without
 * it the coordinator copies the rows there and commits in two phases, and the second may come a minute after the answer
 * (ADR 0078).
 */
export const ON_ITS_NODE = `cross join (select workspace from all_search_totals where workspace = ${OWN}) as one`;

/** The tables in which each row names its workspace, as the store calls them. */
export const OF_WORKSPACES: readonly string[] = [
  ...TABLE_NAMES,
  'meta',
  'searchDocuments',
  'searchPostings',
  'searchTotals',
].map(snakeCase);
const KNOWN = new Set(OF_WORKSPACES);

/** The table behind a name of the store, which is a view of one workspace. */
export const tableOf = (name: string) => `all_${name}`;

const INSERT = /\binsert into "?([a-z_]+)"?(?=[\s(])/i;
/** Columns without the workspace, and what is selected for them, of an insert that ends there. */
const SELECTED = /\((?!workspace\b)([^()]*)\)(\s+select\b(?:(?!\bon conflict\b|\breturning\b).)*)$/is;
const CHANGE = /^\s*(update|delete from) "?([a-z_]+)"?(?: as "?([a-z_]+)"?)?(?=\s|$)/i;

/**
 * A statement of the store, as the tables take it. It reads from the views and changes the tables:
 * Citus changes nothing through a view, and the key of a view cannot name the workspace (N-1).
 */
export function onRows(statement: string): string {
  const inserted = statement.replace(INSERT, (found, name: string) =>
    KNOWN.has(name) ? `insert into ${tableOf(name)} as ${name}` : found,
  );
  if (inserted !== statement)
    return inserted
      .replace(/\bon conflict \(/i, 'on conflict (workspace, ')
      .replace(SELECTED, `(workspace, $1) select one.workspace, given.* from ($2) as given ${ON_ITS_NODE}`);
  const [head, verb, name, alias = name] = CHANGE.exec(statement) ?? [];
  if (head === undefined || name === undefined || !KNOWN.has(name)) return statement;
  const rest = statement.slice(head.length);
  const end = placeOf(rest, 'returning') ?? rest.length;
  const where = placeOf(rest, 'where') ?? end;
  const condition = rest.slice(where + 'where'.length, end);
  const also = condition === '' ? '' : ` and (${condition})`;
  return `${verb} ${tableOf(name)} as ${alias}${rest.slice(0, where)} where ${alias}.workspace = ${OWN}${also} ${rest.slice(end)}`;
}

/** Where a word is outside of parentheses and quotes. */
function placeOf(text: string, word: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of text.matchAll(/'(?:[^']|'')*'|"[^"]*"|[()]|\w+/g)) {
    if (token === '(') depth++;
    else if (token === ')') depth--;
    else if (depth === 0 && token.toLowerCase() === word) return index;
  }
  return undefined;
}
