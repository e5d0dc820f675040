import { requireOperation } from '../operations/index.ts';

/**
 * The result of an operation as a model reads it over MCP: short, with short ids and days (W-3). `recall` fits this form
 * into its budget.
 * @param name of the operation, such as `recall`
 * @throws PrecedentError `invalid` for an unknown name
 */
export function forModel(name: string, result: object): Record<string, unknown> {
  const given = result as Record<string, unknown>;
  return requireOperation(name).toModel?.(given) ?? given;
}
