import type { PlaceOptions } from '../cli/place.ts';
import { findTrigger } from '../domain/language/trigger.ts';
import { recordableWords } from '../domain/prompt/keywords.ts';
import { saidIn, subjectOf } from '../domain/prompt/prompt.ts';
import { type HookEvent, readEvent } from './event.ts';
import { hostOf } from './hosts/hosts.ts';
import { modeHere } from './mode.ts';

/** What an agent called a hook with. */
interface Called {
  /** What stands behind `precedent hook`. */
  agent: string;
  /** The event, as the agent sent it. */
  payload: object;
  options: PlaceOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  /** Writes the answer; resolves when the agent has it. */
  write(text: string): Promise<void>;
  /** Notes what nobody is told otherwise. */
  note(what: string): Promise<void>;
}

/** Answers one event in the form of the agent that runs, or says nothing. */
export async function respond({
  agent,
  payload,
  options,
  environment,
  cwd,
  write,
  note,
}: Called): Promise<void> {
  const event = readEvent(payload);
  const host = hostOf(agent, environment, payload);
  if (!event || !host || isIdle(event)) return;
  const { mode, unknown } = modeHere(environment, event.cwd || cwd);
  if (event.kind === 'start')
    for (const name of unknown) await note(`${name} is none of on, recall and off: it counts as on`);
  if (mode === 'off') return;
  // Loaded where there may be something to say: it takes longer than all that is before it.
  const { answer } = await import('./answer.ts');
  await answer({
    event,
    client: host.name,
    clients: host.clients,
    isRecording: mode === 'on',
    options,
    environment,
    cwd,
    tell: async (context) => {
      const output = host.answer(event, context);
      if (output) await write(`${JSON.stringify(output)}\n`);
    },
  });
}

/** Whether a prompt says nothing that a memory could know: "go on". A slash command is for the agent itself. */
function isIdle(event: HookEvent): boolean {
  if (event.kind !== 'prompt') return false;
  if (/^\s*\//.test(event.prompt)) return true;
  const said = saidIn(event.prompt);
  return subjectOf(said).length === 0 && !findTrigger(said) && recordableWords(event.prompt).length === 0;
}
