import { here } from '../../files/surroundings.ts';
import { authorHere } from '../author.ts';
import { findHere } from '../open.ts';
import { defineCommand } from '../own-command.ts';

export const open = defineCommand({
  name: 'open',
  summary: 'Open the page of this memory in your browser',
  about:
    'Serves the page of this memory on this machine alone, with a token of its own, and opens a browser where there is one. It ends with Ctrl-C. "precedent serve" is for others and for agents.',
  examples: ['open', 'open --no-open'],
  options: { noOpen: { about: 'print the link, and open no browser' } },
  json: false,
  async run({ noOpen }, options) {
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
