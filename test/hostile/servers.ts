import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { LIMITS } from '../../src/domain/text/text.ts';
import { proxiesIn } from '../../src/http/access/peer.ts';
import type { Source } from '../../src/http/memories.ts';
import { Unread } from '../../src/http/unread.ts';
import { LONGEST_ANSWER } from '../../src/memory/answer.ts';
import type { ServedMemory } from '../../src/memory/connection.ts';
import { openMemory } from '../../src/memory/memory.ts';
import { STRETCH } from '../../src/store/pauses.ts';
import { withinProcessorTime } from '../support/clock.ts';
import { isStream, openStream } from '../support/mcp-stream.ts';
import { NOW, type Serving, serving } from '../support/serving.ts';
import { longestStretch } from '../support/stretches.ts';
import { until } from '../support/until.ts';
import type { Attack, Scene } from './scene.ts';

type Options = Parameters<typeof serving>[2];
type Call = (server: Serving, token: string, operation: string, input: object) => Promise<number>;

/** Serves the scene's folder in this process while work is done. */
async function withServer(scene: Scene, options: Options, work: (server: Serving) => Promise<void>) {
  const server = await serving(scene.folder, { greedy: {}, other: {} }, options);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const asked = (server: Serving, token: string) => ({
  method: 'POST',
  headers: {
    authorization: `Bearer ${server.tokens[token] ?? token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  },
});

function post(server: Serving, path: string, token: string, body: unknown): Promise<Response> {
  return fetch(server.url + path, { ...asked(server, token), body: JSON.stringify(body) });
}

/** A call over a connection of its own, whose answer nobody reads. */
function leave(server: Serving, face: string, token: string, operation: string, input: object) {
  const isApi = face === 'the API';
  const path = isApi ? `/api/v1/main/${operation}` : '/mcp/main';
  const sent = request(server.url + path, { ...asked(server, token), agent: false });
  // Without a listener Node would read the answer and drop it.
  sent.on('response', (response) => response.on('error', () => {}));
  sent.on('error', () => {});
  sent.end(JSON.stringify(isApi ? input : toolCall(1, operation, input)));
  return sent;
}

const toolCall = (id: number, name: string, input: object) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name, arguments: input },
});

/** How a call comes in: the status of HTTP that says what became of it. */
const BY: Record<'the API' | 'MCP', Call> = {
  'the API': async (server, token, operation, input) =>
    (await post(server, `/api/v1/main/${operation}`, token, input)).status,
  async MCP(server, token, operation, input) {
    const response = await post(server, '/mcp/main', token, toolCall(1, operation, input));
    if (response.status !== 200) return response.status;
    const { result } = (await response.json()) as {
      result: { isError?: boolean; content: { text: string }[] };
    };
    if (result.isError !== true) return 200;
    return /unavailable|Too many/.test(result.content[0]?.text ?? '') ? 503 : 400;
  },
};

/** The same attack by each way in. */
const byEach = (attack: (scene: Scene, call: Call, face: string) => Promise<void>): Attack['faces'] =>
  Object.fromEntries(
    Object.entries(BY).map(([face, call]) => [face, (scene: Scene) => attack(scene, call, face)]),
  );

const SAVE = { topic: 'a:b', decision: 'd', reasoning: 'r' };

/** What of a memory these attacks do not ask. */
const UNASKED = {
  sendFacts: () => assert.fail(),
  takeFacts: () => assert.fail(),
  isOutdated: () => false,
  close: async () => {},
};

/** A memory in which the calls of everybody but one take until they are told to end. */
function slowMemory() {
  const begun: string[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  const memory: ServedMemory = {
    call: async (name) => {
      begun.push(name);
      if (name === 'mama_search') await ended;
      return { id: 'x', results: [] };
    },
    ...UNASKED,
  };
  return { begun, end, source: { open: async () => memory } };
}

const BATCHES = (count: number) =>
  Array.from({ length: count }, (_, n) => toolCall(n, 'mama_save', { ...SAVE, topic: `a:t${n}` }));

/** A connection that asks once and stays. */
async function stay(server: Serving, token?: string): Promise<Socket> {
  const socket = connect(server.port, '127.0.0.1');
  socket.on('error', () => {});
  const [path, shown] =
    token === undefined
      ? ['/healthz', '']
      : ['/api/v1/me', `Authorization: Bearer ${server.tokens[token]}\r\n`];
  socket.write(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n${shown}\r\n`);
  await once(socket, 'data');
  return socket;
}

/** A memory whose every answer is longer than the buffers of the system. */
const longAnswers: Partial<Source> = {
  open: async () => ({
    call: async () => ({ text: 'x'.repeat(6 * 2 ** 20) }),
    ...UNASKED,
  }),
};

/** As many words as a filter can hold: in Latin letters, and pairs of syllables. */
const MANY_WORDS = [
  Array.from({ length: 300 }, (_, n) => (1_296 + n).toString(36)).join(' '),
  Array.from({ length: 800 }, (_, n) => String.fromCharCode(0xac00 + n)).join(''),
].map((words) => words.slice(0, LIMITS.filter - 20));

/** What clients of a server try, that others have to wait for. */
export const SERVERS: Attack[] = [
  {
    tries: 'one search in the past of long texts holds the server [Z-5]',
    faces: byEach((scene, call) =>
      withServer(scene, {}, async (server) => {
        const memory = await openMemory({ db: join(scene.folder, 'main.db'), clock: () => NOW });
        const words = 'words and words '.repeat(LIMITS.content / 16);
        const line = (n: number) =>
          JSON.stringify({
            operation: 'mem_save',
            title: `t${n}`,
            content: `nr${n} ${words}`.slice(0, LIMITS.content),
          });
        await memory.batch(Array.from({ length: 6 }, (_, n) => line(n)));
        await memory.close();
        const asked = { query: 'nr3', as_of: new Date(NOW + 1).toISOString() };
        let status = 0;
        const { characters } = await longestStretch(async () => {
          status = await call(server, 'greedy', 'mama_search', asked);
        });
        assert.equal(status, 200);
        assert(characters > 0 && characters <= 2 * LIMITS.content + 4 * STRETCH.characters, `${characters}`);
      }),
    ),
  },
  {
    tries: 'one question of thousands of different words over long texts holds the server [Z-5]',
    faces: byEach((scene, call) =>
      withServer(scene, {}, async (server) => {
        const memory = await openMemory({ db: join(scene.folder, 'main.db'), clock: () => NOW });
        const syllables = (from: number, count: number) =>
          Array.from({ length: count }, (_, n) => String.fromCharCode(0xac00 + ((from + 37 * n) % 11_172)));
        const line = (n: number) =>
          JSON.stringify({
            operation: 'mem_save',
            title: `t${n}`,
            content: syllables(n, LIMITS.content).join(''),
          });
        await memory.batch(Array.from({ length: 6 }, (_, n) => line(n)));
        await memory.close();
        const query = syllables(2, 19_000).join('');
        for (const [operation, input] of [
          ['mem_search', { query }],
          ['recall', { task: query }],
        ] as const) {
          let status = 0;
          const { characters } = await longestStretch(async () => {
            status = await call(server, 'greedy', operation, input);
          });
          assert.equal(status, 200);
          // What is shown of the six is read at once.
          assert(
            characters > 0 && characters <= 6 * LIMITS.content + 4 * STRETCH.characters,
            `${characters}`,
          );
        }
      }),
    ),
  },
  {
    tries: 'signs that are spelled out in many characters hold the server and fill its index [Z-5]',
    faces: byEach((scene, call) =>
      withServer(scene, {}, async (server) => {
        for (const sign of ['\ufdfa', '\ufdfa ', '\u0316\u0301', '\u3316']) {
          const content = sign.repeat(LIMITS.content / sign.length);
          const { characters } = await longestStretch(async () => {
            assert.equal(await call(server, 'greedy', 'mem_save', { title: sign, content }), 200);
          });
          assert(characters <= 7 * LIMITS.content, `${sign}: ${characters}`);
        }
      }),
    ),
  },
  {
    tries: 'a list by hundreds of words is answered with an error of the database [Z-5]',
    faces: {
      'the API': (scene) =>
        withServer(scene, {}, async (server) => {
          for (const operation of ['timeline', 'decision_list', 'mem_list'])
            for (const filter of MANY_WORDS)
              assert.equal(await BY['the API'](server, 'greedy', operation, { filter }), 200, operation);
        }),
      'the library': async (scene) => {
        const memory = await openMemory({ db: join(scene.folder, 'main.db') });
        await memory.decision.save({ text: MANY_WORDS.join(' '), scope: 's' });
        for (const filter of MANY_WORDS) {
          assert.equal((await memory.timeline({ filter })).entries.length, 1);
          assert.equal((await memory.decision.list({ filter })).total, 1);
          assert.equal((await memory.decision.list({ filter: `${filter.slice(9)} zebra` })).total, 0);
        }
        await memory.close();
      },
    },
  },
  {
    tries: 'a text of megabytes is saved, which every search would read [Z-5]',
    faces: byEach((scene, call) =>
      withServer(scene, {}, async (server) => {
        const long = { title: 't', content: 'x '.repeat(1_000_000) };
        assert.equal(await call(server, 'greedy', 'mem_save', long), 400);
      }),
    ),
  },
  {
    tries: 'one answer has tens of megabytes [Z-5]',
    faces: byEach((scene, call, face) =>
      withServer(scene, {}, async (server) => {
        const memory = await openMemory({ db: join(scene.folder, 'main.db'), clock: () => NOW });
        // Twice as long in JSON.
        const quotes = '"'.repeat(LIMITS.content);
        const line = (n: number) =>
          JSON.stringify({
            operation: 'mem_save',
            title: 't',
            ...(n < 24 && { topic_key: 'the/same' }),
            content: `nr${n} ${quotes}`.slice(0, LIMITS.content),
          });
        await memory.batch(Array.from({ length: 36 }, (_, n) => line(n)));
        await memory.close();
        const revisions = { id: 1, revisions: true };
        const answer = await (face === 'MCP'
          ? post(server, '/mcp/main', 'greedy', toolCall(1, 'mem_get_observation', revisions))
          : post(server, '/api/v1/main/mem_get_observation', 'greedy', revisions));
        assert.match(await answer.text(), /at most 8\.0 MiB, found 9\.\d MiB.*smaller .*revision_limit/);
        assert.equal(server.audited.at(-1)?.code, 'invalid');
        const fewer = { ...revisions, revision_limit: 2 };
        assert.equal(await call(server, 'greedy', 'mem_get_observation', fewer), 200);
        if (face === 'MCP') return;
        for (const operation of ['timeline', 'mem_list']) {
          let page: Record<string, unknown> = {};
          const { characters } = await longestStretch(async () => {
            const whole = { full: true, limit: 1_000 };
            page = (await server.api(`main/${operation}`, whole, server.tokens.greedy)).body;
          });
          assert(JSON.stringify(page).length < LONGEST_ANSWER && page.next_cursor !== undefined, operation);
          assert(characters < 12 * LIMITS.content, `${operation}: ${characters}`);
        }
      }),
    ),
  },
  {
    tries: 'many answers are asked for and never read [Z-5]',
    // An answer over MCP is bounded by its token budget (RE-14).
    faces: overTheApi((scene, call, face) => {
      const unread = new Unread({ ofOne: 10 * 2 ** 20, inAll: 20 * 2 ** 20 });
      return withServer(scene, { source: longAnswers, unread }, async (server) => {
        const left = leave(server, face, 'greedy', 'mama_load_checkpoint', {});
        await until(() => server.audited.length === 1);
        assert.equal(await call(server, 'greedy', 'mama_load_checkpoint', {}), 503);
        assert.equal(await call(server, 'other', 'mama_load_checkpoint', {}), 200);
        left.destroy();
        await until(async () => (await call(server, 'greedy', 'mama_load_checkpoint', {})) === 200);
      });
    }),
  },
  {
    tries: 'an answer is never read, or by a byte a minute [Z-5]',
    faces: byEach((scene, _, face) => {
      const unread = new Unread({ milliseconds: 1 });
      return withServer(scene, { source: longAnswers, unread }, async (server) => {
        const left = leave(server, face, 'greedy', 'mama_load_checkpoint', {});
        await until(() => server.audited.length === 1);
        await until(async () => (await server.connections()) === 0);
        left.destroy();
      });
    }),
  },
  {
    tries: 'calls are made by clients that hang up before their turn [Z-5]',
    faces: byEach(async (scene, call, face) => {
      const { begun, end, source } = slowMemory();
      await withServer(scene, { source }, async (server) => {
        const waiting = async (count: number) => {
          const { headers } = asked(server, 'other');
          const metrics = await (await fetch(`${server.url}/metrics`, { headers })).text();
          return metrics.includes(`precedent_waiting ${count}\n`);
        };
        const search = () => leave(server, face, 'greedy', 'mama_search', { query: 'x' });
        const running = [search(), search(), search()];
        await until(() => begun.length === 3);
        const calls: ClientRequest[] = [];
        for (let n = 0; n < 5; n++) calls.push(search());
        await until(() => waiting(5));
        const kept = call(server, 'greedy', 'mama_search', { query: 'x' });
        await until(() => waiting(6));
        const open = await server.connections();
        for (const each of [...calls, ...running]) each.destroy();
        await until(async () => (await server.connections()) <= open - 8);
        end();
        assert.equal(await kept, 200);
        assert.deepEqual(begun.slice(3), ['mama_search']);
        const codes = server.audited.map(({ code }) => code);
        assert.deepEqual(codes, ['ok', 'ok', 'ok', ...calls.map(() => 'unavailable'), 'ok']);
      });
    }),
  },
  {
    tries: 'one token has so many calls waiting that no other gets a turn [Z-5]',
    faces: byEach(async (scene, call) => {
      const { begun, end, source } = slowMemory();
      await withServer(scene, { source }, async (server) => {
        const greedy = Array.from({ length: 60 }, () =>
          call(server, 'greedy', 'mama_search', { query: 'x' }),
        );
        await until(() => server.audited.length === 60 - 35);
        assert.equal(await call(server, 'other', 'mama_save', SAVE), 200);
        assert.deepEqual(begun, ['mama_search', 'mama_search', 'mama_search', 'mama_save']);
        end();
        const answers = await Promise.all(greedy);
        assert.equal(answers.filter((status) => status === 200).length, 35);
        assert.equal(answers.filter((status) => status === 503).length, 25);
      });
    }),
  },
  {
    tries: 'tokens that only read take every place with questions that never end, and a save waits [Z-12]',
    faces: byEach(async (scene, call) => {
      const { begun, end, source } = slowMemory();
      await withServer(scene, { source }, async (server) => {
        const greedy = ['greedy', 'all'].flatMap((token) =>
          Array.from({ length: 10 }, () => call(server, token, 'mama_search', { query: 'x' })),
        );
        await until(() => begun.length === 4);
        assert.equal(await call(server, 'other', 'mama_save', SAVE), 200);
        assert.deepEqual(begun, [...Array.from({ length: 4 }, () => 'mama_search'), 'mama_save']);
        end();
        await Promise.all(greedy);
      });
    }),
  },
  {
    tries: 'six connections of a token ask what costs most, and a save of another token waits [Z-12]',
    faces: {
      'the API': (scene) =>
        withServer(scene, {}, async (server) => {
          const memory = await openMemory({ db: join(scene.folder, 'main.db'), clock: () => NOW });
          const line = (n: number) =>
            JSON.stringify({
              operation: 'mama_save',
              topic: `t:${n}`,
              decision: `token cache page ${n % 7}`,
            });
          await memory.batch(Array.from({ length: 150 }, (_, n) => line(n)));
          await memory.close();
          const asked = [
            ['decision_list', { contradicted: true }],
            ['mama_search', { query: 'token cache', as_of: new Date(NOW + 1).toISOString() }],
          ] as const;
          let isSaved = false;
          let answered = 0;
          const flood = Array.from({ length: 6 }, async (_, n) => {
            while (!isSaved) {
              const [operation, input] = asked[n % asked.length] ?? asked[0];
              await BY['the API'](server, 'greedy', operation, input);
              answered++;
            }
          });
          await until(() => answered > 0);
          const before = answered;
          assert.equal(await BY['the API'](server, 'other', 'mama_save', SAVE), 200);
          isSaved = true;
          assert(answered - before <= 2, `${answered - before} questions were answered first`);
          await Promise.all(flood);
        }),
    },
  },
  {
    tries: 'a list of thousands, thousands of fields or levels, or a text of megabytes is looked at [Z-12]',
    faces: byEach((scene, call) =>
      withServer(scene, {}, async (server) => {
        const many = Array.from({ length: 90_000 }, (_, n) => `token ${n}`);
        let deep: unknown = 'x';
        for (let n = 0; n < 1_000; n++) deep = [deep];
        const inputs: [operation: string, input: object][] = [
          ['mama_save', { ...SAVE, evidence: many }],
          ['mama_save', { ...SAVE, evidence: deep }],
          ['mama_save', { ...SAVE, open_files: many }],
          ['mama_save', { ...SAVE, ...Object.fromEntries(many.map((name) => [name, 1])) }],
          ['mama_save', { ...SAVE, reasoning: 'https://u:p@h '.repeat(280_000) }],
          ['mama_save', { ...SAVE, ['https://u:p@h '.repeat(280_000)]: 1 }],
        ];
        await withinProcessorTime(2_000, async () => {
          for (const [operation, input] of inputs)
            assert.equal(await call(server, 'greedy', operation, input), 400);
        });
      }),
    ),
  },
  {
    tries: 'a batch takes a hundred places in the queue, and a part of it is lost [Z-5]',
    faces: {
      MCP: (scene) =>
        withServer(scene, {}, async (server) => {
          const answer = await post(server, '/mcp/main', 'greedy', BATCHES(100));
          const results = (await answer.json()) as { id: number; result: { isError?: boolean } }[];
          assert.equal(results.filter(({ result }) => result && result.isError !== true).length, 100);
          const [greedy] = server.audited.filter(({ code }) => code !== 'ok');
          assert.equal(greedy, undefined);
        }),
    },
  },
  {
    tries: 'the calls of a batch are done without a turn for others between them [Z-5]',
    faces: {
      MCP: (scene) =>
        withServer(scene, {}, async (server) => {
          const long = 'x '.repeat(LIMITS.content / 2);
          assert.equal(await BY['the API'](server, 'other', 'mem_save', { title: 't', content: long }), 200);
          const batch = Array.from({ length: 20 }, (_, n) => toolCall(n, 'mem_get_observation', { id: 1 }));
          let answer = '';
          const { characters } = await longestStretch(async () => {
            answer = await (await post(server, '/mcp/main', 'greedy', batch)).text();
          });
          // Each answer is bounded by its token budget (RE-14).
          assert(answer.length > 20 * 1_000 && answer.length < 20 * LIMITS.content, `${answer.length}`);
          assert(characters < 3 * LIMITS.content, `${characters}`);
        }),
    },
  },
  {
    tries: 'a batch holds more calls than one request may [Z-5]',
    faces: {
      MCP: (scene) =>
        withServer(scene, {}, async (server) => {
          const answer = await post(server, '/mcp/main', 'greedy', BATCHES(101));
          assert.equal(answer.status, 400);
          assert.match(await answer.text(), /at most 100 messages.*found 101.*None of them/);
          assert.deepEqual(server.audited, []);
        }),
    },
  },
  {
    tries: 'a batch counts as one call for the rate of its token [Z-5]',
    faces: {
      MCP: (scene) =>
        withServer(scene, { rate: { burst: 50, perSecond: 1 } }, async (server) => {
          assert.equal((await post(server, '/mcp/main', 'greedy', BATCHES(60))).status, 429);
          assert.deepEqual(
            server.audited.map(({ code }) => code),
            ['too_many'],
          );
          assert.equal((await post(server, '/mcp/main', 'greedy', BATCHES(49))).status, 200);
          assert.equal((await post(server, '/mcp/main', 'greedy', BATCHES(1))).status, 429);
          assert.equal((await post(server, '/mcp/main', 'other', BATCHES(1))).status, 200);
        }),
    },
  },
  {
    tries: 'a token takes connections for streams on which nothing is ever sent [Z-5]',
    faces: {
      MCP: (scene) =>
        withServer(scene, {}, async (server) => {
          const refused = await openStream(server, 'greedy');
          assert(!isStream(refused));
          assert.match(await text(refused), /"error"/);
        }),
    },
  },
  {
    tries: 'connections without a token take every place, and stay [Z-5]',
    faces: {
      'from this machine': (scene) =>
        withServer(scene, { limits: { connections: 4 } }, async (server) => {
          const known = await stay(server, 'other');
          const strangers: Socket[] = [];
          for (let n = 0; n < 6; n++) strangers.push(await stay(server));
          await until(async () => (await server.connections()) === 4);
          assert.equal(
            (await server.api('main/mama_search', { query: 'x' }, server.tokens.other)).status,
            200,
          );
          assert.equal(known.destroyed, false, 'one with a token is kept');
          for (const socket of [known, ...strangers]) socket.destroy();
        }),
      'and stay idle': (scene) =>
        withServer(scene, { limits: { strangerIdle: 20 } }, async (server) => {
          const [known, stranger] = [await stay(server, 'other'), await stay(server)];
          await once(stranger, 'close');
          assert.equal(known.destroyed, false);
          known.destroy();
        }),
    },
  },
  {
    tries: 'one token takes every connection, and stays [Z-5]',
    faces: {
      'from this machine': (scene) =>
        withServer(scene, { limits: { connections: 4 } }, async (server) => {
          const greedy: Socket[] = [];
          for (let n = 0; n < 4; n++) greedy.push(await stay(server, 'greedy'));
          assert.equal(
            (await server.api('main/mama_search', { query: 'x' }, server.tokens.other)).status,
            200,
          );
          for (const socket of greedy) socket.destroy();
        }),
    },
  },
  {
    tries: 'who speaks as a trusted proxy tries wrong tokens from any address it likes [Z-5]',
    faces: Object.fromEntries(
      ['/api/v1/me', '/mcp/main'].map((path) => [
        path === '/mcp/main' ? 'MCP' : 'the API',
        (scene: Scene) =>
          withServer(scene, { isProxy: proxiesIn('loopback') }, async (server) => {
            const statuses: number[] = [];
            for (let n = 0; n < 310; n++) {
              const headers = {
                'x-forwarded-for': `203.0.113.${n % 250}`,
                authorization: `Bearer wrong${n}`,
              };
              const answer = await fetch(server.url + path, { method: 'POST', headers });
              await answer.text();
              statuses.push(answer.status);
            }
            assert.deepEqual([statuses[0], statuses.at(-1)], [401, 429]);
            const [entry] = server.audited;
            assert.deepEqual(
              [entry?.peer, entry?.via],
              ['203.0.113.0', '127.0.0.1'],
              'the audit says who said so',
            );
            assert.equal(
              (await server.api('main/mama_search', { query: 'x' }, server.tokens.other)).status,
              200,
            );
          }),
      ]),
    ),
  },
];

/** A case that only the API has. */
function overTheApi(attack: Parameters<typeof byEach>[0]): ReturnType<typeof byEach> {
  return Object.fromEntries(Object.entries(byEach(attack)).filter(([face]) => face === 'the API')) as never;
}
