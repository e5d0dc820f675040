import { operations, tools } from '../operations/index.ts';
import { HINTS, type JsonSchema, jsonSchemaOf, notesOf } from '../operations/json-schema.ts';
import type { Offered } from '../operations/offered.ts';
import type { Operation } from '../operations/operation.ts';

/**
 * What a model does not see: each call checks it, and a refusal says it. Bounds and defaults are in the
 * description instead, since some clients pass on no more than that.
 */
const LEFT_OUT = [
  '$schema',
  'additionalProperties',
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'default',
  ...HINTS,
] as const;

/** What `offered.json` holds. */
export function describeTools(): Offered {
  return {
    offered: tools.map((operation) => {
      const { name, family, summary, access, destructive = false, essential = false } = operation;
      const idempotent = operation.idempotent ?? access === 'read';
      return {
        ...{ name, family, summary, access, idempotent, destructive, essential },
        isAsked: operation.tool === 'optIn',
        searchHint: operation.searchHint ?? null,
        input: publishedInput(operation),
      };
    }),
    hidden: operations
      .filter(({ name, tool }) => tool === false && name.includes('_'))
      .map(({ name }) => name),
  };
}

/** The input of an operation as tools/list publishes it. */
export function publishedInput(operation: Operation): JsonSchema {
  return slim(jsonSchemaOf(operation, 'input'));
}

/** A bound that no model comes near: a refusal names it (RE-14). */
const WIDE = 1_000;

/** A schema with what a model needs of it: every schema takes room in its context. */
export function slim(schema: JsonSchema): JsonSchema {
  const { properties, items, ...rest } = schema;
  const kept = Object.entries(rest).filter(([key]) => !(LEFT_OUT as readonly string[]).includes(key));
  const { minimum, maximum = 0, ...open } = schema;
  const notes = notesOf(maximum < WIDE ? schema : open);
  const description = [schema.description, notes.length > 0 && `(${notes.join('; ')})`].filter(Boolean);
  return {
    ...Object.fromEntries(kept),
    ...(description.length > 0 && { description: description.join(' ') }),
    ...(items && { items: slim(items) }),
    ...(properties && { properties: shown(properties) }),
  };
}

function shown(properties: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const fields = Object.entries(properties).filter(([, field]) => field.model !== false);
  return Object.fromEntries(fields.map(([name, field]) => [name, slim(field)]));
}
