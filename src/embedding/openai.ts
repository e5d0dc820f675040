import { append } from '../domain/append.ts';
import { PrecedentError } from '../domain/error.ts';
import { type Embedder, EmbedderFault, textPrefix, unitVector } from './embedder.ts';
import { listsOf, quotedError } from './openai-answer.ts';
import { endpointName, exchange } from './openai-exchange.ts';

export interface OpenAiOptions {
  /** The base, such as `http://localhost:11434/v1`, or the whole address up to `/embeddings`. */
  url: string;
  /** The name by which the endpoint knows the model. */
  model: string;
  apiKey?: string | undefined;
  /** Asks for vectors of this size, from models that offer several; answers with other sizes are refused. */
  dimensions?: number | undefined;
  /** Milliseconds for each request, its second try and the pause before it included. */
  timeout?: number | undefined;
  /** Texts in one request; more texts are sent in several requests, one after the other. */
  batch?: number | undefined;
}

/** Characters of a text that are sent: models have windows of 500 to 8,000 tokens, and some endpoints refuse longer texts. */
const TEXT_LIMIT = 8_000;

/**
 * An embedder over HTTP, as OpenAI, Ollama, vLLM and Text Embeddings Inference understand it. It sends the first 8,000
 * characters of each text. A request is tried a second time after a 429, a 5xx or a broken connection. The first answer
 * fixes the size of a vector; another size later is a fault, since it comes from another model of the same name.
 * @throws PrecedentError `invalid` for options that can never work
 */
export function openAiEmbedder(options: OpenAiOptions): Embedder {
  const { model, apiKey, dimensions, timeout = 10_000, batch = 64 } = options;
  for (const [name, value] of Object.entries({ dimensions, timeout, batch })) {
    if (value !== undefined && !(Number.isInteger(value) && value > 0))
      throw new PrecedentError('invalid', `${name} of the embedder must be a whole number above zero.`);
  }
  const endpoint = endpointOf(options.url);
  const headers = headersOf(apiKey);
  let size = dimensions;

  async function embedBatch(texts: string[], prefix: string, signal?: AbortSignal): Promise<Float32Array[]> {
    const input = texts.map((text) => prefix + text);
    const request = { model, input, encoding_format: 'float', ...(dimensions && { dimensions }) };
    const init = { method: 'POST', headers, body: JSON.stringify(request) };
    const { status, body } = await exchange(endpoint, init, timeout, signal);
    const faultOf = (what: string) =>
      new EmbedderFault(`${endpointName(endpoint)} answered ${status}${what}`, status);
    if (status < 200 || status > 299) throw faultOf(quotedError(body, [...texts, apiKey ?? '']));
    const lists = listsOf(body, texts.length, faultOf);
    const expected = size ?? lists[0]?.length ?? 0;
    const vectors = lists.map((list) => {
      if (list.length !== expected)
        throw faultOf(` with vectors of ${list.length} numbers, not of ${expected} as expected`);
      const vector = unitVector(list);
      if (!vector) throw faultOf(' with a vector of zeros');
      return vector;
    });
    size = expected;
    return vectors;
  }

  return {
    // Vectors of several sizes from one model cannot be compared.
    model: dimensions === undefined ? model : `${model}@${dimensions}`,
    async embed(texts, purpose, signal) {
      const prefix = textPrefix(model, purpose);
      const vectors: Float32Array[] = [];
      for (let at = 0; at < texts.length; at += batch) {
        append(vectors, await embedBatch(texts.slice(at, at + batch).map(cut), prefix, signal));
      }
      return vectors;
    },
  };
}

function endpointOf(text: string): URL {
  const url = URL.parse(text);
  // The text itself is not shown: it may hold a password.
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new PrecedentError(
      'invalid',
      'The url of the embedder must be of http or https, such as http://localhost:11434/v1.',
    );
  if (url.username || url.password)
    throw new PrecedentError(
      'invalid',
      'The url of the embedder must not hold a user or a password: give an API key.',
    );
  const path = url.pathname.replace(/\/+$/, '');
  url.pathname = path.endsWith('/embeddings') ? path : `${path}/embeddings`;
  return url;
}

function headersOf(apiKey: string | undefined): Headers {
  const headers = new Headers({ 'content-type': 'application/json', accept: 'application/json' });
  try {
    if (apiKey) headers.set('authorization', `Bearer ${apiKey}`);
  } catch {
    // The caught error quotes the key.
    throw new PrecedentError(
      'invalid',
      'The API key of the embedder has characters that cannot be sent, such as a line break.',
    );
  }
  return headers;
}

/** The first characters of a text, whole ones: an endpoint may refuse text that is not valid Unicode. */
function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text.toWellFormed();
  return [...text.slice(0, TEXT_LIMIT * 2)].slice(0, TEXT_LIMIT).join('').toWellFormed();
}
