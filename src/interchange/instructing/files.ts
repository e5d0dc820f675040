import { dirname, join, posix } from 'node:path';
import { append } from '../../domain/append.ts';
import { PrecedentError } from '../../domain/error.ts';
import { readBounded, sizeOf } from '../../files/bounded.ts';
import { recordFoldersAmong } from '../importers/adr/adr.ts';
import { standing } from '../importers/adr/facts.ts';
import { type AdrRecord, readRecord } from '../importers/adr/record.ts';
import { isGround, isOfLinks } from '../importers/adr/words.ts';
import { LEFT_OUT, OF_PROJECT, ofPattern } from '../importers/agents/agents.ts';
import { OF_RECORDS } from '../importers/markdown-files.ts';
import { asSourceText, textIn } from '../importers/source-text.ts';
import { listed } from '../importers/values.ts';
import { below } from '../importers/walk.ts';
import { type Instruction, instructionsIn, LONGEST } from './sentences.ts';

/** Files that instruct besides those that import reads as an agent's: what agents and people are told to read first. */
const ALSO = listed('.serena/memories/**/*.md **/README*.md **/CONTRIBUTING*.md');
const INSTRUCTING = [...OF_PROJECT, ...ALSO].map(ofPattern);
/** Folders whose files are another project's, or an example. */
const OTHERS = [...LEFT_OUT, 'fixtures', 'testdata', 'third_party'];
/** Files that are read, their bytes, their sentences, and bytes of one: 256 kB are 40,000 words. */
const MOST_FILES = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;
const MOST_SENTENCES = 50_000;
const LARGEST = 256 * 1024;

/** The files of a repository that instruct, and those that could not be read. */
export interface Instructing {
  sentences: (Instruction & { file: string })[];
  files: number;
  skipped: { what: string; why: string }[];
}

/** Whether a file may instruct, by its name alone: a record does if its folder and its state say so. */
export const mayInstruct = (path: string): boolean =>
  OF_RECORDS.test(path) || INSTRUCTING.some((each) => each.test(path));

/**
 * The sentences of those files that instruct (CC-2): what agents and people are told to read, and decision records that stand.
 * They are read, never changed, and no link is followed out of the folder.
 * @param top the folder of the repository @param paths files from there on, with `/`; others than the table names are left out.
 *   Default: all that are there
 */
export function readInstructing(top: string, paths: readonly string[] = filesBelow(top)): Instructing {
  const skipped: Instructing['skipped'] = [];
  const read = (path: string) => readText(top, path, skipped);
  const own = paths.filter((path) => !path.split('/').some((each) => OTHERS.includes(each)));
  const folders = recordFoldersAmong([...foldersOf(own)], (name) =>
    paths.includes(name) ? read(name) : undefined,
  );
  const folderOf = (path: string) => folders.find((each) => path.startsWith(`${each}/`));
  const records: AdrRecord[] = [];
  const sentences: Instructing['sentences'] = [];
  const isWanted = (path: string) =>
    (OF_RECORDS.test(path) && folderOf(path) !== undefined) || INSTRUCTING.some((each) => each.test(path));
  // A name with a line break would write lines of its own.
  const unnamed = own.filter((path) => HIDDEN.test(path) && isWanted(path.split(HIDDEN).join('')));
  if (unnamed.length > 0)
    skipped.push({ what: filesIn(unnamed.length), why: 'invisible characters in the name' });
  const wanted = own.filter((path) => !HIDDEN.test(path) && isWanted(path));
  let files = 0;
  let room = MOST_BYTES;
  for (const [at, path] of wanted.entries()) {
    if (at === MOST_FILES || room <= 0 || sentences.length > MOST_SENTENCES) {
      const why = `more than ${MOST_FILES} files, ${sizeOf(MOST_BYTES)} or ${MOST_SENTENCES} sentences`;
      skipped.push({ what: `${path} and all after it, ${filesIn(wanted.length - at)}`, why });
      break;
    }
    const text = read(path);
    const folder = folderOf(path);
    if (text === undefined) continue;
    files++;
    room -= text.length;
    if (folder === undefined)
      append(
        sentences,
        instructionsIn(text).map((each) => ({ ...each, file: path })),
      );
    else {
      const record = readRecord(asSourceText(Buffer.from(text), 0), path, {
        folder: dirname(posix.relative(folder, path)),
      });
      if (typeof record !== 'string') records.push(record);
    }
  }
  for (const { file, text } of standing(records))
    append(
      sentences,
      instructionsIn(text, isDecided).map((each) => ({ ...each, file })),
    );
  return { sentences, files, skipped };
}

/** Whether a section of a record says what was decided, and not why, or what else could have been. */
const isDecided = (heading: string) => !isGround(heading) && !isOfLinks(heading);

/** The files of a folder that are no other project's, and links out of it: they are refused by name. */
const filesBelow = (top: string) =>
  below(top, (name) => OTHERS.includes(name)).flatMap(({ path, kind }) =>
    kind.startsWith('folder') ? [] : path,
  );

const HIDDEN = /\p{C}+/u;
const filesIn = (count: number) => (count === 1 ? '1 file' : `${count} files`);

/** All folders that files are in. */
function foldersOf(paths: readonly string[]): Set<string> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let at = posix.dirname(path); at !== '.' && !folders.has(at); at = posix.dirname(at))
      folders.add(at);
  return folders;
}

function readText(top: string, path: string, skipped: Instructing['skipped']): string | undefined {
  try {
    const bytes = readBounded(join(top, path), { limit: LARGEST, within: top });
    const text = bytes && textIn(bytes);
    const cut = text?.split('\n').findIndex((line) => line.length > LONGEST) ?? -1;
    if (cut >= 0)
      skipped.push({ what: `${path}:${cut + 1}`, why: `of a line, ${LONGEST} characters are read` });
    return text;
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    skipped.push({ what: path, why: error.message });
    return undefined;
  }
}
