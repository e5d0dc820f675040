import { defineCommand } from '../own-command.ts';

export const demo = defineCommand({
  name: 'demo',
  summary: 'Look around in two filled memories, which are removed afterwards',
  about:
    'Fills two memories in a temporary folder: six weeks of a team that sells tickets, in English and Korean, and the decisions that Precedent itself was built by. Serves them on this machine alone until Ctrl-C, opens a browser where there is one, and says what to try. Your own memories are not touched.',
  examples: ['demo', 'demo --no-open'],
  options: { noOpen: { about: 'print the link, and open no browser' } },
  json: false,
  async run({ noOpen }, place) {
    const { showDemo } = await import('../demo/show.ts');
    await showDemo(noOpen === true, place);
    return undefined;
  },
});
