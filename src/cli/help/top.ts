import { Help } from 'commander';
import type { CommandSpec } from '../catalogue/spec.ts';

/** Columns of a name in the first help. */
const COLUMN = 6;

/** What `precedent --help` prints: about twelve lines, since nobody reads more (U-8). @param width of the terminal */
export function topHelp(catalogue: readonly CommandSpec[], width: number): string {
  const titles = new Map(catalogue.map(({ words, title }) => [words.join(' '), title]));
  const help = Object.assign(new Help(), { helpWidth: width, minWidthToWrap: 0 });
  const item = (name: string, about: string) => help.formatItem(name, COLUMN, about, help);
  return [
    help.boxWrap('Precedent, the memory of why: precedent <command> [options]', width),
    '',
    ...EVERY_DAY.map((name) => item(name, titles.get(name) ?? '')),
    ...Object.entries(NAMED).map(([group, names]) => item(group, names)),
    '',
    help.boxWrap('"precedent <command> --help" has examples; "precedent tool" is for scripts.', width),
    '',
  ].join('\n');
}

/** What `precedent --help --json` prints, for programs: every command with its arguments and options (U-8). */
export function helpAsJson(catalogue: readonly CommandSpec[]): string {
  const commands = catalogue.map(
    ({ words, title, about, examples, arguments: given, options, operation }) => ({
      command: words.join(' '),
      title,
      about,
      examples,
      arguments: given.map(({ name, about, required = false }) => ({ name, about, required })),
      options: options
        .filter(({ hidden }) => !hidden)
        .map(({ name, about, required = false, value }) => ({ name, about, required, value })),
      ...(operation && { tool: operation.name }),
    }),
  );
  return `${JSON.stringify({ commands }, null, 2)}\n`;
}

/** What the groups are about: the first word of a command that has two. */
export const GROUPS: Record<string, string> = {
  list: 'active decisions, notes, memos, topics, scopes, authors',
  token: 'who may use a server: list, add, revoke',
  workspaces: 'the memories on this machine or server: list, join, rename, remove',
  tool: 'The tools of agents as commands, for scripts. Each takes the fields of its tool, and --json.',
};

/** The commands of the first help, in its order: some with a line each, then names alone, by what a person wants. */
const EVERY_DAY = ['decide', 'why', 'failed', 'note', 'recall', 'search'];
const NAMED: Record<string, string> = {
  Read: 'show, list, log, rules, check, open',
  Write: 'worked, evidence, anchor, memo, relate, unrelate, checkpoint',
  Change: 'review, revise, withdraw, undo, rename, delete, undelete',
  Agents: 'setup, unsetup, off, on, mcp',
  Share: 'sync, settle, export, import, serve, token',
  Care: 'doctor, backup, redact, workspaces, upgrade, completion',
};
