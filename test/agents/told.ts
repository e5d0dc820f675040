import type { Message } from './protocols/protocol.ts';

/** A context of a hook that a model reads. */
export interface Told {
  role: string;
  text: string;
}

const LINES = /<precedent note=[\s\S]*?<\/precedent>/g;
const START = /Memory of why \(MCP precedent\):[^\n]*\n*/;

/** The contexts in a request: those of the start of a session, and those that came with prompts. */
export function toldIn(messages: Message[]): { start: Told[]; prompt: Told[] } {
  const told = { start: [] as Told[], prompt: [] as Told[] };
  for (const { role, text: escaped } of messages) {
    // Gemini CLI writes it as it would in XML.
    const text = escaped.replaceAll('&lt;', '<').replaceAll('&gt;', '>');
    for (const match of text.matchAll(LINES)) {
      const [own] = text.slice(0, match.index).match(new RegExp(`${START.source}$`)) ?? [''];
      told[own === '' ? 'prompt' : 'start'].push({ role, text: own + match[0] });
    }
  }
  return told;
}
