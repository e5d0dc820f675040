import { findGitFolder } from '../../git/folder.ts';
import { line, type View, warn } from '../../operations/view.ts';
import { type Mode, modeHere } from './hook-mode.ts';

/** That hooks say or record less in this folder than they could, for `doctor`. */
export interface QuietHooks {
  mode: Exclude<Mode, 'on'>;
  /** The settings that say so, each with its value. */
  by: Record<string, string>;
  /** What a person does to have them again. */
  mend: string[];
}

/** What turns hooks off in this folder, or down; undefined where nothing does. */
export function quietHooks(environment: NodeJS.ProcessEnv, cwd: string): QuietHooks | undefined {
  const { mode, by } = modeHere(environment, cwd);
  if (mode === 'on') return undefined;
  // What the repository says counts before what the account does.
  const level = findGitFolder(cwd) ? '' : '--global ';
  const mend = Object.keys(by).map((name) =>
    name.includes('.') ? `git config ${level}${name} on` : `unset ${name}`,
  );
  return { mode, by, mend };
}

/** "! hooks are off here, by PRECEDENT_HOOKS=off: \"unset PRECEDENT_HOOKS\" turns them on" */
export function quietHooksView(quiet: QuietHooks | undefined): View {
  if (!quiet) return [];
  const by = Object.entries(quiet.by).map(([name, value]) => `${name}=${value}`);
  const what = quiet.mode === 'off' ? 'are off here' : 'only tell here, and record nothing';
  const mend = quiet.mend.map((each) => `"${each}"`).join(' and ');
  return [line(warn(`! hooks ${what}, by ${by.join(' and ')}; ${mend} turns them on`))];
}
