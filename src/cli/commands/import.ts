import { invalid } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { viewOfBinding, viewOfImport } from '../copy-memory.ts';
import { KEEP_SECRET } from '../input/fields.ts';
import { openFile } from '../input/file.ts';
import { linesOf } from '../input/lines.ts';
import { withReceived } from '../input/received.ts';
import { open, using } from '../open.ts';
import { viewOfHeard } from '../output/heard.ts';
import { withProgressBar } from '../output/progress.ts';
import { defineCommand } from '../own-command.ts';
import type { PlaceOptions } from '../place.ts';

const EXPECTED = 'a file to import';
/** What a folder may be instead. */
const OF_FOLDER = ' With --from it may be one, such as --from adr; "--from auto" tells what it is.';

export const importMemory = defineCommand({
  name: 'import',
  summary: 'Import an exported memory, or the memory of another tool',
  about: `Imports an exported memory, or with --from the memory of another tool.
An exported memory can also be imported into one that has records, as by "precedent sync": nothing is overwritten, and decisions that differ are both shown until they are settled. The memory of another tool can be imported into any memory, as often as you like: what changed there becomes a new version or revision, and what changed on both sides is only reported. The other tool's memory is never changed.`,
  examples: [
    '--db imported.db import why.jsonl',
    'import --from auto',
    'import --from server-memory memory.jsonl --dry-run',
  ],
  arguments: {
    file: {
      about:
        'the output of "precedent export --format jsonl"; default: standard input. With --from: the file or folder of the other tool; default: its usual place. With --from auto: the file or folder to recognise',
    },
  },
  options: {
    from: {
      value: 'source',
      about: 'another tool; "auto" lists the tools with data on this machine',
    },
    dryRun: { about: 'only show what would come, or what --undo would undo' },
    skipDamaged: { about: 'leave out what cannot be read, and list it' },
    scope: { value: 'kind=name', about: 'with --from mama: only decisions of this scope' },
    keepSecret: { about: `with --from: ${KEEP_SECRET}` },
    undo: { value: 'source', about: 'undo all that came from a source, unless something depends on it' },
  },
  async run({ file, from, undo, dryRun = false, ...asked }, place) {
    const wanted = Object.values(asked).some((each) => each !== undefined && each !== false);
    const isAsked = wanted || file !== undefined || from !== undefined;
    if (undo !== undefined && isAsked)
      throw invalid.both_given(
        `Expected --undo alone, as in "precedent import --undo ${undo}", found it with an import. Nothing was undone.`,
      );
    if (from !== undefined || undo !== undefined) {
      const { importFromTool, undoImport } = await import('../importing.ts');
      return from === undefined
        ? undoImport(undo as string, place, dryRun)
        : importFromTool({ ...asked, from, path: file, dryRun }, place);
    }
    if (wanted)
      throw invalid.not_applicable(
        'Expected --from with --skip-damaged, --scope or --keep-secret: an exported memory comes whole.',
      );
    return withReceived(file, EXPECTED, place, (path) => importFrom(path, place, dryRun));
  },
});

async function importFrom(file: string, place: PlaceOptions, dryRun: boolean) {
  const input = await openFile(file, EXPECTED, OF_FOLDER);
  const work = async (memory: MemoryCore) => {
    const imported = await withProgressBar((progress) =>
      memory.import(linesOf(input), progress, { merge: true, dryRun, isOthers: true }),
    );
    const { workspace } = memory;
    const view = [
      ...viewOfImport(imported, workspace, undefined, dryRun),
      ...viewOfBinding(imported.binding),
    ];
    return {
      report: { workspace, ...(dryRun && { dryRun }), ...imported },
      view: imported.merged ? viewOfHeard(imported.merged, view) : view,
    };
  };
  return using(await open(place, { create: dryRun ? 'try' : 'new' }), work);
}
