import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Client, InMemoryTransport } from '@modelcontextprotocol/client';
import { PrecedentError } from '../domain/error.ts';
import { offered } from '../operations/offered.ts';
import { createServer } from './server.ts';
import { Shown } from './shown.ts';

it('[D-12] any error but one of ours is internal, its detail in the log alone', async () => {
  const log: string[] = [];
  let failure: Error = new TypeError('the detail');
  const server = createServer({
    tools: offered,
    call: async () => {
      throw failure;
    },
    version: '1.0',
    session: 's',
    shown: new Shown(),
    log: (message, level) => log.push(`${level}: ${message}`),
  });
  const client = new Client({ name: 'tester', version: '1.0' });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(ours), client.connect(theirs)]);
  const said = async () => {
    const { isError, content } = await client.callTool({ name: 'recall', arguments: {} });
    const [block] = content;
    return { isError, text: block?.type === 'text' ? block.text : undefined };
  };

  const message = 'Something unforeseen went wrong; the log has the detail.';
  assert.deepEqual(await said(), { isError: true, text: `internal: ${message}` });
  assert.match(log.join('\n'), /^error: internal error: TypeError: the detail/);
  failure = new PrecedentError('conflict', 'name_taken', 'It exists.');
  assert.deepEqual(await said(), { isError: true, text: 'conflict: It exists.' });
  assert.equal(log.length, 1);
  await client.close();
});
