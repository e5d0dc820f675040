import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { CommandSpec } from '../catalogue/spec.ts';
import { EVERY_DAY, NAMED } from './groups.ts';

/** What `precedent --help` prints: about twelve lines, since nobody reads more (U-8). @param width of the terminal */
export function topHelp(catalogue: readonly CommandSpec[], width: number): string {
  const lines = EVERY_DAY.map((name): [string, string] => [name, titleOf(catalogue, name)]);
  return [
    ...wrapped('Precedent, the memory of why: precedent <command> [options]', width),
    '',
    ...lines.flatMap(([name, title]) => hanging(name, title, width)),
    ...Object.entries(NAMED).flatMap(([group, names]) => hanging(group, names, width)),
    '',
    ...wrapped('"precedent <command> --help" has examples; "precedent tool" is for scripts.', width),
    '',
  ].join('\n');
}

const INDENT = 2;
const COLUMN = 10;

function hanging(name: string, text: string, width: number): string[] {
  const begin = ' '.repeat(INDENT) + name + ' '.repeat(Math.max(1, COLUMN - stringWidth(name)));
  const [first = '', ...rest] = wrapped(text, width - INDENT - COLUMN);
  return [begin + first, ...rest.map((line) => ' '.repeat(INDENT + COLUMN) + line)];
}

function wrapped(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(20, width), { hard: true }).split('\n');
}

function titleOf(catalogue: readonly CommandSpec[], name: string): string {
  return catalogue.find(({ words }) => words.join(' ') === name)?.title ?? '';
}
