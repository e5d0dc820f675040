import { once } from 'node:events';
import { PrecedentError } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import { type Exporting, foldersOf, isFolder } from '../../memory/exporting.ts';
import { counted, dim, good, indented, line, warn } from '../../operations/view.ts';
import { refuseAddress } from '../input/file.ts';
import { withMemoryToRead } from '../open.ts';
import type { Answer } from '../output/print.ts';
import { endQuietly } from '../output/standard-output.ts';
import type { PlaceOptions } from '../place.ts';
import { type Exported, fillFolder } from './folder.ts';

type Format = Parameters<Exporting['export']>[0];
type Terms = NonNullable<Parameters<Exporting['export']>[2]>;

/** Writes a memory to standard output, or into a folder where the format is one (I-5). */
export async function exportMemory(
  format: Format,
  path: string | undefined,
  terms: Terms,
  place: PlaceOptions,
): Promise<Answer | undefined> {
  if (isFolder(format)) return intoFolder(format, path, terms, place);
  if (path !== undefined) {
    throw new PrecedentError(
      'invalid',
      `Expected no folder with ${format}, which goes to standard output, found "${path}".`,
    );
  }
  endQuietly();
  await withMemoryToRead(place, (memory) =>
    memory.export(
      format,
      async (text) => {
        if (!here().stdout.write(`${text}\n`)) await once(here().stdout, 'drain');
      },
      terms,
    ),
  );
  return undefined;
}

async function intoFolder(
  format: Format,
  path: string | undefined,
  terms: Terms,
  place: PlaceOptions,
): Promise<Answer> {
  if (path === undefined) {
    throw new PrecedentError(
      'invalid',
      `Expected a folder for ${format}, as in "precedent export --format ${format} docs/decisions", found none.`,
    );
  }
  refuseAddress(path, 'a folder for the export');
  const report = await withMemoryToRead(place, (memory) =>
    fillFolder(path, {
      format,
      folders: foldersOf(format),
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
    ...left.map((file) => indented(warn(`! ${file} is no more part of it, and stays, since it was changed`))),
  ];
}
