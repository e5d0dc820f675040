import { nested } from './claude.ts';
import type { Host } from './host.ts';

export const gemini: Host = { name: 'gemini', clients: ['gemini-cli'], answer: nested };
