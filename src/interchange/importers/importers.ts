import { invalid } from '../../domain/error.ts';
import { adr } from './adr/adr.ts';
import { agents } from './agents/agents.ts';
import { claudeMem } from './claude-mem/claude-mem.ts';
import { engram, hoofy } from './engram/engram.ts';
import type { Importer } from './importer.ts';
import { mama, sevenDivision } from './mama/mama.ts';
import { basicMemory, obsidian, okf } from './notes/notes.ts';
import { serverMemory } from './server-memory.ts';

/** All importers, in the order of the help. */
export const IMPORTERS: readonly Importer[] = [
  mama,
  sevenDivision,
  hoofy,
  engram,
  serverMemory,
  claudeMem,
  basicMemory,
  obsidian,
  okf,
  adr,
  agents,
];

/** @throws PrecedentError `invalid` for an unknown tool */
export function importerNamed(name: string): Importer {
  const found = IMPORTERS.find((importer) => importer.name === name);
  if (found) return found;
  const names = IMPORTERS.map((importer) => importer.name).join(', ');
  throw invalid.not_one_of(`Expected one of these sources: ${names}, or auto; found "${name}".`);
}
