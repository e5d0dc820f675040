import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { invalid, notFound } from '../../domain/error.ts';
import { here } from '../../files/surroundings.ts';
import type { Source } from '../../http/memories.ts';
import { packageHere } from '../agents/package.ts';
import { openFile } from '../input/file.ts';
import { linesOf } from '../input/lines.ts';
import { openLazily } from '../open.ts';
import { endQuietly, log } from '../output/print.ts';
import type { PlaceOptions } from '../place.ts';
import { linkEnded, serveByLink } from '../serving/by-link.ts';
import { type Filled, introduction, programOf } from './introduction.ts';

/** The memories of the demo; each has a stream of its name in the package, made by scripts/demo/. */
const MEMORIES = [
  { name: 'narae', about: 'six weeks of a team that sells tickets, in English and Korean' },
  { name: 'precedent', about: 'the decisions that Precedent itself was built by' },
];

/**
 * Shows two memories that are filled already, in a folder that is gone afterwards. Whoever has the token that is
 * made for this run may read them; the person at this machine may write, by naming the file.
 * @throws PrecedentError `invalid` when a memory is named: the demo has its own
 */
export async function showDemo(isSilent: boolean, { db, workspace }: PlaceOptions): Promise<void> {
  if (db !== undefined || workspace !== undefined)
    throw invalid.not_applicable('Expected neither --db nor --workspace: the demo has memories of its own.');
  endQuietly();
  const end = Promise.race([linkEnded(), inputClosed()]);
  const folder = mkdtempSync(join(tmpdir(), 'precedent-demo-'));
  // However it ends, but by SIGKILL: a refusal, a reader of standard output that has gone, a second Ctrl-C.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

  const { root } = packageHere();
  const filled = await fill(root, folder);
  await serveByLink(
    {
      ...{ name: 'demo', author: 'demo', access: 'read', isSilent },
      source: sourceOf(filled),
      end: () => end,
    },
    (link) => introduction(link, filled, programOf(here().env, root)),
  );
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

function sourceOf(filled: readonly Filled[]): Source {
  const files = new Map(filled.map(({ name, file }) => [name, file]));
  const names = [...files.keys()];
  return {
    main: names[0] as string,
    list: async () => names,
    open: async (name) => {
      const db = files.get(name);
      if (db === undefined) throw notFound.no_memory(`Expected a memory out of ${names.join(', ')}.`);
      return openLazily({ db, workspace: name, create: false, log });
    },
  };
}

/** Resolves when standard input ends: the program that started this has gone. In a terminal there is Ctrl-C. */
async function inputClosed(): Promise<void> {
  const { stdin } = process;
  await new Promise<void>((resolve) => {
    if (stdin.isTTY) return;
    // A file ends and is never closed; a pipe that breaks has an error.
    for (const event of ['end', 'close', 'error']) stdin.once(event, () => resolve());
    stdin.resume();
  });
  log('Standard input has ended, and the demo with it.');
}
