import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gzip } from 'node:zlib';
import { invalid, notFound, unauthorized, unavailable } from '../domain/error.ts';
import { type Line, linesOf, TOO_LONG } from '../domain/text/lines.ts';
import { visible } from '../domain/text/visible.ts';
import { addressAt, NAME, nameAt } from '../domain/workspace.ts';
import { SMALL } from '../files/bounded.ts';
import { type Fact, type Facts, type KeptFact, nameOf } from './facts.ts';
import type { OtherMemory, Place, Said, Sent, Taken, Written } from './place.ts';
import { LONGEST_LINE, lineOf, MACHINE, nothingSaid, takeFrom, takeLines } from './segment.ts';

/** Bytes of a request, compressed, as a server takes them; facts in one, and bytes of an answer, at most. */
const LARGEST_SENT = 4 * 1024 * 1024;
const FACTS = 40_000;
const LARGEST_READ = 400 * 1024 * 1024;
/** Lines of one; bytes of any other. */
const MOST_READ = 5_000_000;
const LARGEST_TEXT = 16 * 1024 * 1024;
/** Other memories of a server that are compared with this one. */
const COMPARED = 20;
/** Milliseconds that a server may take for one answer. */
const PATIENCE = 600_000;
const SET_TOKEN = ' Set PRECEDENT_TOKEN to one that was made there with "precedent token add NAME --sync".';
/** Statuses of a refusal, with what they mean and what to do. */
const REFUSALS: Record<number, [refuse: typeof invalid.missing, advice: string]> = {
  400: [invalid.wrong_content, ''],
  401: [unauthorized.not_allowed, SET_TOKEN],
  403: [unauthorized.not_allowed, SET_TOKEN],
  404: [notFound.no_memory, ' A memory is synced with the one of the same name there.'],
};

/** A memory on a server (`precedent serve`), which merges received facts and sends its own. */
export class Server implements Place {
  readonly #address: string;
  readonly #token: string | undefined;
  #after = '';

  constructor(address: string, token: string | undefined) {
    this.#address = address;
    this.#token = token;
  }

  /** A server is one machine: its tokens decide who may write there, so nobody there is kept apart. */
  async read(after: string | undefined, known: string[]): Promise<Said> {
    const response = await this.#answer(
      this.#address + (after === undefined ? '' : `?after=${encodeURIComponent(after)}`),
    );
    const lines = linesOf(this.#bytesOf(response), LONGEST_LINE);
    try {
      const said = await this.#said(lines, known);
      // A machine that asked for everything has everything.
      return { ...said, isWhole: after === undefined || said.isWhole };
    } finally {
      await lines.return(undefined);
    }
  }

  /** @param lines {@link Sent}, and facts */
  async #said(lines: AsyncGenerator<Line[]>, known: string[]): Promise<Said> {
    const begun: Line[] = [];
    while (begun.length < 2) {
      const { value, done } = await lines.next();
      if (done) break;
      begun.push(...value);
    }
    const [head = TOO_LONG, ...first] = begun;
    const sent = this.#parsed<Sent>(head === TOO_LONG || head.length > SMALL ? '' : head.toString());
    if (!MACHINE.test(sent.machine)) throw this.#foreign();
    this.#after = `${sent.after}`;
    const said = { ...nothingSaid(), isWhole: sent.isWhole === true };
    const host = new URL(this.#address).host;
    // A server without facts is not a newcomer.
    if (first.length > 0)
      await takeFrom(said, sent.machine, { known, isApart: false }, async (own) => {
        for (const some of [[first], lines]) await takeLines(own, some, host, MOST_READ);
      });
    return said;
  }

