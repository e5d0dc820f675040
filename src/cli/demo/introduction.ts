import { join, sep } from 'node:path';

/** A memory that was filled: its file, and how many rows each of its tables has. */
export interface Filled {
  name: string;
  about: string;
  file: string;
  rows: Record<string, number>;
}

/** What to ask of the memories: each shows in a few lines what a memory of why is for. */
const TRIES: [about: string, memory: string, command: string][] = [
  ['how seats are held, and the two ways that did not hold', 'narae', 'why booking:seat-hold'],
  ['"refund" in Korean, found without a model', 'narae', 'search 환불'],
  ['before you make a folder: what failed here', 'precedent', 'search "make a folder"'],
];
/** The tables whose rows are counted for a person. */
const COUNTED = ['decisions', 'observations', 'memos'];

/** What a person reads in the first ten seconds. @param program how they call it: {@link programOf} */
export function introduction(link: string, filled: readonly Filled[], program: string): string {
  const width = Math.max(...filled.map(({ name }) => name.length));
  const fileOf = (memory: string) => quoted(filled.find(({ name }) => name === memory)?.file ?? '');
  return [
    'Two memories to look around in, filled for you and gone when you stop:',
    '',
    ...filled.map(
      (memory) => `  ${memory.name.padEnd(width)}  ${memory.about}\n  ${countsOf(memory, width)}`,
    ),
    '',
    `Open ${link}`,
    '',
    'Or ask in another terminal:',
    '',
    ...TRIES.map(
      ([about, memory, command]) => `  # ${about}\n  ${program} --db ${fileOf(memory)} ${command}`,
    ),
    '',
    'Ctrl-C ends it.',
    '',
  ].join('\n');
}

function countsOf({ rows }: Filled, width: number): string {
  const counts = COUNTED.filter((table) => rows[table]).map((table) => `${rows[table]} ${table}`);
  return `${' '.repeat(width)}  ${counts.join(', ')}`;
}

/**
 * How whoever started this calls the program in another terminal: of a clone npm finds it, and fetches nothing of that name
 * in any other folder (Z-8); in the cache of npx it has a path alone.
 * @param root the folder of the package
 */
export function programOf({ npm_command }: NodeJS.ProcessEnv, root: string): string {
  if (npm_command === undefined) return 'precedent';
  if (!root.split(sep).includes('_npx')) return 'npx --no-install precedent';
  return `node ${quoted(join(root, 'dist', 'precedent.cjs'))}`;
}

/** A path as a shell takes it for one word. */
const quoted = (path: string) => (/\s/.test(path) ? `"${path}"` : path);
