import assert from 'node:assert/strict';
import { PassThrough, Writable } from 'node:stream';
import { describe, it } from 'node:test';
import { settle, until } from '../../test/support/until.ts';
import { LONGEST, linesOf } from '../domain/text/lines.ts';
import { LineTransport } from './transport.ts';

const request = (id: number) => `${JSON.stringify({ jsonrpc: '2.0', id, method: 'big' })}\n`;

/** A transport whose every request is answered by a megabyte at once, and a client that reads when it wants to. */
async function megabytes({ ready = async () => {} } = {}) {
  const input = new PassThrough();
  const client = { isReading: false, answers: 0, wake: () => {} };
  const output = new Writable({
    write(_chunk, _encoding, done) {
      client.answers++;
      if (client.isReading) done();
      else client.wake = done;
    },
  });
  const log: string[] = [];
  const transport = new LineTransport({
    lines: linesOf(input, LONGEST),
    output,
    ready,
    log: (message) => log.push(message),
  });
  const handed: unknown[] = [];
  transport.onmessage = (message) => {
    handed.push('id' in message ? message.id : undefined);
    const result = { text: 'x'.repeat(2 ** 20) };
    void transport.send({ jsonrpc: '2.0', id: handed.length, result });
  };
  await transport.start();
  return { input, output, client, transport, handed, log };
}

/** Settles when every answer was taken. */
const taken = (output: Writable) => new Promise<void>((done) => void output.write('', () => done()));

describe('transport of lines', () => {
  it('[C-6] takes no further message while its answers are not read, and loses none', async () => {
    const { input, output, client, transport, handed } = await megabytes();
    for (let id = 1; id <= 100; id++) input.write(request(id));
    input.end();
    await until(() => output.writableLength > 4 * 2 ** 20);
    await settle();
    assert(handed.length < 10, `${handed.length} answers wait`);
    assert(output.listenerCount('error') + output.listenerCount('drain') < 5);
    client.isReading = true;
    client.wake();
    await transport.ended;
    await taken(output);
    assert.equal(client.answers, 101, 'a hundred, and the last empty one');
    assert.deepEqual(
      handed,
      Array.from({ length: 100 }, (_, n) => n + 1),
    );
  });

  it('takes no further message while whoever carries them out is busy', async () => {
    let free = Promise.withResolvers<void>();
    const { input, client, transport, handed } = await megabytes({ ready: () => free.promise });
    client.isReading = true;
    input.end(request(1) + request(2));
    await settle();
    assert.deepEqual(handed, []);
    free.resolve();
    free = Promise.withResolvers<void>();
    await settle();
    assert.deepEqual(handed, [1]);
    free.resolve();
    await transport.ended;
    assert.deepEqual(handed, [1, 2]);
  });

  it('ends when its input breaks, and when its output does while it waits for it', async () => {
    const broken = await megabytes();
    broken.input.write(request(1));
    broken.input.destroy(new Error('gone'));
    await broken.transport.ended;

    const unread = await megabytes();
    unread.output.on('error', () => {});
    for (let id = 1; id <= 20; id++) unread.input.write(request(id));
    await until(() => unread.output.writableLength > 4 * 2 ** 20);
    await settle();
    unread.output.destroy(new Error('gone'));
    await unread.transport.ended;
    await taken(unread.output);
  });

  it('answers what is no message, says so in the log, and goes on', async () => {
    const { input, client, transport, handed, log } = await megabytes();
    client.isReading = true;
    input.end(`garbage\n\n${request(1)}`);
    await transport.ended;
    assert.deepEqual(handed, [1]);
    assert.equal(client.answers, 2);
    assert.deepEqual(log, [
      'A message was refused: Expected JSON in a line, found 7 bytes that are not JSON.',
    ]);
    await transport.close();
    await assert.rejects(transport.send({}), /closed/);
  });
});
