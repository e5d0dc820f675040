import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type JSONRPCMessage, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import fc from 'fast-check';
import { until } from '../../test/support/until.ts';
import { greeting, isThanks, listing } from './greeting.ts';
import type { Tool } from './offered.ts';
import { createServer } from './server.ts';
import { ALL, EVERYDAY, toolsOf } from './tools.ts';

const HELLO = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'it', version: '1' },
};
const request = (method: string, params?: unknown) =>
  JSON.parse(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }));

/** What the protocol's library answers to messages. @param count answers to wait for */
async function byLibrary(messages: object[], tools: readonly Tool[] = EVERYDAY) {
  const answers: { id?: unknown }[] = [];
  const send = async (answer: object) => void answers.push(answer);
  const wire: { onmessage?: (message: JSONRPCMessage) => void } = {};
  const call = () => Promise.reject(new Error('called'));
  const transport = Object.assign(wire, { start: async () => {}, close: async () => {}, send });
  const handle = serveStdio(
    () => createServer({ tools, call, version: '1.2.3', session: 's', log: () => {} }),
    { transport },
  );
  // What is never answered is passed over by the time this is.
  const last = { jsonrpc: '2.0', id: 'last', method: 'ping' };
  for (const message of [...messages, last]) wire.onmessage?.(message as JSONRPCMessage);
  await until(() => answers.some(({ id }) => id === 'last'));
  await handle.close();
  return answers.filter(({ id }) => id !== 'last');
}

describe('[U-9] what is answered before the protocol’s library is loaded', () => {
  it('is its own answer, in every version and for any tools', async () => {
    for (const tools of [EVERYDAY, toolsOf(ALL), toolsOf('memos')])
      for (const protocolVersion of [...SUPPORTED_PROTOCOL_VERSIONS, '2026-07-28', 'unheard of']) {
        const hello = request('initialize', { ...HELLO, protocolVersion });
        const list = request('tools/list', {});
        const own = [greeting(hello, tools, '1.2.3'), listing({ ...list, id: 'two' }, tools)];
        const theirs = await byLibrary([hello, { ...list, id: 'two' }], tools);
        assert.equal(JSON.stringify(own), JSON.stringify(theirs), protocolVersion);
      }
  });

  it('is what clients in use say of themselves', () => {
    for (const more of [
      {
        clientInfo: {
          name: 'a',
          title: 'A',
          version: '1',
          websiteUrl: 'https://a.example',
          description: 'x',
        },
      },
      { capabilities: { roots: { listChanged: true }, sampling: {}, elicitation: {} } },
      { capabilities: { roots: {}, elicitation: { form: {}, url: {} }, sampling: { tools: {} } } },
      { capabilities: { experimental: { a: { b: 1 } }, extensions: { c: {} } } },
      { _meta: { progressToken: 0 } },
    ])
      assert(greeting(request('initialize', { ...HELLO, ...more }), EVERYDAY, '1'), JSON.stringify(more));
    for (const params of [undefined, {}, { _meta: { progressToken: 'x' } }])
      assert(listing(request('tools/list', params), EVERYDAY));
    assert(isThanks({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  });

  it('is never what the library refuses, whatever a client says', async () => {
    const flaw = fc.constantFrom<unknown>(
      undefined,
      null,
      1,
      '',
      [],
      {},
      true,
      { a: 1 },
      { listChanged: 1 },
      'x',
    );
    const path = fc.constantFrom(
      ['id'],
      ['jsonrpc'],
      ['params'],
      ['params', '_meta'],
      ['params', '_meta', 'progressToken'],
      ['params', 'more'],
      ['params', 'protocolVersion'],
      ['params', 'capabilities'],
      ...['roots', 'sampling', 'elicitation', 'experimental', 'tasks', 'extensions'].map((name) => [
        'params',
        'capabilities',
        name,
      ]),
      ['params', 'capabilities', 'elicitation', 'form'],
      ['params', 'capabilities', 'sampling', 'context'],
      ['params', 'capabilities', 'roots', 'listChanged'],
      ['params', 'clientInfo'],
      ...['name', 'title', 'version', 'icons', 'websiteUrl'].map((name) => ['params', 'clientInfo', name]),
    );
    let answered = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(path, flaw), { maxLength: 3 }), async (flaws) => {
        const made = request('initialize', HELLO);
        // A flaw is drawn more than once, and a later one may be put into it.
        for (const [names, value] of flaws) put(made, names, structuredClone(value));
        // As it comes through a pipe, which carries no `undefined`.
        const hello = JSON.parse(JSON.stringify(made));
        const own = greeting(hello, EVERYDAY, '1.2.3');
        if (!own) return;
        answered++;
        assert.equal(JSON.stringify([own]), JSON.stringify(await byLibrary([hello])));
      }),
      { numRuns: 500 },
    );
    assert(answered > 20, `${answered} were answered`);
  });

  it('is nothing else', () => {
    for (const message of [
      undefined,
      null,
      7,
      [],
      {},
      request('ping'),
      { ...request('tools/list'), jsonrpc: '1.0' },
      { ...request('tools/list'), id: 1.5 },
      request('tools/list', { cursor: 'x' }),
      request('tools/list', null),
      request('tools/list', []),
    ]) {
      assert.equal(listing(message, EVERYDAY), undefined, JSON.stringify(message));
      assert.equal(greeting(message, EVERYDAY, '1'), undefined);
    }
    for (const message of [request('notifications/initialized'), request('ping'), null])
      assert(!isThanks(message), JSON.stringify(message));
  });
});

/** Puts a value into a message, where the objects around it are there; undefined takes away what is there. */
function put(message: Record<string, unknown>, [name = '', ...names]: string[], value: unknown): void {
  if (names.length === 0 && value === undefined) delete message[name];
  else if (names.length === 0) message[name] = value;
  else if (typeof message[name] === 'object' && message[name] !== null)
    put(message[name] as Record<string, unknown>, names, value);
  else if (name === 'roots' || name === 'elicitation' || name === 'sampling' || name === '_meta')
    message[name] = { [names[0] ?? '']: value };
}
