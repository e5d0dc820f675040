import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listen as startServer } from '../../src/http/listen.ts';
import { openMemory } from '../../src/memory/memory.ts';
import { replacePauses } from '../support/clock.ts';
import { scratch } from '../support/engines.ts';
import { serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

describe('[H-5] a server under load', () => {
  const [waiting, many] = [scratch(), scratch()];

  it('turns away who would wait too long, at once, and says when to come again', async (test) => {
    let open = () => {};
    const gate = new Promise<void>((resolve) => {
      open = resolve;
    });
    const opened = async (workspace: string) => {
      await gate;
      return openMemory({ db: join(waiting, `${workspace}.db`), workspace });
    };
    const server = await serving(waiting, {}, { source: { open: opened } });
    test.after(() => {
      // Calls that are not refused would keep the server from closing.
      open();
      return server.close();
    });
    const statuses: number[] = [];
    const calls = Array.from({ length: 80 }, () =>
      server.api('shop/mem_stats', {}).then(({ status }) => void statuses.push(status)),
    );
    // Of one token three run, and half of all places to wait are its (Z-5).
    await until(() => statuses.length === 80 - 3 - 32);
    assert.deepEqual(new Set(statuses), new Set([503]));
    open();
    await Promise.all(calls);
    assert.equal(statuses.filter((status) => status === 200).length, 3 + 32);
  });

  it('bears 600 connections at once, and those that send nothing or half', async (test) => {
    const server = await serving(many);
    test.after(() => server.close());
    const sockets = Array.from({ length: 600 }, () => connect(server.port, '127.0.0.1'));
    for (const socket of sockets) socket.on('error', () => {});
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    for (const socket of sockets.slice(0, 200)) socket.write('POST /mcp HTTP/1.1\r\nHost: x');
    for (const socket of sockets.slice(100)) socket.destroy();
    const answered = async () =>
      (await server.api('shop/mem_stats', {}).catch(() => undefined))?.status === 200;
    await until(answered);
    for (const socket of sockets) socket.destroy();
  });
});

describe('[OP-1] a server that ends', () => {
  it('answers what came directly before, on a connection that was kept and on a new one', async () => {
    const server = await startServer(() => new Response('answered'), { host: '127.0.0.1', port: 0 });
    const port = server.port as number;
    const ask = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const kept = connect(port, '127.0.0.1', () => kept.write(ask));
    await once(kept, 'data');
    const said = ['', ''];
    const ended: Promise<unknown>[] = [];
    const listenTo = (socket: typeof kept, at: number) => {
      socket.on('data', (text) => {
        said[at] = `${said[at]}${text}`;
      });
      ended.push(new Promise((resolve) => socket.on('error', resolve).on('close', resolve)));
    };
    listenTo(kept, 0);
    // Both are sent before the server looks at its sockets again.
    await server.close(async () => {
      kept.write(ask);
      const fresh = connect(port, '127.0.0.1');
      fresh.write(ask);
      listenTo(fresh, 1);
    });
    await Promise.all(ended);
    for (const text of said) assert.match(text, /answered/);
  });

  it('takes new connections for some seconds where a load balancer asks whether it is ready', async (test) => {
    const server = await startServer(() => new Response('answered'), { host: '127.0.0.1', port: 0 });
    const answers: string[] = [];
    const pauses = replacePauses(test, async (milliseconds) => {
      if (milliseconds < 2_000) return;
      const response = await fetch(`http://127.0.0.1:${server.port}`, { headers: { connection: 'close' } });
      answers.push(await response.text());
    });
    await server.close(async () => {}, true);
    assert.deepEqual([pauses[0], answers], [5_000, ['answered']]);
  });
});
