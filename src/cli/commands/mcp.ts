import pkg from '../../../package.json' with { type: 'json' };
import { here } from '../../files/surroundings.ts';
import { ALL, EVERYDAY, FAMILIES } from '../../mcp/tools.ts';
import { holdCopy } from '../agents/current.ts';
import { log } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { findEmbedder, givenName } from '../settings.ts';

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve MCP over standard input and output; for an agent’s configuration',
  examples: ['mcp', 'mcp --tools decisions,memos'],
  options: {
    tools: {
      value: 'families',
      summary: `which tools to offer: ${ALL}, or families of them, separated by commas: ${FAMILIES.join(', ')}; default: the ${EVERYDAY.length} that work needs every day`,
    },
  },
  json: false,
  async run({ tools }, place) {
    // Settings are checked at the start: an agent that meets a wrong one with its first call cannot mend it.
    givenName(place, here().env);
    findEmbedder(here().env);
    const { serveMcp } = await import('../../mcp/stdio.ts');
    await holdCopy();
    const said = new Set<string>();
    // What opens a memory is as much as the server itself, and its client waits for the first answer.
    const openMemory = async () => (await import('../open-for-server.ts')).openForServer(place, said, true);
    serveMcp({ openMemory, version: pkg.version, tools, log });
    return undefined;
  },
});
