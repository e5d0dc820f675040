import { PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import type { Operation } from '../operations/operation.ts';
import { findName } from '../store/names.ts';
import { asOf, IndexNeeded } from '../store/past/as-of.ts';
import { layOut } from '../store/past/lay-out.ts';
import { notKnown } from '../store/past/not-known.ts';
import type { Part } from '../store/past/past.ts';
import { countRows } from '../store/rows.ts';
import { Store } from '../store/store.ts';
import type { Tx, Writer } from '../store/tx.ts';
import { IN_MEMORY, openEngine } from './engines.ts';

/** Records that are laid out at most. */
const MOST = 50_000;

type Given = Record<string, unknown>;

/** What the memory answered as it stood at a moment. */
interface Then {
  result: Given;
  /** What the answer cannot know, or does not look at. */
  notes: string[];
}

/**
 * Runs a read on the memory as it stood at a moment (U-5): in SQL, or, when it searches by words, on a copy of the memory
 * of that moment, whose index has the words of then.
 * @param at milliseconds UTC
 * @param hasModel whether searches go by meaning too: about the past they go by words, and say so
 * @throws PrecedentError as the read does, saying of when; `invalid` where the copy would be too large
 */
export function readAsOf(
  store: Store,
  operation: Operation,
  given: Given,
  writer: Writer,
  { at, hasModel, log }: { at: number; hasModel: boolean; log: Log },
): Promise<Then> {
  return store.read(writer, async (tx) => {
    const notes = await notKnown(tx, at);
    const past = await asOf(tx, at);
    try {
      return { result: await operation.run(past, given), notes: [...notes, ...past.notes] };
    } catch (error) {
      if (!(error instanceof IndexNeeded)) throw ofThen(error, at);
    }
    const part = await partNeeded(tx, past, given, operation.name);
    const look = part ? await asOf(tx, at, part) : past;
    const degraded = hasModel && operation.asks ? BY_WORDS : undefined;
    const result = await inCopy(look, (copy) => operation.run(copy, given), log, degraded);
    const told = part ? [leftOut(part)] : [];
    return { result: degraded === undefined ? result : { ...result, degraded }, notes: [...notes, ...told] };
  });
}

/** What was not there yet may be there now. */
function ofThen(error: unknown, at: number): unknown {
  if (!(error instanceof PrecedentError) || error.code !== 'not_found') return error;
  const message = `${error.message} That is how it stood at ${new Date(at).toISOString()}.`;
  return new PrecedentError('not_found', message, { cause: error });
}

const BY_WORDS = 'the past is searched by words alone';

/** Which part is laid out when all would be too much. @throws PrecedentError `invalid` when that is too much as well */
async function partNeeded(tx: Tx, past: Tx, given: Given, operation: string): Promise<Part | undefined> {
  // Today's records are counted faster, and there were no more of them.
  if ((await countRows(tx, 'records')) <= MOST || (await countRows(past, 'records')) <= MOST)
    return undefined;
  const scope = given.domain ?? given.scope;
  const project = given.project;
  const asked: Part = {
    scope: typeof scope === 'string' ? ((await findName(past, 'scopes', scope))?.target ?? scope) : undefined,
    project: typeof project === 'string' ? project : undefined,
  };
  const isNarrowed = asked.scope !== undefined || asked.project !== undefined;
  if (isNarrowed && (await countRows(await asOf(tx, past.now, asked), 'records')) <= MOST) return asked;
  throw new PrecedentError(
    'invalid',
    `${operation}: Expected a scope or a project with at most ${MOST} records for a search in the past, found ${isNarrowed ? 'more' : 'none'}. Name one, or list by date instead.`,
  );
}

function leftOut({ scope, project }: Part): string {
  const decisions =
    scope === undefined ? 'no decisions but global ones' : `decisions of "${scope}" and global ones`;
  const observations = project === undefined ? 'no observations' : `observations of "${project}"`;
  return `The memory is large: of the past, ${decisions} and ${observations} were searched.`;
}

/** Lays the memory out in another one that nobody else sees, and asks that. */
async function inCopy<T>(
  past: Tx,
  ask: (copy: Tx) => Promise<T>,
  log: Log,
  degraded: string | undefined,
): Promise<T> {
  const { workspace, newId, writer } = past;
  const engine = await openEngine(IN_MEMORY, workspace, log);
  const copy = new Store({ engine, workspace, clock: () => past.now, newId, log });
  try {
    await copy.write(writer, (tx) => layOut(past, tx));
    return await copy.read(writer, ask, degraded === undefined ? {} : { understanding: { degraded } });
  } finally {
    await copy.close();
  }
}
