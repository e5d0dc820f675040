import * as z from 'zod';
import type { Operation } from './operation.ts';

/** What a JSON Schema of ours holds, as far as a face, the reference or the library's types read it. */
export interface JsonSchema {
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

type Conversion = Parameters<typeof z.toJSONSchema>[1];

/**
 * The input or the output of an operation as JSON Schema: the one conversion, so that no face describes a field in its
 * own way.
 * @param options zod's own: the draft (`target`), or what to change in each part (`override`)
 */
export function jsonSchemaOf(
  operation: Pick<Operation, 'input' | 'output'>,
  io: 'input' | 'output',
  options: Omit<NonNullable<Conversion>, 'io'> = {},
): JsonSchema {
  return z.toJSONSchema(operation[io], { ...options, io }) as JsonSchema;
}
