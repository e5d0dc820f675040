import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { replacePauses } from '../../test/support/clock.ts';
import { type EmbeddingKnobs, embeddingServer, type Failure } from '../../test/support/embedding-server.ts';
import { PrecedentError } from '../domain/error.ts';
import { EmbedderFault, textPrefix, unitVector } from './embedder.ts';
import { type OpenAiOptions, openAiEmbedder } from './openai.ts';

const KEY = 'sk-very-secret-0123456789';
const TEXT = 'the wall of the bathroom carries the pipes';
/** Milliseconds that an endpoint has when its test is not about time. */
const PATIENT = 3_600_000;

async function open(knobs: Partial<EmbeddingKnobs> = {}, options: Partial<OpenAiOptions> = {}) {
  const server = await embeddingServer(knobs);
  const embedder = openAiEmbedder({
    url: server.url,
    model: 'test',
    apiKey: KEY,
    timeout: PATIENT,
    ...options,
  });
  return { server, embedder };
}

/** Asserts that a call fails with a message that has all of these words, the host, and nothing secret. */
async function faults(call: Promise<unknown>, ...words: string[]): Promise<EmbedderFault> {
  const error = await call.then(
    () => assert.fail('no fault'),
    (reason: unknown) => reason,
  );
  assert(error instanceof EmbedderFault, `not an EmbedderFault: ${inspect(error)}`);
  for (const word of [...words, '127.0.0.1:'])
    assert(error.message.includes(word), `"${word}" is not in: ${error.message}`);
  for (const secret of [KEY, TEXT, 'bathroom']) assert(!inspect(error).includes(secret), inspect(error));
  assert([...error.message].length < 300, error.message);
  return error;
}

function cosine(a: Float32Array | undefined, b: Float32Array | undefined): number {
  assert(a && b);
  return a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0);
}

describe('openAiEmbedder: what it asks and gives', () => {
  it('gives a vector of length 1 for each text, in their order, like texts close together', async () => {
    const { server, embedder } = await open({ synonyms: { automobile: 'car' } });
    const texts = ['the car is red', 'the automobile is red', 'the cars are red', 'ζωή 삶 жизнь'];
    const [car, automobile, cars, other] = await embedder.embed(texts, 'passage');
    assert(car instanceof Float32Array);
    assert.equal(car.length, 64);
    assert(Math.abs(cosine(car, car) - 1) < 1e-6);
    assert.deepEqual(automobile, car);
    assert(cosine(car, cars) > 0.6, `${cosine(car, cars)}`);
    assert(cosine(car, other) < 0.4, `${cosine(car, other)}`);
    assert.deepEqual(server.requests, [
      {
        path: 'POST /v1/embeddings',
        authorization: `Bearer ${KEY}`,
        model: 'test',
        input: texts,
        encoding_format: 'float',
      },
    ]);
  });

  it('takes the base or the whole url, with or without a slash, and keeps a query', async () => {
    const server = await embeddingServer();
    for (const end of ['', '/', '/embeddings', '/embeddings/', '?version=2']) {
      await openAiEmbedder({ url: server.url + end, model: 'test' }).embed([TEXT], 'query');
    }
    const path = 'POST /v1/embeddings';
    assert.deepEqual(
      server.requests.map((request) => request.path),
      [path, path, path, path, `${path}?version=2`],
    );
    assert.equal(server.requests[0]?.authorization, undefined);
  });

  it('asks for nothing when there is nothing to ask', async () => {
    const { server, embedder } = await open();
    assert.deepEqual(await embedder.embed([], 'query'), []);
    assert.deepEqual(server.requests, []);
  });

  it('puts an answer in order by its index, and takes one without index as it comes', async () => {
    const { server, embedder } = await open();
    const texts = ['alpha', 'beta', 'gamma'];
    const inOrder = await embedder.embed(texts, 'query');
    server.broken = (answer) => ({ data: answer.data.reverse() });
    assert.deepEqual(await embedder.embed(texts, 'query'), inOrder);
    server.broken = (answer) => ({ data: answer.data.map(({ embedding }) => ({ embedding })) });
    assert.deepEqual(await embedder.embed(texts, 'query'), inOrder);
  });

  it('sends 130 texts in three requests', async () => {
    const { server, embedder } = await open();
    const texts = Array.from({ length: 130 }, (_, n) => `text ${n}`);
    const vectors = await embedder.embed(texts, 'passage');
    assert.deepEqual(
      server.requests.map((request) => request.input.length),
      [64, 64, 2],
    );
    assert.deepEqual(
      server.requests.flatMap((request) => request.input),
      texts,
    );
    assert.deepEqual(vectors[129], (await embedder.embed(['text 129'], 'passage'))[0]);
  });

  it('says query or passage to E5 models, and to no other', async () => {
    const { server } = await open();
    const ask = async (model: string, purpose: 'query' | 'passage') => {
      await openAiEmbedder({ url: server.url, model }).embed(['wall'], purpose);
      return server.requests.at(-1)?.input[0];
    };
    assert.equal(await ask('intfloat/multilingual-e5-small', 'query'), 'query: wall');
    assert.equal(await ask('intfloat/multilingual-e5-small', 'passage'), 'passage: wall');
    assert.equal(await ask('nomic-embed-text', 'query'), 'wall');
    assert.equal(await ask('nomic-embed-text', 'passage'), 'wall');
  });

  it('asks for a size when told one, and names the model by it', async () => {
    const { server, embedder } = await open({}, { dimensions: 16 });
    const [vector] = await embedder.embed([TEXT], 'query');
    assert.equal(vector?.length, 16);
    assert.equal(server.requests[0]?.dimensions, 16);
    assert.equal(embedder.model, 'test@16');
    assert.equal((await open()).embedder.model, 'test');
  });

  it('sends the first 8,000 characters of a text, none of them half of one', async () => {
    const { server, embedder } = await open();
    await embedder.embed(
      ['x'.repeat(9_000), '👍'.repeat(9_000), `${'x'.repeat(7_999)}👍x`, 'a\ud83d'],
      'query',
    );
    const expected = ['x'.repeat(8_000), '👍'.repeat(8_000), `${'x'.repeat(7_999)}👍`, 'a\ufffd'];
    assert.deepEqual(server.requests[0]?.input, expected);
  });
});

