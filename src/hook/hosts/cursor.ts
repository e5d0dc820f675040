import type { Host } from './host.ts';

/** Cursor also runs hooks that were made for Claude Code. Only at the start of a session a context is documented. */
export const cursor: Host = {
  name: 'cursor',
  clients: ['cursor'],
  isRunning: ({ CURSOR_VERSION }) => Boolean(CURSOR_VERSION),
  answer: ({ kind }, context) => (kind === 'start' ? { additional_context: context } : undefined),
};
