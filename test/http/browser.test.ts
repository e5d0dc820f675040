import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { NO_CHROMIUM, startChromium } from '../support/chromium.ts';
import { scratch } from '../support/engines.ts';
import { GRANT, type Serving, serving } from '../support/serving.ts';

const SAVE = { type: 'decision', topic: 'a:b', decision: 'owned', reasoning: 'r' };

describe('[H-3] what a page of another site tries in a browser', { skip: NO_CHROMIUM }, () => {
  const folder = scratch();
  let server: Serving;
  let evil: Server;
  let evilPort: number;
  let browser: Browser;
  before(async () => {
    // One that asks for no token: only what the browser says of itself is between the page and the memories.
    server = await serving(folder, {}, { authenticate: async () => GRANT });
    evil = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>evil</title>');
    });
    await new Promise<void>((resolve) => evil.listen(0, '127.0.0.1', () => resolve()));
    evilPort = (evil.address() as AddressInfo).port;
    browser = await startChromium();
  });
  after(async () => {
    evil?.closeAllConnections();
    await new Promise((resolve) => evil.close(resolve));
    await server?.close();
  });
  const opened = async (url: string) => {
    const page = await browser.newPage();
    await page.goto(url);
    return page;
  };
  const nothingHappened = () => {
    assert.deepEqual(server.audited, []);
    assert.deepEqual(readdirSync(folder), []);
  };
  /** Runs code in a page, as a page's own script would. */
  const run = <Result>(page: Page, code: string) => page.evaluate<Result>(`(async () => {${code}})()`);
  /** What a page gets when it asks: the status and text of the answer, `opaque`, or the error. */
  const ask = (page: Page, url: string, init: object) =>
    run<string>(
      page,
      `try {
        const answer = await fetch(${JSON.stringify(url)}, ${JSON.stringify(init)});
        return answer.type === 'opaque' ? 'opaque' : answer.status + ' ' + (await answer.text());
      } catch (error) {
        return String(error);
      }`,
    );
  const message = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'mama_save', arguments: SAVE },
  };
  const headers = { 'content-type': 'application/json', authorization: 'Bearer prec_stolen' };

  for (const name of ['other.example', 'localhost', '127.0.0.1'])
    it(`reads nothing and writes nothing, from ${name} and another port`, async (test) => {
      const page = await opened(`http://${name}:${evilPort}/`);
      test.after(() => page.close());
      for (const [path, body] of [
        ['/api/v1/shop/mama_save', SAVE],
        ['/mcp/shop', message],
      ] as const) {
        const url = server.url + path;
        const text = JSON.stringify(body);
        assert.match(await ask(page, url, { method: 'POST', headers, body: text }), /Failed to fetch/);
        const simple = { method: 'POST', mode: 'no-cors', credentials: 'include', body: text } as const;
        assert.match(await ask(page, url, simple), /opaque|Failed/);
      }
      for (const path of ['/api/v1/me', '/metrics', '/api/v1/openapi.json', '/healthz'])
        assert.match(await ask(page, server.url + path, {}), /Failed to fetch/, path);
      nothingHappened();
    });

  it('embeds nothing: no script, no picture, no frame; and a form that it sends is refused', async (test) => {
    const page = await opened(`http://localhost:${evilPort}/`);
    test.after(() => page.close());
    const ended = await run(
      page,
      `const loaded = (tag, src) => new Promise((resolve) => {
        const element = Object.assign(document.createElement(tag), { src });
        element.onload = () => resolve('loaded');
        element.onerror = () => resolve('refused');
        document.body.append(element);
      });
      const url = '${server.url}';
      return [await loaded('script', url + '/api/v1/openapi.json'), await loaded('img', url + '/api/v1/me')];`,
    );
    assert.deepEqual(ended, ['refused', 'refused']);
    await run(
      page,
      `const frame = Object.assign(document.createElement('iframe'), { src: '${server.url}/healthz' });
      document.body.append(frame);
      await new Promise((resolve) => { frame.onload = resolve; });`,
    );
    const framed = await page.frames()[1]?.evaluate<string>("document.body?.innerText ?? ''");
    assert.doesNotMatch(framed ?? '', /alive/);
    const [answer] = await Promise.all([
      page.waitForResponse((each) => each.request().method() === 'POST'),
      run(
        page,
        `const form = Object.assign(document.createElement('form'), {
          method: 'POST', action: '${server.url}/api/v1/shop/mama_save', enctype: 'text/plain',
        });
        document.body.append(form);
        form.submit();`,
      ),
    ]);
    assert.equal(answer.status(), 403);
    nothingHappened();
  });

  it('reaches nothing by a name of its own that it points at this machine', async (test) => {
    // Nothing but the name in Host is between such a page and the server: to the browser they are one site.
    const page = await browser.newPage({ bypassCSP: true });
    test.after(() => page.close());
    const home = `http://evil.example:${server.port}`;
    // A probe answers to any name, and tells nothing (OP-4).
    assert.equal((await page.goto(`${home}/healthz`))?.status(), 200);
    assert.match(await ask(page, `${home}/metrics`, {}), /^403 .*name of this server/);
    const body = JSON.stringify(SAVE);
    assert.match(await ask(page, `${home}/api/v1/me`, { headers }), /^403 .*name of this server/);
    assert.match(
      await ask(page, `${home}/api/v1/shop/mama_save`, { method: 'POST', headers, body }),
      /^403 /,
    );
    assert.match(await ask(page, `${home}/mcp`, { method: 'POST', headers, body }), /^403 /);
    nothingHappened();
  });

  it('runs no script in an answer of this server, and sends nothing from it', async (test) => {
    const page = await opened(`${server.url}/healthz`);
    test.after(() => page.close());
    const errors: string[] = [];
    page.on('console', (said) => errors.push(said.text()));
    const ran = await run(
      page,
      `document.body.innerHTML = '<img src=x onerror="window.ran = 1"><svg onload="window.ran = 1"></svg>';
      const script = document.createElement('script');
      script.textContent = 'window.ran = 1';
      document.body.append(script);
      const sent = await fetch('http://localhost:${evilPort}/').then(() => 'sent', () => 'blocked');
      return [window.ran ?? 'not run', sent];`,
    );
    assert.deepEqual(ran, ['not run', 'blocked']);
    assert.ok(errors.some((each) => each.includes('Content Security Policy')));
  });
});