  async write(_machine: string, facts: (Fact | KeptFact)[]): Promise<Written> {
    const warnings: string[] = [];
    for await (const body of piecesOf(facts)) {
      const { before, after, warnings: said } = this.#parsed<Taken>(await this.#ask(this.#address, body));
      // Facts that others sent meanwhile are received the next time.
      if (before === this.#after) this.#after = after;
      warnings.push(...said.map(visible));
    }
    return { after: this.#after, warnings };
  }

  async others(ours: Facts): Promise<OtherMemory[] | undefined> {
    const { origin } = new URL(this.#address);
    const { workspaces } = this.#parsed<{ workspaces?: unknown }>(await this.#ask(`${origin}/api/v1/me`));
    const names: unknown[] = Array.isArray(workspaces) ? workspaces : [];
    if (names.includes(nameAt(this.#address))) return undefined;
    const others: OtherMemory[] = [];
    for (const name of names.filter((each) => typeof each === 'string' && NAME.test(each)) as string[]) {
      const there = new Server(addressAt(origin, name), this.#token);
      const facts = others.length < COMPARED ? (await there.read(undefined, [])).facts : undefined;
      const same = [...(facts?.values() ?? [])].filter(
        (each) => each.k === 'decision' && each.basedOn === null && ours.has(nameOf(each)),
      );
      others.push({ name, same: same.length });
    }
    return others.sort((a, b) => b.same - a.same);
  }

  async #ask(address: string, body?: Buffer): Promise<string> {
    return this.#textOf(await this.#answer(address, body));
  }

  /** A redirection is not an answer: the token is for this server alone. @throws PrecedentError for a refusal */
  async #answer(address: string, body?: Buffer): Promise<IncomingMessage> {
    const response = await answerTo(address, this.#token, body).catch(({ code, name }) => {
      throw unavailable.unreachable(
        `Expected a server at ${this.#address}, found none that answers (${code ?? name}). Nothing is lost: the same command goes on once it does.`,
      );
    });
    if (response.statusCode === 200) return response;
    const { error } = this.#parsed<{ error?: { message?: unknown } }>(await this.#textOf(response));
    if (typeof error?.message !== 'string') throw this.#foreign();
    const [refuse, advice] = REFUSALS[response.statusCode ?? 0] ?? [unavailable.server_failed, ''];
    throw refuse(
      `${this.#address} answers: ${visible(error.message.slice(0, 500)).replace(/\w$/, '$&.')}${advice}`,
    );
  }

  /** The text of an answer, unpacked, as it comes (Z-12). */
  async *#bytesOf(response: IncomingMessage, longest = LARGEST_READ): AsyncGenerator<Buffer> {
    const isPacked = response.headers['content-encoding'] === 'gzip';
    let bytes = 0;
    try {
      for await (const piece of isPacked ? pipeline(response, createGunzip(), () => {}) : response) {
        bytes += piece.length;
        if (bytes > longest) throw new RangeError('too long');
        yield piece;
      }
    } catch {
      throw unavailable.broken_answer(
        `Expected the whole answer of ${this.#address}; it broke off, or is too long.`,
      );
    }
  }

  async #textOf(response: IncomingMessage): Promise<string> {
    const pieces: Buffer[] = [];
    for await (const piece of this.#bytesOf(response, LARGEST_TEXT)) pieces.push(piece);
    return Buffer.concat(pieces).toString();
  }

  #parsed<Answer>(text: string): Answer {
    try {
      const answer = JSON.parse(text);
      if (answer !== null && typeof answer === 'object') return answer;
    } catch {
      // The kind of error does not matter.
    }
    throw this.#foreign();
  }

  #foreign = () =>
    unavailable.other_server(
      `Expected a server of Precedent at ${this.#address}, found another program, or an older one.`,
    );
}

/**
 * Uses a new connection: between two requests all facts are taken in, and by then the server has closed an idle one. Not
 * `fetch`, which ends the process if such a connection ends before all of it was read (nodejs/undici#5360).
 */
function answerTo(address: string, token: string | undefined, body?: Buffer): Promise<IncomingMessage> {
  const send = address.startsWith('https:') ? https.request : http.request;
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const headers = { 'content-type': 'application/octet-stream', ...authorization };
  const signal = AbortSignal.timeout(PATIENCE);
  return new Promise((resolve, reject) => {
    const how = { method: body ? 'POST' : 'GET', headers, signal, agent: false };
    send(address, how, resolve).on('error', reject).end(body);
  });
}

/** Facts as the bodies of requests, each as small as a server takes it. */
async function* piecesOf(facts: (Fact | KeptFact)[]): AsyncGenerator<Buffer> {
  if (facts.length === 0) return;
  let half = Math.ceil(facts.length / 2);
  // The text of an observation goes with it.
  while (['text', 'place'].includes(facts[half]?.k ?? '')) half++;
  const body =
    facts.length > FACTS && half < facts.length
      ? undefined
      : await promisify(gzip)(facts.map(lineOf).join(''));
  if (body && (body.length <= LARGEST_SENT || half === facts.length)) return yield body;
  yield* piecesOf(facts.slice(0, half));
  yield* piecesOf(facts.slice(half));
}
