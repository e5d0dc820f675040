import { shortHash } from '../text/short-hash.ts';

const NOTE = 'note ';
/** Characters of a note that name it. */
const READ = 2_000;

/** A note by what it says: its number is another one on other machines, and once it says something else, it is asked again. */
export const nameOfNote = (content: string): string =>
  NOTE + shortHash([...content.slice(0, 2 * READ)].slice(0, READ).join(''));

/** The line by which a record says that it holds, and so does another one. @param name id of a decision, or {@link nameOfNote} */
export const bothHold = (name: string): string =>
  `${name.startsWith(NOTE) ? 'both hold' : 'alongside'}: ${name}`;
