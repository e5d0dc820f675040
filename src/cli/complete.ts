import { parseArgs } from 'node:util';
import { KINDS } from '../domain/kinds.ts';
import { visible } from '../domain/text/visible.ts';
import { here } from '../files/surroundings.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { ArgumentSpec, CommandSpec, OptionSpec } from './catalogue/spec.ts';
import { writeOut } from './output/print.ts';
import { COLORS } from './output/terminal.ts';
import { specOf } from './program.ts';

/** Says that no names of files are offered, in the words of the scripts. */
const NO_FILES = 4;
const FILES = 0;
/** Letters of any language, digits, and signs that no shell reads. */
const PLAIN = /^[\p{L}\p{N}:._/@+-]+$/u;
/** A shell that is asked to complete is not kept longer, in milliseconds. */
const DEADLINE = 1_000;

/**
 * `precedent complete -- …`, which the shells call: prints what may replace the last word, a line each. It
 * creates nothing, says nothing else, and ends well whatever happens (U-8).
 */
export async function complete(argv: string[]): Promise<number> {
  const typed = argv.slice(argv.indexOf('--') + 1);
  // PowerShell puts a blank instead of an empty word.
  const current = (typed.at(-1) ?? '').trim();
  const offer = offerFor(typed);
  const names = await namesOf(offer, typed, current).catch(() => []);
  const found = [...names, ...offer.candidates].filter(({ value }) => value.startsWith(current));
  const lines = found.map(({ value, about }) => `${value}\t${visible(about)}\n`);
  const isFile = found.length === 0 && !offer.names;
  writeOut(`${lines.join('')}:${isFile ? FILES : NO_FILES}\n`);
  await new Promise((written) => here().stdout.write('', written));
  // What still reads or waits is left.
  return process.exit(0);
}

/** The names of the memory that is meant, as far as they can be had at once. */
async function namesOf({ names }: Offer, typed: readonly string[], current: string): Promise<Candidate[]> {
  if (!names) return [];
  const { db, workspace } = placeIn(typed);
  const { findPlace } = await import('./place.ts');
  const { readBeginnings } = await import('../memory/beginnings.ts');
  const place = await findPlace({ db, workspace }, here().env, here().cwd());
  if (place.isOff) return [];
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

/** What a shell offers for a word. */
interface Candidate {
  value: string;
  about: string;
}

/** What may be typed at a place: what the command line knows itself, and which names of the memory. */
interface Offer {
  candidates: Candidate[];
  /** Set where a name of the memory is possible. */
  names?: 'decision' | 'topic' | 'scope';
}

/** Options of every command. */
export const GLOBAL: OptionSpec[] = [
  { name: 'db', field: 'db', about: 'the memory', value: 'db' },
  { name: 'workspace', field: 'workspace', about: 'the memory’s name', value: 'name' },
  { name: 'color', field: 'color', about: 'colours', value: 'when', choices: COLORS },
  { name: 'no-pager', field: 'pager', about: 'print a long answer at once' },
  { name: 'help', field: 'help', about: 'explain the command' },
];
const JSON_OPTION: OptionSpec = { name: 'json', field: 'json', about: 'print the answer as JSON' };

/** Fields by the names that they take. */
const NAMES: Record<string, Offer['names']> = {
  id: 'decision',
  ref: 'decision',
  other: 'decision',
  filter: 'topic',
  decisionRef: 'decision',
  targetRef: 'decision',
  topic: 'topic',
  into: 'topic',
  domain: 'scope',
  scope: 'scope',
};

/**
 * What may replace the last word (U-8).
 * @param typed the words after the program's name; the last is the one that is being typed, empty at its beginning
 */
function offerFor(typed: readonly string[]): Offer {
  const current = typed.at(-1) ?? '';
  const options = [...GLOBAL, ...catalogue.flatMap((command) => command.options)];
  const words = wordsOf(typed.slice(0, -1), options);
  const command = specOf(words);
  const rest = words.slice(command?.words.filter((word, at) => words[at] === word).length);
  const own = command ? [...command.options, ...(command.json ? [JSON_OPTION] : []), ...GLOBAL] : GLOBAL;
  const before = own.find(({ name, value }) => value !== undefined && typed.at(-2) === `--${name}`);
  if (before) return offerOf(before, command);
  if (current.startsWith('-')) {
    const shown = own.filter(({ hidden }) => !hidden);
    return { candidates: shown.map(({ name, about }) => ({ value: `--${name}`, about })) };
  }
  if (!command) return { candidates: wordsAfter(words) };
  const argument =
    command.arguments[rest.length] ?? command.arguments.findLast(({ many, joined }) => many || joined);
  const offer: Offer = argument ? offerOf(argument, command) : { candidates: [] };
  // Behind a group that means one of its commands, another one of them is possible as well.
  const members = words.length === 1 && command.isDefault ? wordsAfter(words) : [];
  return { ...offer, candidates: [...members, ...offer.candidates] };
}

/** The words without options and their values. */
function wordsOf(typed: readonly string[], options: readonly OptionSpec[]): string[] {
  const takesValue = new Set(
    options
      .filter(({ value }) => value !== undefined)
      .flatMap(({ name, short }) => [`--${name}`, ...(short === undefined ? [] : [`-${short}`])]),
  );
  return typed.filter((word, at) => !word.startsWith('-') && !takesValue.has(typed[at - 1] ?? ''));
}

/** The next words of commands that begin with these. */
function wordsAfter(words: readonly string[]): Candidate[] {
  const begun = catalogue.filter((command) => words.every((word, at) => command.words[at] === word));
  const next = new Map<string, string>();
  for (const command of begun) {
    const word = command.words[words.length];
    if (word !== undefined && !next.has(word))
      next.set(word, command.words.length === words.length + 1 ? command.title : 'more commands');
  }
  return [...next].map(([value, about]) => ({ value, about }));
}

/** Only operations name what is in a memory, or who takes any record; an `id` may be that of another kind (`evidence_move`). */
function offerOf({ field, choices }: ArgumentSpec | OptionSpec, command: CommandSpec | undefined): Offer {
  const candidates = (choices ?? []).map((value) => ({ value, about: '' }));
  const name = command?.operation?.name ?? 'mem';
  const isOther = field === 'id' && name.split('_').some((word) => word in KINDS && word !== 'decision');
  const names = isOther || (field !== 'ref' && name.startsWith('mem')) ? undefined : NAMES[field];
  return { candidates, ...(names && { names }) };
}
