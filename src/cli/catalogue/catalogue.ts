import { describeCommands } from './describe.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Every command as data. The build replaces this file by the data itself (`scripts/frozen.ts`): a command then
 * starts without the schemas of all others.
 */
export const catalogue: readonly CommandSpec[] = describeCommands();

export { loadOwn } from './own-commands.ts';
