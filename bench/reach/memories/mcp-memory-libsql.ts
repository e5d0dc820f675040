import { join } from 'node:path';
import { SEARCHES, saveEntities, searching } from '../graph.ts';
import { startServer } from '../mcp.ts';
import type { Memory } from '../memory.ts';

export const memories: Memory[] = [
  {
    name: 'mcp-memory-libsql, searches',
    rule: `Each topic is an entity; at each moment \`search_nodes\`, best ten first, with each of the ${SEARCHES} words of the prompt, edit, command, error or path that the fewest entities contain.`,
    package: 'mcp-memory-libsql@0.0.17',
    isStateless: true,
    async open({ home, repository, set, installed }) {
      const program = join(installed, 'node_modules/mcp-memory-libsql/dist/index.js');
      const env = { LIBSQL_URL: `file:${join(home, 'memory.db')}` };
      const server = await startServer('node', [program], { env, cwd: repository });
      await saveEntities(server, set.records);
      return searching(server, set.records);
    },
  },
];
