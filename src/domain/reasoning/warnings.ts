import type { NearLink, Words, WrittenReference } from './reference.ts';
import { isObservation } from './spelling.ts';

const MOST_WARNINGS = 20;
const SHOWN_CHARACTERS = 40;

/** At most twenty warnings, and how many more there are. */
export function capped(warnings: string[]): string[] {
  if (warnings.length <= MOST_WARNINGS) return warnings;
  const left = warnings.length - MOST_WARNINGS;
  return [...warnings.slice(0, MOST_WARNINGS), `${left} more references could not be read.`];
}

/** The text in the place of a reference. @returns a sentence, to which belongs what was done */
export function unreadable(found: string): string {
  const shown = shortened(found);
  return `expected a decision id (a UUID or decision_…) or a topic with a colon, found ${shown === '' ? 'nothing' : `"${shown}"`}.`;
}

/**
 * The warning for a reference that made no link (G-6, G-10).
 * @param meant the ids of what it may mean: none, its own, or several, some of them named
 */
export function ignored(reference: WrittenReference, meant: string[], named: string): string {
  const found = `found "${shortened(reference.written)}",`;
  const start = `${reference.isAside ? 'alongside' : reference.relationship}: expected another decision, ${found}`;
  if (isObservation(reference))
    return `${start} an observation. It was ignored: attach it as evidence, with evidence_save.`;
  if (meant.length > 1)
    return `${start} which several ids begin with: ${named}. It was ignored: give more of the id.`;
  if (meant.length === 1) return `${start} which is this decision itself. It was ignored.`;
  return `${start} which names no decision. It was ignored; the next save of this decision tries it again.`;
}

/** The warning for a word that makes no link: what to write (G-10). */
export function nearLink({ word, meant, references }: NearLink): string {
  const [first] = references as [Words];
  const shown = shortened(first.written);
  const start = `${meant}: found "${word}:" before "${shown}".`;
  if (meant === 'supersedes')
    return `${start} It was ignored: this link is made automatically when a decision is saved on the same topic. For another topic write "builds_on:" or "debates:".`;
  return `${start} It was ignored: write "${meant}: ${shown}".`;
}

/** As much of what was written as a warning shows. */
function shortened(written: string): string {
  return [...written.trim()].slice(0, SHOWN_CHARACTERS).join('');
}
