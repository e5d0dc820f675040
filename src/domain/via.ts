import { shownAuthor } from './text/label.ts';
import { dayOf } from './text/moment.ts';

/**
 * The program of a person at a terminal, the same without one, the same in the shell of an agent, and the page of a server for
 * the token of a person. The faces set these, and keep a client from calling itself so (Z-14).
 */
export const CLI = 'cli';
export const CLI_ALONE = 'cli, no terminal';
export const CLI_OF_AGENT = 'cli, from an agent';
export const PAGE = 'page';

/** The form of an import's name: `import:adr`. */
const IMPORT = 'import:';

/** The form of a name by token: `token ci: curl/8.5`, `person’s token minsu: curl/8.5`. */
const TOKEN = 'token ';
const OF_PERSON = 'person’s ';

/** The version that a program gives after its name: `claude-code 2.1.329`, `curl/8.5.0 (…)`. */
const VERSION = /(?:\/v?\d.*| v?\d\S*)$/s;

/** A word for all agents in a filter: `via:agent`. A script is none, though what it saves waits for review (TR-8). */
export const ANY_AGENT = 'agent';

/**
 * The program that wrote something, as people read it (V-1): without its version, such as `claude-code`.
 * @param client as the program names itself
 * @returns undefined for a person at a terminal
 */
export function viaOf(client: string): string | undefined {
  return client === CLI ? undefined : client.replace(VERSION, '').trim() || client || undefined;
}

/** Whether a program wrote it by itself: neither a person at a terminal, at a page or with a token, nor an import. */
export function isProgram(client: string): boolean {
  return !isPerson(client) && !client.startsWith(IMPORT);
}

/** Whether an agent wrote it, as far as can be told: a program that is no script of a command line. */
export function isAgent(client: string): boolean {
  return isProgram(client) && client !== CLI_ALONE;
}

/** Whether a person wrote it, as the face says that it came in by. */
export function isPerson(client: string): boolean {
  return client === CLI || client === PAGE || client.startsWith(OF_PERSON);
}

/** Whether a command line wrote it without a person. */
export function isCommandLine(client: string): boolean {
  return client === CLI_ALONE || client === CLI_OF_AGENT;
}

/** Whether the record was written without a person who could review it. */
export function isUnattended(client: string): boolean {
  return isCommandLine(client) || client.startsWith(TOKEN);
}

/** An agent’s name for itself, which is never that of a person or an import (Z-14). @param name as it is kept */
export function agentNamed(name: string): string {
  // `cli 1.0` is shown as a person's.
  return isAgent(viaOf(name) ?? CLI) && !isCommandLine(name) ? name : `mcp ${name}`;
}

/**
 * The program of a call over HTTP: its token, whatever the client calls itself (Z-14).
 * @param client as it names itself, which is only shown
 * @param isPerson whether the token was made for a person, who speaks no MCP
 */
export function tokenNamed(token: string, client: string, isPerson: boolean): string {
  return `${isPerson ? OF_PERSON : ''}${TOKEN}${token}: ${client}`;
}

/** Whether a filter means this program: a part of its name, {@link CLI} for a person alone, or {@link ANY_AGENT}. */
export function isVia(client: string, wanted: string): boolean {
  const folded = wanted.toLowerCase();
  if (folded === ANY_AGENT) return isAgent(client);
  if (folded === CLI || client === CLI) return folded === client;
  return client.toLowerCase().includes(folded);
}

/**
 * The author, program and branch of a record, and when it was saved if it has an earlier date, as people read it:
 * `Kim Minsu via claude-code on branch fix/x, recorded 2026-11-29`.
 * Undefined when none of them is said.
 */
export function shownBy(of: {
  author?: string | undefined;
  via?: string | undefined;
  branch?: string | null | undefined;
  recorded?: string | undefined;
}): string | undefined {
  const parts = [
    of.author && shownAuthor(of.author),
    of.via && `via ${of.via}`,
    of.branch && `on branch ${of.branch}`,
  ];
  const who = parts.filter(Boolean).join(' ');
  return [who, of.recorded && `recorded ${dayOf(of.recorded)}`].filter(Boolean).join(', ') || undefined;
}
