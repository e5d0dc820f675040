import { parseArgs } from 'node:util';
import { visible } from '../../domain/text/visible.ts';
import { here } from '../../files/surroundings.ts';
import type { CommandSpec } from '../catalogue/spec.ts';
import { writeOut } from '../output/standard-output.ts';
import { type Candidate, type Offer, offerFor } from './candidates.ts';

/** Says that no names of files are offered, in the words of the scripts. */
const NO_FILES = 4;
const FILES = 0;
/** Letters of any language, digits, and signs that no shell reads. */
const PLAIN = /^[\p{L}\p{N}:._/@+-]+$/u;
/** A shell that is asked to complete is not kept longer, in milliseconds. */
const DEADLINE = 1_000;

/**
 * `precedent complete -- …`, which the shells call: prints what may stand in the place of the last word, a line each. It
 * creates nothing, says nothing else, and ends well whatever happens (U-8).
 */
export async function complete(catalogue: readonly CommandSpec[], argv: string[]): Promise<number> {
  const typed = argv.slice(argv.indexOf('--') + 1);
  // PowerShell puts a blank in the place of an empty word.
  const current = (typed.at(-1) ?? '').trim();
  const offer = offerFor(catalogue, typed);
  const names = await namesOf(offer, typed, current).catch(() => []);
  const found = [...names, ...offer.candidates].filter(({ value }) => value.startsWith(current));
  const lines = found.map(({ value, about }) => `${value}\t${visible(about)}\n`);
  const isFile = found.length === 0 && !offer.names;
  writeOut(`${lines.join('')}:${isFile ? FILES : NO_FILES}\n`);
  // What still reads or waits is left.
  return process.exit(0);
}

/** The names of the memory that is meant, as far as they can be had at once. */
async function namesOf({ names }: Offer, typed: readonly string[], current: string): Promise<Candidate[]> {
  if (!names) return [];
  const { db, workspace } = placeIn(typed);
  const { findPlace } = await import('../place.ts');
  const { readBeginnings } = await import('../../memory/beginnings.ts');
  const place = await findPlace({ db, workspace }, here().env, here().cwd());
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('too late')), DEADLINE).unref();
  });
  const { topics, scopes, ids } = await Promise.race([readBeginnings(place, current), late]);
  // A shell would take a name with blanks, or with signs of its own, for several words.
  const named = (list: string[], about: string) =>
    list.filter((value) => PLAIN.test(value)).map((value) => ({ value, about }));
  if (names === 'scope') return named(scopes, 'scope');
  return [...named(topics, 'topic'), ...(names === 'decision' ? named(ids, 'decision') : [])];
}

/** The memory that was named among the words typed so far. */
function placeIn(typed: readonly string[]): { db?: string | undefined; workspace?: string | undefined } {
  const { values } = parseArgs({
    args: typed.slice(0, -1),
    options: { db: { type: 'string' }, workspace: { type: 'string' } },
    strict: false,
  });
  const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
  return { db: text(values.db), workspace: text(values.workspace) };
}
