import { EventEmitter, once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after } from 'node:test';
import { type Synonyms, vectorOf } from './model.ts';

/** What a request asked for. */
export interface EmbeddingRequest {
  path: string;
  authorization: string | undefined;
  model: string;
  input: string[];
  encoding_format?: string;
  dimensions?: number;
}

export interface EmbeddingAnswer {
  object: string;
  model: string;
  data: { object: string; index: number; embedding: number[] }[];
}

/** `reset`: the connection ends without an answer; `cut`: in the middle of one. */
export type Failure = { status: number; body?: string; headers?: Record<string, string> } | 'reset' | 'cut';

/** May be changed between requests. */
export interface EmbeddingKnobs {
  /** Takes requests and never answers them. */
  mute: boolean;
  /** A failure for every request, or one for each of the next requests. */
  fail: Failure | Failure[];
  /** Numbers in a vector, when the request does not ask for another size. */
  dimensions: number;
  /** What goes out in the place of an answer: a string as it is, anything else as JSON. */
  broken: ((answer: EmbeddingAnswer) => unknown) | undefined;
  /** Words that mean another word, in lower case: `{ automobile: 'car' }`. */
  synonyms: Synonyms;
}

export interface EmbeddingServer extends EmbeddingKnobs {
  /** The base, as an embedder takes it. */
  url: string;
  /** Every request that came, failed ones included. */
  requests: EmbeddingRequest[];
  /** Until so many requests have come. */
  asked(count: number): Promise<void>;
  close(): Promise<void>;
}

/** An embedding endpoint on this machine that speaks OpenAI's protocol, closed after the test that opened it. */
export async function embeddingServer(knobs: Partial<EmbeddingKnobs> = {}): Promise<EmbeddingServer> {
  const came = new EventEmitter();
  const server = createServer((request, response) => {
    // Whoever asked may be gone meanwhile, which is no error of the test.
    answer(self, came, request, response).catch(() => response.destroy());
  });
  const self: EmbeddingServer = {
    mute: false,
    fail: [],
    dimensions: 64,
    broken: undefined,
    synonyms: {},
    ...knobs,
    url: '',
    requests: [],
    async asked(count) {
      while (self.requests.length < count) await once(came, 'request');
    },
    async close() {
      if (!server.listening) return;
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  after(() => self.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  self.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  return self;
}

async function answer(
  server: EmbeddingServer,
  came: EventEmitter,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const asked: EmbeddingRequest = {
    path: `${request.method} ${request.url}`,
    authorization: request.headers.authorization,
    ...JSON.parse(await text(request)),
  };
  server.requests.push(asked);
  came.emit('request');
  if (server.mute) return;
  const failure = Array.isArray(server.fail) ? server.fail.shift() : server.fail;
  if (failure === 'reset') {
    request.socket.resetAndDestroy();
  } else if (failure === 'cut') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.write('{"object":"list","data":[', () => request.socket.destroy());
  } else if (failure) {
    response.writeHead(failure.status, failure.headers).end(failure.body ?? '');
  } else {
    const whole: EmbeddingAnswer = {
      object: 'list',
      model: asked.model,
      data: asked.input.map((one, index) => ({
        object: 'embedding',
        index,
        embedding: vectorOf(one, asked.dimensions ?? server.dimensions, server.synonyms),
      })),
    };
    const sent = server.broken ? server.broken(whole) : whole;
    response.setHeader('content-type', 'application/json');
    response.end(typeof sent === 'string' ? sent : JSON.stringify(sent));
  }
}
