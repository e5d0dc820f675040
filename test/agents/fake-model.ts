import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { anthropic } from './protocols/anthropic.ts';
import { chat } from './protocols/chat.ts';
import { gemini } from './protocols/gemini.ts';
import type { Body, Message, Step } from './protocols/protocol.ts';
import { responses } from './protocols/responses.ts';

const PROTOCOLS = [anthropic, responses, chat, gemini];

/** One request of an agent to its model. */
export interface Asked {
  path: string;
  body: Body;
  messages: Message[];
}

/** A step of the script; what it does first happens before the agent gets its answer. */
export type Scripted = Step & { first?: () => Promise<void> };

/**
 * A model that follows a script, for every agent: it speaks the four protocols on one port of this machine, and keeps
 * what it was asked. What is asked aside takes no step.
 */
export async function fakeModel() {
  const asked: Asked[] = [];
  const script: Scripted[] = [];
  let answers = 0;
  const server = createServer(async (request, response) => {
    const path = request.url ?? '';
    const protocol = PROTOCOLS.find(({ isAsked }) => isAsked(path));
    const body = request.method === 'POST' ? ((await json(request).catch(() => ({}))) as Body) : {};
    if (!protocol) {
      const isCount = /count_?tokens/i.test(path);
      response.writeHead(isCount ? 200 : 404, { 'content-type': 'application/json' });
      response.end(isCount ? '{"input_tokens":1,"totalTokens":1}' : '{"error":{"message":"not here"}}');
      return;
    }
    const isTurn = protocol.isTurn(body);
    if (isTurn) asked.push({ path, body, messages: protocol.messages(body) });
    const step = (isTurn ? script.shift() : undefined) ?? { text: 'Done.' };
    await step.first?.();
    const events = protocol.events(step, `call_${++answers}`);
    if (path.endsWith(':generateContent')) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(events[0]?.data));
      return;
    }
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    for (const { event, data } of events) {
      const text = typeof data === 'string' ? data : JSON.stringify(data);
      response.write(`${event ? `event: ${event}\n` : ''}data: ${text}\n\n`);
    }
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Begins a new script. @returns what is asked from now on, which grows */
    play(steps: Scripted[]): Asked[] {
      asked.length = 0;
      script.splice(0, script.length, ...steps);
      return asked;
    },
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}
