import type { OwnCommand } from '../own-command.ts';
import { describeCommands } from './describe.ts';
import type { CommandSpec } from './spec.ts';

/**
 * Every command as data. The build puts the data itself in the place of this file (`scripts/frozen.ts`): a command then
 * starts without the schemas of all others.
 */
export const catalogue: readonly CommandSpec[] = describeCommands();

/** Loads a command that is no operation. @param words what is typed, which name its file */
export async function loadOwn(words: readonly string[]): Promise<OwnCommand> {
  const [own] = Object.values(await import(`../commands/${words.join('/')}.ts`));
  return own as OwnCommand;
}
