import type { ArgumentSpec, CommandSpec, OptionSpec } from '../catalogue/spec.ts';

/** What a shell offers for a word. */
export interface Candidate {
  value: string;
  about: string;
}

/** What may stand where a word is typed: what the command line knows itself, and which names of the memory. */
export interface Offer {
  candidates: Candidate[];
  /** Set where a name of the memory may stand. */
  names?: 'decision' | 'topic' | 'scope';
}

/** Options of every command. */
export const GLOBAL: OptionSpec[] = [
  { name: 'db', field: 'db', about: 'the memory', required: false, value: 'db' },
  { name: 'workspace', field: 'workspace', about: 'the memory’s name', required: false, value: 'name' },
  {
    name: 'color',
    field: 'color',
    about: 'colours',
    required: false,
    value: 'when',
    choices: ['auto', 'always', 'never'],
  },
  { name: 'no-pager', field: 'pager', about: 'print a long answer at once', required: false },
  { name: 'help', field: 'help', about: 'explain the command', required: false },
];
const JSON_OPTION: OptionSpec = {
  name: 'json',
  field: 'json',
  about: 'print the answer as JSON',
  required: false,
};

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
 * What may stand in the place of the last word (U-8).
 * @param typed the words behind the program's name; the last is the one that is being typed, empty at its beginning
 */
export function offerFor(catalogue: readonly CommandSpec[], typed: readonly string[]): Offer {
  const current = typed.at(-1) ?? '';
  const options = [...GLOBAL, ...catalogue.flatMap((command) => command.options)];
  const words = wordsOf(typed.slice(0, -1), options);
  const { command, rest } = commandOf(catalogue, words);
  const own = command ? [...command.options, ...(command.json ? [JSON_OPTION] : []), ...GLOBAL] : GLOBAL;
  const before = own.find(({ name, value }) => value !== undefined && typed.at(-2) === `--${name}`);
  if (before) return offerOf(before, command);
  if (current.startsWith('-')) {
    const shown = own.filter(({ hidden }) => !hidden);
    return { candidates: shown.map(({ name, about }) => ({ value: `--${name}`, about })) };
  }
  if (!command) return { candidates: wordsAfter(catalogue, words) };
  const argument =
    command.arguments[rest.length] ?? command.arguments.findLast(({ many, joined }) => many || joined);
  const offer: Offer = argument ? offerOf(argument, command) : { candidates: [] };
  // Behind a group that means one of its commands, another one of them may stand as well.
  const members = words.length === 1 && command.isDefault ? wordsAfter(catalogue, words) : [];
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

/** The command that these words begin with, or the one that its group alone means, and the words behind it. */
function commandOf(
  catalogue: readonly CommandSpec[],
  words: readonly string[],
): { command: CommandSpec | undefined; rest: readonly string[] } {
  const exact = catalogue.find((command) => command.words.every((word, at) => words[at] === word));
  if (exact) return { command: exact, rest: words.slice(exact.words.length) };
  const meant = catalogue.find(({ isDefault, words: [group] }) => isDefault && words[0] === group);
  return { command: meant, rest: words.slice(1) };
}

/** The next words of commands that begin with these. */
function wordsAfter(catalogue: readonly CommandSpec[], words: readonly string[]): Candidate[] {
  const begun = catalogue.filter((command) => words.every((word, at) => command.words[at] === word));
  const next = new Map<string, string>();
  for (const command of begun) {
    const word = command.words[words.length];
    if (word !== undefined && !next.has(word))
      next.set(word, command.words.length === words.length + 1 ? command.title : 'more commands');
  }
  return [...next].map(([value, about]) => ({ value, about }));
}

/** Only operations name what is in a memory, or who takes any record; ids of observations and memos are others. */
function offerOf({ field, choices }: ArgumentSpec | OptionSpec, command: CommandSpec | undefined): Offer {
  const candidates = (choices ?? []).map((value) => ({ value, about: '' }));
  const isObservation = field !== 'ref' && /^mem/.test(command?.operation?.name ?? 'mem');
  const names = isObservation && !command?.otherwise ? undefined : NAMES[field];
  return { candidates, ...(names && { names }) };
}
