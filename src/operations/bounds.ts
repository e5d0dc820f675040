import { invalid } from '../domain/error.ts';
import type { Operation } from './operation.ts';

/**
 * The most that an input holds, whatever its operation: items of lists and fields of objects in all, levels of these, and
 * code units of one text, five times as many as the longest field takes of what is left of it.
 */
export const MOST_GIVEN = { values: 5_000, levels: 8, characters: 1_000_000 } as const;

/**
 * Refuses an input by its lengths alone, before an item or a text of it is looked at: what is done with each of them would
 * cost more than it takes to send them (Z-12). What an operation takes of it is its schema's to say.
 * @throws PrecedentError `invalid`; the message names no field that the operation does not have
 */
export function checkSize(
  { name, input: { shape } }: Pick<Operation, 'name' | 'input'>,
  input: unknown,
): void {
  let values = 0;
  const check = (value: unknown, levels: number, field?: string): void => {
    const where = field !== undefined && Object.hasOwn(shape, field) ? ` in "${field}"` : '';
    if (typeof value === 'string' && value.length > MOST_GIVEN.characters)
      throw invalid.too_long(
        `${name}: Expected texts of at most ${MOST_GIVEN.characters} characters, found one of ${value.length}${where}.`,
      );
    if (value === null || typeof value !== 'object') return;
    if (levels > MOST_GIVEN.levels)
      throw invalid.wrong_form(`${name}: Expected at most ${MOST_GIVEN.levels} levels, found more${where}.`);
    const keys = Array.isArray(value) ? [] : Object.keys(value);
    values += Array.isArray(value) ? value.length : keys.length;
    if (values > MOST_GIVEN.values)
      throw invalid.too_many(
        `${name}: Expected at most ${MOST_GIVEN.values} values in all, found ${values} or more${where}. Send them in several calls.`,
      );
    for (const [at, each] of Object.values(value).entries()) {
      check(keys[at], levels + 1, field);
      check(each, levels + 1, field ?? keys[at]);
    }
  };
  check(input, 0);
}
