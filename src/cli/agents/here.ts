import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import type { Machine, Wish } from '../../agents/agent.ts';
import { launcherIn } from '../../agents/app/current.ts';
import { install } from '../../agents/app/install.ts';
import { ENTERS_HOOKS } from '../../agents/hook.ts';
import { stableNode } from '../../agents/stable-node.ts';
import { PrecedentError } from '../../domain/error.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { tools } from '../../operations/index.ts';
import type { PlaceOptions } from '../place.ts';
import { findGitFolder } from '../repository/folder.ts';
import { candidates } from '../repository/program.ts';
import { packageHere, SKILL } from './package.ts';

/** This machine, as the agents look at it. @throws PrecedentError `invalid` without a home */
export function machineHere(): Machine {
  const home = homedir();
  if (!isAbsolute(home)) {
    throw new PrecedentError(
      'invalid',
      `Expected a home folder, in which agents keep their settings; found ${JSON.stringify(home)}. Set HOME.`,
    );
  }
  const top = findGitFolder(process.cwd())?.top ?? process.cwd();
  return {
    home,
    environment: process.env,
    platform: process.platform,
    project: top === home ? undefined : top,
    hasProgram,
  };
}

/** Whether there is such a program; on Windows npm's are scripts. */
function hasProgram(name: string): boolean {
  return candidates(name, process.env.PATH ?? '', process.platform, ['.exe', '.cmd']).some((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

/**
 * What setup would enter for this installation.
 * @param options which memory the agents shall have; without: each project its own
 * @param isForGood false where nothing may be written: then the program is not put into its place
 */
export function wishHere(
  options: PlaceOptions,
  dataFolder: string,
  { noHooks = false, isForGood = false } = {},
): Wish {
  const here = packageHere();
  return {
    launch: {
      node: stableNode(process.execPath),
      program: isForGood ? install(here, dataFolder) : launcherIn(dataFolder),
      pins: pinsOf(options),
    },
    tools: tools.filter(({ destructive }) => !destructive).map(({ name }) => name),
    skill: readFileSync(join(here.root, SKILL), 'utf8'),
    hooks: ENTERS_HOOKS && !noHooks,
  };
}

/** The options that were typed; what the environment names, an agent has from its own environment. */
function pinsOf({ db, workspace }: PlaceOptions): string[] {
  const pins = workspace === undefined ? [] : ['--workspace', workspace];
  if (db === undefined) return pins;
  const { kind, shown } = describeDatabase(db);
  if (kind === 'file') return ['--db', resolve(db), ...pins];
  if (shown !== db) {
    throw new PrecedentError(
      'invalid',
      'Expected an address without a password, since it is written into settings. Put the password into PGPASSWORD or ~/.pgpass.',
    );
  }
  return ['--db', db, ...pins];
}
