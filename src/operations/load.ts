import { PrecedentError } from '../domain/error.ts';
import type { Operation } from './operation.ts';
import { sourceOf } from './source.ts';

/**
 * Loads one operation and none of the others, as a command does (U-9).
 * @throws PrecedentError `invalid` for an unknown name
 */
export async function loadOperation(name: string): Promise<Operation> {
  const source = (await sourceOf(name)) ?? {};
  const operation = (Object.values(source) as Partial<Operation>[]).find((each) => each.name === name);
  if (operation) return operation as Operation;
  throw new PrecedentError('invalid', `Expected an operation, found "${name}".`);
}
