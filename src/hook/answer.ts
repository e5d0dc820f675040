import { existsSync } from 'node:fs';
import { findDataFolder } from '../cli/settings.ts';
import { PrecedentError } from '../domain/error.ts';
import type { PromptRead } from '../domain/prompt/reading.ts';
import type { HookEvent, Overriding } from './event.ts';
import { ASKED, onPrompt } from './events/prompt.ts';
import type { Hearing } from './hearing.ts';
import { findMeant, type HookOptions } from './memory.ts';
import { NEW, Sessions } from './session.ts';

/** The facts that a hook has about its caller. */
export interface Call {
  event: Exclude<HookEvent, Overriding>;
  /** The prompt or task of the event; undefined if it has none. */
  asked: PromptRead | undefined;
  /** The agent's name, stored with what it records. */
  client: string;
  /** Whether the words of a prompt may be recorded. */
  isRecording: boolean;
  /** Whether the agent can ask its person before a call. */
  canAsk: boolean;
  options: HookOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  late?: Promise<never>;
  /**
   * Sends the agent its context; resolves when the agent has it.
   * @param message for the person
   * @param asks whether the person is asked it before the call (RE-15)
   * @returns whether the agent takes context with this event
   */
  tell(context: string, message?: string, asks?: boolean): Promise<boolean>;
}

/**
 * Answers one event: sends the context, then records the words of a prompt, if that is wanted (M-11). It creates no memory
 * (K-2): in a repository without one, the agent is shown the tools. If the memory cannot be reached, it says so (T-12).
 */
export async function answer(call: Call): Promise<void> {
  const dataFolder = await dataFolderHere(call.environment);
  const { session } = call.event;
  const sessions = dataFolder === undefined || session === '' ? undefined : new Sessions(dataFolder);
  let isTold = false;
  const tell: Call['tell'] = async (...said) => {
    // An agent reads only one answer to an event.
    if (isTold) return false;
    isTold = true;
    isTold = await call.tell(...said);
    return isTold;
  };
  try {
    const work = fromMemory({ ...call, tell }, sessions, dataFolder);
    await Promise.race(call.late ? [work, call.late] : [work]);
  } catch (error) {
    if (!isTold && error instanceof PrecedentError) await outOfReach({ ...call, tell }, error, sessions);
    throw error;
  }
}

/** For the model, which would otherwise take silence as “nothing was decided”. */
export const OUT_OF_REACH =
  'The memory of why (Precedent) is out of reach just now: do not conclude that nothing was decided.';

/** Says once a session that the memory cannot be reached, and why to the person only (T-12). */
async function outOfReach(
  { event, tell }: Call,
  { message, reason }: PrecedentError,
  sessions: Sessions | undefined,
): Promise<void> {
  // The next call of a tool fixes this by itself: not worth a message.
  if (reason === 'older' || (event.kind !== 'start' && event.kind !== 'prompt')) return;
  const state = sessions?.read(event.session);
  if (state?.isOutOfReach) return;
  const remember = (isOutOfReach: boolean) => {
    try {
      if (state) sessions?.write(event.session, { ...state, isOutOfReach });
      return state !== undefined;
    } catch {
      return false;
    }
  };
  // If nothing can be remembered, only the start event can say it once.
  const isRemembered = remember(true);
  if (!isRemembered && event.kind !== 'start') return;
  const why = `Precedent is out of reach: ${message.replace(/[.]?$/, '.')} "precedent doctor" says more.`;
  if (!(await tell(OUT_OF_REACH, why)) && isRemembered) remember(false);
}

/** The text for a repository that has no memory yet. */
const NO_MEMORY =
  'Precedent keeps the decisions of this repository: recall(task) first, mama_save(topic, decision, reasoning) once settled.';

