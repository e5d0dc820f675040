import { join } from 'node:path';
import { atEachMoment } from '../graph.ts';
import { startServer } from '../mcp.ts';
import { kindOf, type Memory, textOf } from '../memory.ts';

/** Memories that the agent reads whole after a search. */
const READ = 3;
const TYPES: { [kind: string]: string } = { rule: 'decision', failure: 'gotcha', note: 'problem-solution' };

export const memories: Memory[] = [
  {
    name: 'memorix',
    rule: `Its instructions for Claude Code: \`memorix_session_start\` at the start, \`memorix_search\` with the words of the moment, then \`memorix_detail\` of the first ${READ}. They say so of the first message alone; here it is done at each moment.`,
    package: 'memorix@1.0.7',
    native: 'better-sqlite3@11.10.0',
    isStateless: true,
    async open({ home, repository, set, installed }) {
      const program = join(installed, 'node_modules/memorix/dist/cli/index.js');
      const server = await startServer('node', [program, 'serve'], {
        env: { HOME: home },
        cwd: repository,
      });
      for (const record of set.records.toSorted((a, b) => b.days_ago - a.days_ago)) {
        const { title, text } = textOf(record);
        // Without a topic key its heuristics drop most of these records as duplicates of each other.
        await server.call('memorix_store', {
          ...{
            entityName: title,
            title,
            topicKey: record.topic,
            narrative: text,
            type: TYPES[kindOf(record)] ?? 'decision',
          },
          filesModified: record.files ?? [],
        });
      }
      const search = async (query: string) => {
        const index = await server.call('memorix_search', { query });
        const typedRefs = Array.from(index.matchAll(/^\| (obs:\d+) /gm), ([, ref]) => ref).slice(0, READ);
        const details = typedRefs.length > 0 ? await server.call('memorix_detail', { typedRefs }) : '';
        return typedRefs.length > 0 ? `${index}\n${details}` : '';
      };
      return atEachMoment(server, search, () => server.call('memorix_session_start'));
    },
  },
];
