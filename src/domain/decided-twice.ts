import type { Decision } from './decision.ts';
import { cut } from './text/sentence.ts';

/** What two machines decided differently on one topic (Y-2): as it is shown, and whether any of it is an axis or a lock. */
export interface DecidedTwice {
  shown: string;
  binds: boolean;
}

/** Characters that are quoted of a text at most, texts that are named, and characters of an id. */
const QUOTED = 160;
const NAMED = 3;
const SHORT = 8;

/** @param heads as `forksOf` gives them: the last one is active */
export function decidedTwice(heads: Decision[]): DecidedTwice {
  const last = heads.at(-1) as Decision;
  const isPlain = heads.every(({ strength }) => strength === 'normal');
  const named = heads.slice(-NAMED).map((head) => {
    const { text, strength, withdrawn } = head;
    const state = withdrawn ? 'withdrawn ' : strength === 'normal' ? '' : `${strength} `;
    return `${state}“${cut(text, QUOTED)}” (${shortIn(head, heads)})`;
  });
  const more = heads.length > NAMED ? ` and ${heads.length - NAMED} more` : '';
  const both = isPlain ? '' : '; until then all of it binds';
  return {
    shown: `${named.join(' and ')}${more}, neither author saw the other. A person settles it: ${settling(last, heads)}${both}`,
    binds: !isPlain,
  };
}

type Head = Pick<Decision, 'id'>;

/** The command that ends it, with the version that is active. */
export function settling(head: Head & Pick<Decision, 'topic'>, heads: Head[]): string {
  const name = head.topic ?? head.id;
  return `precedent settle ${/^[\p{L}\p{N}:._/-]+$/u.test(name) ? name : JSON.stringify(name)} --keep ${shortIn(head, heads)}`;
}

/** The beginning of an id, where it tells the heads apart. */
function shortIn({ id }: Head, heads: Head[]): string {
  const short = id.slice(0, SHORT);
  return heads.filter((each) => each.id.startsWith(short)).length > 1 ? id : short;
}
