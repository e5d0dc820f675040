import { PrecedentError } from '../domain/error.ts';
import { tools } from '../operations/index.ts';
import type { Family, Operation } from '../operations/operation.ts';

/** The families that tools belong to. */
export const FAMILIES = [...new Set(tools.map(({ family }) => family))];

/**
 * The tools that a server offers: those of the families that are named, a comma between them; all without any.
 * @throws PrecedentError `invalid` for a name that is none
 */
export function toolsOf(families: string | undefined): readonly Operation[] {
  if (families === undefined) return tools;
  const wanted = families.split(',').map((family) => family.trim());
  const unknown = wanted.filter((family) => !FAMILIES.includes(family as Family));
  if (unknown.length > 0) {
    throw new PrecedentError(
      'invalid',
      `Expected --tools to name some of ${FAMILIES.join(', ')}, found ${unknown.map((family) => JSON.stringify(family)).join(', ')}.`,
    );
  }
  return tools.filter((operation) => wanted.includes(operation.family));
}
