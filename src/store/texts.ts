import type { SelectType } from 'kysely';
import type { Rule, TextKind } from './columns.ts';
import { COLUMNS, type Schema } from './schema.ts';
import type { Table } from './tables.ts';

/** The columns of a table that can hold any text: not a number, and not one of a few words. */
export type TextColumn<T extends Table> = {
  [C in keyof Schema[T]]: string extends SelectType<Schema[T][C]> ? C : never;
}[keyof Schema[T]];

/** The text columns of a table, what each holds, and how long a text may be in it. */
export function textsOf(table: Table): { column: string; kind: TextKind; longest: number | undefined }[] {
  const rules: [string, Rule][] = Object.entries(COLUMNS[table]);
  return rules.flatMap(([column, { text, longest }]) =>
    text === undefined ? [] : [{ column, kind: text, longest }],
  );
}
