import { nested } from './claude.ts';
import type { Host } from './host.ts';

/** VS Code runs the hooks of Claude Code and of Copilot CLI, with names in camel case; a prompt takes no context there. */
export const vscode: Host = {
  name: 'vscode',
  clients: ['visual studio code', 'visual-studio-code', 'github-copilot'],
  isRunning: (_, payload) => 'hookEventName' in payload,
  answer: (event, context) => (event.kind === 'start' ? nested(event, context) : undefined),
};
