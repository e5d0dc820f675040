import { here } from '../../files/surroundings.ts';
import { OF_HOOKS, type Off } from '../../memory/off.ts';
import { did, dim, line } from '../../operations/view.ts';
import { findEvenOff } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { turnOff } from '../repository/off.ts';
import { findDataFolder } from '../settings.ts';

const DONE: Record<NonNullable<Off['only']>, string> = {
  hooks: 'hooks are off',
  recording: 'hooks record nothing',
  files: 'hooks show nothing about files',
};

export const off = defineCommand({
  name: 'off',
  summary: 'Turn Precedent off for this folder, on this machine, until "precedent on"',
  about:
    'Turns this folder and its memory off on this machine: commands, hooks, the MCP server and "precedent serve" neither read nor save there. With a word, only the hooks of agents in this folder change. What was saved stays. Clients of a server on another machine are not stopped.',
  examples: ['off', 'off hooks', 'off recording --everywhere'],
  arguments: {
    part: {
      about:
        'turn off only a part of hooks: all that they do (hooks), the recording of words of prompts (recording), or what they show about a file (files)',
      choices: OF_HOOKS,
    },
  },
  options: { everywhere: { about: 'in every folder on this machine' } },
  async run({ part, everywhere = false }, options) {
    const place = await findEvenOff(options);
    const { workspace, repository } = place;
    const only = part as Off['only'];
    const switched = { memory: place, cwd: here().cwd(), everywhere };
    const dataFolder = await findDataFolder(here().env);
    const wasOn = await turnOff(switched, only, repository?.repository, dataFolder);
    const where = everywhere ? 'everywhere' : 'here';
    const done = only ? `${DONE[only]} ${where}` : `off ${where}: nothing is read or saved`;
    return {
      report: {
        off: true,
        changed: wasOn,
        workspace,
        ...(only && { only }),
        ...(everywhere && { everywhere }),
      },
      view: [
        did(wasOn ? done : 'was off already', workspace),
        line(
          dim(`What was saved stays. "precedent on${everywhere ? ' --everywhere' : ''}" turns it on again.`),
        ),
      ],
    };
  },
});
