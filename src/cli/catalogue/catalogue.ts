import catalogueAsData from './catalogue.json' with { type: 'json' };
import type { CommandSpec } from './spec.ts';

/**
 * Every command as data, which `npm run reference` writes from the commands and operations: so a command starts without the
 * schemas of all others.
 */
export const catalogue = catalogueAsData as unknown as readonly CommandSpec[];
