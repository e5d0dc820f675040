import type { JsonSchema } from './json-schema.ts';
import offeredAsData from './offered.json' with { type: 'json' };
import type { Operation } from './operation.ts';

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

export interface Offered {
  /** Every tool, in the order in which faces show them. */
  offered: readonly Tool[];
  /** The operations that no model is offered, as far as their names are not ordinary words. */
  hidden: readonly string[];
}

/**
 * The tools as data, which `npm run reference` writes from the operations: so a server answers `initialize` and `tools/list`
 * without loading an operation.
 */
export const { offered, hidden } = offeredAsData as unknown as Offered;
