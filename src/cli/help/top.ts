import stringWidth from 'fast-string-width';
import { wrapAnsi } from 'fast-wrap-ansi';
import type { CommandSpec } from '../catalogue/spec.ts';
import { AGENTS, CARE, ELSEWHERE, EVERY_DAY, LOOK } from './groups.ts';

/** What `precedent --help` prints: about twelve lines, since nobody reads more (U-8). @param width of the terminal */
export function topHelp(catalogue: readonly CommandSpec[], width: number): string {
  const lines = EVERY_DAY.map((name): [string, string] => [name, titleOf(catalogue, name)]);
  const shown = [...EVERY_DAY, ...LOOK, ...AGENTS, ...CARE, ...ELSEWHERE];
  const others = [...new Set(catalogue.map(({ words: [first = ''] }) => first))].filter(
    (name) => !shown.includes(name),
  );
  return [
    ...wrapped('Precedent, the memory of why: precedent <command> [options]', width, ''),
    '',
    ...lines.flatMap(([name, title]) => hanging(name, title, width)),
    ...hanging('Look', LOOK.join(', '), width),
    ...hanging('Agents', AGENTS.join(', '), width),
    ...hanging('Care', CARE.join(', '), width),
    ...hanging('More', others.join(', '), width),
    '',
    ...wrapped('"precedent <command> --help" has examples; "precedent commands" lists all.', width, ''),
    '',
  ].join('\n');
}

const INDENT = 2;
const COLUMN = 10;

function hanging(name: string, text: string, width: number): string[] {
  const begin = ' '.repeat(INDENT) + name + ' '.repeat(Math.max(1, COLUMN - stringWidth(name)));
  const [first = '', ...rest] = wrapped(text, width - INDENT - COLUMN, '');
  return [begin + first, ...rest.map((line) => ' '.repeat(INDENT + COLUMN) + line)];
}

function wrapped(text: string, width: number, indent: string): string[] {
  return wrapAnsi(text, Math.max(20, width), { hard: true })
    .split('\n')
    .map((line) => indent + line);
}

function titleOf(catalogue: readonly CommandSpec[], name: string): string {
  return catalogue.find(({ words }) => words.join(' ') === name)?.title ?? '';
}
