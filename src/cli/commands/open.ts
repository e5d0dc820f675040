import { defineCommand } from '../own-command.ts';

export const open = defineCommand({
  name: 'open',
  summary: 'Open the page of this memory in your browser',
  about:
    'Serves the page of this memory on this machine alone, with a token of its own, and opens a browser where there is one. It ends with Ctrl-C. "precedent serve" is for others and for agents.',
  examples: ['open', 'open --no-open'],
  options: { noOpen: { about: 'print the link, and open no browser' } },
  json: false,
  async run({ noOpen }, place) {
    const { openPage } = await import('../serving/open-page.ts');
    await openPage(noOpen === true, place);
    return undefined;
  },
});
