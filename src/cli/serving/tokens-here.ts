import { join } from 'node:path';
import { findDataFolder } from '../data-folder.ts';

/** The file of tokens that is meant: as the option or PRECEDENT_TOKENS says, else one in the data folder. */
export async function tokenFileHere(
  named: string | undefined,
  environment: NodeJS.ProcessEnv,
): Promise<string> {
  return named ?? (environment.PRECEDENT_TOKENS || join(await findDataFolder(environment), 'tokens.jsonl'));
}
