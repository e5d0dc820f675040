import { join } from 'node:path';
import { openFile } from '../input/file.ts';
import { linesOf } from '../input/lines.ts';
import { openLazily } from '../open.ts';

/** The memories of the demo; each has a stream of its name in the package, made by scripts/demo/. */
const MEMORIES = [
  { name: 'narae', about: 'six weeks of a team that sells tickets, in English and Korean' },
  { name: 'precedent', about: 'the decisions that Precedent itself was built by' },
];

/** A memory that was filled: its file, and how many rows each of its tables has. */
export interface Filled {
  name: string;
  about: string;
  file: string;
  rows: Record<string, number>;
}

/**
 * Fills the memories of the demo. @param root of the package @param folder where their files are made
 * @throws PrecedentError `not_found` when the package lacks a stream
 */
export async function fill(root: string, folder: string): Promise<Filled[]> {
  const filled: Filled[] = [];
  for (const { name, about } of MEMORIES) {
    const file = join(folder, `${name}.db`);
    const stream = join(root, 'dist', 'demo', `${name}.jsonl`);
    const lines = linesOf(await openFile(stream, 'a memory of the demo'));
    await using memory = await openLazily({ db: file, workspace: name });
    const { rows } = await memory.import(lines);
    filled.push({ name, about, file, rows });
  }
  return filled;
}
