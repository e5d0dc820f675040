import { operations, tools } from '../operations/index.ts';
import type { JsonSchema } from '../operations/json-schema.ts';
import type { Operation } from '../operations/operation.ts';
import { publishedInput } from './published.ts';

/** A tool as data: what a server publishes of an operation, and by what it is chosen. */
export interface Tool extends Pick<Operation, 'name' | 'family' | 'summary' | 'access'> {
  idempotent: boolean;
  destructive: boolean;
  essential: boolean;
  /** It is offered to those who ask for it, and not every day. */
  isAsked: boolean;
  searchHint: string | null;
  /** Its input as a model sees it. */
  input: JsonSchema;
}

/**
 * Every tool, in the order in which faces show them. The build replaces this file by the data itself
 * (`scripts/frozen.ts`): a server then answers `initialize` and `tools/list` without loading an operation.
 */
export const offered: readonly Tool[] = tools.map((operation) => {
  const { name, family, summary, access, destructive = false, essential = false } = operation;
  const idempotent = operation.idempotent ?? access === 'read';
  return {
    ...{ name, family, summary, access, idempotent, destructive, essential },
    isAsked: operation.tool === 'optIn',
    searchHint: operation.searchHint ?? null,
    input: publishedInput(operation),
  };
});

/** The operations that no model is offered, as far as their names are not ordinary words. */
export const hidden: readonly string[] = operations
  .filter(({ name, tool }) => tool === false && name.includes('_'))
  .map(({ name }) => name);
