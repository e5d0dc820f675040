import assert from 'node:assert/strict';
import type { Grant } from '../../src/http/access/grant.ts';
import type { Result } from '../support/program.ts';
import { type Serving, serving } from '../support/serving.ts';
import type { Attack, Scene } from './scene.ts';

/** Names by which a program might pass for a person, for the page or for an import. */
const SELF_NAMED = [
  'cli',
  'page',
  'import:adr',
  'person’s token kim: cli',
  ' cli',
  '\u0007cli\u0007',
  'cli/1.0',
];

/** Who wrote what, as a person is told. */
type Told = Map<string, { via: string | undefined; waits: boolean }>;

/** Serves the scene's folder with the tokens of a program and of a person. */
async function withTokens(scene: Scene, work: (server: Serving) => Promise<void>) {
  const grants: Record<string, Partial<Grant>> = { program: {}, kim: { person: true } };
  const server = await serving(scene.folder, grants);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

const send = (server: Serving, path: string, token: string, headers: object, body: object) =>
  fetch(server.url + path, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${server.tokens[token]}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(body),
  });

const saving = (topic: string) => ({ topic, decision: topic, reasoning: 'r', strength: 'axis' });

/** How a program may name itself over HTTP: each way saves one decision. */
const WAYS: Record<
  string,
  (server: Serving, token: string, name: string, topic: string) => Promise<Response>
> = {
  'its user agent': (server, token, name, topic) =>
    send(server, '/api/v1/main/mama_save', token, { 'user-agent': visible(name) }, saving(topic)),
  'the header of the page': (server, token, name, topic) =>
    send(
      server,
      '/api/v1/main/mama_save',
      token,
      { 'user-agent': visible(name), 'precedent-page': '1' },
      saving(topic),
    ),
  'the name of an MCP client': (server, token, name, topic) =>
    send(
      server,
      '/mcp/main',
      token,
      { 'user-agent': visible(name) },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'mama_save', arguments: saving(topic) },
      },
    ),
};
/** A header takes no other characters. */
const visible = (name: string) => name.replace(/[^\x20-\x7e]/g, '');

/** What a person with a token is told of each decision. */
async function told(server: Serving): Promise<Told> {
  const { body } = await server.api('main/decision_list', { limit: 100 });
  const { decisions } = body as unknown as Result<'decision_list'>;
  const { groups } = (await server.api('main/review', {})).body as unknown as Result<'review'>;
  return toldBy(decisions, groups);
}

function toldBy(decisions: Result<'decision_list'>['decisions'], groups: Result<'review'>['groups']): Told {
  const waiting = new Set(groups.flatMap(({ items }) => items.map(({ id }) => id)));
  return new Map(decisions.map(({ id, topic, via }) => [topic ?? '', { via, waits: waiting.has(id) }]));
}

/** Who is said to have written each decision by the command line, and whether it waits. */
async function toldHere({ call }: Scene): Promise<Told> {
  const { decisions } = JSON.parse((await call(['list', '--json'])).stdout) as Result<'decision_list'>;
  const { groups } = JSON.parse((await call(['review', '--json'])).stdout) as Result<'review'>;
  return toldBy(decisions, groups);
}

export const WRITERS: Attack[] = [
  {
    tries: 'a program with a token calls itself a person, the page or an import [Z-14]',
    faces: Object.fromEntries(
      Object.entries(WAYS).map(([way, save]) => [
        way,
        (scene: Scene) =>
          withTokens(scene, async (server) => {
            for (const [n, name] of SELF_NAMED.entries())
              assert.equal((await save(server, 'program', name, `s:${n}`)).status, 200, name);
            assert.equal((await save(server, 'kim', 'curl', 's:kim')).status, 200);
            const { 's:kim': kim, ...others } = Object.fromEntries(await told(server));
            assert.equal(Object.keys(others).length, SELF_NAMED.length);
            for (const { via = '', waits } of Object.values(others)) {
              assert.match(via, /^token program: /);
              assert(waits, via);
            }
            // A person with a token of their own is one, but for MCP, which is for agents.
            const isOverMcp = way === 'the name of an MCP client';
            assert.equal(kim?.waits, isOverMcp);
            const expected = {
              'its user agent': 'person’s token kim: curl',
              'the header of the page': 'page',
              'the name of an MCP client': 'token kim: curl',
            };
            assert.equal(kim?.via, expected[way as keyof typeof expected]);
          }),
      ]),
    ),
  },
  {
    tries: 'a program says that a person has reviewed what it saved [Z-14]',
    faces: {
      'with its token': (scene) =>
        withTokens(scene, async (server) => {
          await server.api('main/mama_save', saving('s:a'), server.tokens.program);
          const { groups } = (await server.api('main/review', {}, server.tokens.program))
            .body as unknown as Result<'review'>;
          const keys = groups.flatMap(({ items }) => items.map(({ key }) => key));
          const marked = await server.api('main/reviewed', { keys }, server.tokens.program);
          assert.equal(marked.status, 403);
          assert.equal((await told(server)).get('s:a')?.waits, true);
          assert.equal((await server.api('main/reviewed', { keys }, server.tokens.kim)).status, 200);
          assert.equal((await told(server)).get('s:a')?.waits, false);
        }),
    },
  },
  {
    tries: 'an agent that speaks MCP over pipes calls itself a person, the page or an import [Z-14]',
    faces: {
      'command line': async (scene) => {
        for (const [n, name] of SELF_NAMED.entries()) {
          const agent = await scene.connect(undefined, { name, version: n % 2 === 0 ? '' : '1.0' });
          await agent.call('mama_save', saving(`s:${n}`));
        }
        const all = await toldHere(scene);
        assert.equal(all.size, SELF_NAMED.length);
        for (const { via = '', waits } of all.values()) {
          assert.match(via, /^mcp /);
          assert(waits, via);
        }
      },
    },
  },
];
