import { once } from 'node:events';
import { invalid } from '../../domain/error.ts';
import { visible } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';
import { EXPORT_FORMATS, type Exporting, isFolder, WHAT_FORMATS_ARE } from '../../memory/exporting.ts';
import { counted, dim, good, indented, line, warn } from '../../operations/view.ts';
import { type Exported, fillFolder } from '../export-folder.ts';
import { refuseAddress } from '../input/file.ts';
import { open, using } from '../open.ts';
import { endQuietly } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import type { PlaceOptions } from '../place.ts';

/** I-5: to standard output, or into a folder where the format is one. */
export const exportMemory = defineCommand({
  name: 'export',
  summary: 'Export the memory: whole, as a graph, as a page, or as decision records',
  about: `Exports the memory: whole, as a graph, as a page, or as decision records.
${WHAT_FORMATS_ARE.map((what) => `- ${what}`).join('\n')}
A folder is written completely or not at all. The same memory gives the same files. Files of an earlier export are renewed or removed; files of others are never touched.`,
  examples: [
    'export --format jsonl > why.jsonl',
    'export --format madr docs/decisions',
    'export --format html --scope auth > why.html',
  ],
  arguments: { folder: { about: 'where madr is written; created if it is missing' } },
  options: {
    format: { value: 'format', about: 'what to write', required: true, choices: EXPORT_FORMATS },
    scope: { value: 'scope', about: 'only decisions of this scope' },
    filter: {
      value: 'filter',
      about: 'only what passes, as in "precedent list"; a decision with all versions or not at all',
    },
    at: { value: 'time', about: 'the memory at that time: 2026-10-01, 2w, "2 weeks ago"' },
    'no-authors': { about: 'leave out who wrote what, and on which machine' },
  },
  json: false,
  async run({ format, folder, scope, filter, at, ...options }, place) {
    const terms = { scope, filter, at, authors: options['no-authors'] !== true };
    if (isFolder(format)) return intoFolder(format, folder, terms, place);
    if (folder !== undefined)
      throw invalid.not_applicable(
        `Expected no folder with ${format}, which goes to standard output, found "${folder}".`,
      );
    endQuietly();
    await using(await open(place, { create: 'read' }), (memory) =>
      memory.export(format, toStandardOutput, terms),
    );
    return undefined;
  },
});

type Format = Parameters<Exporting['export']>[0];
type Terms = NonNullable<Parameters<Exporting['export']>[2]>;

/** A file has the records as they are; a terminal would obey what is in them. */
async function toStandardOutput(text: string): Promise<void> {
  const { stdout } = here();
  if (!stdout.write(`${stdout.isTTY ? visible(text) : text}\n`)) await once(stdout, 'drain');
}

async function intoFolder(format: Format, path: string | undefined, terms: Terms, place: PlaceOptions) {
  if (path === undefined)
    throw invalid.missing(
      `Expected a folder for ${format}, as in "precedent export --format ${format} docs/decisions", found none.`,
    );
  refuseAddress(path, 'a folder for the export');
  const report = await using(await open(place, { create: 'read' }), (memory) =>
    fillFolder(path, {
      format,
      fill: (write) => memory.exportFiles(format, write, terms),
    }),
  );
  return { report, view: viewOf(report) };
}

function viewOf({ folder, files, written, unchanged, removed, left }: Exported) {
  const done = [
    `${counted(files, 'file')}`,
    ...(unchanged > 0 && written > 0 ? [`${written} new or other than before`] : []),
    ...(removed > 0 ? [`${removed} removed`] : []),
  ];
  const title = written + removed > 0 ? good('✔ ') : dim('= nothing changed: ');
  return [
    line(title, done.join(', '), dim(`  in ${folder}`)),
    ...left.map((file) =>
      indented(warn(`! ${file} is no longer part of the export, and stays because it was changed`)),
    ),
  ];
}
