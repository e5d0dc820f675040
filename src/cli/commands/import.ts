import { invalid } from '../../domain/error.ts';
import type { MemoryCore } from '../../memory/core.ts';
import { DATABASES, describeDatabase } from '../../memory/engines.ts';
import { optionOf } from '../../operations/names.ts';
import { viewOfBinding, viewOfImport } from '../copy-memory.ts';
import type { copyFrom } from '../copying.ts';
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
const OF_FOLDER =
  ' To import the folder of another tool, name the tool: --from adr; "--from auto" tells which one it is.';

export const importMemory = defineCommand({
  name: 'import',
  summary: 'Import an export, a memory elsewhere, lines to save, or the memory of another tool',
  about: `Imports what it is given:
- An export ("precedent export --format jsonl").
- The address of a server, or the file of a memory: copies that memory into an empty one, and compares the two.
- Lines to save, one record on each: all of them, or none if one is refused; the refusal names the line. A line is a JSON object with the fields of a tool that saves, and "operation", its name ("precedent tool --help" lists them). With "date", earlier history can be entered.
- With --from: the memory of another tool.
An exported memory can also be imported into one that has records, as by "precedent sync": nothing is overwritten, and decisions that differ are both shown until they are settled. The memory of another tool can be imported into any memory, as often as you like: what changed there becomes a new version or revision, and what changed on both sides is only reported. The other tool's memory is never changed.`,
  examples: [
    '--db imported.db import why.jsonl',
    'import --from server-memory memory.jsonl --dry-run',
    `import << 'END'
{"operation":"mama_update","id":"auth:token","outcome":"failed","reason":"Scripts read it"}
{"operation":"mem_save","title":"proxy","content":"It cuts headers at 4 kB"}
END
`,
  ],
  arguments: {
    file: {
      about: `an export, lines to save, or a memory: ${DATABASES}; default: standard input. With --from: the file or folder of the other tool; default: its usual place. With --from auto: the file or folder to recognise`,
    },
  },
  options: {
    from: {
      value: 'source',
      about: 'another tool; "auto" lists the tools with data on this machine',
    },
    dryRun: { about: 'only show what would be imported, or what --undo would undo' },
    skipDamaged: { about: 'leave out what cannot be read, and list it' },
    scope: { value: 'kind=name', about: 'with --from mama: only decisions of this scope' },
    keepSecret: { about: `with --from, and for lines to save: ${KEEP_SECRET}` },
    fromWorkspace: { value: 'name', about: 'the name of the memory on the server; default: its name here' },
    undo: { value: 'source', about: 'undo all that came from a source, unless something depends on it' },
  },
  async run({ file, from, undo, dryRun = false, fromWorkspace, keepSecret, ...ofTool }, place) {
    const asked = { ...ofTool, keepSecret };
    const wanted = Object.values({ ...asked, fromWorkspace }).some(Boolean);
    if (undo !== undefined && (wanted || file !== undefined || from !== undefined))
      throw invalid.both_given(
        `Expected --undo alone, as in "precedent import --undo ${undo}", found it with an import. Nothing was undone.`,
      );
    if (from !== undefined || undo !== undefined) {
      refuse({ fromWorkspace }, 'with the memory of another tool');
      const { importFromTool, undoImport } = await import('../importing.ts');
      return from === undefined
        ? undoImport(undo as string, place, dryRun)
        : importFromTool({ ...asked, from, path: file, dryRun }, place);
    }
    refuse(ofTool, 'without --from, which names another tool');
    if (file !== undefined && describeDatabase(file).kind !== 'file') {
      refuse({ keepSecret }, 'with a memory, which is copied whole');
      return copied(file, fromWorkspace, place, dryRun);
    }
    refuse({ fromWorkspace }, 'with a file');
    return withReceived(file, EXPECTED, place, async (path) => {
      const { hasSaves, isMemory, saveLines } = await import('../import-lines.ts');
      const isWhole = await isMemory(path, EXPECTED, OF_FOLDER);
      if (!isWhole && (await hasSaves(path, EXPECTED))) {
        refuse({ dryRun }, 'with lines to save');
        return saveLines(path, EXPECTED, place, keepSecret === true);
      }
      refuse({ keepSecret }, 'with a memory, which is copied whole');
      return isWhole ? copied(path, undefined, place, dryRun) : importFrom(path, place, dryRun);
    });
  },
});

/** @throws PrecedentError `invalid` for an option that does not go with what is imported */
function refuse(options: Record<string, unknown>, where: string): void {
  const given = Object.keys(options).find((name) => options[name] !== undefined && options[name] !== false);
  if (given !== undefined)
    throw invalid.not_applicable(
      `Expected no --${optionOf(given)} ${where}, found it. Leave it out. Nothing was imported.`,
    );
}

async function copied(...asked: Parameters<typeof copyFrom>) {
  const { copyFrom } = await import('../copying.ts');
  return copyFrom(...asked);
}

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
