import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type Agent, hookArgs, type Launch, type Machine, serverArgs } from '../agent.ts';
import type { Entry } from '../entry.ts';
import { bearer, endpointOf, TOKEN } from '../remote.ts';
import { opencodePlugin } from './opencode-plugin.ts';

const folder = ({ home, environment }: Machine) =>
  environment.OPENCODE_CONFIG_DIR || join(environment.XDG_CONFIG_HOME || join(home, '.config'), 'opencode');

const NAMES = ['opencode.jsonc', 'opencode.json'];

/** The file that is there, in the order in which the later one wins. */
function settingsIn(folder: string, names: readonly string[]): string {
  const files = names.map((name) => join(folder, name));
  return files.find((file) => existsSync(file)) ?? join(folder, 'opencode.json');
}

const server = (file: string, launch: Launch): Entry => ({
  part: 'server',
  file,
  format: 'json',
  path: ['mcp', 'precedent'],
  value: launch.remote
    ? {
        type: 'remote',
        url: endpointOf(launch.remote),
        headers: bearer(`{env:${TOKEN}}`),
        // It would ask its user to sign in where the token is not taken.
        oauth: false,
        enabled: true,
      }
    : { type: 'local', command: [launch.node, ...serverArgs(launch)], enabled: true },
});

export const opencode: Agent = {
  name: 'opencode',
  title: 'OpenCode',
  programs: ['opencode'],
  folder,
  entries(machine, { launch, skill, hooks }) {
    const own = (part: Entry['part'], value: string, ...names: string[]): Entry => {
      return { part, file: join(folder(machine), ...names), format: 'text', path: [], value };
    };
    const plugin = opencodePlugin([launch.node, ...hookArgs(launch, 'opencode')]);
    return [
      server(settingsIn(folder(machine), [...NAMES, 'config.json']), launch),
      ...(hooks ? [own('hooks', plugin, 'plugins', 'precedent.js')] : []),
      own('skill', skill, 'skills', 'precedent', 'SKILL.md'),
    ];
  },
  shared: (project, launch) => [server(settingsIn(project, NAMES), launch)],
};
