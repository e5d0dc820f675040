import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import type { Message } from './protocols/protocol.ts';

/** A context of a hook that a model reads. */
export interface Told {
  role: string;
  text: string;
  /** As they are in the request, by o200k. */
  tokens: number;
}

/** Gemini CLI writes it as it would in XML. */
const LINES = /(?:<|&lt;)precedent note=[\s\S]*?(?:<|&lt;)\/precedent(?:>|&gt;)/g;
/** The lines before it at a start: the tools, and how much is left out. */
const TOOLS = /Memory of why \(MCP precedent\):[^\n]*\n+(?:(?:\d+ more|Not shown here:) [^\n]*\n+)?$/;

/** The contexts in a request: those of the start of a session, and those that came with prompts. */
export function toldIn(messages: Message[]): { start: Told[]; prompt: Told[] } {
  const told = { start: [] as Told[], prompt: [] as Told[] };
  for (const { role, text } of messages) {
    for (const match of text.matchAll(LINES)) {
      const [own] = text.slice(0, match.index).match(TOOLS) ?? [''];
      const all = own + match[0];
      told[own === '' ? 'prompt' : 'start'].push({ role, text: all, tokens: countTokens(all) });
    }
  }
  return told;
}
