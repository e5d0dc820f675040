import { existsSync } from 'node:fs';
import { findDataFolder } from '../cli/settings.ts';
import { PrecedentError } from '../domain/error.ts';
import type { PromptRead } from '../domain/prompt/reading.ts';
import { pathIn } from '../files/path-in.ts';
import { placedIn } from '../git/folder.ts';
import type { Briefing } from '../memory/briefing.ts';
import {
  type Context,
  fileContext,
  filesOffer,
  NO_MEMORY,
  NOTHING_SPENT,
  promptContext,
  spentAfter,
  startContext,
} from './context.ts';
import type { HookEvent, Overriding, Touching } from './event.ts';
import { findMeant, type HookOptions } from './memory.ts';
import { CHANGED, NEW, type Session, Sessions, waitingWith, wordHash } from './session.ts';

/** What a hook knows of who called it. */
export interface Call {
  event: Exclude<HookEvent, Overriding>;
  /** What its prompt or task says; undefined where it has none. */
  asked: PromptRead | undefined;
  /** The agent, as it is kept with what it records. */
  client: string;
  /** How the names begin that the agent gives itself as a client of servers, in small letters. */
  clients: readonly string[];
  /** Whether the words of a prompt may be recorded. */
  isRecording: boolean;
  options: HookOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  late?: Promise<never>;
  /**
   * Gives the agent its context; resolves when it has it.
   * @param message for the person
   * @returns whether it takes one with this event
   */
  tell(context: string, message?: string): Promise<boolean>;
}

/**
 * Answers one event: tells what there is to tell, then records the words of a prompt, if that is wanted (M-11). In a place without a memory
 * nothing is created (K-2); a repository without one is shown the tools. A memory that is out of reach is said to be (T-12).
 */
