import { type Memory, textOf, textOfChange } from '../memory.ts';
import type { Record } from '../set.ts';
import { rarest, searchWords } from '../words.ts';

/** Files that the agent reads after a search. */
const READ = 3;
const TOLD =
  'Decisions are in docs/adr. Before you act, grep them for the words of the task, and read what fits.\n';

export const memories: Memory[] = [
  {
    name: 'decision records, grep',
    rule: `A file of each record in docs/adr; at each moment the agent greps them for each word of the prompt, edit, command, error or path, and reads the ${READ} files with the most and rarest of these words.`,
    isStateless: true,
    async open({ set }) {
      const files = set.records.map(recordFile);
      const low = files.map((file) => file.toLowerCase());
      const grep = async (text: string) => {
        const scores = new Map<number, number>();
        for (const { in: found } of rarest(searchWords(text), low))
          for (const at of found)
            scores.set(at, (scores.get(at) ?? 0) + Math.log(1 + files.length / found.length));
        const best = [...scores].sort(([, a], [, b]) => b - a).slice(0, READ);
        return best.map(([at]) => files[at]).join('\n');
      };
      return {
        begin: async () => TOLD,
        prompt: grep,
        // The folders of a path stand in the records that bind files there.
        read: (file) => grep(file.replaceAll('/', ' ')),
        change: (change) => grep(textOfChange(change)),
        fail: ({ command, output }) => grep(`${command}\n${output}`),
      };
    },
  },
];

function recordFile(record: Record, at: number): string {
  const { title, kind, text } = textOf(record);
  return `# ${at + 1}. ${title}\n\nStatus: accepted, ${kind}\n\n${text}\n`;
}
