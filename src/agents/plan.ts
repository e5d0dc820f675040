import { dirname, sep } from 'node:path';
import { PrecedentError } from '../domain/error.ts';
import { Unreadable } from './edit/format.ts';
import type { Entry, Ours } from './entry.ts';
import { bytesOf } from './files.ts';
import { digest, type Manifest, type Written } from './manifest.ts';
import { NOTHING, type Reconciled, reconcile } from './reconcile.ts';
import { undone } from './undo.ts';

/** What is to become of one file. Nothing is written by making a plan. */
export interface Change extends Reconciled {
  agent: string;
  file: string;
  before: Buffer | undefined;
  after: Buffer | undefined;
  /** As in {@link Entry}. */
  project: string | undefined;
  /** What setup had in it until now. */
  written: Written | undefined;
}

/**
 * What setup would do to the files of an agent: those that it enters something in, and those next to them in which it once
 * did. Other projects, and other folders of settings, keep what they have. Without a request, everything is undone.
 * @param folder of the agent's settings
 * @param left more files of it, in which it is requested nothing
 * @throws PrecedentError `conflict` for a file that cannot be read or cannot be changed safely
 */
export function planAgent(
  manifest: Manifest,
  agent: string,
  folder: string,
  requested: readonly Entry[],
  left: readonly string[] = [],
): Change[] {
  const adjacent = new Set([...requested.map(({ file }) => file), ...left].map((file) => dirname(file)));
  const isMeant = (file: string) =>
    requested.length === 0 || adjacent.has(dirname(file)) || file.startsWith(folder + sep);
  const had = manifest.written.filter((each) => each.agent === agent && isMeant(each.file));
  // What is taken goes in the opposite order: a folder that was made is empty when its turn comes.
  const files = [...new Set([...requested, ...had.toReversed()].map(({ file }) => file))];
  return files.map((file) => {
    const written = had.find((each) => each.file === file);
    const here = requested.filter((each) => each.file === file);
    return planFile(agent, file, written, here);
  });
}

function planFile(
  agent: string,
  file: string,
  written: Written | undefined,
  requested: readonly Entry[],
): Change {
  const project = [...requested, ...(written?.entries ?? [])].find(
    (each) => each.project !== undefined,
  )?.project;
  const before = bytesOf(file, project);
  const isUntouched = before !== undefined && written !== undefined && digest(before) === written.after;
  const known = { agent, file, project, before, written };
  // Where nobody else wrote, what was there comes back to the byte.
  if (requested.length === 0 && isUntouched && written.isKept) {
    const { existed, undo } = written;
    if (!existed) return { ...known, ...NOTHING, after: undefined, text: undefined };
    const text = undo && undone(before.toString(), undo);
    if (text !== undefined) return { ...known, ...NOTHING, after: Buffer.from(text), text };
  }
  const ours: Ours = written ?? { entries: [], made: [], existed: before !== undefined };
  try {
    const result = reconcile(before && textOf(before), ours, requested);
    const isSame = result.text !== undefined && before !== undefined && result.text === textOf(before);
    const after = isSame ? before : result.text === undefined ? undefined : Buffer.from(result.text);
    return { ...known, ...result, after };
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw new PrecedentError('conflict', `${file} was left as it is: ${error.message}.`, { cause: error });
  }
}

/** @throws Unreadable for bytes that are no UTF-8 */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new Unreadable('it is no UTF-8');
  }
}
