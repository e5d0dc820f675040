import { visible } from '../domain/text/visible.ts';
import { catalogue } from './catalogue/catalogue.ts';
import type { ArgumentSpec, OptionSpec } from './catalogue/spec.ts';
import { writeOut } from './output/print.ts';
import { COLORS } from './output/terminal.ts';
import { specOf } from './program.ts';

/** Says that no names of files are offered, in the words of the scripts. */
const NO_FILES = 4;
const FILES = 0;

/**
 * `precedent complete -- …`, which the shells call: prints the commands, options and choices that may replace the last
 * word, a line each. It opens no memory (U-8).
 */
export function complete(argv: string[]): number {
  const typed = argv.slice(argv.indexOf('--') + 1);
  // PowerShell puts a blank instead of an empty word.
  const current = (typed.at(-1) ?? '').trim();
  const found = candidatesFor(typed).filter(({ value }) => value.startsWith(current));
  const lines = found.map(({ value, about }) => `${value}\t${visible(about)}\n`);
  writeOut(`${lines.join('')}:${found.length === 0 ? FILES : NO_FILES}\n`);
  return 0;
}

/** What a shell offers for a word. */
interface Candidate {
  value: string;
  about: string;
}

/** Options of every command. */
const GLOBAL: OptionSpec[] = [
  { name: 'db', field: 'db', about: 'the memory', value: 'db' },
  { name: 'workspace', field: 'workspace', about: 'the memory’s name', value: 'name' },
  { name: 'color', field: 'color', about: 'colours', value: 'when', choices: COLORS },
  { name: 'no-pager', field: 'pager', about: 'print a long answer at once' },
  { name: 'help', field: 'help', about: 'explain the command' },
];
const JSON_OPTION: OptionSpec = { name: 'json', field: 'json', about: 'print the answer as JSON' };

/**
 * What may replace the last word (U-8).
 * @param typed the words after the program's name; the last is the one that is being typed, empty at its beginning
 */
function candidatesFor(typed: readonly string[]): Candidate[] {
  const current = typed.at(-1) ?? '';
  const options = [...GLOBAL, ...catalogue.flatMap((command) => command.options)];
  const words = wordsOf(typed.slice(0, -1), options);
  const command = specOf(words);
  const rest = words.slice(command?.words.filter((word, at) => words[at] === word).length);
  const own = command ? [...command.options, ...(command.json ? [JSON_OPTION] : []), ...GLOBAL] : GLOBAL;
  const before = own.find(({ name, value }) => value !== undefined && typed.at(-2) === `--${name}`);
  if (before) return choicesOf(before);
  if (current.startsWith('-')) {
    const shown = own.filter(({ hidden }) => !hidden);
    return shown.map(({ name, about }) => ({ value: `--${name}`, about }));
  }
  if (!command) return wordsAfter(words);
  const argument =
    command.arguments[rest.length] ?? command.arguments.findLast(({ many, joined }) => many || joined);
  // Behind a group that means one of its commands, another one of them is possible as well.
  const members = words.length === 1 && command.isDefault ? wordsAfter(words) : [];
  return [...members, ...(argument ? choicesOf(argument) : [])];
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

const choicesOf = ({ choices = [] }: ArgumentSpec | OptionSpec): Candidate[] =>
  choices.map((value) => ({ value, about: '' }));
