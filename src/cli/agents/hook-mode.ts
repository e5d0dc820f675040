import { gitSetting } from '../repository/setting.ts';

/** What hooks do: tell and record, only tell (`recall`), or nothing. */
export type Mode = 'on' | 'recall' | 'off';

const SETTING = 'precedent.hooks';
/** How each is written, and how git writes a yes or a no. */
const WRITTEN: Readonly<Record<string, Mode>> = {
  on: 'on',
  true: 'on',
  yes: 'on',
  1: 'on',
  recall: 'recall',
  off: 'off',
  false: 'off',
  no: 'off',
  0: 'off',
};
const QUIETEST: readonly Mode[] = ['off', 'recall', 'on'];

/**
 * What hooks do in a folder: the quieter of what PRECEDENT_HOOKS says and what git's setting `precedent.hooks` does there.
 * @returns also the settings that make hooks quieter, as they are written, and those whose value is none of these: such a
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
  const mode = QUIETEST.find((each) => modes.includes(each)) ?? 'on';
  const quieter = Object.entries(said).filter((each): each is [string, string] =>
    ['recall', 'off'].includes(modeOf(each[1]) ?? 'on'),
  );
  return {
    mode,
    by: Object.fromEntries(quieter),
    unknown: Object.keys(said).filter((name) => said[name] && modeOf(said[name]) === undefined),
  };
}

/** Whether the environment alone turns hooks off: then nothing is read. */
export function isOff({ PRECEDENT_HOOKS: said }: NodeJS.ProcessEnv): boolean {
  return modeOf(said) === 'off';
}

function modeOf(said = ''): Mode | undefined {
  const name = said.trim().toLowerCase();
  return Object.hasOwn(WRITTEN, name) ? WRITTEN[name] : undefined;
}
