import { invalid } from '../../domain/error.ts';
import { jsonIn } from '../../domain/text/json.ts';
import { isTooDeep } from '../../files/depth.ts';
import { CONFLICT } from './markdown.ts';
import { isObject } from './values.ts';

/** The most lines that a message names. */
const NAMED = 20;

/** Unreadable lines, with the reasons. */
export type Damaged = { line: number; why: string }[];

/**
 * The objects of a text of JSON lines.
 * @param problemOf why an object is not valid; undefined if it is
 */
export function jsonLines(
  text: string,
  problemOf: (row: Record<string, unknown>) => string | undefined,
): { rows: Record<string, unknown>[]; damaged: Damaged } {
  const rows: Record<string, unknown>[] = [];
  const damaged: Damaged = [];
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const row = isTooDeep(line, 'json') ? undefined : jsonIn(line);
    const why = isObject(row) ? problemOf(row) : whyNot(line, row);
    if (why === undefined) rows.push(row as Record<string, unknown>);
    else damaged.push({ line: index + 1, why });
  }
  return { rows, damaged };
}

function whyNot(line: string, row: unknown): string {
  if (CONFLICT.test(line)) return 'left by a merge that was not resolved';
  return row === undefined ? 'no JSON' : 'no object';
}

/**
 * @param expected what each line holds
 * @throws PrecedentError `invalid` for a file of another kind, and for damaged lines unless they may be skipped
 */
export function requireWhole(
  { rows, damaged }: { rows: unknown[]; damaged: Damaged },
  expected: string,
  path: string,
  skipDamaged: boolean,
): void {
  if (damaged.length === 0 || (skipDamaged && rows.length > 0)) return;
  const found = rows.length === 0 ? `another file at ${path}` : `other in ${linesIn(damaged)}`;
  const instead = rows.length === 0 ? '' : '; --skip-damaged leaves these lines out';
  throw invalid.wrong_content(
    `Expected ${expected} as JSON in each line, found ${found}. Nothing was imported${instead}.`,
  );
}

function linesIn(damaged: Damaged): string {
  const lines = damaged.slice(0, NAMED).map(({ line, why }) => `line ${line} (${why})`);
  const more = damaged.length > NAMED ? ` and ${damaged.length - NAMED} more` : '';
  return `${lines.join(', ')}${more}`;
}

/** The skipped lines, for the result of the import. */
export const leftOut = (damaged: Damaged) => damaged.map(({ line, why }) => ({ what: `line ${line}`, why }));
