import { notFound } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { bad, counted, dim, good, indented, line, type View, warn } from '../../operations/view.ts';
import type { Asking } from '../output/asking.ts';
import { askFirst } from '../output/destroy.ts';
import type { Answer } from '../output/print.ts';
import type { PlaceOptions } from '../place.ts';
import { onEveryMemory } from './every.ts';

/** What a memory has of somebody. */
interface Found {
  workspace: string;
  /** How many records have the name as their author. */
  records: number;
  /** The name of their machine and of their token stay there. */
  writer: string;
  /** Records whose texts hold the name, with its address or without, or the address; at most twenty. */
  remaining: { what: string; id: string }[];
}

/**
 * Takes a name off everything that its bearer wrote, in every memory of a place (OP-7): the records stay, by nobody in
 * particular. Texts that hold the name are listed: whether they should lose it, or more, is for a person to say.
 */
export async function eraseAuthor(author: string, asking: Asking, options: PlaceOptions): Promise<Answer> {
  const reference = `author:${author}`;
  const looked = await onEveryMemory(options, async (memory): Promise<Found | undefined> => {
    const records = await countOf(memory, author);
    if (records === 0) return undefined;
    const { id, remaining } = await memory.wouldRedact(reference, author);
    return { workspace: memory.workspace, records, writer: id, remaining };
  });
  const found = looked.done.filter((each) => each !== undefined);
  if (found.length === 0 && looked.failed.length === 0)
    throw notFound.no_record(
      `Expected the name of an author as "precedent list authors" shows it, found nobody called "${author}" in any workspace.`,
    );
  const records = found.reduce((sum, each) => sum + each.records, 0);
  const doing = `take "${author}" off ${counted(records, 'record')} in ${counted(found.length, 'workspace')}`;
  const report = { author, workspaces: found, failed: looked.failed };
  const shown = viewOf(report);
  const stays = await askFirst(asking, { doing, shown, report });
  if (stays) return stays;
  const wanted = new Set(found.map(({ workspace }) => workspace));
  const { failed } = await onEveryMemory(options, async (memory) => {
    if (wanted.has(memory.workspace)) await memory.redact(reference, author);
  });
  return {
    report: { ...report, failed },
    view: [line(good('✔ '), doing.replace('take', 'took')), ...viewOf({ ...report, failed })],
    ...(failed.length > 0 && { code: 'unavailable' as const }),
  };
}

async function countOf(memory: MemoryCore, author: string): Promise<number> {
  let cursor: string | undefined;
  do {
    const page = await memory.call('list_names', {
      kind: 'authors',
      limit: 1_000,
      ...(cursor && { cursor }),
    });
    const { names, next_cursor } = page as {
      names: { name: string; count: number }[];
      next_cursor?: string;
    };
    const own = names.find(({ name }) => name === author);
    if (own) return own.count;
    cursor = next_cursor;
  } while (cursor);
  return 0;
}

function viewOf({
  workspaces,
  failed,
}: {
  workspaces: Found[];
  failed: { workspace: string; message: string }[];
}): View {
  return [
    ...workspaces.flatMap(({ workspace, records, writer, remaining }) => [
      line(`${workspace}: `, counted(records, 'record'), dim(` (machine and token stay: ${writer})`)),
      ...remaining.map(({ what, id }) => indented(warn('! the name is also in '), `${what} ${id}`)),
    ]),
    ...failed.map(({ workspace, message }) => line(bad(`✘ ${workspace}: ${message}`))),
    line(
      dim(
        'Texts that hold the name are kept: see them with "precedent show", blank it with "precedent redact ID --text".',
      ),
    ),
  ];
}
