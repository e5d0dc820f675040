import { once } from 'node:events';
import { invalid } from '../../domain/error.ts';
import { visible } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';
import { describeDatabase } from '../../memory/engines.ts';
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
  summary: 'Export the memory: to a file, as a page or decision records, or to a server',
  about: `Exports the memory in a format, or copies it to a server.
${WHAT_FORMATS_ARE.map((what) => `- ${what}`).join('\n')}
A folder is written completely or not at all. The same memory gives the same files. Files of an earlier export are renewed or removed; files of others are never touched.
With the address of a server instead of a format, the whole memory is copied into an empty one there, and the two are compared.`,
  examples: [
    'export --format jsonl > why.jsonl',
    'export --format madr docs/decisions',
    'export --format html --scope auth > why.html',
  ],
  arguments: {
    to: { about: 'the folder where madr is written, created if it is missing; or the address of a server' },
  },
  options: {
    format: { value: 'format', about: 'what to write', choices: EXPORT_FORMATS },
    toWorkspace: { value: 'name', about: 'the name of the memory on the server; default: its name here' },
    scope: { value: 'scope', about: 'only decisions of this scope' },
    filter: {
      value: 'filter',
      about:
        'only records that pass this filter, as in "precedent list"; a decision comes with all its versions or not at all',
    },
    at: { value: 'time', about: 'the memory at that time: 2026-10-01, 2w, "2 weeks ago"' },
    'no-authors': { about: 'leave out who wrote what, and on which machine' },
  },
  async run({ format, to, toWorkspace, scope, filter, at, ...options }, place, json) {
    const terms = { scope, filter, at, authors: options['no-authors'] !== true };
    const isAddress = to !== undefined && describeDatabase(to).kind !== 'file';
    if (format === undefined && isAddress) {
      if (scope !== undefined || filter !== undefined || at !== undefined || !terms.authors)
        throw invalid.not_applicable(
          'Expected no option that leaves out a part, since a memory is copied whole to a server; found one. Leave it out.',
        );
      const { copyTo } = await import('../copying.ts');
      return copyTo(to, toWorkspace, place);
    }
    if (format === undefined)
      throw invalid.missing(
        `Expected --format with one of ${EXPORT_FORMATS.join(', ')}, or the address of a server, found neither. As in: precedent export --format jsonl > why.jsonl. "precedent backup FILE" makes a copy in a file.`,
      );
    if (toWorkspace !== undefined)
      throw invalid.not_applicable('Expected --to-workspace with the address of a server, found a format.');
    if (isFolder(format)) return intoFolder(format, to, terms, place);
    if (to !== undefined)
      throw invalid.not_applicable(
        `Expected no ${isAddress ? 'address' : 'folder'} with ${format}, which goes to standard output${isAddress ? '.' : `, found "${to}".`}`,
      );
    if (json)
      throw invalid.not_applicable(`Expected no --json with ${format}, which goes to standard output.`);
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
    ...(unchanged > 0 && written > 0 ? [`${written} new or changed`] : []),
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