describe('openAiEmbedder: an endpoint in trouble', () => {
  it('gives up when the time is over', async () => {
    const { embedder } = await open({ mute: true }, { timeout: 50 });
    const { embedder: patient } = await open({ mute: true }, { timeout: 60_000 });
    const stop = new AbortController();
    const waiting = patient.embed([TEXT], 'query', stop.signal);
    const first = faults(embedder.embed([TEXT], 'query'), 'did not answer within 50 ms');
    await Promise.race([first, waiting]);
    stop.abort();
    await faults(waiting, 'the caller stopped');
  });

  it('tries a second time after 500, a broken connection or an answer cut off', async (test) => {
    const pauses = replacePauses(test);
    for (const failure of [{ status: 500 }, { status: 503 }, 'reset', 'cut'] satisfies Failure[]) {
      const { server, embedder } = await open({ fail: [failure] });
      assert.equal((await embedder.embed([TEXT], 'query')).length, 1, inspect(failure));
      assert.equal(server.requests.length, 2);
    }
    assert.deepEqual(pauses, [100, 100, 100, 100]);
  });

  it('does not try a third time', async (test) => {
    replacePauses(test);
    const failures: [Failure, string][] = [
      [{ status: 500, body: '{"error":{"message":"out of memory"}}' }, 'answered 500: out of memory'],
      ['reset', 'broke the connection'],
      ['cut', 'broke the connection'],
    ];
    for (const [fail, words] of failures) {
      const { server, embedder } = await open({ fail });
      await faults(embedder.embed([TEXT], 'query'), words);
      assert.equal(server.requests.length, 2);
    }
  });

  it('waits as long as a 429 asks for', async (test) => {
    test.mock.timers.enable({ apis: ['Date'], now: Date.UTC(2026, 0, 1) });
    const pauses = replacePauses(test);
    for (const [after, asked] of [
      ['Thu, 01 Jan 2026 00:00:02 GMT', 2_000],
      ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
      ['0.3', 300],
      ['0', 0],
      ['soon', 100],
    ] satisfies [string, number][]) {
      const fail: Failure[] = [{ status: 429, headers: { 'retry-after': after } }];
      const { server, embedder } = await open({ fail });
      await embedder.embed([TEXT], 'query');
      assert.deepEqual(pauses.splice(0), [asked], after);
      assert.equal(server.requests.length, 2);
    }
  });

  it('does not wait when a 429 asks for more time than there is', async (test) => {
    const pauses = replacePauses(test);
    const fail: Failure = { status: 429, headers: { 'retry-after': String(PATIENT) } };
    const { server, embedder } = await open({ fail });
    const { status } = await faults(embedder.embed([TEXT], 'query'), 'answered 429');
    assert.equal(status, 429);
    assert.deepEqual(pauses, []);
    assert.equal(server.requests.length, 1);
  });

  it('stops in the pause before the second try when the caller stops', async (test) => {
    const stop = new AbortController();
    replacePauses(test, async (_, signal) => {
      assert(signal, 'the pause can be stopped');
      stop.abort();
      signal.throwIfAborted();
    });
    const { server, embedder } = await open({ fail: { status: 503 } });
    await faults(embedder.embed([TEXT], 'query', stop.signal), 'the caller stopped');
    assert.equal(server.requests.length, 1);
  });

  it('does not repeat what the endpoint refused, and follows it nowhere else', async () => {
    for (const status of [400, 401, 404, 413, 302, 307]) {
      const headers = { location: 'http://127.0.0.1:1/v1/embeddings' };
      const { server, embedder } = await open({
        fail: { status, headers, body: '{"error":"no such model"}' },
      });
      const fault = await faults(embedder.embed([TEXT], 'query'), `answered ${status}: no such model`);
      assert.equal(fault.status, status);
      assert.equal(server.requests.length, 1);
    }
  });

  it('says when no server listens, or the host is unknown', async () => {
    const { server, embedder } = await open();
    await server.close();
    const { status } = await faults(embedder.embed([TEXT], 'query'), 'cannot be reached (ECONNREFUSED)');
    assert.equal(status, undefined);
    const nowhere = openAiEmbedder({ url: 'http://nowhere.invalid/v1', model: 'test' });
    await assert.rejects(nowhere.embed([TEXT], 'query'), /nowhere\.invalid cannot be reached \(E/);
  });

  it('stops when the caller does, before and during a request', async () => {
    const { server, embedder } = await open({ mute: true });
    await faults(embedder.embed([TEXT], 'query', AbortSignal.abort()), 'the caller stopped');
    assert.equal(server.requests.length, 0);
    const stop = new AbortController();
    const asking = embedder.embed([TEXT], 'query', stop.signal);
    await server.asked(1);
    stop.abort();
    await faults(asking, 'the caller stopped');
  });
});

describe('openAiEmbedder: an answer that is none', () => {
  const infinite = (text: string) => text.replace(/"embedding":\[[-\d.e]+/, '"embedding":[1e999');
  const embedding = (value: unknown): EmbeddingKnobs['broken'] => {
    return (answer) => ({ data: answer.data.map((item) => ({ ...item, embedding: value })) });
  };
  const cases: [name: string, broken: EmbeddingKnobs['broken'], words: string][] = [
    ['malformed JSON', () => '{"data":[', 'answered 200 without a list of embeddings'],
    ['the NaN of Python', () => '{"data":[{"index":0,"embedding":[NaN]}]}', 'without a list of embeddings'],
    ['HTML', () => '<html><body>Welcome</body></html>', 'without a list of embeddings'],
    ['an empty body', () => '', 'without a list of embeddings'],
    ['null', () => null, 'without a list of embeddings'],
    ['an error in disguise', () => ({ error: 'no' }), 'without a list of embeddings'],
    ['too few', ({ data }) => ({ data: data.slice(1) }), 'with 1 vectors for 2 texts'],
    ['too many', ({ data }) => ({ data: [...data, ...data] }), 'with 4 vectors for 2 texts'],
    [
      'the same index twice',
      ({ data }) => ({ data: [data[0], data[0]] }),
      'without the embedding of index 1',
    ],
    ['null in the list', () => ({ data: [null, null] }), 'not a list of numbers'],
    ['a number beyond all', (answer) => infinite(JSON.stringify(answer)), 'not a list of numbers'],
    ['null for NaN', embedding([1, null]), 'not a list of numbers'],
    ['numbers as strings', embedding(['0.1', '0.2']), 'not a list of numbers'],
    ['base64', embedding('AACAPwAAAEA='), 'not a list of numbers'],
    ['an empty vector', embedding([]), 'not a list of numbers'],
    ['a vector of zeros', embedding([0, 0, -0]), 'with a vector of zeros'],
    [
      'vectors of two sizes',
      ({ data }) => ({ data: data.map((item, n) => ({ ...item, embedding: [1, 2, 3].slice(n) })) }),
      'with vectors of 2 numbers, not of 3',
    ],
  ];
  for (const [name, broken, words] of cases) {
    it(`refuses ${name}, and works again afterwards`, async () => {
      const { server, embedder } = await open({ broken });
      const fault = await faults(embedder.embed([TEXT, 'pipes'], 'passage'), words);
      assert.equal(fault.status, 200);
      assert.equal(server.requests.length, 1);
      server.broken = undefined;
      assert.equal((await embedder.embed([TEXT, 'pipes'], 'passage')).length, 2);
    });
  }

  it('refuses another size than before, or than it was told', async () => {
    const { server, embedder } = await open();
    await embedder.embed([TEXT], 'passage');
    server.dimensions = 32;
    await faults(embedder.embed([TEXT], 'query'), 'with vectors of 32 numbers, not of 64 as expected');
    const shown = await open({ broken: embedding([1, 2, 3]) }, { dimensions: 4 });
    await faults(shown.embedder.embed([TEXT], 'query'), 'with vectors of 3 numbers, not of 4');
  });
});

describe('openAiEmbedder: what is private', () => {
  it('shows 200 characters of an error at most', async () => {
    const message400 = JSON.stringify({ error: { message: `no\n\u0007${'🚫'.repeat(5_000)}` } });
    const { embedder } = await open({ fail: { status: 400, body: message400 } });
    const { message } = await faults(embedder.embed([TEXT], 'query'), 'answered 400: no 🚫', '…');
    assert([...message.slice(message.indexOf('400: ') + 5)].length <= 200);
    assert(message.isWellFormed());
  });

  it('shows nothing of an error that repeats the key or a text, whole or in part', async () => {
    const repeating = [
      `{"error":{"message":"Incorrect API key provided: ${KEY}"}}`,
      `<p>authorization: Bearer ${KEY}</p>`,
      `{"detail":[{"input":"\\ube44\\ubc00"}]}`,
      `{"detail":[{"loc":["body","input"],"msg":"too long","input":"${TEXT}"}]}`,
      `{"message":"too long: '${TEXT.slice(5, 30)}…'"}`,
      `{"error":"cannot embed \\"WALL\\""}`,
      `${'.'.repeat(190)}${KEY}`,
    ];
    for (const body of repeating) {
      const { embedder } = await open({ fail: { status: 400, body } }, { model: 'e5' });
      const { message } = await faults(embedder.embed(['wall', TEXT], 'passage'), 'answered 400');
      assert(message.endsWith('answered 400'), message);
    }
  });

  it('refuses options that can never work, without repeating them', () => {
    const refused: [Partial<OpenAiOptions>, RegExp][] = [
      [{ url: 'file:///etc/passwd' }, /http or https/],
      [{ url: 'ftp://localhost/v1' }, /http or https/],
      [{ url: 'localhost:11434' }, /http or https/],
      [{ url: '' }, /http or https/],
      [{ url: `http://me:${KEY}@localhost/v1` }, /user or a password/],
      [{ apiKey: `${KEY}\n${KEY}` }, /API key/],
      [{ apiKey: `${KEY}키` }, /API key/],
      [{ batch: 0 }, /batch/],
      [{ timeout: -1 }, /timeout/],
      [{ dimensions: 1.5 }, /dimensions/],
    ];
    for (const [options, message] of refused) {
      assert.throws(
        () => openAiEmbedder({ url: 'http://localhost/v1', model: 'test', ...options }),
        (error) => {
          assert(error instanceof PrecedentError);
          assert.equal(error.code, 'invalid');
          assert.match(error.message, message);
          assert(!inspect(error).includes(KEY));
          return true;
        },
      );
    }
  });
});

describe('unitVector', () => {
  it('keeps the direction, of the largest and the smallest numbers too', () => {
    for (const scale of [1, 1e300, 1e-300, 5e-324]) {
      assert.deepEqual(unitVector([3 * scale, -4 * scale]), Float32Array.of(0.6, -0.8), `${scale}`);
    }
  });

  it('has none for zeros or nothing', () => {
    assert.equal(unitVector([0, -0]), undefined);
    assert.equal(unitVector([]), undefined);
  });
});

describe('textPrefix', () => {
  it('is for models of the E5 family that take no instructions', () => {
    for (const model of [
      'e5',
      'intfloat/e5-base-v2',
      'multilingual_E5_large',
      'me/multilingual-e5-small:f16',
    ])
      assert.equal(textPrefix(model, 'query'), 'query: ', model);
    for (const model of [
      'multilingual-e5-large-instruct',
      'e5-mistral-7b-instruct',
      'bge-m3',
      'x@sha256:ab3e5f',
    ])
      assert.equal(textPrefix(model, 'query'), '', model);
  });
});
