import { packageIn } from './command.ts';
import { type Key, keysOf, LOOKED_AT } from './keys.ts';

/** The change of a file by an edit, or a new file. */
export interface Edit {
  path: string;
  /** The replaced text; empty where the edit only adds. */
  before?: string | undefined;
  after: string;
  /** The file as it was, where that is known: what it has already is not new. */
  file?: string | undefined;
}

/** Files in which a name says nothing about the program: made by programs, made up for tests, or prose. */
const UNREAD =
  /(?:^|\/)(?:fixtures?|testdata|__snapshots__|generated|__generated__|vendor|third_party|node_modules)\/|(?:^|\/)(?:[\w.-]*lock(?:file)?(?:\.\w+)?|go\.sum|npm-shrinkwrap\.json|changelog[\w.]*|licen[cs]e[\w.-]*)$|[._-](?:generated|gen|pb|min|snap|lock)\.?\w*$|(?<!requirements)\.txt$|\.(?:mdx?|rst|adoc|csv|jsonl|po|svg)$/i;

export const isUnread = (path: string): boolean => UNREAD.test(path);

/** Characters that are read of the file: a name that it has at its end is not new either. */
const WHOLE = 200_000;
/** A line that is a comment alone, and tells no tool to look away. */
const COMMENT =
  /^(?!.*(?:@ts-|eslint-disable|noqa|nolint|type: ignore))[ \t]*(?:\/\/|\/?\*|#(?!\[|include|!)|--\s|<!--|;;|"""|''').*$/gm;

/** The keys of the names that only the new text has, and of the packages that it imports (RE-5). */
export function keysWritten({ path, before = '', after, file = '' }: Edit): Set<Key> {
  if (isUnread(path)) return new Set();
  const known = new Set([...keysOf(before), ...keysOf(file, WHOLE)]);
  const code = after.replace(COMMENT, '');
  const imported = new Set([...packagesIn(before), ...packagesIn(file)]);
  return new Set([
    ...[...keysOf(code)].filter((key) => !known.has(key)),
    ...packagesIn(code).filter((name) => !imported.has(name)),
  ]);
}

/** Whether a text names a record, by its topic or its id's beginning: whoever wrote it knows of it (RE-5). */
export function namesRecord(
  text: string,
  { id, topic }: { id: string; topic?: string | undefined },
): boolean {
  return isIn(text, topic) || isIn(text, id.slice(0, ID_SHOWN));
}
const isIn = (text: string, name = '') => name.length >= 4 && text.toLowerCase().includes(name.toLowerCase());
const ID_SHOWN = 8;

/** How languages and their lists of dependencies name a package, each with the name as its group. */
const IMPORTS = [
  /\b(?:from|import|require)\s*\(?\s*['"](?![./]|node:)((?:@[\w.-]+\/)?[\w.-]+)/g,
  /^[ \t]*(?:import|from)\s+([A-Za-z_]\w*)(?=[\s.,]|$)/gm,
  /^[ \t]*(?:pub )?(?:use|extern crate)\s+([a-z_]\w*)(?=::|;| as )/gm,
  /^[ \t]*(?:import )?(?:\w+ )?"([\w-]+\.[a-z]+\/[\w./-]+)"$/gm,
  /^[ \t]*(?:gem|require)\s+['"]([\w.-]+)['"]/gm,
  /^[ \t]*"((?:@[\w.-]+\/)?[\w.-]+)"\s*:\s*"[\^~><=v]*\d[\w.-]*"/gm,
  /^[ \t]*([A-Za-z][\w.-]*)(?:\[[\w,-]+\])?\s*(?:[=~><!]=\s*\d|=\s*(?:"[\^~]?\d|\{\s*version))/gm,
];

function packagesIn(code: string): Key[] {
  return IMPORTS.flatMap((pattern) =>
    [...code.slice(0, LOOKED_AT).matchAll(pattern)].flatMap(([, name = '']) => packageIn(name)),
  );
}
