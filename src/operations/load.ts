import { invalid } from '../domain/error.ts';
import type { Operation } from './operation.ts';
import { sources } from './sources.ts';
import type { View } from './view.ts';

/** A server asks for the same ones again and again. */
const loaded = new Map<string, Operation>();

/**
 * Loads one operation and none of the others, as a command does (U-9).
 * @throws PrecedentError `invalid` for an unknown name
 */
export async function loadOperation(name: string): Promise<Operation> {
  const known = loaded.get(name);
  if (known) return known;
  const source = Object.hasOwn(sources, name) ? await sources[name]?.() : undefined;
  const operation = (Object.values(source ?? {}) as Partial<Operation>[]).find((each) => each.name === name);
  if (!operation) throw invalid.not_one_of(`Expected an operation, found "${name}".`);
  loaded.set(name, operation as Operation);
  return operation as Operation;
}

/** A result of an operation as a person sees it. */
export async function viewOf(name: string, result: object): Promise<View> {
  return (await loadOperation(name)).view?.(result as never) ?? [];
}
