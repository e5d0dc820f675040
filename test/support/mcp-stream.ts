import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import type { Serving } from './serving.ts';

const LISTEN = JSON.stringify({
  jsonrpc: '2.0',
  id: 7,
  method: 'subscriptions/listen',
  params: {
    notifications: { toolsListChanged: true },
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/**
 * The answer to a request for a stream of MCP that waits for news. What is destroyed is gone at once: `fetch` keeps its
 * connection for seconds.
 * @param token itself, or the name of one of the server's
 */
export async function openStream(server: Serving, token: string): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${server.tokens[token] ?? token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'subscriptions/listen',
  };
  const sent = request(`${server.url}/mcp/main`, { method: 'POST', headers, agent: false });
  sent.end(LISTEN);
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response.on('error', () => {});
}

/** Whether it is a stream, and no refusal. */
export const isStream = ({ headers }: IncomingMessage) => headers['content-type'] === 'text/event-stream';
