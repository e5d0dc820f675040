import pkg from '../../../package.json' with { type: 'json' };
import { hasProcess, here } from '../../files/surroundings.ts';
import { FAMILIES } from '../../operations/operation.ts';
import { ALL } from '../../operations/tools.ts';
import { log } from '../output/print.ts';
import { defineCommand } from '../own-command.ts';
import { givenName, sharedEmbedder } from '../settings.ts';

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'Serve MCP over standard input and output; for an agent’s configuration',
  examples: ['mcp', 'mcp --tools decisions,memos'],
  options: {
    tools: {
      value: 'families',
      about: `which tools to offer: ${ALL}, or families of them, separated by commas: ${FAMILIES.join(', ')}; default: those that work needs every day`,
    },
  },
  json: false,
  async run({ tools }, place) {
    // Settings are checked at the start: an agent that meets a wrong one with its first call cannot mend it.
    const { env, stdin: input, stdout: output } = here();
    givenName(place, env);
    await sharedEmbedder(env);
    const { serveMcp } = await import('../../mcp/stdio.ts');
    const said = new Set<string>();
    // What opens a memory is as much as the server itself, and its client waits for the first answer.
    const openMemory = async () => (await import('../open-for-server.ts')).openForServer(place, said, true);
    // Asked now: what ends the server may come from outside this run.
    const isAlone = hasProcess();
    const ended = () => void (isAlone ? process.exit(0) : output.end());
    const stop = serveMcp({ openMemory, version: pkg.version, tools, log, input, output, ended });
    if (isAlone) for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, stop);
    return undefined;
  },
});
