import { randomUUID } from 'node:crypto';
import type { Command } from 'commander';
import { PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { visible } from '../domain/visible.ts';
import { isPostgres, memoryExists } from '../memory/engines.ts';
import { type Memory, openMemory } from '../memory/memory.ts';
import type { View } from '../operations/view.ts';
import { EXIT_CODE } from './exit.ts';
import { findEmbedder, findPlace, type Place, type PlaceOptions } from './place.ts';

/** Where the memory that is meant will be, when nothing was saved in it yet. */
export async function placeWithoutMemory(program: Command): Promise<string | undefined> {
  const place = await findPlace(program.opts<PlaceOptions>(), process.env, process.cwd());
  return (await memoryExists(place)) ? undefined : shown(place);
}

/** @throws PrecedentError `not_found` when nothing was saved there yet: a mistyped path makes no memory */
export async function requireMemory(program: Command): Promise<void> {
  const location = await placeWithoutMemory(program);
  if (location !== undefined)
    throw new PrecedentError('not_found', `Expected a memory, found none at ${location}.`);
}

/** A place as people may see it: an address may hold a password. */
function shown({ db, workspace }: Place): string {
  if (!isPostgres(db)) return db;
  const address = db.replace(/\?.*$/, '').replace(/\/\/.*@/, '//');
  return `${address}, workspace "${workspace}"`;
}

/** Opens the memory that is meant, and closes it when the work is done. */
export async function withMemory(program: Command, work: (memory: Memory) => Promise<void>): Promise<void> {
  const memory = await open(program, {
    session: process.env.PRECEDENT_SESSION ?? randomUUID(),
    client: 'cli',
  });
  try {
    await work(memory);
  } finally {
    await memory.close();
  }
}

/**
 * @param author who writes; none for a server, whose clients say so with each call
 */
export async function open(
  program: Command,
  author: { session: string; client: string } | undefined,
): Promise<Memory> {
  const place = await findPlace(program.opts<PlaceOptions>(), process.env, process.cwd());
  const embedder = findEmbedder(process.env);
  const log = (message: string) => process.stderr.write(`precedent: ${visible(message)}\n`);
  // On the command line warnings stand in the answer; a second time on stderr would only be noise.
  const isServer = author === undefined;
  const quiet: Log = (message, level) => (level === 'error' ? log(message) : undefined);
  try {
    return await openMemory({
      ...place,
      ...(embedder && { embedder }),
      ...(author && { author }),
      log: isServer ? log : quiet,
    });
  } catch (error) {
    if (isServer || !(error instanceof PrecedentError) || isPostgres(place.db)) throw error;
    throw new PrecedentError(error.code, `${error.message}\nIt was looked for at ${place.db}`, {
      cause: error,
    });
  }
}

/** A reader that has seen enough, such as `head`, is no error. */
export function endQuietly(): void {
  process.stdout.once('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    process.stderr.write(`precedent: Standard output cannot be written (${error.code}).\n`);
    process.exit(EXIT_CODE.internal);
  });
}

/** A result as a person reads it, or as a program does. */
export async function print(json: boolean, result: object, view: () => View): Promise<void> {
  endQuietly();
  if (json) {
    process.stdout.write(`${JSON.stringify(result, null, 2)}\n`);
    return;
  }
  const { render } = await import('./render.ts');
  const width = process.stdout.columns ?? 100;
  process.stdout.write(`${render(view(), { width, color: wantsColor(process.env) })}\n`);
}

/** Opens the memory that is meant, and prints what some work with it has to say. */
export function withAnswer(
  program: Command,
  json: boolean | undefined,
  work: (memory: Memory) => Promise<{ view: View; report: object }>,
): Promise<void> {
  return withMemory(program, async (memory) => {
    const { view, report } = await work(memory);
    await print(json === true, report, () => view);
  });
}

/** By the conventions of no-color.org and force-color.org, else where a terminal can show it. */
function wantsColor(environment: NodeJS.ProcessEnv): boolean {
  if (environment.NO_COLOR) return false;
  if (environment.FORCE_COLOR) return !['0', 'false'].includes(environment.FORCE_COLOR);
  return process.stdout.isTTY && process.stdout.hasColors();
}

/**
 * Two memories by their databases, the first of which is there already. On a server the workspace is the one that is
 * named, else that of the file on the other side, else the repository's.
 */
export async function withTwo(
  program: Command,
  databases: { from: string; to: string; as?: string | undefined },
  work: (source: Memory, target: Memory) => Promise<void>,
): Promise<void> {
  const options = program.opts<PlaceOptions>();
  const placeOf = (db: string, workspace = options.workspace) =>
    findPlace({ db, workspace }, process.env, process.cwd());
  const from = await placeOf(databases.from);
  const to = await placeOf(
    databases.to,
    databases.as ?? options.workspace ?? (isPostgres(databases.from) ? undefined : from.workspace),
  );
  if (!(await memoryExists(from))) {
    throw new PrecedentError('not_found', `Expected a memory to copy, found none at ${shown(from)}.`);
  }
  if (from.db === to.db && (from.workspace === to.workspace || !isPostgres(from.db))) {
    throw new PrecedentError('invalid', `Expected two different memories, found ${shown(from)} for both.`);
  }
  const source = await openMemory(from);
  try {
    const target = await openMemory(isPostgres(to.db) ? to : { db: to.db });
    await work(source, target).finally(() => target.close());
  } finally {
    await source.close();
  }
}
