import { nested } from './claude.ts';
import type { Host } from './host.ts';

/**
 * GitHub Copilot CLI takes the context at the top only. It also runs the hooks in a project's settings of Claude Code, and
 * programs that it starts inherit its variable: the answer is also in the form that Claude Code reads.
 */
export const copilot: Host = {
  name: 'copilot',
  clients: ['github-copilot', 'copilot'],
  sharedWith: ['vscode'],
  isRunning: ({ COPILOT_CLI }) => Boolean(COPILOT_CLI),
  answer: (event, context) => ({ additionalContext: context, ...nested(event, context) }),
};
