import { isDeepStrictEqual } from 'node:util';
import { type AST, getStaticTOMLValue, ParseError, parseTOML } from 'toml-eslint-parser';
import { isTooDeep, TOO_DEEP } from '../../files/depth.ts';
import { checked, Unreadable } from './format.ts';
import { isGroup, type Path, type Value, valueAt } from './value.ts';

/** TOML. A group is a table of its own at the end of the file; its fields are strings, flags and lists of these. */
export const toml = checked({ read, put, take }, (one, other) =>
  isDeepStrictEqual(withoutEmpty(one), withoutEmpty(other)),
);

function read(text: string): Record<string, unknown> {
  return getStaticTOMLValue(programOf(text)) as Record<string, unknown>;
}

function put(text: string, path: Path, value: Value): string {
  const isNew = isGroup(value) && valueAt(read(text), path) === undefined;
  return isNew ? append(text, path, value) : setField(text, path, value);
}

/** Without groups in which nothing is: a table takes the groups above it along. */
function withoutEmpty(value: unknown): unknown {
  if (!isGroup(value)) return value;
  const members = Object.entries(value).map(([key, each]) => [key, withoutEmpty(each)] as const);
  return Object.fromEntries(members.filter(([, each]) => !isGroup(each) || Object.keys(each).length > 0));
}

function programOf(text: string): AST.TOMLProgram {
  if (isTooDeep(text, 'toml')) throw new Unreadable(TOO_DEEP);
  try {
    return parseTOML(text, { tomlVersion: 'latest' });
  } catch (error) {
    if (error instanceof ParseError) throw new Unreadable(`line ${error.lineNumber} is not TOML`);
    throw error;
  }
}

function append(text: string, path: Path, value: Record<string, unknown>): string {
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  const fields = Object.entries(value).map(([key, field]) => `${key} = ${printed(field)}`);
  const table = [`[${path.map(keyOf).join('.')}]`, ...fields].join(eol);
  if (text === '' || text.endsWith('\n')) return `${text}${text && eol}${table}${eol}`;
  // The last line goes on without an end, so that taking the table leaves the text of before.
  return `${text}${eol}${eol}${table}`;
}

/** Changes a field of a table, or adds it below the others. */
function setField(text: string, path: Path, value: Value): string {
  const { table, field } = fieldIn(text, path);
  if (!table) throw new Unreadable(`${path.slice(0, -1).join('.')} is not a table of its own`);
  const name = String(path.at(-1));
  if (field) return text.slice(0, field.value.range[0]) + printed(value) + text.slice(field.value.range[1]);
  const [, end] = table.body.at(-1)?.range ?? table.range;
  const eol = /\r\n/.test(text) ? '\r\n' : '\n';
  return `${text.slice(0, end)}${eol}${keyOf(name)} = ${printed(value)}${text.slice(end)}`;
}

/** The table that a path leads into, and the field of it. */
function fieldIn(text: string, path: Path) {
  const table = tablesIn(text).find(({ resolvedKey }) => isDeepStrictEqual(resolvedKey, path.slice(0, -1)));
  const name = [String(path.at(-1))];
  return { table, field: table?.body.find(({ key }) => isDeepStrictEqual(getStaticTOMLValue(key), name)) };
}

/**
 * Takes a table and those below it, each with its line end and the empty line before it; or a field with its line, where
 * a comment after it stays.
 */
function take(text: string, path: Path): string {
  const { field } = fieldIn(text, path);
  if (field) {
    const [start, end] = field.range;
    const [line = ''] = text.slice(end).match(/^[ \t]*\r?\n/) ?? [];
    // The last line may have no end: then that before it has none, either.
    const [lead = ''] = text.slice(0, start).match(end === text.length ? /\r?\n[ \t]*$/ : /[ \t]*$/) ?? [];
    const isLineFree = line !== '' || end === text.length;
    return text.slice(0, isLineFree ? start - lead.length : start) + text.slice(end + line.length);
  }
  const tables = tablesIn(text).filter(({ resolvedKey }) =>
    isDeepStrictEqual(resolvedKey.slice(0, path.length), path),
  );
  return tables.reduceRight((rest, { range: [start, end] }) => {
    const [line = ''] = rest.slice(end).match(/^[^\n]*\n?/) ?? [];
    const isLast = end + line.length === rest.length && !line.endsWith('\n');
    const [gap = ''] = rest.slice(0, start).match(isLast ? /(?:\r?\n){0,2}$/ : /(?<=^|\n)\r?\n$/) ?? [];
    return rest.slice(0, start - gap.length) + rest.slice(end + line.length);
  }, text);
}

function tablesIn(text: string): AST.TOMLTable[] {
  const [top] = programOf(text).body;
  return top.body.filter((node) => node.type === 'TOMLTable');
}

/** A basic string of TOML has the escapes of JSON. */
const printed = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map(printed).join(', ')}]` : JSON.stringify(value);
const keyOf = (key: string | number): string =>
  /^[\w-]+$/.test(String(key)) ? String(key) : JSON.stringify(String(key));
