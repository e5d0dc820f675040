import { FOUND_KINDS } from '../../domain/kinds.ts';
import type { Exporter, ExportFormat } from './exporter.ts';

/** A folder for each kind of record. */
const OF_NOTES = FOUND_KINDS.map((kind) => `${kind}s`);

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
  graphml: {
    what: 'a graph for Gephi, yEd or NetworkX',
    isPart: true,
    lines: async () => (await import('./graphml.ts')).graphmlOf,
  },
  mermaid: {
    what: 'a picture of decisions and their links, for a document',
    isPart: true,
    isAround: true,
    lines: async () => (await import('./mermaid.ts')).mermaidOf,
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
  vault: {
    what: 'a folder of linked notes for Obsidian',
    isPart: true,
    folders: OF_NOTES,
    files: async () => (await import('./notes/vault.ts')).vaultOf,
  },
  okf: {
    what: 'a folder in the Open Knowledge Format 0.2',
    isPart: true,
    folders: OF_NOTES,
    files: async () => (await import('./notes/okf.ts')).okfOf,
  },
};
