import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, hookArgs, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { opencodePlugin } from './opencode-plugin.ts';

const folder = ({ home, environment }: Machine) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

/** The file that is there, in the order in which the later one wins. */
function settings(machine: Machine): string {
  const files = ['opencode.jsonc', 'opencode.json', 'config.json'].map((name) => join(folder(machine), name));
  return files.find((file) => existsSync(file)) ?? join(folder(machine), 'opencode.json');
}

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder,
  entries(machine, { launch, skill, hooks }) {
    const server: Entry = {
      part: 'server',
      file: settings(machine),
      format: 'json',
      path: ['mcp', 'precedent'],
      value: { type: 'local', command: [launch.node, ...serverArgs(launch)], enabled: true },
    };
    const own = (part: Entry['part'], value: string, ...names: string[]): Entry => {
      return { part, file: join(folder(machine), ...names), format: 'text', path: [], value };
    };
    const plugin = opencodePlugin([launch.node, ...hookArgs(launch, 'opencode')]);
    return [
      server,
      ...(hooks ? [own('hooks', plugin, 'plugins', 'precedent.js')] : []),
      own('skill', skill, 'skills', 'precedent', 'SKILL.md'),
    ];
  },
};
