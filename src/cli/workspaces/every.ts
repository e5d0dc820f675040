import type { MemoryCore } from '../../memory/core.ts';
import { signed } from '../author.ts';
import { findHere, openLazily } from '../open.ts';
import type { PlaceOptions } from '../place.ts';
import { atHome, memoryAt } from '../repository/home.ts';

/** What came of the work on several memories. */
export interface OnEvery<Result> {
  done: Result[];
  /** Memories that could not be opened or worked on, and why. */
  failed: { workspace: string; message: string }[];
}

/** Does work on one memory of a place after the other: all of the data folder or of a database, or only the one that is named. */
export async function onEveryMemory<Result>(
  options: PlaceOptions,
  work: (memory: MemoryCore) => Promise<Result>,
): Promise<OnEvery<Result>> {
  const { home, db, workspace } = await findHere(options);
  const all = home
    ? await atHome(home, async (workspaces) =>
        (await workspaces.list()).map((each) => memoryAt(home, each.workspace)),
      )
    : [{ db, workspace }];
  const writer = await signed();
  const result: OnEvery<Result> = { done: [], failed: [] };
  const named = (name: string) => options.workspace === undefined || name === options.workspace;
  for (const each of all.filter(({ workspace: name }) => named(name))) {
    try {
      const memory = await openLazily({ ...each, create: false, writer });
      result.done.push(await work(memory).finally(() => memory.close()));
    } catch (error) {
      result.failed.push({ workspace: each.workspace, message: (error as Error).message });
    }
  }
  return result;
}
