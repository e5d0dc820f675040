import { join } from 'node:path';
import { atEachMoment, SEARCHES, saveEntities, searching } from '../graph.ts';
import { type Server, startServer } from '../mcp.ts';
import type { Memory, Place } from '../memory.ts';

const PACKAGE = '@modelcontextprotocol/server-memory@2026.8.31';

export const memories: Memory[] = [
  {
    name: 'server-memory, whole graph',
    rule: 'Each topic is an entity; its README says to begin by retrieving all relevant information, which `read_graph` does at the start.',
    package: PACKAGE,
    isStateless: true,
    async open(place) {
      const server = await filled(place);
      const graph = await server.call('read_graph');
      const silent = async () => '';
      return atEachMoment(server, silent, async () => graph);
    },
  },
  {
    name: 'server-memory, searches',
    rule: `The same entities; at each moment \`search_nodes\` with each of the ${SEARCHES} words of the prompt, edit, command, error or path that the fewest entities contain.`,
    package: PACKAGE,
    isStateless: true,
    open: async (place) => searching(await filled(place), place.set.records),
  },
];

async function filled({ home, repository, set, installed }: Place): Promise<Server> {
  const program = join(installed, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js');
  const env = { MEMORY_FILE_PATH: join(home, 'memory.jsonl') };
  const server = await startServer('node', [program], { env, cwd: repository });
  await saveEntities(server, set.records);
  return server;
}
