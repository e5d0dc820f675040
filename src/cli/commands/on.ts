import { here } from '../../files/surroundings.ts';
import { remedyOf } from '../../memory/off.ts';
import { did, line, warn } from '../../operations/view.ts';
import { findEvenOff } from '../open.ts';
import { defineCommand } from '../own-command.ts';
import { hooksOffHere, offHere, turnOn } from '../repository/off.ts';
import { findDataFolder } from '../settings.ts';

export const on = defineCommand({
  name: 'on',
  summary: 'Turn Precedent and its hooks on again for this folder, after "precedent off"',
  examples: ['on', 'on --everywhere'],
  options: { everywhere: { about: 'also turn on what was turned off in every folder' } },
  async run({ everywhere = false }, options) {
    const place = await findEvenOff(options);
    const { workspace } = place;
    const [cwd, dataFolder] = [here().cwd(), await findDataFolder(here().env)];
    const wasOff = await turnOn({ memory: place, cwd, everywhere }, dataFolder);
    const still = [...offHere(place, cwd, dataFolder), ...hooksOffHere(cwd, dataFolder)];
    return {
      report: { off: still.length > 0, changed: wasOff, workspace },
      view: [
        did(wasOff ? 'on again' : 'was on already', workspace),
        ...(still.length > 0 ? [line(warn(`! off everywhere; ${remedyOf(still)} turns it on`))] : []),
      ],
    };
  },
});
