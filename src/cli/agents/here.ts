import { readFileSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Machine, SetupRequest } from '../../agents/agent.ts';
import { launcherIn } from '../../agents/app/current.ts';
import { install } from '../../agents/app/install.ts';
import { type Remote, remotePins } from '../../agents/remote.ts';
import { stableNode } from '../../agents/stable-node.ts';
import { invalid } from '../../domain/error.ts';
import { candidates, pathOf } from '../../files/program.ts';
import { here, homeHere } from '../../files/surroundings.ts';
import { findGitFolder } from '../../git/folder.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { offered } from '../../operations/offered.ts';
import type { PlaceOptions } from '../place.ts';
import { packageHere, SKILL } from './package.ts';

/** This machine, as the agents look at it. @throws PrecedentError `invalid` without a home */
export function machineHere(): Machine {
  const home = homeHere();
  if (!isAbsolute(home))
    throw invalid.no_home(
      `Expected a home folder, in which agents keep their settings; found ${JSON.stringify(home)}. Set HOME.`,
    );
  const top = findGitFolder(here().cwd())?.top ?? here().cwd();
  return {
    home,
    environment: here().env,
    platform: process.platform,
    project: top === home ? undefined : top,
    hasProgram,
  };
}

/** The top folder of the project that is meant. @throws PrecedentError `invalid` in the home folder */
export function requireProject({ project }: Machine): string {
  if (project !== undefined) return project;
  throw invalid.wrong_folder(
    'Expected the folder of a project, found the home folder. Run this in a project.',
  );
}

const OF_PACKAGES = /[\\/]node_modules[\\/]\.bin[\\/]?$/;

/** Whether there is such a program; on Windows npm's are scripts. Those of a package are there while npm runs something alone. */
function hasProgram(name: string): boolean {
  return candidates(name, pathOf(here().env), process.platform, ['.exe', '.cmd']).some((file) => {
    try {
      return !OF_PACKAGES.test(dirname(file)) && statSync(file).isFile();
    } catch {
      // Not there, or in a folder of PATH that this account may not enter.
      return false;
    }
  });
}

/**
 * What setup would enter for this installation.
 * @param options which memory the agents should have; without: each project its own
 * @param remote the server that has it, which the agents reach instead of starting one
 * @param isForGood false where nothing may be written: then the program is not put into its place
 */
export function requestHere(
  options: PlaceOptions,
  dataFolder: string,
  {
    remote,
    noHooks = false,
    asksLocks = false,
    isForGood = false,
  }: { remote?: Remote | undefined; noHooks?: boolean; asksLocks?: boolean; isForGood?: boolean } = {},
): SetupRequest {
  const here = packageHere();
  // Refused before anything is written.
  const pins = remote ? remotePins(remote) : pinsOf(options);
  return {
    launch: {
      node: stableNode(process.execPath),
      program: isForGood ? install(here, dataFolder) : launcherIn(dataFolder),
      pins,
      ...(remote && { remote }),
    },
    tools: offered.filter(({ destructive }) => !destructive).map(({ name }) => name),
    skill: readFileSync(join(here.root, SKILL), 'utf8'),
    hooks: !noHooks,
    asksLocks,
  };
}

/** The options that were typed; what the environment names, an agent has from its own environment. */
function pinsOf({ db, workspace }: PlaceOptions): string[] {
  const pins = workspace === undefined ? [] : ['--workspace', workspace];
  if (db === undefined) return pins;
  const { kind, shown } = describeDatabase(db);
  if (kind === 'file') return ['--db', resolve(here().cwd(), db), ...pins];
  if (shown !== db)
    throw invalid.holds_secret(
      'Expected an address without a password, since it is written into settings. Put the password into PGPASSWORD or ~/.pgpass.',
    );
  return ['--db', db, ...pins];
}
