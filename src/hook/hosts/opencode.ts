import type { Host } from './host.ts';

/** OpenCode runs a plugin of ours, which calls the hook with events of its own and knows where a context goes. */
export const opencode: Host = {
  name: 'opencode',
  clients: ['opencode'],
  answer: (_, context) => ({ context }),
};
