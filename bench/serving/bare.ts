import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { print } from '../measure.ts';

/** A server that reads JSON and answers some: what sockets and HTTP take by themselves. */
const answer = JSON.stringify({ text: 'x'.repeat(300) });
const server = createServer(async (request, response) => {
  await json(request);
  response.writeHead(200, { 'content-type': 'application/json' }).end(answer);
});
// Callers come back after a while.
server.keepAliveTimeout = 0;
server.listen(0, '127.0.0.1', () => print(`:${(server.address() as AddressInfo).port}`));
