import { existsSync } from 'node:fs';
import { findDataFolder } from '../cli/data-folder.ts';
import { findPlace, type PlaceOptions } from '../cli/place.ts';
import type { PromptRead } from '../domain/prompt/reading.ts';
import { type Briefing, openBriefing } from '../memory/briefing.ts';
import { memoryExists } from '../memory/engines.ts';
import { promptContext, startContext, withoutMemory } from './context.ts';
import type { HookEvent } from './event.ts';
import { Sessions, wordHash } from './session.ts';

/** What a hook knows of who called it. */
export interface Call {
  event: HookEvent;
  /** What its prompt says; undefined where it has none. */
  asked: PromptRead | undefined;
  /** The agent, as it is kept with what it records. */
  client: string;
  options: PlaceOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  /** Gives the agent its context; resolves when it has it. */
  tell(context: string): Promise<void>;
}

/**
 * Answers one event: tells what there is to tell, then records the words of a prompt (M-11). In a place without a memory
 * nothing is created (K-2); a repository without one is told of the tools.
 */
export async function answer({ event, asked, client, options, environment, cwd, tell }: Call): Promise<void> {
  const place = await findPlace(options, environment, event.cwd || cwd, true);
  if (!(await memoryExists(place))) {
    if (place.repository && event.kind === 'start') await tell(withoutMemory());
    return;
  }
  const sessions = await sessionsHere(environment);
  if (sessions && event.session !== '' && !sessions.isFirst(event.session, JSON.stringify(event))) return;
  const briefing = await openBriefing({ ...place, session: event.session || client, client });
  try {
    if (asked) await withPrompt(asked, event.session, briefing, sessions, tell);
    if (event.kind === 'start') {
      await tell(startContext(await briefing.atStart()));
      if (sessions && event.session !== '') {
        if (event.isFresh) sessions.write(event.session, { ...sessions.read(event.session), told: [] });
        sessions.sweep();
      }
    }
  } finally {
    await briefing.close();
  }
}

async function withPrompt(
  asked: PromptRead,
  session: string,
  briefing: Briefing,
  sessions: Sessions | undefined,
  tell: Call['tell'],
): Promise<void> {
  const state = sessions?.read(session) ?? { told: [], tokens: 0, prompts: 0, words: {} };
  const context = promptContext(await briefing.about(asked, new Set(state.told)), state.tokens);
  if (context.text !== '') await tell(context.text);
  if (!sessions || session === '') return;
  const words = asked.recordable;
  const before = (word: string) => state.words[wordHash(session, word)] ?? 0;
  const counted = words.map((word) => [wordHash(session, word), before(word) + 1] as const);
  sessions.write(session, {
    told: [...state.told, ...context.told],
    tokens: state.tokens + context.tokens,
    prompts: state.prompts + 1,
    words: { ...state.words, ...Object.fromEntries(counted) },
  });
  if (words.length > 0) await briefing.record(words, (word) => before(word) > 0);
}

/** Where sessions are remembered; undefined without a data folder: a hook makes none. */
async function sessionsHere(environment: NodeJS.ProcessEnv): Promise<Sessions | undefined> {
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  return dataFolder !== undefined && existsSync(dataFolder) ? new Sessions(dataFolder) : undefined;
}
