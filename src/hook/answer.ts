import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findDataFolder } from '../cli/settings.ts';
import { PrecedentError } from '../domain/error.ts';
import { type PromptRead, readPrompt } from '../domain/prompt/reading.ts';
import { statHere } from '../files/machines.ts';
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
  /** What the prompt or task of the event says; undefined if it has none. */
  asked: PromptRead | undefined;
  /** The agent's name, stored with what it records. */
  client: string;
  /** Beginnings of the names that the agent has as an MCP client, in lower case. */
  clients: readonly string[];
  /** Whether the words of a prompt may be recorded. */
  isRecording: boolean;
  options: HookOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  late?: Promise<never>;
  /**
   * Sends the agent its context; resolves when the agent has it.
   * @param message for the person
   * @returns whether the agent takes context with this event
   */
  tell(context: string, message?: string): Promise<boolean>;
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
    let state = sessions?.read(event.session) ?? NEW;
    const say = async ({ text, shown: ids, tokens }: Context) => {
      const isTold = await tell(text);
      if (isTold && meant.hash !== undefined) {
        const last = { memory: meant.hash, at: Date.now(), agent: client, event: kind, ids, tokens };
        state = { ...state, last };
        // Several subagents start at once.
        sessions?.write(event.session, { ...sessions.read(event.session), last });
      }
      return isTold;
    };
    const keep = (change: Partial<Session>) => sessions?.write(event.session, { ...state, ...change });
    if (asked && kind === 'prompt')
      await withPrompt(call, asked, listener.cwd, briefing, state, { say, keep });
    if (event.kind === 'file') await withFiles(event, listener.cwd, briefing, state, { say, keep });
    if (event.kind === 'subagent') {
      const names = sessions?.tasks(event.session, event.type) ?? [];
      // Without words of its own it is about what its task named.
      const task = asked ?? (names.length > 0 ? { ...readPrompt(''), names } : undefined);
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
        since: state.since ?? start.newest,
        shown,
        tokens: state.tokens + (isTold ? context.tokens : 0),
        ...(event.isFresh && { spent: NOTHING_SPENT }),
      });
      sessions.sweep();
    }
  } finally {
    await briefing.close();
  }
}

/** Identifies an event for which two hooks are called at once: the settings of two agents may name it differently. */
function momentOf(event: Call['event']): string {
  if (event.kind === 'subagent') return `subagent ${event.id}`;
  if (event.kind === 'task') return `task ${event.prompt}`;
  if (event.kind === 'file')
    return `file ${event.agent} ${event.isRead} ${event.saved} ${event.files.join('\n')}`;
  return event.kind === 'prompt' ? `prompt ${event.prompt}` : `start ${event.isFresh}`;
}

/**
 * Shows what binds the files that a tool read or changed, each decision once a context: a subagent has its own (F-4). After a
 * save that names no files, it offers the files that the session has changed, once; it stores nothing by itself (F-1).
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
  /** Updates the stored state of the session, if there is a folder for it. */
  keep(change: Partial<Session>): void;
}

/** A session that saves nothing is reminded every so many prompts. */
const REMINDS = 8;

async function withPrompt(
  { event: { session }, clients, isRecording }: Call,
  asked: PromptRead,
  cwd: string,
  briefing: Briefing,
  state: Session,
  { say, keep }: Saying,
): Promise<void> {
  const at = Date.now();
  const spent = spentAfter(state.spent, at - state.at);
  const { folder, top } = placedIn(cwd);
  // As the places of decisions are written (F-1): a path that began with "/" is read without it.
  const names = asked.names.flatMap((name) => {
    const whole = pathIn(top, folder, `/${name}`);
    if (whole !== undefined || !name.includes('/')) return whole ?? name;
    if (statHere(join(folder, name), folder)) return pathIn(top, folder, name) || name;
    // A file elsewhere is bound by nothing here.
    return statHere(`/${name}`, folder) ? [] : name;
  });
  const about = await briefing.about({ ...asked, names }, new Set(state.shown));
  const since = state.since ?? about.newest;
  const prompts = state.prompts + 1;
  const isDue = !state.isSaved && prompts - state.reminded >= REMINDS;
  const isSaved = state.isSaved || (isDue && (await briefing.hasSaved(since, clients)));
  const context = promptContext(about, spent, isDue && !isSaved);
  // An agent that took no context was shown nothing; it may be shown this later.
  const isTold = context.text !== '' && (await say(context));
  if (session === '') return;
  // After the words of prompts from before there was a memory (T-13).
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

/** The words of each prompt, which of them the session had before, and how often. @param before by hash */
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

/** A prompt in a repository without a memory: it may ask for a memo, and its words wait for the first save (T-13). */
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

/** The data folder, where sessions are stored; undefined if there is none, since a hook does not make it. */
async function dataFolderHere(environment: NodeJS.ProcessEnv): Promise<string | undefined> {
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  return dataFolder !== undefined && existsSync(dataFolder) ? dataFolder : undefined;
}