async function fromMemory(call: Call, sessions: Sessions | undefined, dataFolder: string | undefined) {
  const { event, asked, client, options, environment, cwd, tell } = call;
  if (event.kind === 'error' && !event.touched) {
    // Loaded here: few events are errors.
    const { complaintsIn } = await import('../domain/prompt/complaint.ts');
    if (complaintsIn(event.output).length === 0) return;
  }
  const session = event.session || client;
  const listener = { environment, cwd: event.cwd || cwd, session, client, dataFolder };
  const meant = await findMeant(options, listener);
  if (!meant) return;
  if (event.kind === 'start' && event.isResumed) {
    const state = sessions?.read(event.session);
    // Texts that were shown may have been summarised.
    if (state && Object.keys(state.said).length > 0) sessions?.write(event.session, { ...state, said: {} });
    return;
  }
  const isFirst = () => !sessions || sessions.isFirst(event.session, momentOf(event));
  if (!meant.isThere) {
    if (!meant.isOfRepository || !isFirst()) return;
    if (event.kind === 'start') await tell(NO_MEMORY);
    // It may be the first that is kept here.
    else if (event.kind === 'prompt' && asked?.trigger === 'memo') await tell(ASKED.memo);
    return;
  }
  if (!isFirst()) return;
  const briefing = await meant.open();
  const state = () => sessions?.read(event.session) ?? NEW;
  const say: Hearing['say'] = async (compose) => {
    const turn = async () => {
      const before = state();
      const { whenShown, always, text, shown, tokens, asks, broken = [] } = compose(before);
      const isTold = text !== '' && (await tell(text, undefined, asks));
      const now = {
        memory: meant.hash ?? '',
        at: Date.now(),
        agent: client,
        event: event.kind,
        ids: isTold ? shown : [],
        tokens: isTold ? tokens : 0,
        ...(broken.length > 0 && { broken }),
      };
      const change = {
        ...always,
        ...(isTold && whenShown),
        ...((isTold || broken.length > 0) && meant.hash !== undefined && { told: [...before.told, now] }),
      };
      const memory = meant.hash === undefined ? {} : { memory: meant.hash };
      if (Object.keys(change).length > 0) sessions?.write(event.session, { ...before, ...memory, ...change });
      return isTold;
    };
    return sessions ? sessions.inTurn(event.session, turn) : turn();
  };
  try {
    await answerFrom(event, {
      ...{ briefing, asked, sessions, state, say },
      cwd: listener.cwd,
      session: event.session,
      memory: meant.hash,
      isRecording: call.isRecording,
      asksLocks: options.asksLocks === true && call.canAsk,
    });
  } finally {
    await briefing.close();
  }
}

async function answerFrom(event: Call['event'], hearing: Hearing): Promise<void> {
  switch (event.kind) {
    case 'start':
      return (await import('./events/start.ts')).onStart(hearing);
    case 'subagent':
      return (await import('./events/subagent.ts')).onSubagent(event, hearing);
    case 'task':
      return (await import('./events/subagent.ts')).onTask(event, hearing);
    case 'prompt':
      return hearing.asked && onPrompt(hearing.asked, hearing);
    case 'file': {
      const { namedBy, onFiles } = await import('./events/file.ts');
      if (hearing.asksLocks) {
        const { noteAllowed, onChange } = await import('./events/lock.ts');
        const named = event.call === undefined ? undefined : await namedBy(event, hearing);
        if (await (named ? onChange(event, hearing, named) : noteAllowed(event, hearing))) return;
        return onFiles(event, hearing, named);
      }
      return onFiles(event, hearing);
    }
    case 'error': {
      const { onError } = await import('./events/error.ts');
      if (!(await onError(event, hearing)) && event.touched)
        await (await import('./events/file.ts')).onFiles(event.touched, hearing);
    }
  }
}

/** Identifies an event for which two hooks are called at once: the settings of two agents may name it differently. */
function momentOf(event: Call['event']): string {
  switch (event.kind) {
    case 'start':
      return `start ${event.isFresh}`;
    case 'subagent':
      return `subagent ${event.id}`;
    case 'file':
      return `file ${event.agent} ${event.isRead} ${event.saved} ${event.files.join('\n')} ${JSON.stringify(event.writing)} ${event.call}`;
    case 'error':
      return `error ${event.agent} ${event.output}`;
    default:
      return `${event.kind} ${event.prompt}`;
  }
}

/** The data folder, where sessions are stored; undefined if there is none, since a hook does not make it. */
async function dataFolderHere(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  return dataFolder !== undefined && existsSync(dataFolder) ? dataFolder : undefined;
}
