import { here } from '../../files/surroundings.ts';
import { did } from '../../operations/view.ts';
import { findEvenOff } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { turnOn } from '../repository/off.ts';
import { findDataFolder } from '../settings.ts';

export const on = defineCommand({
  name: 'on',
  summary: 'Turn Precedent on again for this folder, after "precedent off"',
  examples: ['on'],
  async run(_, options) {
    const place = await findEvenOff(options);
    const { workspace, isOff } = place;
    if (isOff) await turnOn(place, here().cwd(), await findDataFolder(here().env));
    return {
      report: { off: false, changed: isOff, workspace },
      view: [did(isOff ? 'on again' : 'was on already', workspace)],
    };
  },
});
