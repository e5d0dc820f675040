import { estimateTokens } from '../../domain/text/tokens.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import type { Touching } from '../event.ts';
import type { Hearing } from '../hearing.ts';
import { SILENCE, withWhy } from '../page.ts';
import { type Session, wordHash } from '../session.ts';
import { placed } from './file.ts';

/** Locks that a question quotes, and those that a session remembers. */
const QUOTED = 3;
const ALLOWED = 500;

/**
 * Asks the person before a call changes a file that a lock binds, or writes or runs what a lock is against (RE-15): once for each
 * lock, until such a call was made.
 * @param named what the text of the call names
 * @returns whether it asks
 */
export async function onChange(event: Touching, hearing: Hearing, named: Fact[]): Promise<boolean> {
  const { files, isRead } = event;
  const { briefing, session } = hearing;
  const { paths, layout } = await placed(isRead ? [] : files, hearing);
  const bound = paths.length > 0 ? await briefing.atFiles({ paths, isRead: false, marked: [] }) : [];
  const locks = [...new Map([...named, ...bound].map((each) => [each.id, each])).values()];
  return hearing.say(({ asked, allowed }) => {
    const asking = locks.filter(({ id, lock }) => lock && !allowed.includes(id));
    const text = asking.length === 0 ? '' : question(asking);
    const now = asking.map(({ id, match }) => [id, wordHash(session, match?.at ?? deedOf(event))]);
    return {
      asks: true,
      text,
      shown: asking.map(({ id }) => id),
      tokens: estimateTokens(text),
      whenShown: { asked: { ...asked, ...Object.fromEntries(now) } },
      ...(layout && { always: { layout } }),
    };
  });
}

/** The mark by which a call is recognised once it was made. */
const deedOf = ({ writing, files }: Touching) => writing?.command || files[0] || '';

/** The question to the person. */
function question(locks: Fact[]): string {
  const files = [...new Set(locks.flatMap(({ match }) => match?.at ?? []))].join(', ');
  const what = files === '' ? 'may forbid what this writes or runs' : `binds ${files}`;
  const more = locks.length - QUOTED;
  return [
    `Precedent: a lock ${what}. Allow this only if it keeps to the rule, or if the rule is to give way.`,
    ...locks.slice(0, QUOTED).map(({ line, why }) => withWhy(line, why, Number.POSITIVE_INFINITY)),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** Remembers what the person allowed: a call that was made after a question. */
export async function noteAllowed(event: Touching, hearing: Hearing): Promise<boolean> {
  const { session, state } = hearing;
  if (Object.keys(state().asked).length === 0) return false;
  const { paths } = await placed(event.isRead ? [] : event.files, hearing);
  const hashes = [...paths, deedOf(event)].map((each) => wordHash(session, each));
  return hearing.say(({ asked, allowed }) => ({ ...SILENCE, always: allowing(asked, allowed, hashes) }));
}

function allowing(
  asked: Session['asked'],
  allowed: string[],
  changed: string[],
): Pick<Session, 'asked' | 'allowed'> {
  const isMade = ([, hash]: [string, string]) => changed.includes(hash);
  const made = Object.entries(asked).filter(isMade);
  return {
    asked: Object.fromEntries(Object.entries(asked).filter((each) => !isMade(each))),
    allowed: [...allowed, ...made.map(([id]) => id)].slice(-ALLOWED),
  };
}
