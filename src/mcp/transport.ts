import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/server';
import type { Log } from '../domain/log.ts';
import type { Line } from '../domain/text/lines.ts';
import { readMessage } from './message.ts';

/** Bytes of answers that may wait for their reader before no further message is taken. */
const UNREAD = 4 * 2 ** 20;

interface LineTransportOptions {
  lines: AsyncIterable<Line[]>;
  output: Writable;
  /** Asked before each message is handed on: whoever carries it out may still be busy. */
  ready: () => Promise<void>;
  log: Log;
}

/**
 * MCP over lines and a stream, a message a line (ADR 0039). A line that is not a message is answered by an error of JSON-RPC,
 * and the next one is read. A client that does not read its answers is not listened to until it does, so that neither
 * questions nor answers pile up.
 */
export class LineTransport implements Transport {
  declare onmessage?: Transport['onmessage'];
  declare onerror?: Transport['onerror'];
  declare onclose?: Transport['onclose'];
  readonly #options: LineTransportOptions;
  readonly #ended = Promise.withResolvers<void>();
  #isClosed = false;

  constructor(options: LineTransportOptions) {
    this.#options = options;
  }

  /** Settles when the input has ended and all that it held was handed on. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    // A broken input has ended; a broken output is said by its own event.
    this.#read().then(this.#ended.resolve, this.#ended.resolve);
  }

  async send(message: unknown): Promise<void> {
    if (this.#isClosed) throw new Error('The connection is closed.');
    this.#options.output.write(Buffer.from(`${JSON.stringify(message)}\n`));
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.onclose?.();
  }

  async #read(): Promise<void> {
    for await (const lines of this.#options.lines)
      for (const line of lines) {
        await this.#room();
        if (this.#isClosed) return;
        const received = readMessage(line);
        if (received === undefined) continue;
        if ('message' in received) this.onmessage?.(received.message satisfies JSONRPCMessage);
        else {
          const { why, answer } = received.refusal;
          this.#options.log(`A message was refused: ${why}`, 'warning');
          if (answer) await this.send(answer);
        }
      }
  }

  /** Waits until another message may be handed on. */
  async #room(): Promise<void> {
    const { output, ready } = this.#options;
    // By then the message before has begun, or is answered.
    await setImmediate();
    await ready();
    while (output.writableLength > UNREAD) {
      await once(output, 'drain');
      await ready();
    }
  }
}
