import { nested } from './claude.ts';
import type { Host } from './host.ts';

export const codex: Host = { name: 'codex', clients: ['codex'], answer: nested };
