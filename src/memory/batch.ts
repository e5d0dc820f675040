import { REFERENCES } from '../domain/edge.ts';
import { invalid, notFound, PrecedentError } from '../domain/error.ts';
import { LINK } from '../domain/reasoning/words.ts';
import { jsonIn } from '../domain/text/json.ts';
import { label } from '../domain/text/label.ts';
import type { Operation } from '../operations/operation.ts';
import { gathering } from '../store/document.ts';
import { UNHURRIED } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { recordSave } from '../store/undo/saves.ts';
import { incomplete } from './incomplete.ts';
import { type Keeping, receive } from './receive.ts';
import { type Context, enterDated } from './run.ts';
import { theirLines, theirs } from './theirs.ts';

/** The operation of a name. */
type Find = (name: string) => Operation | Promise<Operation>;

/** The result of a batch. */
export interface Batch {
  /** Lines that were saved. */
  saved: number;
  /** The warnings of the saves, with the number of the line. */
  warnings: string[];
  /** The answer to each entry that was given as an object, in their order. */
  results: Record<string, unknown>[];
}

/** One save of a batch: the operation's name, the fields of its input, and the author where that is somebody else. */
export interface BatchEntry {
  operation: string;
  author?: string;
  [field: string]: unknown;
}

/**
 * Runs one save a line, in their order and in one transaction: all of them, or none (U-7). Each line is read, checked and saved
 * before the next one is read, so that few of them are held at once (Z-6).
 * @param lines each a JSON object, or its text: `operation` (`mama_save`), the fields of its input, where `line 3` is the id of
 * what the third line saved, and `author` where it is somebody else's; a blank line is left out. They are read once, while the
 * memory is locked
 * @param progress receives how many were saved
 * @throws PrecedentError that of the first line which is refused, with its number; what `lines` or `progress` throws, as it is
 */
export async function runBatch(
  { store, written, embedder }: Context,
  find: Find,
  lines: Iterable<string | BatchEntry> | AsyncIterable<string | BatchEntry>,
  writer: Writer,
  progress: (done: number) => void = () => {},
  how: Keeping = {},
): Promise<Batch> {
  let begun = false;
  const work = async (given: Tx) => {
    // The lines cannot be read again, so the batch cannot be repeated either.
    if (begun) throw incomplete('batch');
    begun = true;
    const { text, flush } = gathering(given.text);
    const tx = { ...given, text };
    const done: Batch = { saved: 0, warnings: [], results: [] };
    const saved = new Map<number, unknown>();
    let number = 0;
    for await (const line of theirLines(lines)) {
      number++;
      const isText = typeof line === 'string';
      if (isText && line.trim() === '') continue;
      const { result, warnings } = await atLine(number, () => save(tx, line, find, how, saved));
      const { id, decision } = result as { id?: unknown; decision?: { id?: unknown } };
      saved.set(number, id ?? decision?.id);
      // Nobody promised that the answers of all lines find room.
      if (!isText) done.results.push(result);
      for (const warning of warnings) done.warnings.push(`line ${number}: ${warning}`);
      // Nobody wants to know afterwards what was written.
      if (!embedder) tx.written.length = 0;
      theirs(progress)(++done.saved);
    }
    await flush(tx.db);
    // K-6: what came in together is undone together.
    await recordSave(tx);
    return { done, written: tx.written };
  };
  const { done, written: documents } = await store.write(writer, work, UNHURRIED);
  written(documents);
  return done;
}

/** Saves what one line says. @param saved the ids of what the lines before it saved @returns its answer, and what is warned of */
async function save(
  tx: Tx,
  line: string | BatchEntry,
  find: Find,
  how: Keeping,
  saved: ReadonlyMap<number, unknown>,
) {
  const { operation: name, author, ...input } = parse(line);
  if (typeof name !== 'string')
    throw invalid.missing('Expected the field "operation", such as "mama_save"; it is missing.');
  // Its name on the command line, or as a tool.
  const operation = await find(name.trim());
  // An operation without a date enters nothing: it changes, joins or undoes records that are there.
  if (operation.access !== 'write' || !('date' in operation.input.shape))
    throw invalid.not_one_of(
      `Expected an operation that saves and takes a date, such as mama_save, mem_save or memo_save; found "${name}".`,
    );
  const { given, warnings } = await receive(operation, named(input, saved), how);
  const entered = await enterDated(byAuthor(tx, author), operation, given);
  return { result: entered.result, warnings: [...warnings, ...entered.warnings, ...tx.notes.splice(0)] };
}

/** The transaction in which somebody else's record is entered: history has its own authors. */
function byAuthor(tx: Tx, author: unknown): Tx {
  if (author === undefined) return tx;
  if (typeof author !== 'string' || label(author) === '')
    throw invalid.wrong_type('Expected "author" as a name, such as "Kim <kim@example.com>".');
  return { ...tx, writer: { ...tx.writer, author: label(author) }, writerRows: new Map() };
}

/** Links in a reasoning, but not in a line of a quotation. */
const LINKS_IN_REASONING = new RegExp(
  `^[^\\S\\n]*>.*|(?:${LINK})\\W{0,4}[:：].*(?:\\n\\s*[-*•] .*)*`,
  'gimu',
);
const REFERRING = new RegExp(
  `^(?:id|.*_id|.*Ref|replaces|${REFERENCES.map((each) => each.replace('_', '_?')).join('|')})$`,
  'i',
);

/** The fields of a line, where `"from_id": "line 3"` means what the third line saved: nobody knows its id before. */
function named(input: Record<string, unknown>, saved: ReadonlyMap<number, unknown>): Record<string, unknown> {
  const lineOf = (value: unknown) => {
    const [, line] = String(value).match(/^line (\d{1,9})$/) ?? [];
    return line === undefined ? value : saved.get(Number(line));
  };
  const idOf = (field: string, value: unknown) => {
    const id = lineOf(value);
    if (typeof id === 'number' && typeof value === 'string' && !/id$/i.test(field))
      throw invalid.wrong_kind(
        `Expected "${field}" to name a decision, found "${value}": that saved an observation.`,
      );
    if (id !== undefined) return id;
    throw notFound.no_record(
      `Expected "${value}" to be a line before this one that saved a record, found none.`,
    );
  };
  const decisionOf = (line: string) => {
    const id = lineOf(line);
    return typeof id === 'string' ? id : line;
  };
  const linked = (part: string) =>
    /^\s*>/.test(part) ? part : part.replace(/\bline \d{1,9}\b/g, decisionOf);
  const meant = ([field, value]: [string, unknown]) => {
    if (field === 'reasoning' && typeof value === 'string')
      return [field, value.replace(LINKS_IN_REASONING, linked)];
    if (!REFERRING.test(field)) return [field, value];
    return [field, Array.isArray(value) ? value.map((each) => idOf(field, each)) : idOf(field, value)];
  };
  return Object.fromEntries(Object.entries(input).map(meant));
}

function parse(line: unknown): Record<string, unknown> {
  const value = typeof line === 'string' ? jsonIn(line) : line;
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw invalid.wrong_type(
    'Expected a JSON object, such as {"operation":"mem_save","title":"…","content":"…"}.',
  );
}

/** Names the line in what is refused. */
async function atLine<T>(line: number, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof PrecedentError)) throw error;
    const { code, message, reason } = error;
    throw new PrecedentError(code, reason, `Line ${line}: ${message} Nothing was saved.`, {
      cause: error,
    });
  }
}
