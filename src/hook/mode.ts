import { gitSetting } from '../cli/repository/setting.ts';

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
 * @returns also the settings whose value is none of these: such a one counts as `on`
 */
export function modeHere(environment: NodeJS.ProcessEnv, cwd: string): { mode: Mode; unknown: string[] } {
  const said: Record<string, string | undefined> = {
    PRECEDENT_HOOKS: environment.PRECEDENT_HOOKS,
    [SETTING]: gitSetting(SETTING, cwd, environment),
  };
  const modes = Object.values(said).map(modeOf);
  return {
    mode: QUIETEST.find((mode) => modes.includes(mode)) ?? 'on',
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
