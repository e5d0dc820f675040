import { kindOf, type Memory, textOf } from '../memory.ts';

const silent = async () => '';

export const memories: Memory[] = [
  {
    name: 'CLAUDE.md',
    rule: 'A file with each rule and failure as one entry, whole, which Claude Code reads at the start of a session.',
    isStateless: true,
    async open({ set }) {
      const bound = set.records.filter((record) => ['rule', 'failure'].includes(kindOf(record)));
      const entries = bound.map((record) => `- ${textOf(record).title}: ${textOf(record).text}`);
      const file = `# Rules, and what failed\n\n${entries.join('\n')}\n`;
      return { begin: async () => file, prompt: silent, read: silent, change: silent, fail: silent };
    },
  },
];
