import { here } from '../../files/surroundings.ts';
import { did, dim, line } from '../../operations/view.ts';
import { findEvenOff } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { turnOff } from '../repository/off.ts';
import { findDataFolder } from '../settings.ts';

export const off = defineCommand({
  name: 'off',
  summary: 'Turn Precedent off for this folder, on this machine, until "precedent on"',
  about:
    'Turns this folder and its memory off on this machine: commands, hooks, the MCP server and "precedent serve" neither read nor save there. What was saved stays. Clients of a server on another machine are not stopped.',
  examples: ['off'],
  async run(_, options) {
    const place = await findEvenOff(options);
    const { workspace, repository, isOff } = place;
    if (!isOff) await turnOff(place, repository?.repository, await findDataFolder(here().env));
    return {
      report: { off: true, changed: !isOff, workspace },
      view: [
        did(isOff ? 'was off already' : 'off here: nothing is read or saved', workspace),
        line(dim('What was saved stays. "precedent on" turns it on again.')),
      ],
    };
  },
});
