import { runningAgent } from '../agents/agents.ts';
import { findDataFolder } from '../cli/settings.ts';
import { isIdle, type PromptRead, readPrompt } from '../domain/prompt/reading.ts';
import { quoted, quotedWhole } from '../domain/text/text.ts';
import { type HookEvent, type Overriding, readEvent } from './event.ts';
import type { HookOptions } from './memory.ts';

/** The call of a hook by an agent. */
export interface Called {
  /** The arguments after `precedent hook`. */
  agent: string;
  /** The event, as the agent sent it. */
  payload: object;
  options: HookOptions;
  environment: NodeJS.ProcessEnv;
  /** The folder of this process, for an agent that names none. */
  cwd: string;
  /** Rejects when there is hardly time left to say that the memory does not answer; left out: never. */
  late?: Promise<never>;
  /** Writes the answer; resolves when the agent has it. */
  write(text: string): Promise<void>;
  /** Notes failures that are reported nowhere else. */
  note(what: string): Promise<void>;
}

/** Answers one event in the form of the agent that runs, or says nothing. */
export async function respond(called: Called): Promise<void> {
  const { agent, payload, environment, cwd, write } = called;
  const event = readEvent(payload);
  const running = runningAgent(agent, environment, payload);
  if (!event || !running) return;
  const asked = askedIn(event);
  if (event.kind === 'prompt' && !asked) return;
  const dataFolder = await findDataFolder(environment).catch(() => undefined);
  // Loaded where there may be something to say: it takes longer than all that is before it.
  const { hooksOffHere, offHere } = await import('../cli/repository/off.ts');
  const off = hooksOffHere(event.cwd || cwd, dataFolder).map(({ only }) => only);
  if (off.includes('hooks')) return;
  if (off.includes('files')) {
    if (event.kind === 'file') return;
    if (event.kind === 'error') event.touched = undefined;
  }
  if (event.kind === 'call') {
    const question = running.hook.ask?.(askedBefore(event), environment);
    if (question && offHere(undefined, event.cwd || cwd, dataFolder).length === 0)
      await write(`${inAscii(JSON.stringify(question))}\n`);
    return;
  }
  const { answer } = await import('./answer.ts');
  const tell = async (context: string, message?: string, asks?: boolean) => {
    // An answer to the call of a tool may allow or refuse it.
    if (event.kind === 'task') return false;
    const output = asks
      ? running.hook.ask?.(context, environment)
      : running.hook.answer(event, context, message);
    if (output) await write(`${inAscii(JSON.stringify(output))}\n`);
    return output !== undefined;
  };
  await answer({
    ...called,
    event,
    asked,
    client: running.name,
    isRecording: !off.includes('recording'),
    canAsk: running.hook.ask !== undefined,
    tell,
  });
}

/** The question to the person before a lock may be overridden (T-6). The call says enough: the memory is not opened. */
function askedBefore({ named, about, text }: Overriding): string {
  const of = about === '' ? '' : ` of ${quoted(about)}`;
  const saying = text === '' ? '' : ` New: ${quotedWhole(text)}.`;
  return `Precedent: this call overrides ${quoted(named)}${of}, which may be a lock. Allow it only if that rule is meant to change.${saying}`;
}

/** JSON that no shell between here and the agent can garble: PowerShell reads what a program writes in an encoding of its own. */
function inAscii(json: string): string {
  return json.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The text of a prompt or a task; undefined for none. A slash command is for the agent itself. */
function askedIn(event: HookEvent): PromptRead | undefined {
  if (!('prompt' in event) || /^\s*\//.test(event.prompt)) return undefined;
  const asked = readPrompt(event.prompt);
  return isIdle(asked) ? undefined : asked;
}
