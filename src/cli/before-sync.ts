import { join } from 'node:path';
import { here } from '../files/surroundings.ts';
import { backupsOf } from './commands/backup.ts';
import { findDataFolder } from './settings.ts';

/** Where `sync --init` keeps a memory as it was before its first sync. */
export const beforeSync = async () => join(await findDataFolder(here().env), 'before-sync');

/** The copies of a memory that are there, oldest first. */
export async function copiesBeforeSync(workspace: string): Promise<string[]> {
  const folder = await beforeSync();
  return backupsOf(folder, workspace).map((name) => join(folder, name));
}
