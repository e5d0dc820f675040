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

/** Something that a person or a repository said about hooks. */
interface Said {
  /** As it is written: `PRECEDENT_HOOKS`, or a setting of git. */
  name: string;
  value: string;
  /** Whether git's settings of the account say it. */
  isOfAccount?: boolean;
}

/**
 * What hooks do in a folder: the quietest of what PRECEDENT_HOOKS says and what git's setting `precedent.hooks` does, of the account
 * and there. So nothing in a repository turns on what its person turned off.
 * @returns also what makes hooks quieter, and the names of what has another value: such a one counts as `on`
 */
export function modeHere(
  environment: NodeJS.ProcessEnv,
  cwd: string,
): { mode: Mode; quieter: Said[]; unknown: string[] } {
  const value = environment.PRECEDENT_HOOKS;
  const said: Said[] = [
    ...(value === undefined ? [] : [{ name: 'PRECEDENT_HOOKS', value }]),
    ...gitSettings(SETTING, cwd, environment),
  ];
  const modes = said.map((each) => modeOf(each.value));
  const unknown = said.filter((each) => each.value && modeOf(each.value) === undefined);
  return {
    mode: MODES.find((each) => modes.includes(each)) ?? 'on',
    quieter: said.filter((each) => ['recall', 'off'].includes(modeOf(each.value) ?? 'on')),
    unknown: [...new Set(unknown.map(({ name }) => name))],
  };
}

/** Whether nothing is shown of files that an agent reads or changes: PRECEDENT_FILES or git's `precedent.files` is off (F-4). */
export function isFilesOff(environment: NodeJS.ProcessEnv, cwd: string): boolean {
  const said = gitSettings('precedent.files', cwd, environment).map(({ value }) => value);
  return [environment.PRECEDENT_FILES, ...said].some((each) => modeOf(each) === 'off');
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
 * that of the repository, which its worktrees share, and that of the account. What is in files that these include, in
 * `config.worktree`, in the system's settings or in `GIT_CONFIG_COUNT` is not seen.
 * @param name in lower case, as `precedent.hooks`
 * @returns its values; `true` for one without a value, as git has it
 */
export function gitSettings(name: string, cwd: string, environment: NodeJS.ProcessEnv): Said[] {
  const valueIn = (file: string) => settingIn(readIfOrdinary(file)?.toString() ?? '', name) ?? [];
  const shared = findGitFolder(cwd)?.shared;
  const [account] = filesOfAccount(environment).flatMap(valueIn);
  return [
    ...[shared === undefined ? [] : valueIn(join(shared, 'config'))].flat().map((value) => ({ name, value })),
    ...(account === undefined ? [] : [{ name, value: account, isOfAccount: true }]),
  ];
}

/** The files of an account, the one that counts first. */
function filesOfAccount({ GIT_CONFIG_GLOBAL, XDG_CONFIG_HOME, HOME }: NodeJS.ProcessEnv): string[] {
  if (GIT_CONFIG_GLOBAL !== undefined) return GIT_CONFIG_GLOBAL === '' ? [] : [GIT_CONFIG_GLOBAL];
  const home = HOME || homeHere();
  return [join(home, '.gitconfig'), join(XDG_CONFIG_HOME || join(home, '.config'), 'git', 'config')];
}