export async function answer(call: Call): Promise<void> {
  const dataFolder = await dataFolderHere(call.environment);
  const { session } = call.event;
  const sessions = dataFolder === undefined || session === '' ? undefined : new Sessions(dataFolder);
  let isTold = false;
  const tell: Call['tell'] = async (...said) => {
    // An agent reads one answer.
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

/** For the model, which else takes silence for an answer. */
export const OUT_OF_REACH =
  'The memory of why (Precedent) is out of reach just now: do not conclude that nothing was decided.';

/** Says once a session that the memory cannot be asked: why to the person, that to the model (T-12). */
async function outOfReach(
  { event, tell }: Call,
  { message, reason }: PrecedentError,
  sessions: Sessions | undefined,
): Promise<void> {
  // What the next call of a tool mends is not worth a word.
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
  // Where nothing can be remembered, only the start of a session comes once.
  const isRemembered = remember(true);
  if (!isRemembered && event.kind !== 'start') return;
  const why = `Precedent is out of reach: ${message.replace(/[.]?$/, '.')} "precedent doctor" says more.`;
  if (!(await tell(OUT_OF_REACH, why)) && isRemembered) remember(false);
}

async function fromMemory(call: Call, sessions: Sessions | undefined, dataFolder: string | undefined) {
  const { event, asked, client, options, environment, cwd, tell } = call;
  const session = event.session || client;
  const listener = { environment, cwd: event.cwd || cwd, session, client, dataFolder };
  const meant = await findMeant(options, listener);
  if (!meant) return;
  if (event.kind === 'start' && event.isResumed) {
    const state = sessions?.read(event.session);
    if (state && state.at > 0) sessions?.write(event.session, { ...state, spent: NOTHING_SPENT });
    return;
  }
  const isFirst = () => !sessions || sessions.isFirst(event.session, momentOf(event));
  if (!meant.isThere) {
    if (!meant.isOfRepository || !isFirst()) return;
    if (event.kind === 'start') await tell(NO_MEMORY);
    else if (event.kind === 'prompt' && asked) await beforeMemory(call, asked, sessions);
    return;
  }
  if (!isFirst()) return;
  const briefing = await meant.open();
  try {
    if (event.kind === 'task') {
      const { facts } = asked ? await briefing.about(asked, new Set()) : { facts: [] };
      sessions?.putTask(
        event.session,
        event.type,
        facts.map(({ id }) => id),
      );
      return;
    }
    const { kind } = event;
    const say = async ({ text, shown: ids, tokens }: Context) => {
      const isTold = await tell(text);
      if (isTold) meant.keep({ at: Date.now(), agent: client, event: kind, ids, tokens });
      return isTold;
    };
    const state = sessions?.read(event.session) ?? NEW;
    const keep = (change: Partial<Session>) => sessions?.write(event.session, { ...state, ...change });
    if (asked && kind === 'prompt') await withPrompt(call, asked, briefing, state, { say, keep });
    if (event.kind === 'file') await withFiles(event, listener.cwd, briefing, state, { say, keep });
    if (event.kind === 'subagent') {
      const names = sessions?.tasks(event.session, event.type) ?? [];
      const task = asked ?? (names.length > 0 ? naming(names) : undefined);
      const { facts } = task ? await briefing.about(task, new Set()) : { facts: [] };
      const [first = [], ...own] = facts.sort((a, b) => names.indexOf(a.id) - names.indexOf(b.id));
      const start = await briefing.atStart();
      const all = [first, own.filter(({ binds }) => binds), start.binding, own].flat();
      const binding = [...new Map(all.map((fact) => [fact.id, fact])).values()];
      await say(startContext({ ...start, binding }, event.kind));
    }
    if (event.kind === 'start') {
      const start = await briefing.atStart();
      const context = startContext(start);
      const isTold = await say(context);
      if (!sessions) return;
      const shown = [...(event.isFresh ? [] : state.shown), ...(isTold ? context.shown : [])];
      keep({
        ...{
          since: state.since ?? start.newest,
          shown,
          tokens: state.tokens + (isTold ? context.tokens : 0),
        },
        ...(event.isFresh && { spent: NOTHING_SPENT }),
      });
      sessions.sweep();
    }
  } finally {
    await briefing.close();
  }
}

/** What two hooks are called for at once: the settings of two agents may give the event another name. */
function momentOf(event: Call['event']): string {
  if (event.kind === 'subagent') return `subagent ${event.id}`;
  if (event.kind === 'task') return `task ${event.prompt}`;
  if (event.kind === 'file')
    return `file ${event.agent} ${event.isRead} ${event.saved} ${event.files.join('\n')}`;
  return event.kind === 'prompt' ? `prompt ${event.prompt}` : `start ${event.isFresh}`;
}

/** A prompt that says nothing but which records it is about. */
const naming = (names: string[]): PromptRead => ({
  words: [],
  subject: [],
  names,
  manner: 0,
  trigger: undefined,
  recordable: [],
});

/**
 * What binds files that a tool read or changed, once for each decision and context: a subagent has one of its own (F-4). After a save that names none, those that
 * the session has changed are offered, once; nothing is stored by itself (F-1).
 */
async function withFiles(
  { agent, files, isRead, saved, marked }: Touching,
  cwd: string,
  briefing: Briefing,
  state: Session,
  { say, keep }: Saying,
): Promise<void> {
  if (saved !== '') {
    const offer = filesOffer(state.changed);
    if (state.changed.length > 0 && (await say(offer)))
      keep({ changed: [], tokens: state.tokens + offer.tokens });
    return;
  }
  const { folder, top } = placedIn(cwd);
  const paths = files.flatMap((file) => pathIn(top, folder, file) || []);
  if (paths.length === 0) return;
  // What a subagent was shown is remembered under its name.
  const under = agent === '' ? '' : `${agent} `;
  const shown = state.shown.flatMap((id) => (id.startsWith(under) ? id.slice(under.length) : []));
  const facts = await briefing.atFiles({ paths, isRead, marked }, new Set(shown));
  const at = Date.now();
  const spent = spentAfter(state.spent, at - state.at);
  const context = fileContext(facts, spent);
  const changed = isRead ? state.changed : [...new Set([...state.changed, ...paths])].slice(-CHANGED);
  const isTold = context.shown.length > 0 && (await say(context));
  if (isTold)
    keep({
      shown: [...state.shown, ...context.shown.map((id) => `${under}${id}`)],
      tokens: state.tokens + context.tokens,
      spent: { ...spent, binding: spent.binding + context.tokens },
      at,
      changed,
    });
  else if (changed.join() !== state.changed.join()) keep({ changed });
}

interface Saying {
  say(context: Context): Promise<boolean>;
  /** Writes what the session remembers from now on; nothing without a place for it. */
  keep(change: Partial<Session>): void;
}

/** A session is reminded of saving with every so many of its prompts. */
const REMINDS = 8;

async function withPrompt(
  { event: { session }, clients, isRecording }: Call,
  asked: PromptRead,
  briefing: Briefing,
  state: Session,
  { say, keep }: Saying,
): Promise<void> {
  const at = Date.now();
  const spent = spentAfter(state.spent, at - state.at);
  const about = await briefing.about(asked, new Set(state.shown));
  const since = state.since ?? about.newest;
  const prompts = state.prompts + 1;
  const isDue = !state.isSaved && prompts - state.reminded >= REMINDS;
  const isSaved = state.isSaved || (isDue && (await briefing.hasSaved(since, clients)));
  const context = promptContext(about, spent, isDue && !isSaved);
  // An agent that takes no context with a prompt was shown nothing, and may be shown it later.
  const isTold = context.text !== '' && (await say(context));
  if (session === '') return;
  // Behind those of prompts before there was a memory (T-13).
  const { messages, counts } = counted(
    isRecording ? [...state.waiting, asked.recordable] : [],
    state.words,
    session,
  );
  const change = {
    shown: [...state.shown, ...(isTold ? context.shown : [])],
    tokens: state.tokens + (isTold ? context.tokens : 0),
    spent: isTold
      ? { binding: spent.binding + context.cost.binding, other: spent.other + context.cost.other }
      : spent,
    at,
    prompts,
    words: counts,
    waiting: [],
    since,
    isSaved,
    reminded: isTold && context.isReminding ? prompts : state.reminded,
  };
  keep(change);
  try {
    for (const { words, repeated } of messages)
      if (words.length > 0) await briefing.record(words, (word) => repeated.has(word));
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.reason !== 'busy') throw error;
    keep({ ...change, dropped: state.dropped + 1 });
  }
}

/** The words of prompts, each with those that the session had before, and how often it had each word. @param before by hash */
function counted(prompts: string[][], before: Session['words'], session: string) {
  const counts = { ...before };
  const messages = prompts.map((words) => {
    const hashes = words.map((word) => wordHash(session, word));
    const repeated = new Set(words.filter((_, at) => (counts[hashes[at] ?? ''] ?? 0) > 0));
    for (const hash of hashes) counts[hash] = (counts[hash] ?? 0) + 1;
    return { words, repeated };
  });
  return { messages, counts };
}

/** A prompt in a repository without a memory: what asks for a memo can be done, and its words wait for the first save (T-13). */
async function beforeMemory(
  { event: { session }, isRecording, tell }: Call,
  { trigger, recordable }: PromptRead,
  sessions: Sessions | undefined,
): Promise<void> {
  if (trigger === 'memo') await tell(promptContext({ facts: [], trigger }).text);
  if (!sessions || !isRecording || recordable.length === 0) return;
  const state = sessions.read(session);
  sessions.write(session, { ...state, waiting: waitingWith(state.waiting, recordable) });
}

/** Where it is remembered what was shown; undefined without a data folder: a hook makes none. */
async function dataFolderHere(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  return dataFolder !== undefined && existsSync(dataFolder) ? dataFolder : undefined;
}
