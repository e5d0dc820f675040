import * as z from 'zod';
import type { Operation, Variant } from './operation.ts';

/** The parts of a JSON Schema that faces, the reference and the library's types read. */
export interface JsonSchema extends Hints {
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  type?: string | string[];
  enum?: unknown[];
  anyOf?: JsonSchema[];
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  description?: string;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  maxItems?: number;
  format?: string;
}

/** Keywords for our own faces. JSON Schema has none of them, so no published schema does (TR-6). */
interface Hints {
  /** Models do not see the field. */
  model?: boolean;
  /** A filter: on a command line it may be several words, each of them a part. */
  words?: boolean;
  /** A text of several lines: the command line takes one at a time, any number of times. */
  lines?: boolean;
  /** What the command line says of the field where the description is for models (U-8). */
  cli?: string;
  /** The name of the command line's option where that is another one; the field's own name is taken too. */
  option?: string;
  /** Another name that the command line accepts for the field. */
  also?: string;
  /** The kinds of a result, which differ in their fields: the library's types have a union of them (LB-7). */
  kinds?: Variant;
}
export const HINTS = [
  'model',
  'words',
  'lines',
  'cli',
  'option',
  'also',
  'kinds',
] as const satisfies (keyof Hints)[];

type Conversion = Parameters<typeof z.toJSONSchema>[1];

/**
 * The input or the output of an operation as JSON Schema: the only conversion, so that every face describes a field in
 * the same way.
 * @param options those of zod: the draft (`target`), or a function that changes each part (`override`)
 */
export function jsonSchemaOf(
  operation: Pick<Operation, 'input' | 'output'>,
  io: 'input' | 'output',
  options: Omit<NonNullable<Conversion>, 'io'> = {},
): JsonSchema {
  return z.toJSONSchema(operation[io], { ...options, io }) as JsonSchema;
}

/** {@link jsonSchemaOf} as others read it, with keywords of JSON Schema alone (TR-6). */
export function publishedSchemaOf(operation: Pick<Operation, 'input' | 'output'>, io: 'input' | 'output') {
  return jsonSchemaOf(operation, io, {
    override: ({ jsonSchema }) => {
      for (const hint of HINTS) delete jsonSchema[hint];
    },
  });
}

/** What a schema says besides its description, in words: between which numbers, and what is taken when it is left out. */
export function notesOf({ minimum, maximum, default: given }: JsonSchema): string[] {
  const isBounded = minimum !== undefined && maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER;
  return [
    ...(isBounded ? [`${minimum} to ${maximum}`] : []),
    ...(given !== undefined && given !== false ? [`default ${given}`] : []),
  ];
}
