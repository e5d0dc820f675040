import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import envPaths from 'env-paths';
import { PrecedentError } from '../domain/error.ts';
import { checkWorkspace, LONGEST_WORKSPACE } from '../domain/workspace.ts';
import { checkDatabase, isPostgres } from '../memory/engines.ts';
import type { OpenAiOptions } from '../memory/memory.ts';

/** Options that say which memory is meant; each can also come from the environment. */
export interface PlaceOptions {
  db?: string | undefined;
  workspace?: string | undefined;
}

export interface Place {
  db: string;
  workspace: string;
}

/**
 * The memory that is meant: a workspace named after the repository around `cwd`, `default` outside of one, in the
 * platform's data folder or on the server that is named; or as options and environment say.
 * @throws PrecedentError `invalid` for a workspace name that cannot be one
 */
export async function findPlace(
  options: PlaceOptions,
  environment: NodeJS.ProcessEnv,
  cwd: string,
): Promise<Place> {
  const db = options.db ?? (environment.PRECEDENT_DB || undefined);
  const named = givenName(options, environment);
  if (db !== undefined) checkDatabase(db);
  const isFile = db !== undefined && !isPostgres(db);
  // A file that is named is a memory of its own, whatever repository this is.
  if (isFile) return { db: resolve(cwd, db), workspace: named ?? basename(db, extname(db)) };
  const workspace = (named ?? (await repositoryName(cwd)) ?? 'default').normalize('NFC');
  if (db !== undefined) return { db, workspace };
  const { data } = envPaths('precedent', { suffix: '' });
  return { db: join(data, `${workspace}.db`), workspace };
}

/** The model's endpoint, as the environment names it; undefined when it names none. @throws PrecedentError `invalid` */
export function findEmbedder(environment: NodeJS.ProcessEnv): OpenAiOptions | undefined {
  const { PRECEDENT_EMBED_URL: url, PRECEDENT_EMBED_MODEL: model, PRECEDENT_EMBED_KEY: apiKey } = environment;
  if (!url && !model) return undefined;
  if (url && model) return { url, model, apiKey: apiKey || undefined };
  throw new PrecedentError(
    'invalid',
    `Expected PRECEDENT_EMBED_URL and PRECEDENT_EMBED_MODEL together, found only ${url ? 'the first' : 'the second'}.`,
  );
}

/** The workspace that was asked for by name, if any. @throws PrecedentError `invalid` when it cannot be one */
export function givenName(options: PlaceOptions, environment: NodeJS.ProcessEnv): string | undefined {
  const named = options.workspace ?? (environment.PRECEDENT_WORKSPACE || undefined);
  if (named !== undefined) checkWorkspace(named);
  return named;
}

/**
 * The same for every clone, worktree and subfolder: from the URL of `origin`, else from the folder that all
 * worktrees share. Never the name of the working directory alone: two projects may both be called `app`.
 */
async function repositoryName(cwd: string): Promise<string | undefined> {
  const origin = await git(cwd, ['config', '--get', 'remote.origin.url']);
  if (origin) return nameFromUrl(origin);
  const shared = await git(cwd, ['rev-parse', '--path-format=absolute', '--git-common-dir']);
  if (!shared) return undefined;
  const folder = basename(shared) === '.git' ? dirname(shared) : shared;
  return shorten(`${clean(basename(folder))}~${hash(shared)}`);
}

/** `git@github.com:Acme/App.git` and `https://token@github.com/acme/app` are both `github.com~acme~app`. */
function nameFromUrl(url: string): string {
  const [, afterScheme] = url.trim().match(/^[a-z][a-z0-9+.-]*:\/\/(.*)$/i) ?? [];
  const path = afterScheme === undefined ? fromShortForm(url.trim()) : fromAuthority(afterScheme);
  const parts = path.replace(/(\.git)?\/*$/, '').split(/[/\\]+/);
  return shorten(parts.filter(Boolean).map(clean).join('~'));
}

/** `user:password@host:port/path` without user and port; a password may hold an `@`. */
function fromAuthority(rest: string): string {
  const [authority = '', ...path] = rest.split('/');
  const host = authority.slice(authority.lastIndexOf('@') + 1).replace(/:\d*$/, '');
  return [host, ...path].join('/');
}

/** `user@host:path`, as ssh has it; a local path is left as it is. */
function fromShortForm(url: string): string {
  return url.replace(/^(?:[^/]*@)?([^/:@]{2,}):/, '$1/');
}

/** Lower case, since some file systems do not tell letter cases apart. */
function clean(part: string): string {
  return (
    part
      .normalize('NFC')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}._-]+/gu, '-')
      .replace(/^\.+/, '') || '-'
  );
}

function shorten(name: string): string {
  if (Buffer.byteLength(name) <= LONGEST_WORKSPACE) return name;
  let head = name;
  while (Buffer.byteLength(head) > LONGEST_WORKSPACE - 9) head = [...head].slice(0, -1).join('');
  return `${head}~${hash(name)}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8);
}

/** What git prints, without the line end; undefined outside a repository or without git. */
async function git(cwd: string, args: string[]): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('git', args, { cwd, timeout: 5_000, windowsHide: true });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}
