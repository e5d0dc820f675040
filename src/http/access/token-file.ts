import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod';
import { invalid, unavailable } from '../../domain/error.ts';
import { jsonIn } from '../../domain/text/json.ts';
import { ACCESS } from './grant.ts';
import type { TokenRecord } from './tokens.ts';

/** A line of the file. */
const LINE = z.strictObject({
  name: z.string().min(1),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  author: z.string(),
  person: z.boolean().default(false),
  workspaces: z.union([z.literal('*'), z.array(z.string()).min(1)]),
  access: z.enum(ACCESS),
  expires: z.iso.datetime(),
});
/** Mode bits that our own file must not have: no access for anybody else. */
const OTHERS = 0o077;
/** The same for a file of root or of a service manager: its group may read it, since we may be in it. */
const STRANGERS = 0o027;

/**
 * The tokens of a file: a line of JSON each. Replicas of a server mount the same file.
 * @returns no tokens if there is no file
 * @throws PrecedentError `invalid` for a file that others may read, a link, or a line that is not a token; `unavailable` when
 *   it cannot be read
 */
export function readTokens(path: string): TokenRecord[] {
  const text = readPrivate(path, 'tokens');
  if (text === undefined) return [];
  const lines = text.split('\n').map((line, index) => ({ line: line.trim(), number: index + 1 }));
  const tokens = lines
    .filter(({ line }) => line !== '')
    .map(({ line, number }) => tokenOf(line, number, path));
  const twice = tokens.find(({ name }, index) => tokens.findIndex((each) => each.name === name) !== index);
  if (twice) throw invalid.given_twice(`Expected each name once in ${path}, found "${twice.name}" twice.`);
  return tokens;
}

/** Replaces the file whole, so that a server never reads half of it. */
export function writeTokens(path: string, tokens: readonly TokenRecord[]): void {
  const lines = tokens.map(({ name, hash, author, person, workspaces = '*', access, expires }) => {
    const line = { name, hash, author, person, workspaces, access, expires: new Date(expires).toISOString() };
    return `${JSON.stringify(line)}\n`;
  });
  // A new file with an unpredictable name: others may be able to put links into the folder.
  const draft = join(dirname(path), `.${crypto.randomUUID()}.tokens`);
  writeFileSync(draft, lines.join(''), { flag: 'wx', mode: 0o600, flush: true });
  renameSync(draft, path);
}

function tokenOf(line: string, number: number, path: string): TokenRecord {
  const read = LINE.safeParse(jsonIn(line));
  if (!read.success)
    throw invalid.wrong_content(`Expected a token in line ${number} of ${path}, found something else.`);
  const { workspaces, expires, ...rest } = read.data;
  return { ...rest, workspaces: workspaces === '*' ? undefined : workspaces, expires: Date.parse(expires) };
}

/**
 * The text of a file that only its owner may read and write; undefined if there is none.
 * @param what it holds
 * @throws PrecedentError as {@link readTokens}
 */
export function readPrivate(path: string, what: string): string | undefined {
  let file: number;
  try {
    // A link could be pointed at another file after it was looked at; a pipe would be waited for.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code === 'ELOOP') throw invalid.unsafe_file(`Expected a file of ${what}, found a link: ${path}`);
    throw unavailable.no_access(`The file of ${what} cannot be read (${code}): ${path}`);
  }
  try {
    const found = fstatSync(file);
    if (!found.isFile())
      throw invalid.wrong_file(`Expected a file of ${what}, found something else: ${path}`);
    const { mode, uid } = found;
    const isOwn = uid === process.getuid?.();
    if (process.platform !== 'win32' && (mode & (isOwn ? OTHERS : STRANGERS)) !== 0)
      throw invalid.unsafe_file(
        `Expected a file of ${what} that its owner alone can read, found mode ${(mode & 0o777).toString(8)}: chmod 600 ${path}`,
      );
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
