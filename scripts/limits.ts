import { type JsonSchema, notesOf } from '../src/operations/json-schema.ts';

/** The limits of a field, for the reference and for the types of the library: lengths, numbers, defaults. */
export function limitsOf(schema: JsonSchema): string[] {
  const { maxLength, maxItems, items } = schema;
  return [
    ...(maxLength ? [`at most ${maxLength.toLocaleString('en')} characters`] : []),
    ...(items?.maxLength
      ? [`at most ${maxItems} of ${items.maxLength.toLocaleString('en')} characters each`]
      : []),
    ...notesOf(schema),
  ];
}
