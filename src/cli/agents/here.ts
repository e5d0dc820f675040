import { existsSync, readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import type { Agent, Machine, Wish } from '../../agents/agent.ts';
import { stableNode, stableProgram } from '../../agents/stable-program.ts';
import { PrecedentError } from '../../domain/error.ts';
import { describeDatabase } from '../../memory/engines.ts';
import { tools } from '../../operations/index.ts';
import type { PlaceOptions } from '../place.ts';
import { findGitFolder } from '../repository/folder.ts';
import { candidates } from '../repository/program.ts';

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
const hasProgram = (name: string): boolean => programAt(name) !== undefined;

function programAt(name: string): string | undefined {
  return candidates(name, process.env.PATH ?? '', process.platform, ['.exe', '.cmd']).find((file) =>
    statSync(file, { throwIfNoEntry: false })?.isFile(),
  );
}

/** The program of an agent, where it is to be started. @throws PrecedentError `not_found` */
export function findAgentProgram({ programs, title }: Agent): string {
  const found = programs.map(programAt).find((file) => file !== undefined);
  if (found !== undefined) return found;
  throw new PrecedentError(
    'not_found',
    `Expected ${title} in a folder of PATH, to be asked; found no program ${programs.join(' or ')}.`,
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
  const root = packageRoot();
  return {
    launch: {
      node: stableNode(process.execPath),
      program: stableProgram(root, pkg.version, dataFolder, isForGood),
      pins: pinsOf(options),
    },
    tools: tools.filter(({ destructive }) => !destructive).map(({ name }) => name),
    skill: readFileSync(join(root, SKILL), 'utf8'),
    hooks: !noHooks,
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

const SKILL = join('skills', 'precedent', 'SKILL.md');

/** The folder of the package that this file is in: of the sources, of an installation or of a copy. */
export function packageRoot(folder: string = import.meta.dirname): string {
  if (existsSync(join(folder, SKILL))) return folder;
  if (dirname(folder) !== folder) return packageRoot(dirname(folder));
  throw new PrecedentError('internal', 'The package is not whole: its skill is missing. Install it again.');
}
