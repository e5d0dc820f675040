import type { Deciding } from '../../domain/prompt/deciding.ts';
import type { Fact } from '../../operations/briefing/line.ts';
import { referenceOf, topicOf } from '../page.ts';
import { type Session, wordHash } from '../session.ts';

/** Asks that a session hears at most, and characters of a topic that has room in one: it has 25 tokens (RE-11). */
const MOST = 4;
const TOPIC = 30;

const ASK = {
  decides: 'This may settle how work is done: if so, mama_save it with its reason (precedent).',
  reports:
    'This may tell how something went: mama_update it with outcome and reason, else mama_save (precedent).',
  plan: 'A plan was approved: mama_save what it settles, with its reason (precedent).',
  commit:
    'Nothing was saved in this session: mama_save what this commit settles, with its reason (precedent).',
};

/** The request to an agent, and what the session remembers of it. */
export interface Asked {
  line: string;
  change: Pick<Session, 'deciding'>;
}

/**
 * Asks an agent to save what a person decides or reports with a prompt (RE-11).
 * @param told what the prompt was told: of a rule or failure the line says that the new decision may replace it
 */
export function askOfPrompt(
  deciding: Deciding | undefined,
  { subject, session, told }: { subject: string[]; session: string; told: Fact[] },
  state: Session,
): Asked | undefined {
  if (deciding === undefined) return undefined;
  const opposed = told.find(({ binds }) => binds);
  if (!opposed) return ask(ASK[deciding], subject.map((word) => wordHash(session, word)).join(' '), state);
  const topic = topicOf(opposed);
  const called = topic.length <= TOPIC && !/\s/.test(topic) ? topic : referenceOf(opposed);
  const line = `If the person means it: save it as replacing ${called} (mama_save).`;
  return ask(line, opposed.id, state);
}

/** Asks at an approved plan, and at the first commit of a session in which nothing was saved (RE-11). */
export function askAt(moment: 'plan' | 'commit', state: Session): Asked | undefined {
  const isSaved = moment === 'plan' ? state.saved === state.prompts : state.saved !== undefined;
  return isSaved ? undefined : ask(ASK[moment], moment === 'plan' ? `plan${state.prompts}` : moment, state);
}

function ask(line: string, matter: string, { deciding }: Session): Asked | undefined {
  if (deciding.length >= MOST || deciding.some((each) => isSame(each, matter))) return undefined;
  return { line, change: { deciding: [...deciding, matter] } };
}

/** Whether most of the words of one are those of the other. */
function isSame(one: string, other: string): boolean {
  const [a, b] = [one.split(' '), other.split(' ')];
  return 2 * a.filter((word) => b.includes(word)).length > Math.min(a.length, b.length);
}
