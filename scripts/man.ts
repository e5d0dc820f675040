import { catalogue } from '../src/cli/catalogue/catalogue.ts';
import type { CommandSpec } from '../src/cli/catalogue/spec.ts';
import { GLOBAL } from '../src/cli/complete.ts';
import { usageOf } from '../src/cli/help/of-command.ts';
import { EXIT_CODE, NOT_FOUND } from '../src/cli/output/print.ts';

/** The manual page, out of the same definitions as help and completion (U-8). @param version of the program */
export function manualPage(version: string): string {
  return `${[
    `.TH PRECEDENT 1 "" "precedent ${version}" "User Commands"`,
    '.SH NAME',
    'precedent \\- the memory of why: decisions with their reasons, history and outcomes',
    '.SH SYNOPSIS',
    '.B precedent',
    '.I command',
    '[options]',
    '.SH COMMANDS',
    ...catalogue.filter(({ words: [first] }) => first !== 'tool').flatMap(section),
    '.SS "precedent tool \\fIname\\fR [options]"',
    escaped('Calls a tool of agents by its name, for scripts. "precedent tool --help" lists them.'),
    '.SH OPTIONS OF EVERY COMMAND',
    ...GLOBAL.flatMap(({ name, value, about }) => item(optionOf(name, value), about)),
    ...item(
      optionOf('json', undefined),
      'print the answer as JSON; every command but export, mcp and completion',
    ),
    '.SH EXIT STATUS',
    ...item('.B 0', 'done'),
    ...item(`.B ${NOT_FOUND}`, 'nothing was found, or something unforeseen went wrong'),
    ...Object.entries(EXIT_CODE)
      .filter(([, code]) => code > NOT_FOUND)
      .flatMap(([name, code]) => item(`.B ${code}`, name.replaceAll('_', ' '))),
  ].join('\n')}\n`;
}

function section(command: CommandSpec): string[] {
  const { words, about, arguments: given, options, examples } = command;
  return [
    `.SS "${escaped(`precedent ${words.join(' ')} ${usageOf(command)}`)}"`,
    escaped(about),
    ...given.flatMap(({ name, about }) => item(`.I ${escaped(name)}`, about)),
    ...options
      .filter(({ hidden }) => !hidden)
      .flatMap(({ name, value, about }) => item(optionOf(name, value), about)),
    ...(examples.length > 0
      ? [
          '.PP',
          'Examples:',
          '.RS',
          '.nf',
          ...examples.map((each) => escaped(`precedent ${each}`)),
          '.fi',
          '.RE',
        ]
      : []),
  ];
}

function item(term: string, about: string): string[] {
  return ['.TP', term, escaped(about)];
}

function optionOf(name: string, value: string | undefined): string {
  return `.BR \\-\\-${escaped(name)}${value === undefined ? '' : ` " <${escaped(value)}>"`}`;
}

/** A text on one line that the formatter takes as it is. */
function escaped(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replaceAll('"', '\\(dq')
    .replace(/^(?=[.'])/, '\\&');
}
