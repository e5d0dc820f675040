import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, type Machine, serverArgs } from '../agent.ts';

const folder = ({ home, environment }: Machine) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

/** The file that is there, in the order in which the later one wins. */
function settings(machine: Machine): string {
  const files = ['opencode.jsonc', 'opencode.json', 'config.json'].map((name) => join(folder(machine), name));
  return files.find((file) => existsSync(file)) ?? join(folder(machine), 'opencode.json');
}

/** OpenCode has no hooks that start a program: what would call one is a plugin in its own process. */
export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder,
  entries: (machine, { launch, skill }) => [
    {
      part: 'server',
      file: settings(machine),
      format: 'json',
      path: ['mcp', 'precedent'],
      value: { type: 'local', command: [launch.node, ...serverArgs(launch)], enabled: true },
    },
    {
      part: 'skill',
      file: join(folder(machine), 'skills', 'precedent', 'SKILL.md'),
      format: 'text',
      path: [],
      value: skill,
    },
  ],
};
