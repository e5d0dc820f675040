import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findGitFolder } from './folder.ts';

/**
 * A setting of git in a folder, read from its files, since a process of git takes longer than all else that a hook does:
 * that of the repository, which its worktrees share, else that of the account. What stands in files that these include, in
 * `config.worktree`, in the system's settings or in `GIT_CONFIG_COUNT` is not seen.
 * @param name in small letters, as `precedent.hooks`
 * @returns undefined where none of these files has it; `true` for one without a value, as git has it
 */
export function gitSetting(
  name: string,
  cwd: string,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const repository = findGitFolder(cwd);
  const files = [...(repository ? [join(repository.shared, 'config')] : []), ...filesOfAccount(environment)];
  for (const file of files) {
    const value = valueIn(textOf(file), name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The files of an account, the one that counts first. */
function filesOfAccount({
  GIT_CONFIG_GLOBAL,
  XDG_CONFIG_HOME,
  HOME,
}: Readonly<Record<string, string | undefined>>): string[] {
  if (GIT_CONFIG_GLOBAL !== undefined) return GIT_CONFIG_GLOBAL === '' ? [] : [GIT_CONFIG_GLOBAL];
  const home = HOME || homedir();
  return [join(home, '.gitconfig'), join(XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')];
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

/** The last value counts. Sections and names are the same in any case. */
function valueIn(text: string, name: string): string | undefined {
  // Nearly no file has it, and reading one line by line takes longer.
  if (!text.toLowerCase().includes(name.slice(0, name.indexOf('.')))) return undefined;
  let section = '';
  let value: string | undefined;
  for (const line of text.split(/\r?\n/)) {
    const [, header, rest = ''] = line.match(/^\s*(?:\[([^\]]*)\])?\s*(.*)$/) ?? [];
    if (header !== undefined) section = header.trim().toLowerCase();
    const [, key, said = 'true'] = rest.match(/^([a-z][a-z0-9-]*)\s*(?:=(.*))?$/i) ?? [];
    if (key !== undefined && `${section}.${key.toLowerCase()}` === name) value = plain(said);
  }
  return value;
}

/** What stands behind the `=`, without quotes and comment. */
function plain(said: string): string {
  const [, quoted, bare = ''] = said.match(/^\s*(?:"([^"]*)"|([^#;]*))/) ?? [];
  return (quoted ?? bare).trim();
}
