import { eventKind } from '../agents/agents.ts';

/** What an agent calls a hook for, as far as this program answers: nothing else is an event to it. */
export type HookEvent = Start | Prompt;

interface EventBase {
  /** The agent's id of its session; empty when it gives none. */
  session: string;
  /** The folder it works in; empty when it does not say. */
  cwd: string;
  /** The event as the agent calls it: some want it back. */
  name: string;
}

/** A session that starts, or goes on with an empty context. */
interface Start extends EventBase {
  kind: 'start';
  /** Whether the context was lost: what was shown in it may be shown again. */
  isFresh: boolean;
}

/** A message that a person sends. */
interface Prompt extends EventBase {
  kind: 'prompt';
  prompt: string;
}

/** How a session starts whose context still holds what it was shown. */
const GOES_ON = new Set(['resume', 'fork']);
const EMPTIED = new Set(['clear', 'compact']);

/**
 * The event in what an agent sent, under any of the names that agents have for its fields; undefined for one that nothing
 * is said to: another event, a session that is resumed, an agent that was started by another one.
 */
export function readEvent(payload: unknown): HookEvent | undefined {
  if (payload === null || typeof payload !== 'object') return undefined;
  const fields = payload as Record<string, unknown>;
  const text = (...names: string[]) =>
    names.map((name) => fields[name]).find((value): value is string => typeof value === 'string') ?? '';
  const name = text('hook_event_name', 'hookEventName');
  const kind = eventKind(name);
  if (kind === undefined || text('agent_id', 'agentId') !== '') return undefined;
  const common = {
    session: text('session_id', 'sessionId', 'conversation_id'),
    cwd: text('cwd') || firstOf(fields.workspace_roots),
    name,
  };
  if (kind === 'prompt') return { ...common, kind, prompt: text('prompt') };
  const source = text('source');
  return GOES_ON.has(source) ? undefined : { ...common, kind, isFresh: EMPTIED.has(source) };
}

function firstOf(list: unknown): string {
  return Array.isArray(list) && typeof list[0] === 'string' ? list[0] : '';
}
