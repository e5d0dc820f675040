import { join } from 'node:path';
import { readIfOrdinary } from '../../files/bounded.ts';
import { homeHere } from '../../files/surroundings.ts';
import { findGitFolder } from '../../git/folder.ts';
import { settingIn } from '../../git/setting-in.ts';

/** What hooks do: tell and record, only tell (`recall`), or nothing. */
export type Mode = 'on' | 'recall' | 'off';

const SETTING = 'precedent.hooks';
/** How each is written, and how git writes a yes or a no; the quietest first. */
const WRITTEN: Readonly<Record<Mode, readonly string[]>> = {
  off: ['off', 'false', 'no', '0'],
  recall: ['recall'],
  on: ['on', 'true', 'yes', '1'],
};
const MODES = Object.keys(WRITTEN) as Mode[];

/**
 * What hooks do in a folder: the quieter of what PRECEDENT_HOOKS says and what git's setting `precedent.hooks` does there.
 * @returns also the settings that make hooks quieter, as they are written, and those with another value: such a
 * one counts as `on`
 */
export function modeHere(
  environment: NodeJS.ProcessEnv,
  cwd: string,
): { mode: Mode; by: Record<string, string>; unknown: string[] } {
  const said: Record<string, string | undefined> = {
    PRECEDENT_HOOKS: environment.PRECEDENT_HOOKS,
    [SETTING]: gitSetting(SETTING, cwd, environment),
  };
  const modes = Object.values(said).map(modeOf);
  const mode = MODES.find((each) => modes.includes(each)) ?? 'on';
  const quieter = Object.entries(said).filter((each): each is [string, string] =>
    ['recall', 'off'].includes(modeOf(each[1]) ?? 'on'),
  );
  return {
    mode,
    by: Object.fromEntries(quieter),
    unknown: Object.keys(said).filter((name) => said[name] && modeOf(said[name]) === undefined),
  };
}

/** Whether nothing is shown of files that an agent reads or changes: PRECEDENT_FILES or git's `precedent.files` is off (F-4). */
export function isFilesOff(environment: NodeJS.ProcessEnv, cwd: string): boolean {
  const said = [environment.PRECEDENT_FILES, gitSetting('precedent.files', cwd, environment)];
  return said.some((each) => modeOf(each) === 'off');
}

/** Whether the environment alone turns hooks off: then nothing is read. */
export function isOff({ PRECEDENT_HOOKS: said }: NodeJS.ProcessEnv): boolean {
  return modeOf(said) === 'off';
}

function modeOf(said = ''): Mode | undefined {
  return MODES.find((mode) => WRITTEN[mode].includes(said.trim().toLowerCase()));
}

/**
 * A setting of git in a folder, read from its files, since a process of git takes longer than all else that a hook does:
 * that of the repository, which its worktrees share, else that of the account. What is in files that these include, in
 * `config.worktree`, in the system's settings or in `GIT_CONFIG_COUNT` is not seen.
 * @param name in lower case, as `precedent.hooks`
 * @returns undefined where none of these files has it; `true` for one without a value, as git has it
 */
export function gitSetting(name: string, cwd: string, environment: NodeJS.ProcessEnv): string | undefined {
  const shared = findGitFolder(cwd)?.shared;
  const files = [...(shared === undefined ? [] : [join(shared, 'config')]), ...filesOfAccount(environment)];
  for (const file of files) {
    const value = settingIn(readIfOrdinary(file)?.toString() ?? '', name);
    if (value !== undefined) return value;
  }
  return undefined;
}

/** The files of an account, the one that counts first. */
function filesOfAccount({ GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string[] {
  if (GIT_CONFIG_GLOBAL !== undefined) return GIT_CONFIG_GLOBAL === '' ? [] : [GIT_CONFIG_GLOBAL];
  const home = HOME || homeHere();
  return [join(home, '.gitconfig'), join(XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')];
}
