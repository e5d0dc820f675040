import { describeCommands } from './describe.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Every command as data. The build puts the data itself in the place of this file (`scripts/frozen.ts`): a command then
 * starts without the schemas of all others.
 */
export const catalogue: readonly CommandSpec[] = describeCommands();

export { loadOwn } from './own-commands.ts';
