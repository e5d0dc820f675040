import { setTimeout as sleep } from 'node:timers/promises';
import { append } from '../domain/append.ts';
import { invalid } from '../domain/error.ts';
import { jsonIn } from '../domain/text/json.ts';
import { cut, type Embedder, EmbedderFault, textPrefix, unitVector } from './embedder.ts';

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

/** Characters of an error's message that are shown. */
const LONGEST_QUOTE = 200;
/** A message that has this many characters in a row of a text repeats the text. */
const RUN = 12;
/** Milliseconds before the second try when the endpoint asks for no other pause. */
const PAUSE = 100;
/** Error codes of a broken connection: the endpoint closed a kept one meanwhile, or was restarted. */
const BROKEN = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);

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
      throw invalid.out_of_range(`${name} of the embedder must be a whole number above zero.`);
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
    throw invalid.wrong_address(
      'The url of the embedder must be of http or https, such as http://localhost:11434/v1.',
    );
  if (url.username || url.password)
    throw invalid.holds_secret(
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
    throw invalid.wrong_form(
      'The API key of the embedder has characters that cannot be sent, such as a line break.',
    );
  }
  return headers;
}

/**
 * Sends a request; tries a second time after a passing failure, within the same timeout.
 * @throws EmbedderFault
 */
async function exchange(endpoint: URL, init: RequestInit, timeout: number, caller?: AbortSignal) {
  const until = performance.now() + timeout;
  // AbortSignal.timeout may be collected while only fetch waits for it: then nothing ends the request.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeout);
  const signal = caller ? AbortSignal.any([deadline.signal, caller]) : deadline.signal;
  try {
    return await tryTwice(endpoint, init, signal, until);
  } catch (error) {
    const name = endpointName(endpoint);
    // No cause is attached: an error of fetch may quote headers.
    if (caller?.aborted) throw new EmbedderFault(`${name} was cancelled: the caller stopped`);
    if (deadline.signal.aborted) throw new EmbedderFault(`${name} did not answer within ${timeout} ms`);
    const code = codeOf(error);
    const what = BROKEN.has(code) ? 'broke the connection, twice' : 'cannot be reached';
    throw new EmbedderFault(`${name} ${what}${code && ` (${code})`}`);
  } finally {
    clearTimeout(timer);
  }
}

/** The endpoint as messages name it: without a path or a query, which may hold a key. */
function endpointName(endpoint: URL): string {
  return `The embedding endpoint ${endpoint.host}`;
}

/** @param until the end of the timeout: a pause that would last longer is not begun */
async function tryTwice(endpoint: URL, init: RequestInit, signal: AbortSignal, until: number) {
  for (let last = false; ; last = true) {
    let pause = PAUSE;
    try {
      // A redirect would send the texts to an address that the user did not give.
      const response = await fetch(endpoint, { ...init, signal, redirect: 'manual' });
      const answer = { status: response.status, body: await response.text() };
      pause = pauseOf(response.headers.get('retry-after'));
      const passing = answer.status === 429 || answer.status >= 500;
      if (last || !passing || performance.now() + pause >= until) return answer;
    } catch (error) {
      if (last || signal.aborted || !BROKEN.has(codeOf(error))) throw error;
    }
    await sleep(pause, undefined, { signal });
  }
}

/** The pause that `Retry-After` asks for, in milliseconds; the header holds seconds or a date. */
function pauseOf(header: string | null): number {
  if (!header) return PAUSE;
  const seconds = Number(header);
  const pause = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
  return Number.isNaN(pause) ? PAUSE : Math.max(0, pause);
}

/** The system's error code that fetch gives as the cause, such as ECONNREFUSED; empty when there is none. */
function codeOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
}

/** The lists of finite numbers in an answer, in the order of their `index`. @param count of texts that were sent */
function listsOf(body: string, count: number, faultOf: (what: string) => EmbedderFault): number[][] {
  const data = property(jsonIn(body), 'data');
  if (!Array.isArray(data)) throw faultOf(' without a list of embeddings');
  if (data.length !== count) throw faultOf(` with ${data.length} vectors for ${count} texts`);
  const lists = new Map<unknown, number[]>();
  data.forEach((item, position) => {
    const list = property(item, 'embedding');
    if (!Array.isArray(list) || list.length === 0 || !list.every(Number.isFinite))
      throw faultOf(' with an embedding that is not a list of numbers');
    lists.set(property(item, 'index') ?? position, list);
  });
  return Array.from({ length: count }, (_, index) => {
    const list = lists.get(index);
    if (!list) throw faultOf(` without the embedding of index ${index}`);
    return list;
  });
}

/**
 * The message in an error's body, as it follows the status. Empty when it repeats a text or the key, as validators do:
 * it is for a log, and they are private.
 * @param sent the texts and the key
 */
function quotedError(body: string, sent: string[]): string {
  const json = jsonIn(body);
  const error = property(json, 'error');
  const said = [property(error, 'message'), error, property(json, 'message'), property(json, 'detail')]
    .find((candidate) => typeof candidate === 'string')
    ?.slice(0, LONGEST_QUOTE * 20)
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
  // More is looked at than is shown, so that no repetition begins at the end of what is shown.
  if (!said || repeats(said.slice(0, LONGEST_QUOTE * 4), sent)) return '';
  const shown = [...said].slice(0, LONGEST_QUOTE - 1).join('');
  return `: ${shown.length < said.length ? `${shown}…` : shown}`;
}

/** Whether a message holds a sent text, or a run of its characters. */
function repeats(message: string, sent: string[]): boolean {
  const looked = compact(message);
  const runs = Array.from({ length: looked.length }, (_, at) => looked.slice(at, at + RUN));
  return sent.map(compact).some((text) => {
    if (text.length <= RUN) return text !== '' && looked.includes(text);
    return runs.some((run) => run.length === RUN && text.includes(run));
  });
}

/** A text without the characters in which a quotation of it may differ. */
function compact(text: string): string {
  return text
    .normalize('NFC')
    .toLowerCase()
    .replace(/[\s"'\\]+/g, '');
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}
