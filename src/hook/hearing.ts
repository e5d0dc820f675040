import type { PromptRead } from '../domain/prompt/reading.ts';
import type { Briefing } from '../memory/briefing.ts';
import type { Context } from './page.ts';
import type { Session, Sessions } from './session.ts';

/** The answer to an event, and what a session remembers of it. */
interface Said extends Context {
  /** Remembered if the agent takes it. */
  whenShown?: Partial<Session>;
  /** Remembered in any case. */
  always?: Partial<Session>;
  /** Whether the person is asked it before the call (RE-15). */
  asks?: boolean;
  /** Ids of records that the call is against although they were shown before (V-4). */
  broken?: string[];
}

/** An event with the memory that it is answered from. */
export interface Hearing {
  briefing: Briefing;
  /** The prompt or task of the event; undefined if it has none. */
  asked: PromptRead | undefined;
  /** The folder that the agent works in. */
  cwd: string;
  session: string;
  /** Undefined where nothing can be remembered. */
  sessions: Sessions | undefined;
  /** The name by which sessions know the memory; undefined on a server. */
  memory: string | undefined;
  /** Whether the words of a prompt may be recorded. */
  isRecording: boolean;
  /** Whether a lock asks before a file that it binds is changed (RE-15). */
  asksLocks: boolean;
  /** The session's memory so far; another event may be answered at once. */
  state(): Session;
  /**
   * Answers while no other event of the session is answered, so that nothing is shown twice (RE-2).
   * @returns whether it took it
   */
  say(compose: (state: Session) => Said): Promise<boolean>;
}

/** A state in which these records were said, each at a file as a hash, or with a prompt or an error. */
export function saying({ said }: Session, now: [key: string, where: string][]): Pick<Session, 'said'> {
  const added = now.map(([key, where]): [string, string[]] => [key, [...(said[key] ?? []), where]]);
  const keys = new Set(now.map(([key]) => key));
  // The newest last: of many the oldest are forgotten.
  const others = Object.entries(said).filter(([key]) => !keys.has(key));
  return { said: Object.fromEntries([...others, ...added]) };
}
