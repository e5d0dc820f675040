import { invalid } from '../domain/error.ts';
import { ANYWHERE } from '../domain/release.ts';
import type { Agent } from './agent.ts';
import type { Entry } from './entry.ts';
import type { Manifest } from './manifest.ts';

/**
 * An agent in the files of a project, which everybody who works on it shares. They get its server alone: what an agent is shown unasked is for each person to choose.
 * @param project its top folder
 */
export function inProject(agent: Agent, project: string): Agent {
  const { name, title, programs, instructions, hook, shared } = agent;
  const same = { name, title, programs, instructions, hook, shared };
  return {
    ...same,
    owner: `${name}${IN}${project}`,
    folder: () => project,
    entries(_, { launch: { pins, remote }, tools }) {
      const file = pins.find((pin, at) => pins[at - 1] === '--db' && !/^\w+:\/\//.test(pin));
      if (file === undefined)
        return ofProject(project, shared(project, { ...ANYWHERE, pins, ...(remote && { remote }) }, tools));
      throw invalid.wrong_address(
        `Expected the address of a server that every machine reaches, found the file ${file}.`,
      );
    },
  };
}

/** Entries in files of a project, which say so. */
export const ofProject = (project: string, entries: readonly Entry[]): Entry[] =>
  entries.map((entry) => ({ ...entry, project }));

const IN = ' in ';

/** Whether setup has written something that starts the copy of the program on this machine: what is shared does not. */
export function needsCopy(written: Manifest['written']): boolean {
  return written.some(({ agent }) => !agent.includes(IN));
}

/** The projects in whose files setup has written for everybody. */
export function projectsIn(written: Manifest['written']): string[] {
  const projects = written.map(({ agent }) => agent.split(IN).slice(1).join(IN));
  return [...new Set(projects)].filter((project) => project !== '');
}
