import { shownAuthor } from './text/label.ts';

/** The program of a person at a terminal, and the page of a server. */
export const CLI = 'cli';
export const PAGE = 'page';

/** What imports write: `import:adr`. */
const IMPORT = 'import:';

/** The version that a program gives after its name: `claude-code 2.1.329`, `curl/8.5.0 (…)`. */
const VERSION = /(?:\/v?\d.*| v?\d\S*)$/s;

/** A word for all agents in a filter: `via:agent`. */
export const ANY_AGENT = 'agent';

/**
 * By what something was written, as people read it (V-1): the program without its version, such as `claude-code`.
 * @param client as the program names itself
 * @returns undefined for a person at a terminal
 */
export function viaOf(client: string): string | undefined {
  return client === CLI ? undefined : client.replace(VERSION, '') || undefined;
}

/** Whether a program wrote it by itself: neither a person at a terminal or a page, nor an import. */
export function isAgent(client: string): boolean {
  return client !== CLI && client !== PAGE && !client.startsWith(IMPORT);
}

/** Whether a filter means this program: a part of its name, or {@link ANY_AGENT}. */
export function isVia(client: string, wanted: string): boolean {
  const folded = wanted.toLowerCase();
  if (folded === ANY_AGENT) return isAgent(client);
  return client === CLI ? folded === CLI : client.toLowerCase().includes(folded);
}

/**
 * Who wrote something, by what, and on which branch, as people read it: `Kim Minsu via claude-code on branch fix/x`.
 * Undefined when none of them is said.
 */
export function shownBy(of: {
  author?: string | undefined;
  via?: string | undefined;
  branch?: string | null | undefined;
}): string | undefined {
  const parts = [
    of.author && shownAuthor(of.author),
    of.via && `via ${of.via}`,
    of.branch && `on branch ${of.branch}`,
  ];
  return parts.filter(Boolean).join(' ') || undefined;
}
