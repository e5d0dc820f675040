import type { Exporter, ExportFormat } from './exporter.ts';

/** Every format that a memory can be written out as (I-5), in the order in which help names them. */
export const EXPORTERS: Record<ExportFormat, Exporter> = {
  jsonl: {
    what: 'the whole memory, which "precedent import" reads',
    lines: async () => {
      const { streamOf } = await import('../jsonl/export.ts');
      return (tx, { authors }) => streamOf(tx, authors);
    },
  },
  cypher: {
    what: 'statements for a graph database',
    lines: async () => (await import('../cypher/export.ts')).cypherOf,
  },
  html: {
    what: 'one page of the active decisions by scope, to read or print',
    isPart: true,
    lines: async () => (await import('./html.ts')).htmlOf,
  },
  madr: {
    what: 'a folder of decision records (MADR 4), which "precedent import --from adr" reads',
    isPart: true,
    files: async () => (await import('./madr/madr.ts')).madrOf,
  },
};
