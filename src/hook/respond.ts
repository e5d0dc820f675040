import type { PlaceOptions } from '../cli/place.ts';
import { isIdle, type PromptRead, readPrompt } from '../domain/prompt/reading.ts';
import { type HookEvent, readEvent } from './event.ts';
import { hostOf } from './hosts/hosts.ts';

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
}

/** Answers one event in the form of the agent that runs, or says nothing. */
export async function respond({ agent, payload, options, environment, cwd, write }: Called): Promise<void> {
  const event = readEvent(payload);
  const host = hostOf(agent, environment, payload);
  if (!event || !host) return;
  const asked = askedIn(event);
  if (event.kind === 'prompt' && !asked) return;
  // Loaded where there may be something to say: it takes longer than all that is before it.
  const { answer } = await import('./answer.ts');
  await answer({
    event,
    asked,
    client: host.name,
    options,
    environment,
    cwd,
    tell: async (context) => {
      const output = host.answer(event, context);
      if (output) await write(`${JSON.stringify(output)}\n`);
    },
  });
}

/** What a prompt says; undefined for one that says nothing. A slash command is for the agent itself. */
function askedIn(event: HookEvent): PromptRead | undefined {
  if (event.kind !== 'prompt' || /^\s*\//.test(event.prompt)) return undefined;
  const asked = readPrompt(event.prompt);
  return isIdle(asked) ? undefined : asked;
}
