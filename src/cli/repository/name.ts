import { basename, dirname, resolve } from 'node:path';
import { sha256 } from '../../domain/text/digest.ts';
import { LONGEST_WORKSPACE } from '../../domain/workspace.ts';

/** The name that a repository's URL gives its memory; undefined for a URL that names nothing. @param top where relative paths start */
export function nameOfUrl(url: string, top: string): string | undefined {
  return nameFromUrl(isRelative(url) ? resolve(top, url) : url) || undefined;
}

/**
 * The name that a folder gives its memory: its last name and eight signs of its identity. Its path alone would not do: a
 * folder that comes into the place of another one is another project.
 * @param folder a git folder, or one without git
 * @param identity what tells it from every other folder
 */
export function nameOfFolder(folder: string, identity: string): string {
  const named = basename(folder) === '.git' ? dirname(folder) : folder;
  return shorten(`${clean(basename(named))}~${hash(`${folder}\n${identity}`)}`);
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
  const parts = path
    .replace(/(\.git)?\/*$/, '')
    .split(/[/\\]+/)
    .filter(Boolean);
  const name = parts.map(clean).join('~');
  // `.dotfiles` and `dotfiles`, `c++` and `c#` are different repositories: the name of a file cannot distinguish them.
  const apart = parts.some((part) => clean(part) !== folded(part))
    ? `~${hash(parts.map(folded).join('/'))}`
    : '';
  // A name of one part may be that of a memory which belongs to no repository, such as `default` (Z-2).
  return name.includes('~') ? shorten(name + apart) : '';
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
function folded(part: string): string {
  return part.normalize('NFC').toLowerCase();
}

function clean(part: string): string {
  return (
    folded(part)
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
  return sha256(text).slice(0, 8);
}
