import type { FilterWord } from '../../domain/filter/parse.ts';
import { en } from '../words/en.ts';

/** The fields of a filter, as `precedent list` and `precedent log` have them. */
export const FIELDS = Object.keys(en.fields) as FilterWord[];

const FIELD = new RegExp(`(?:^|\\s)(?:${[...FIELDS, 'author'].join('|')}):`, 'i');

/** Whether a text has a field of a filter; any other text is words to search for. */
export const hasField = (text: string): boolean => FIELD.test(text);

/** A field as it is written in a filter. */
export const written = (field: FilterWord, value: string): string =>
  `${field}:${/\s/.test(value) ? `"${value}"` : value}`;
