import { existsSync } from 'node:fs';
import { findDataFolder, findPlace, type PlaceOptions } from '../cli/place.ts';
import { PrecedentError } from '../domain/error.ts';
import { recordableWords } from '../domain/prompt/keywords.ts';
import { type Briefing, openBriefing } from '../memory/briefing.ts';
import { memoryExists } from '../memory/engines.ts';
import { promptContext, startContext, withoutMemory } from './context.ts';
import type { HookEvent } from './event.ts';
import { NEW, type Session, Sessions, wordHash } from './session.ts';

/** What a hook knows of who called it. */
export interface Call {
  event: HookEvent;
  /** The agent, as it is kept with what it records. */
  client: string;
  /** How the names begin that the agent gives itself as a client of servers, in small letters. */
  clients: readonly string[];
  /** Whether the words of a prompt may be recorded. */
  isRecording: boolean;
  options: PlaceOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  /** Gives the agent its context; resolves when it has it. */
  tell(context: string): Promise<void>;
}

/**
 * Answers one event: tells what there is to tell, then records the words of a prompt, if that is wanted (M-11). In a place without a memory
 * nothing is created (K-2); a repository without one is told of the tools.
 */
export async function answer(call: Call): Promise<void> {
  const { event, client, options, environment, cwd, tell } = call;
  const place = await findPlace(options, environment, event.cwd || cwd, true);
  if (!(await memoryExists(place))) {
    if (place.repository && event.kind === 'start') await tell(withoutMemory());
    return;
  }
  const sessions = event.session === '' ? undefined : await sessionsHere(environment);
  if (sessions && !sessions.isFirst(event.session, JSON.stringify(event))) return;
  const briefing = await openBriefing({ ...place, session: event.session || client, client });
  try {
    const state = sessions?.read(event.session) ?? NEW;
    const keep = (change: Partial<Session>) => sessions?.write(event.session, { ...state, ...change });
    if (event.kind === 'prompt') await withPrompt(call, event.prompt, briefing, state, keep);
    else {
      await tell(startContext(await briefing.atStart()));
      if (!sessions) return;
      const since = state.since ?? (await briefing.newest());
      keep({ since, ...(event.isFresh && { told: [] }) });
      sessions.sweep();
    }
  } finally {
    await briefing.close();
  }
}

/** A session is reminded of saving with every so many of its prompts. */
const REMINDS = 8;

/** @param keep writes what the session remembers from now on; nothing without a place for it */
async function withPrompt(
  { event: { session }, clients, isRecording, tell }: Call,
  prompt: string,
  briefing: Briefing,
  state: Session,
  keep: (change: Partial<Session>) => void,
): Promise<void> {
  const since = state.since ?? (await briefing.newest());
  const prompts = state.prompts + 1;
  const isDue = !state.isSaved && prompts - state.reminded >= REMINDS;
  const isSaved = state.isSaved || (isDue && (await briefing.hasSaved(since, clients)));
  const about = await briefing.about(prompt, new Set(state.told));
  const context = promptContext(about, state.tokens, isDue && !isSaved);
  if (context.text !== '') await tell(context.text);
  if (session === '') return;
  const words = isRecording ? recordableWords(prompt) : [];
  const before = (word: string) => state.words[wordHash(session, word)] ?? 0;
  const counted = words.map((word) => [wordHash(session, word), before(word) + 1] as const);
  const change = {
    told: [...state.told, ...context.told],
    tokens: state.tokens + context.tokens,
    prompts,
    words: { ...state.words, ...Object.fromEntries(counted) },
    since,
    isSaved,
    reminded: context.isReminding ? prompts : state.reminded,
  };
  keep(change);
  if (words.length === 0) return;
  try {
    await briefing.record(words, (word) => before(word) > 0);
  } catch (error) {
    if (!(error instanceof PrecedentError) || error.reason !== 'busy') throw error;
    keep({ ...change, dropped: state.dropped + 1 });
  }
}

/** Where sessions are remembered; undefined without a data folder: a hook makes none. */
async function sessionsHere(environment: NodeJS.ProcessEnv): Promise<Sessions | undefined> {
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  return dataFolder !== undefined && existsSync(dataFolder) ? new Sessions(dataFolder) : undefined;
}
