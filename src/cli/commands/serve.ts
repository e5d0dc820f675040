import { defineCommand } from '../own-command.ts';
import { PORT } from '../serving/where.ts';

export const serve = defineCommand({
  name: 'serve',
  summary: 'Serve the memories over HTTP: MCP for agents, a JSON API for programs, a page for people',
  examples: ['serve', 'serve --port 8080 --audit audit.jsonl', 'serve --write'],
  options: {
    port: { value: 'number', about: `the port; default: ${PORT}; 0 takes a free one` },
    host: {
      value: 'address',
      about: 'the address to listen at; default: 127.0.0.1, which this machine alone can reach',
    },
    socket: { value: 'path', about: 'listen at a socket of this machine instead, for a proxy' },
    publicUrl: {
      value: 'url',
      about: 'the address under which others reach it, such as https://memory.example',
    },
    trustProxy: {
      value: 'addresses',
      about:
        'trust these proxies to say where a request comes from: addresses, networks or loopback, separated by commas',
    },
    tokens: {
      value: 'file',
      about: 'the tokens that are accepted; default: those of "precedent token add" (PRECEDENT_TOKENS)',
    },
    connections: {
      value: 'number',
      about: 'the most connections to a database server that it opens, for all memories; default: 10',
    },
    noAuth: { about: 'accept every program of this machine, without a token' },
    oauthIssuer: { value: 'url', about: 'also accept the access tokens of this identity provider' },
    oauthJwks: { value: 'url', about: 'the address of its keys; default: the one in its metadata' },
    oauthAudience: { value: 'text', about: 'the audience of its tokens; default: /mcp below --public-url' },
    oauthWorkspacesClaim: {
      value: 'name',
      about: 'the claim that lists a token’s workspaces; default: workspaces',
    },
    oauthAuthorClaim: { value: 'name', about: 'the claim that says who writes; default: name' },
    oauthLogin: {
      value: 'client',
      about: 'let people log in to the page by this client of the provider (PRECEDENT_OAUTH_SECRET)',
    },
    oauthLoginScope: {
      value: 'scopes',
      about: 'what the page asks the provider for; default: memory:read memory:write',
    },
    tools: { value: 'families', about: 'which tools MCP offers, as for precedent mcp' },
    write: { about: 'let the page record outcomes, withdraw and add evidence, for tokens that may write' },
    audit: {
      value: 'file',
      about: 'keep a line of JSON for each call (who, when, which operation); - for standard output',
    },
  },
  json: false,
  async run(options, place) {
    const { serveHttp } = await import('../serving/run.ts');
    await serveHttp(options, place);
    return undefined;
  },
});
