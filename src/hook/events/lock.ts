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
 * Asks the person before a call changes a file that a lock binds (RE-15): once for each lock, until such a change was made. The
 * text that names what a lock forbids is not looked at here.
 * @returns whether it asks
 */
export async function onChange({ files, isRead }: Touching, hearing: Hearing): Promise<boolean> {
  if (isRead) return false;
  const { briefing, session } = hearing;
  const { paths, layout } = await placed(files, hearing);
  if (paths.length === 0) return false;
  const locks = (await briefing.atFiles({ paths, isRead: false, marked: [] })).filter(({ lock }) => lock);
  return hearing.say(({ asked, allowed }) => {
    const binding = locks.filter(({ id }) => !allowed.includes(id));
    const text = binding.length === 0 ? '' : question(binding);
    const now = binding.map(({ id, match }) => [id, wordHash(session, match?.at ?? '')]);
    return {
      asks: true,
      text,
      shown: binding.map(({ id }) => id),
      tokens: estimateTokens(text),
      whenShown: { asked: { ...asked, ...Object.fromEntries(now) } },
      ...(layout && { always: { layout } }),
    };
  });
}

/** What the person reads. */
function question(locks: Fact[]): string {
  const files = [...new Set(locks.map(({ match }) => match?.at))].join(', ');
  const more = locks.length - QUOTED;
  return [
    `Precedent: a lock binds ${files}. Allow this change only if it keeps to the rule, or if the rule is to give way.`,
    ...locks.slice(0, QUOTED).map(({ line, why }) => withWhy(line, why, Number.POSITIVE_INFINITY)),
    ...(more > 0 ? [`- and ${more} more`] : []),
  ].join('\n');
}

/** Remembers what the person allowed: a change that was made after a question. */
export async function noteAllowed({ files, isRead }: Touching, hearing: Hearing): Promise<boolean> {
  const { session, state } = hearing;
  if (isRead || Object.keys(state().asked).length === 0) return false;
  const { paths } = await placed(files, hearing);
  const hashes = paths.map((path) => wordHash(session, path));
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
