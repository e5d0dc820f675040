import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { isGroup, valueAt } from '../edit/value.ts';
import type { Entry } from '../entry.ts';

/** Whether an agent runs hooks: Codex skips, without a word, those that its user did not trust. */
export type Trusted = 'trusted' | 'not trusted' | 'unknown';

/** What Codex calls an event in its keys; the matcher of a prompt is no part of what is trusted. */
const EVENTS: Record<string, { name: string; isMatched: boolean }> = {
  SessionStart: { name: 'session_start', isMatched: true },
  UserPromptSubmit: { name: 'user_prompt_submit', isMatched: false },
};

/**
 * Whether Codex trusts hooks, by what stands in its files: nothing is started. It trusts by the place in the file and a
 * hash of what stands there (Codex 0.169); where there is another hash, it is the hook or the way to make it that changed.
 * @param hooks as they were entered, each a group in the list of its event
 * @param present what the file of hooks says
 * @param config what config.toml says
 */
export function codexTrusts(
  hooks: readonly Entry[],
  present: Record<string, unknown>,
  config: Record<string, unknown>,
): Trusted {
  const each = hooks.map(({ file, path, value }): Trusted => {
    const event = EVENTS[String(path.at(-1))];
    const groups = valueAt(present, path);
    const at = Array.isArray(groups) ? groups.findIndex((group) => isDeepStrictEqual(group, value)) : -1;
    if (!event || at < 0) return 'unknown';
    const known = valueAt(config, ['hooks', 'state', `${file}:${event.name}:${at}:0`, 'trusted_hash']);
    if (known === undefined) return 'not trusted';
    return known === hashOf(event, value) ? 'trusted' : 'unknown';
  });
  return (['not trusted', 'unknown'] as const).find((worst) => each.includes(worst)) ?? 'trusted';
}

function hashOf({ name, isMatched }: { name: string; isMatched: boolean }, group: Entry['value']): string {
  const { matcher, hooks } = isGroup(group) ? group : {};
  const [{ type, command, timeout }] = (hooks ?? [{}]) as [Record<string, unknown>];
  // The keys in the order of their names, without a blank.
  const said = {
    event_name: name,
    hooks: [{ async: false, command, timeout, type }],
    ...(isMatched && matcher !== undefined && { matcher }),
  };
  return `sha256:${createHash('sha256').update(JSON.stringify(said)).digest('hex')}`;
}
