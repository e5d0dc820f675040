import { isEmpty, type Merged } from '../../domain/import/facts.ts';
import { here } from '../../files/surroundings.ts';
import { readSource, sourcesAt, sourcesHere, type Asked as Wanted } from '../../memory/importing.ts';
import { counted, dim, good, line } from '../../operations/view.ts';
import { emptyMemory, openHere, withExistingMemory } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { withProgressBar } from '../output/progress.ts';
import type { PlaceOptions } from '../place.ts';
import { withMemory } from '../with-memory.ts';
import { viewOfMerge, viewOfSources } from './view.ts';

/** How an import from another tool was asked for. */
interface Asked extends Omit<Wanted, 'isDryRun'> {
  from: string;
  path: string | undefined;
  dryRun: boolean;
  keepSecret?: boolean | undefined;
}

/** Takes in what another tool remembers (I-1); `auto` only lists what this machine has. */
export async function importFromTool(asked: Asked, place: PlaceOptions): Promise<Answer> {
  const machine = { home: here().home(), folder: here().cwd(), platform: process.platform, env: here().env };
  if (asked.from === 'auto') {
    const found = asked.path === undefined ? sourcesHere(machine) : sourcesAt(asked.path, machine);
    return { report: { sources: found }, view: viewOfSources(found) };
  }
  const facts = readSource(asked.from, asked.path, machine, { ...asked, isDryRun: asked.dryRun });
  const how = { keepsSecrets: asked.keepSecret === true };
  const answer = (merged: Merged, workspace: string) => ({
    report: { workspace, dryRun: asked.dryRun, ...merged },
    view: viewOfMerge(merged, workspace, asked.dryRun),
  });
  if (asked.dryRun || isEmpty(facts)) {
    // Where there is no memory yet, none is made to be looked at, or for nothing.
    const { place: meant, memory } = await openHere(place);
    const tried = memory ?? (await emptyMemory(meant));
    try {
      return answer(await tried.merge(facts, () => {}, { ...how, dryRun: asked.dryRun }), tried.workspace);
    } finally {
      await tried.close();
    }
  }
  return withMemory(place, async (memory) =>
    answer(await withProgressBar((progress) => memory.merge(facts, progress, how)), memory.workspace),
  );
}

/** Undoes all that came from one source (I-3). */
export function undoImport(source: string, place: PlaceOptions): Promise<Answer> {
  return withExistingMemory(place, async (memory) => {
    const undone = await memory.unmerge(source);
    const { workspace } = memory;
    const what = `undid ${counted(undone.records, 'record')} and ${counted(undone.relations, 'relation')}`;
    return {
      report: { workspace, ...undone },
      view: [line(good('✔ '), what, dim(`  that came from ${source} into ${workspace}`))],
    };
  });
}
