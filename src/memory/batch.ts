import { PrecedentError } from '../domain/error.ts';
import type { Operation } from '../operations/operation.ts';
import { gathering } from '../store/document.ts';
import { UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { recordSave } from '../store/undo/save.ts';
import { type Keeping, receive } from './receive.ts';
import { type Context, enterDated } from './run.ts';

/** What a batch did. */
export interface Batch {
  /** Lines that were saved. */
  saved: number;
  /** What the saves warned of, with the number of the line. */
  warnings: string[];
}

/** One line of a batch, read and checked. */
interface Save {
  line: number;
  operation: Operation;
  /** Its input as JSON: objects take several times as much of the memory, and all lines wait for the last one. */
  given: string;
}

/**
 * Runs one save a line, in their order and in one transaction: all of them, or none (U-7).
 * @param lines each a JSON object: `operation` (`mama_save`, or `mama save`), and the fields of its input; a blank line is
 *   left out
 * @param progress receives how many were saved, and how many there are
 * @throws PrecedentError that of the first line which is refused, with its number
 */
export async function runBatch(
  { store, written, embedder }: Context,
  find: (name: string) => Operation | Promise<Operation>,
  lines: Iterable<string> | AsyncIterable<string>,
  writer: Writer,
  progress: (done: number, all: number) => void = () => {},
  how: Keeping = {},
): Promise<Batch> {
  // Read to its end first: whoever sends the lines may take as long as they like, and others go on writing.
  const warnings: string[] = [];
  const saves: Save[] = [];
  let number = 0;
  for await (const text of lines) {
    number++;
    if (text.trim() === '') continue;
    const save = await atLine(number, () => read(number, text, find, how));
    warnings.push(...save.warnings.map((warning) => `line ${number}: ${warning}`));
    saves.push(save);
  }
  const isEmbedding = embedder !== undefined;
  const done = await store.write(writer, (tx) => saveAll(tx, saves, progress, isEmbedding), UNHURRIED);
  written(done.tx.written);
  return { saved: saves.length, warnings: [...warnings, ...done.warnings] };
}

/** @param isEmbedding whether what was written is wanted afterwards */
async function saveAll(
  given: Tx,
  saves: Save[],
  progress: (done: number, all: number) => void,
  isEmbedding: boolean,
) {
  const { text, flush } = gathering(given.text);
  const tx = { ...given, text };
  const warnings: string[] = [];
  for (const [index, { line, operation, given }] of saves.entries()) {
    const told = await atLine(line, () => enterDated(tx, operation, JSON.parse(given)));
    if (!isEmbedding) tx.written.length = 0;
    warnings.push(...[...told, ...tx.notes.splice(0)].map((warning) => `line ${line}: ${warning}`));
    progress(index + 1, saves.length);
  }
  await flush(tx.db);
  // K-6: what came in together is taken back together.
  await recordSave(tx);
  return { tx, warnings };
}

async function read(
  line: number,
  text: string,
  find: (name: string) => Operation | Promise<Operation>,
  how: Keeping,
): Promise<Save & { warnings: string[] }> {
  const { operation: name, ...input } = parse(text);
  if (typeof name !== 'string') {
    throw new PrecedentError(
      'invalid',
      'Expected the field "operation", such as "mama_save"; it is missing.',
    );
  }
  // As it is called on the command line, or as a tool.
  const operation = await find(name.trim().replaceAll(/[ -]/g, '_'));
  // What takes no date enters nothing: it changes, joins or takes back what is there.
  if (operation.access !== 'write' || !('date' in operation.input.shape)) {
    throw new PrecedentError(
      'invalid',
      `Expected an operation that saves and takes a date, such as mama_save, mem_save or memo_save; found "${name}".`,
    );
  }
  const { given, warnings } = receive(operation, input, how);
  return { line, operation, given: JSON.stringify(given), warnings };
}

function parse(text: string): Record<string, unknown> {
  const refusal = new PrecedentError(
    'invalid',
    'Expected a JSON object, such as {"operation":"mem_save","title":"…","content":"…"}.',
  );
  try {
    const value: unknown = JSON.parse(text);
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw refusal;
    return value as Record<string, unknown>;
  } catch {
    throw refusal;
  }
}

/** Names the line in what is refused. */
async function atLine<T>(line: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    const { code, message, reason } = error;
    throw new PrecedentError(code, `Line ${line}: ${message} Nothing was saved.`, { cause: error, reason });
  }
}
