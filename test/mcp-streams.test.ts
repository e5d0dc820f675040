import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HELLO, workbench } from './support/program.ts';
import { until } from './support/until.ts';

const call = (id: number, name: string, input: object) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })}\n`;
const WORDS = 'words '.repeat(33_000);

describe('MCP streams', { concurrency: 2 }, () => {
  it('[C-6] what is no message is answered by the right error and one line in the log', async (test) => {
    const server = workbench(test).serve();
    await server.ask(1, 'initialize', HELLO);
    for (const line of [
      'garbage',
      '{"jsonrpc":',
      'null',
      '{"jsonrpc":"2.0"}',
      '{"jsonrpc":"2.0","id":7,"method":"ping","params":3}',
      '[{"jsonrpc":"2.0","id":8,"method":"ping"},{"jsonrpc":"2.0","id":9,"method":"ping"}]',
      '['.repeat(1_000_000),
      '',
      '{"jsonrpc":"2.0","id":3,"result":4}',
    ])
      server.write(line);
    await server.ask(2, 'ping', {});
    server.child.stdin.end();
    assert.equal(await server.exited, 0);
    const errors = server.lines.map((line) => JSON.parse(line)).filter(({ error }) => error);
    assert.deepEqual(
      errors.map(({ id, error }) => [id, error.code]),
      [
        [null, -32700],
        [null, -32700],
        [null, -32600],
        [null, -32600],
        [7, -32600],
        [null, -32600],
        [null, -32600],
      ],
    );
    const log = (await server.stderr).trim().split('\n');
    assert.equal(log.length, errors.length + 1, 'a broken answer is in the log alone');
    for (const line of log) assert.match(line, /^precedent: A message was refused: Expected .* found .*\.$/);
  });

  it('[C-6] a message over the limit is refused, and the longest that is allowed is read', async (test) => {
    const server = workbench(test).serve();
    await server.ask(1, 'initialize', HELLO);
    server.write('x'.repeat(70_000_000));
    const { error } = await server.answer(2, 'tools/call', { name: 'x'.repeat(60_000_000) });
    assert.equal(error.code, -32602);
    assert.match(server.lines[1] ?? '', /"id":null,"error":\{"code":-32600.* 67108864 bytes/);
  });

  it('[C-6] a client that reads late, and has hung up by then, gets every answer', async (test) => {
    const { child, exited } = workbench(test).start(['mcp']);
    let said = '';
    child.stderr.on('data', (data) => {
      said += data;
    });
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })}\n`);
    child.stdin.write(call(1, 'mem_save', { title: 'big', content: WORDS }));
    const ids = Array.from({ length: 80 }, (_, n) => n + 2);
    for (const id of ids) child.stdin.write(call(id, 'mem_get_observation', { id: 1 }));
    child.stdin.end();
    // The pipe is full, and nobody reads it.
    let chunks = '';
    child.stdout.pause();
    await until(() => child.stdout.readableLength > 0 || child.exitCode !== null);
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      chunks += chunk;
    });
    child.stdout.resume();
    assert.equal(await exited, 0);
    await until(() => child.stdout.readableEnded);
    const answered = chunks
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id);
    assert.deepEqual(
      answered.sort((a, b) => a - b),
      [0, 1, ...ids],
    );
    assert.equal(said, 'precedent: New workspace "bench".\n', 'no warning of Node');
  });

  it('[C-6] a client that is killed with its answers unread leaves no server behind', async (test) => {
    const { child, exited } = workbench(test).start(['mcp']);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })}\n`);
    child.stdin.write(call(1, 'mem_save', { title: 'big', content: WORDS }));
    for (let id = 2; id < 80; id++) child.stdin.write(call(id, 'mem_get_observation', { id: 1 }));
    await until(() => child.stdout.readableLength > 0 || child.exitCode !== null);
    child.stdout.destroy();
    child.stdin.destroy();
    assert.equal(await exited, 0);
  });

  it('[C-6] ends on SIGTERM also while its answers wait for a reader', async (test) => {
    const { child, exited } = workbench(test).start(['mcp']);
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: HELLO })}\n`);
    child.stdin.write(call(1, 'mem_save', { title: 'big', content: WORDS }));
    for (let id = 2; id < 80; id++) child.stdin.write(call(id, 'mem_get_observation', { id: 1 }));
    child.stdin.end();
    await until(() => child.stdout.readableLength > 0 || child.exitCode !== null);
    child.kill('SIGTERM');
    assert.equal(await exited, 0);
  });
});
