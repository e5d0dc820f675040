import { join } from 'node:path';
import { readIfOrdinary } from '../../files/bounded.ts';
import { here } from '../../files/surroundings.ts';
import { findGitFolder } from '../../git/folder.ts';
import { settingIn } from '../../git/setting-in.ts';

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
  const shared = findGitFolder(cwd)?.shared;
  const files = [...(shared === undefined ? [] : [join(shared, 'config')]), ...filesOfAccount(environment)];
  for (const file of files) {
    const value = settingIn(readIfOrdinary(file)?.toString() ?? '', name);
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
  const home = HOME || here().home();
  return [join(home, '.gitconfig'), join(XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')];
}
