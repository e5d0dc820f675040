import { join } from 'node:path';
import { atEachMoment } from '../graph.ts';
import { startServer } from '../mcp.ts';
import { kindOf, type Memory, textOf } from '../memory.ts';

/** The files of a memory bank that hold records, by the kinds of record in them. */
const FILES = { 'systemPatterns.md': ['rule', 'decision'], 'progress.md': ['failure', 'note'] };
const projectName = 'project';

export const memories: Memory[] = [
  {
    name: 'memory-bank-mcp',
    rule: 'Decisions are in `systemPatterns.md`, failures and notes in `progress.md`; its custom instructions say to read all files of the bank before every task, so both are read at the start.',
    package: '@allpepper/memory-bank-mcp@0.2.2',
    isStateless: true,
    async open({ home, repository, set, installed }) {
      const program = join(installed, 'node_modules/@allpepper/memory-bank-mcp/dist/main/index.js');
      const server = await startServer('node', [program], {
        env: { MEMORY_BANK_ROOT: join(home, 'bank') },
        cwd: repository,
      });
      const read: string[] = [];
      for (const [fileName, kinds] of Object.entries(FILES)) {
        const records = set.records.filter((record) => kinds.includes(kindOf(record)));
        const content = records
          .map((record) => `## ${textOf(record).title}\n${textOf(record).text}\n`)
          .join('\n');
        await server.call('memory_bank_write', { projectName, fileName, content });
        read.push(await server.call('memory_bank_read', { projectName, fileName }));
      }
      const silent = async () => '';
      return atEachMoment(server, silent, async () => read.join('\n'));
    },
  },
];
