import { invalid, PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { Operation } from '../operations/operation.ts';
import { findName } from '../store/names.ts';
import { asOf, IndexNeeded, materializeSnapshot } from '../store/past/as-of.ts';
import type { Part } from '../store/past/past.ts';
import { countBytes, countRows } from '../store/rows.ts';
import { rebuildIndex } from '../store/search/reindex.ts';
import { Store } from '../store/store.ts';
import { TABLE_NAMES } from '../store/tables.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { IN_MEMORY, openEngine } from './engines.ts';
import { oneAfterTheOther } from './in-turn.ts';

/** The most that is copied for one search: records, and bytes of their texts (Z-5). */
const MOST = { records: 50_000, bytes: 16 * 1024 * 1024 };

type Given = Record<string, unknown>;

/** The memory's answer as of a moment. */
interface Then {
  result: Given;
  /** Parts that the answer does not look at. */
  notes: string[];
}

/**
 * Runs a read on the memory as it was at a moment (U-5): in SQL, or, when it searches by words, on a copy of the memory
 * of that moment, whose index has the words of then.
 * @param at milliseconds UTC
 * @param hasModel whether searches go by meaning too: about the past they go by words, and say so
 * @throws PrecedentError as the read does, saying of when; `invalid` where the copy would be too large
 */
export async function readAsOf(
  store: Store,
  operation: Operation,
  given: Given,
  writer: Writer,
  { at, hasModel, log }: { at: number; hasModel: boolean; log: Log },
): Promise<Then> {
  const direct = await store.read(writer, async (tx) => {
    const past = await asOf(tx, at);
    try {
      const result = await operation.run(past, given);
      return { result, notes: past.notes };
    } catch (error) {
      if (error instanceof IndexNeeded) return undefined;
      throw ofThen(error, at);
    }
  });
  return direct ?? alone(() => readInCopy(store, operation, given, writer, { at, hasModel, log }));
}

/**
 * One search at a time has a copy, whatever memory it asks: it takes memory and the processor, and others are to have of
 * both (Z-5).
 */
const alone = oneAfterTheOther();

/** Asks a copy of the memory as it was, that nobody else sees, with a text index of its own. */
async function readInCopy(
  ...[store, operation, given, writer, { at, hasModel, log }]: Parameters<typeof readAsOf>
): Promise<Then> {
  const engine = await openEngine(IN_MEMORY, store.workspace, log);
  const newId = () => crypto.randomUUID();
  const copy = new Store({ engine, workspace: store.workspace, clock: () => at, newId, log });
  try {
    const notes = await store.read(writer, async (tx) => {
      const past = await asOf(tx, at);
      const part = await partNeeded(tx, past, given, operation.name);
      const shown = part ? await asOf(tx, at, part) : past;
      // Last, so that what runs once more has written nothing.
      await copy.write(writer, (to) => materializeSnapshot(shown, to));
      return part ? [leftOut(part)] : [];
    });
    // The memory itself is free for others by now.
    await copy.write(writer, (to) => rebuildIndex(to));
    const degraded = hasModel && operation.embeddingQuery ? BY_WORDS : undefined;
    const understanding = degraded === undefined ? {} : { understanding: { degraded } };
    const result = await copy.read(writer, (tx) => operation.run(tx, given), understanding);
    return { result: degraded === undefined ? result : { ...result, degraded }, notes };
  } finally {
    await copy.close();
  }
}

/** A record that was not there then may be there now. */
function ofThen(error: unknown, at: number): unknown {
  if (!(error instanceof PrecedentError) || error.code !== 'not_found') return error;
  const message = `${error.message} This is the memory as of ${new Date(at).toISOString()}.`;
  return new PrecedentError(error.code, error.reason, message, { cause: error });
}

const BY_WORDS = 'the past is searched by words alone';

/** Which part is laid out when all would be too much. @throws PrecedentError `invalid` when that is too much as well */
async function partNeeded(tx: Tx, past: Tx, given: Given, operation: string): Promise<Part | undefined> {
  // Today's records are counted faster, and there were no more of them.
  if ((await bears(tx)) || (await bears(past))) return undefined;
  const scope = given.domain ?? given.scope;
  const project = given.project;
  const asked: Part = {
    scope: typeof scope === 'string' ? ((await findName(past, 'scopes', scope))?.target ?? scope) : undefined,
    project: typeof project === 'string' ? project : undefined,
  };
  const isNarrowed = asked.scope !== undefined || asked.project !== undefined;
  if (isNarrowed && (await bears(await asOf(tx, past.now, asked)))) return asked;
  const most = `${MOST.records} records and ${MOST.bytes / 1024 / 1024} MB of text`;
  throw invalid.too_many(
    `${operation}: Expected a scope or a project with at most ${most} for a search in the past, found ${isNarrowed ? 'more' : 'none'}. Name one, or list by date instead.`,
  );
}

/** Whether so much may be copied. */
async function bears(tx: Tx): Promise<boolean> {
  if ((await countRows(tx, 'records')) > MOST.records) return false;
  let bytes = 0;
  for (const table of TABLE_NAMES) bytes += await countBytes(tx, table);
  return bytes <= MOST.bytes;
}

function leftOut({ scope, project }: Part): string {
  const decisions =
    scope === undefined ? 'no decisions but global ones' : `decisions of "${scope}" and global ones`;
  const observations = project === undefined ? 'no observations' : `observations of "${project}"`;
  return `The memory is large: of the past, ${decisions} and ${observations} were searched.`;
}
