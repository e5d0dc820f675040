import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { LONGEST_WORKSPACE } from '../../domain/workspace.ts';
import { findGitFolder } from './folder.ts';

/** How long git may take to read one setting, in milliseconds. */
const GIT_TIMEOUT = 5_000;

/**
 * A name for the repository around `cwd`, the same for every clone, worktree and subfolder: it comes from the URL of
 * `origin`, or else from the folder that all worktrees share. The working directory's name alone would not do: two
 * projects may both be called `app`. Undefined outside of a repository.
 */
export async function repositoryName(cwd: string): Promise<string | undefined> {
  const found = findGitFolder(cwd);
  if (!found) return undefined;
  const { shared, top } = found;
  const origin = await originOf(shared);
  const named = origin && nameFromUrl(isRelative(origin) ? resolve(top, origin) : origin);
  if (named) return named;
  const folder = basename(shared) === '.git' ? dirname(shared) : shared;
  return shorten(`${clean(basename(folder))}~${hash(shared)}`);
}

/**
 * The URL of `origin`. Git reads the repository's settings as a file, which it also does where it would refuse the
 * repository because of its owner. Undefined without one, and where git cannot be asked.
 */
async function originOf(shared: string): Promise<string | undefined> {
  const args = ['config', '--file', join(shared, 'config'), '--get', 'remote.origin.url'];
  try {
    const { stdout } = await promisify(execFile)('git', args, { timeout: GIT_TIMEOUT, windowsHide: true });
    return stdout.trim() || undefined;
  } catch {
    return undefined;
  }
}

/** `../origin.git`, `.` and `backup/app` mean another place for each repository. */
function isRelative(url: string): boolean {
  return !url.includes(':') && !/^[/\\~]/.test(url);
}

/**
 * `git@github.com:Acme/App.git` and `https://token@github.com/acme/app` are both `github.com~acme~app`. Ports are left
 * out: a host gives the same repository over HTTPS and over SSH. Empty for a URL that names nothing.
 */
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
