import { here } from '../../files/surroundings.ts';
import { authorHere } from '../author.ts';
import { findHere } from '../open.ts';
import { defineCommand } from '../own-command.ts';

export const open = defineCommand({
  name: 'open',
  summary: 'Open the page of this memory in your browser',
  about:
    'Serves the page of this memory on this machine alone, with a token of its own, and opens a browser where there is one. It ends with Ctrl-C. "precedent serve" is for others and for agents. With --demo it shows two memories to look around in instead, made in a temporary folder and removed afterwards: six weeks of a team that sells tickets, in English and Korean, and the decisions that Precedent itself was built by. Your own memories are not touched.',
  examples: ['open', 'open --demo'],
  options: {
    noOpen: { about: 'print the link, and open no browser' },
    demo: { about: 'show two filled memories instead, which are removed afterwards' },
  },
  json: false,
  async run({ noOpen, demo }, options) {
    if (demo) {
      const { showDemo } = await import('../demo/show.ts');
      await showDemo(noOpen === true, options);
      return undefined;
    }
    const { serveByLink } = await import('../serving/by-link.ts');
    const { sourceOf } = await import('../serving/run.ts');
    const place = await findHere(options);
    // Whoever has the link of this run is the person at this machine (V-7).
    const author = await authorHere(here().env);
    const source = sourceOf(place, options);
    await serveByLink(
      { name: 'open', author, access: 'write', source, isSilent: noOpen === true },
      (link) => `${link}\nThe page of ${place.workspace}. Stop with Ctrl-C.\n`,
    );
    return undefined;
  },
});
