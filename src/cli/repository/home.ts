import { join } from 'node:path';
import { type Workspaces, withWorkspaces } from '../../memory/engines.ts';
import { log } from '../output/print.ts';

/** Where the memories of repositories are, and what is remembered of them. */
export interface Home {
  /** The folder of their files, or the address of the server. */
  where: string;
  /** The server without its password, as the registry calls it; undefined for the data folder. */
  db: string | undefined;
  /** Where the registry is; without one nothing is remembered on this machine. */
  dataFolder: string | undefined;
}

/** A memory of a home, as it is opened. */
export function memoryAt({ where, db }: Home, workspace: string): { db: string; workspace: string } {
  const name = workspace.normalize('NFC');
  return { db: db === undefined ? join(where, `${name}.db`) : where, workspace: name };
}

/** Works on the memories of a home. */
export function atHome<Result>(
  { where }: Pick<Home, 'where'>,
  work: (workspaces: Workspaces) => Promise<Result>,
): Promise<Result> {
  return withWorkspaces(where, log, work);
}
