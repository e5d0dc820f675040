import type { HookEvent } from '../event.ts';
import type { Host } from './host.ts';

/** Claude Code's form; Codex and Gemini CLI took it over. Codex refuses any other key. */
export const nested = ({ name }: HookEvent, context: string): object => ({
  hookSpecificOutput: { hookEventName: name, additionalContext: context },
});

export const claude: Host = {
  name: 'claude',
  clients: ['claude-code'],
  sharedWith: ['copilot', 'vscode', 'cursor'],
  answer: nested,
};
