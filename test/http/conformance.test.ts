import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { conformanceServer } from '../support/conformance.ts';
import { scratch } from '../support/engines.ts';
import { inTurn } from '../support/part.ts';
import { ROOT } from '../support/program.ts';
import { type Serving, serving } from '../support/serving.ts';

const SUITE = join(ROOT, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** They need a client's answer to reach the session that asked: this server keeps none, and asks clients nothing. */
const NO_SESSIONS = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
  // Passes, with a warning that the server has no sessions, which the suite takes for a failure here.
  'server-sse-multiple-streams',
];

describe('[H-4] conformance', () => {
  const folder = scratch();
  let server: Serving;
  let proxy: Server;
  before(async () => {
    server = await serving(folder, {}, { serverFor: conformanceServer });
    // The suite sends no Authorization header and has no option for one.
    proxy = createServer((given, answer) => {
      const own = `localhost:${(proxy.address() as AddressInfo).port}`;
      const host = given.headers.host === own ? `127.0.0.1:${server.port}` : given.headers.host;
      const headers = { ...given.headers, host, authorization: `Bearer ${server.tokens.all}` };
      if (given.headers.origin === `http://${own}`) headers.origin = server.url;
      const { method, url: path } = given;
      const passed = request({ host: '127.0.0.1', port: server.port, method, path, headers }, (response) => {
        answer.writeHead(response.statusCode ?? 502, response.headers);
        response.pipe(answer);
      });
      passed.on('error', () => answer.destroy());
      answer.on('close', () => passed.destroy());
      given.pipe(passed);
    });
    await new Promise<void>((resolve) => proxy.listen(0, () => resolve()));
  });
  after(async () => {
    proxy.closeAllConnections();
    await new Promise((resolve) => proxy.close(resolve));
    await server.close();
  });

  const revisions: [revision: string, expected: string[]][] = [
    ['2025-11-25', NO_SESSIONS],
    ['2026-07-28', []],
  ];
  for (const [revision, expected] of inTurn(revisions, 0))
    it(`all that ${revision} requires, but ${expected.length} that need sessions`, async () => {
      const baseline = join(folder, `${revision}.yml`);
      writeFileSync(baseline, JSON.stringify({ server: expected }));
      const url = `http://localhost:${(proxy.address() as AddressInfo).port}/mcp`;
      const args = [
        SUITE,
        'server',
        '--url',
        url,
        '--requirements',
        revision,
        '--expected-failures',
        baseline,
      ];
      const { code, text } = await new Promise<{ code: unknown; text: string }>((resolve) =>
        execFile(process.execPath, args, { cwd: folder, maxBuffer: 2 ** 26 }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, text: stdout + stderr }),
        ),
      );
      assert.equal(code, 0, text.slice(-6_000));
    });
});
