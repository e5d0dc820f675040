import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import * as z from 'zod';
import pkg from '../package.json' with { type: 'json' };
import {
  committed,
  HAS_REPOSITORY,
  LABELS,
  REGISTRY_NAME,
  REPOSITORY,
  released,
} from '../scripts/manifests.ts';

const files = new Map([...committed(), ...released()]);
const read = (path: string) => JSON.parse(files.get(path) ?? 'null');
/** What the MCP registry documents of `server.json`, as far as it is used. */
const server = z.strictObject({
  $schema: z.url(),
  name: z
    .string()
    .regex(/^io\.github\.[a-zA-Z0-9-]+\/[a-zA-Z0-9._-]+$/)
    .max(200),
  title: z.string().max(100),
  description: z.string().min(1).max(100),
  version: z.string().regex(/^\d+\.\d+\.\d+/),
  repository: z.strictObject({ url: z.url(), source: z.literal('github') }),
  packages: z.tuple([
    z.strictObject({
      registryType: z.literal('npm'),
      identifier: z.literal(pkg.name),
      version: z.literal(pkg.version),
      runtimeHint: z.literal('npx'),
      transport: z.strictObject({ type: z.literal('stdio') }),
      packageArguments: z.array(z.strictObject({ type: z.literal('positional'), value: z.string() })),
      environmentVariables: z.array(
        z.strictObject({ name: z.string(), description: z.string(), isSecret: z.boolean().optional() }),
      ),
    }),
  ]),
});

describe('a release', () => {
  it('[L-1] one source says name, version and description to every registry and agent', () => {
    assert(pkg.description.length <= 100, `${pkg.description.length} characters`);
    assert.deepEqual(server.parse(read('server.json')).name, REGISTRY_NAME);
    const saying = [...files].filter(
      ([path, text]) => path.endsWith('.json') && /"version"|"description"/.test(text),
    );
    assert(saying.length >= 6, saying.map(([path]) => path).join(' '));
    for (const [path, text] of saying) {
      for (const [, version] of text.matchAll(/^ {0,4}"version": "(.*)"/gm))
        assert.equal(version, pkg.version, path);
      for (const [, about] of text.matchAll(/^ {0,4}"(?:short)?[dD]escription": "(.*)"/gm))
        assert.equal(about, pkg.description, path);
    }
    const container = readFileSync('deploy/Containerfile', 'utf8');
    for (const [label, value] of Object.entries(LABELS))
      assert(container.includes(`LABEL ${label}="${value}"`), label);
  });

  it('[L-1] the address of the repository is said once, and belongs to nobody until somebody publishes', () => {
    const hosts = globSync(['*.json', '**/.*/**/*.json', 'deploy/*', 'docs/**/*.md', '*.md'], {
      exclude: ['node_modules', 'dist'],
    });
    const naming = hosts.filter((file) => readFileSync(file, 'utf8').includes(new URL(REPOSITORY).host));
    assert.deepEqual(
      naming.filter((file) => !['package.json', 'deploy/Containerfile'].includes(file)),
      [],
    );
    assert.equal(HAS_REPOSITORY, !REPOSITORY.includes('.invalid'));
  });

  it('[L-1] the bundle starts what it holds, in a memory that the person names', () => {
    const { server: started, user_config: asked } = read('manifest.json');
    assert.deepEqual(started.mcp_config.args.at(-1), 'mcp');
    assert.equal(
      started.mcp_config.env.PRECEDENT_WORKSPACE.match(/user_config\.(\w+)/)?.[1],
      Object.keys(asked)[0],
    );
    assert(started.mcp_config.args[0].endsWith(started.entry_point));
  });

  it('[L-1] the links that install into an editor hold the server that the plugins start', () => {
    const page = files.get('docs/agents.md') ?? '';
    const [cursor, vscode] = [...page.matchAll(/\?name=precedent&config=([^)]*)\)/g)].map(([, config = '']) =>
      decodeURIComponent(config),
    );
    const { args, ...server } = read('gemini-extension.json').mcpServers.precedent;
    assert.deepEqual(JSON.parse(vscode ?? ''), { ...server, args });
    assert.deepEqual(JSON.parse(atob(cursor ?? '')), {
      ...server,
      args: [...args.slice(0, -1), '--workspace', 'cursor', 'mcp'],
    });
  });

  it('[L-3] each workflow has read rights unless it publishes, no secret, and runs scripts that exist', () => {
    const workflows = globSync('.github/workflows/*.yml');
    assert(workflows.length >= 2);
    for (const file of workflows) {
      const text = readFileSync(file, 'utf8');
      const { permissions, jobs, on } = parse(text);
      assert.deepEqual(permissions, { contents: 'read' }, file);
      assert.doesNotMatch(text, /secrets\.|pull_request_target/, file);
      const publishes = Object.values<{ permissions?: object }>(jobs).some((job) => job.permissions);
      assert.equal(publishes, Boolean(on.push?.tags), file);
      for (const [, name = ''] of text.matchAll(/npm run ([\w:]+)/g)) assert(name in pkg.scripts, name);
    }
    const { jobs } = parse(readFileSync('.github/workflows/test.yml', 'utf8'));
    assert.deepEqual(jobs.suite.strategy.matrix, {
      os: ['ubuntu-latest', 'macos-latest', 'windows-latest'],
      node: ['22.18.0', '24'],
    });
    assert.equal(pkg.engines.node, '>=22.18.0');
  });
});
