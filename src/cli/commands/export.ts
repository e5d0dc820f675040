import { once } from 'node:events';
import { EXPORT_FORMATS } from '../../memory/maintenance.ts';
import { withMemoryToRead } from '../open.ts';
import { endQuietly } from '../output/standard-output.ts';
import { defineCommand } from '../own-command.ts';

export const exportMemory = defineCommand({
  name: 'export',
  summary: 'write the whole memory to standard output',
  examples: ['export --format jsonl > why.jsonl', 'export --format cypher --no-authors > why.cypher'],
  options: {
    format: {
      value: 'format',
      summary: 'jsonl, which "precedent import" reads, or cypher, for a graph database',
      required: true,
      choices: EXPORT_FORMATS,
    },
    'no-authors': { summary: 'leave out who wrote what, and on which machine' },
  },
  json: false,
  async run({ format, ...options }, place) {
    endQuietly();
    await withMemoryToRead(place, (memory) =>
      memory.export(
        format,
        async (line) => {
          if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain');
        },
        { authors: options['no-authors'] !== true },
      ),
    );
    return undefined;
  },
});
