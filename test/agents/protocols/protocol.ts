/** What the model does next: it says something, or calls a tool by the name that the agent gave it. */
export type Step = { text: string } | { tool: string; input: object };

/** A text that a model is sent, and as whose: `system`, `developer`, `user`, `assistant`, `tool`. */
export interface Message {
  role: string;
  text: string;
}

/** How an agent and its model speak. Bodies are JSON as it was sent: nothing is taken for granted of them. */
export interface Protocol {
  /** Whether a request with this path asks the model. */
  isAsked(path: string): boolean;
  /** Whether a request is for a turn of the session, and not for its title, say. */
  isTurn(body: Body): boolean;
  /** The events of an answer, as they are streamed. @param id unique */
  events(step: Step, id: string): { event?: string; data: object | string }[];
  /** All texts of a request, in their order. */
  messages(body: Body): Message[];
}

// biome-ignore lint/suspicious/noExplicitAny: what an agent sends is looked at, never relied on.
export type Body = any;

/** The text in a content of any shape: a string, a part with a text, a list of such. */
export function textOf(content: Body): string {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return content.map(textOf).join('\n');
  return content?.text ?? (content?.content === undefined ? '' : textOf(content.content));
}

/** Whether a request offers tools: what an agent asks aside offers none. */
export function offersTools({ tools }: Body): boolean {
  return Array.isArray(tools) && tools.length > 0;
}
