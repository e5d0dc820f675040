import { EXPORT_FORMATS, WHAT_FORMATS_ARE } from '../../memory/exporting.ts';
import { defineCommand } from '../own-command.ts';

export const exportMemory = defineCommand({
  name: 'export',
  summary: 'Write the memory out: whole, as a graph, or as Markdown',
  about: `Write the memory out: whole, as a graph, or as Markdown.
${WHAT_FORMATS_ARE.map((what) => `- ${what}`).join('\n')}
A folder is written all or nothing, and again without a difference where nothing changed. What an earlier export wrote there is renewed or removed; what anybody else wrote is never touched.`,
  examples: [
    'export --format jsonl > why.jsonl',
    'export --format madr docs/decisions',
    'export --format mermaid --scope auth',
  ],
  arguments: { folder: { summary: 'where madr, vault and okf are written; made where it is missing' } },
  options: {
    format: { value: 'format', summary: 'what to write', required: true, choices: EXPORT_FORMATS },
    scope: { value: 'scope', summary: 'only decisions of this scope' },
    filter: {
      value: 'filter',
      summary: 'only what passes, as in "precedent list": of a decision all versions come, or none',
    },
    at: { value: 'time', summary: 'as it was then: 2026-10-01, 2w, "2 weeks ago"' },
    around: { value: 'decision', summary: 'with mermaid: draw what is linked to this id or topic' },
    'no-authors': { summary: 'leave out who wrote what, and on which machine' },
  },
  json: false,
  async run({ format, folder, scope, filter, at, around, ...options }, place) {
    const { exportMemory: run } = await import('../exporting/run.ts');
    return run(format, folder, { scope, filter, at, around, authors: options['no-authors'] !== true }, place);
  },
});
