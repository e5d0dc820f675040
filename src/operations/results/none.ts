import { sql } from 'kysely';
import { partMeant } from '../../domain/filter/parse.ts';
import { cut } from '../../domain/text/sentence.ts';
import { foldName } from '../../domain/text/text.ts';
import { type ListedThing, thereAre } from '../../store/lists/there.ts';
import { type FilteredField, valuesOf } from '../../store/search/looked.ts';
import { together } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { View } from '../view.ts';
import { type Looked, lookedField, viewAnswered } from './answered.ts';
import { emptyWorkspace } from './fields.ts';
import { firstWords } from './names.ts';

/** Characters of a value that was asked for, or that there is; those of a field that are named. */
const LENGTH = 60;
const VALUES = 8;

/** In the result of a list: what there is, where it lists nothing (RE-8), and in which memory. */
export const noneFields = () => ({ looked: lookedField(), workspace: emptyWorkspace() });

/** The fields of a filter that were given, by name. */
export type Given = Readonly<Record<string, string | undefined>>;

/** {@link Given} as a reader is told it; undefined where nothing was given. */
export function saidFilter(filter: Given): string | undefined {
  const said = Object.entries(filter).flatMap(([field, value]) =>
    value === undefined ? [] : [`${field} "${cut(firstWords(value), LENGTH)}"`],
  );
  return said.length > 0 ? said.join(', ') : undefined;
}

/** The values that records have in the fields that were given, each with how many do. @param fields those that have some */
export async function valuesGiven(
  tx: Tx,
  given: Given,
  fields: Readonly<Record<string, FilteredField>>,
): Promise<string[]> {
  const asked = Object.keys(given).flatMap((field) => (given[field] !== undefined && fields[field]) || []);
  const values = await together(...asked.map((field) => valuesOf(tx, field, VALUES)));
  return values.flat().map(({ value, count }) => `${cut(value, LENGTH)} ${count}`);
}

interface None {
  what: ListedThing;
  /** How many pass the filter: none, or those on pages before this one. */
  total: number;
  filter?: Given;
  /** The fields whose values are named, where none passes. */
  fields?: Readonly<Record<string, FilteredField>>;
}

/** {@link noneFields} of a list without entries. */
export async function noneOf(tx: Tx, { what, total, filter = {}, fields = {} }: None) {
  const { listed, ended } = await thereAre(tx, what);
  const said = total > 0 ? undefined : saidFilter(filter);
  const values = said !== undefined && listed > 0 ? await valuesGiven(tx, filter, fields) : [];
  const meant = said === undefined ? undefined : await meantBy(tx, filter.words);
  const looked: Looked = {
    what,
    records: total,
    languages: [],
    ...(said !== undefined && { filter: said, unfiltered: listed }),
    ...(values.length > 0 && { there: values }),
    ...(meant !== undefined && { meant }),
    ...(listed === 0 && ended > 0 && { ended }),
  };
  return { looked, workspace: tx.workspace };
}

/** Authors that words are compared with at most, the most frequent. */
const AUTHORS = 200;
const OF_WRITERS = { rows: sql`writers as x`, value: sql`x.author`, record: sql`x.id` };

/** The part of a filter that these words are the value of: no record has them, and a list may be meant (U-4). */
async function meantBy(tx: Tx, words: string | undefined): Promise<string | undefined> {
  if (words === undefined) return undefined;
  const part = partMeant(words, tx.now);
  if (part !== undefined) return part;
  const authors = await valuesOf(tx, OF_WRITERS, AUTHORS);
  const folded = foldName(words);
  return authors.some(({ value }) => foldName(value).includes(folded)) ? `by:${words}` : undefined;
}

/** The text for a model that named a domain in which nothing was decided (RE-8). @param scopes those that there are */
export const noDomain = (scopes: readonly string[]) =>
  `No decision has this domain; there are ${scopes.join(', ')}`;

/** A list without entries, as a person sees it. */
export const viewNone = (looked: Looked | undefined, workspace: string | undefined): View =>
  viewAnswered({ looked }, 0, 0, workspace);
