import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { compare, heading, machine } from './measure.ts';

/**
 * The same work over MCP against the reference memory server, fetched for this run: knowledge saved, found and read at
 * growing sizes. That one keeps a file of JSON lines, which it reads and writes as a whole.
 *
 *   node bench/peer.ts
 */
const PEER = '@modelcontextprotocol/server-memory@2026.8.31';
const SIZES = [100, 1_000, 10_000];

const folder = mkdtempSync(join(tmpdir(), 'precedent-bench-'));
// Whatever npm needs to fetch the peer.
const env = process.env as Record<string, string>;
try {
  machine();
  for (const size of SIZES) await measure(size);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function connect(command: string, args: string[], own: Record<string, string>): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...env, ...own }, stderr: 'ignore' }),
  );
  return client;
}

async function measure(size: number): Promise<void> {
  const ours = await connect(process.execPath, ['dist/precedent.cjs', 'mcp'], {
    PRECEDENT_DB: join(folder, `${size}.db`),
  });
  const theirs = await connect('npx', ['--yes', PEER], { MEMORY_FILE_PATH: join(folder, `${size}.json`) });
  const call = async (client: Client, name: string, input: Record<string, unknown>) => {
    const result = await client.callTool({ name, arguments: input });
    if (result.isError) throw new Error(`${name}: ${JSON.stringify(result.content).slice(0, 200)}`);
    return result;
  };
  const text = (n: number) =>
    `The service number ${n} talks to word${n % 97} over a queue and keeps word${n % 31}`;
  // One call for all, since one by one a file that is rewritten each time takes minutes.
  const entities = Array.from({ length: size }, (_, n) => ({
    name: `entity ${n}`,
    entityType: 'note',
    observations: [text(n)],
  }));
  for (let n = 0; n < size; n += 1_000) {
    await call(theirs, 'create_entities', { entities: entities.slice(n, n + 1_000) });
  }
  for (let n = 0; n < size; n++) await call(ours, 'mem_save', { title: `entity ${n}`, content: text(n) });

  heading(`${size} notes, over MCP, milliseconds`, ['Precedent', 'server-memory']);
  const runs = size > 1_000 ? 15 : 40;
  await compare(
    'save one',
    runs,
    (n) => call(ours, 'mem_save', { title: `new ${n}`, content: `${text(n)} new` }),
    (n) =>
      call(theirs, 'create_entities', {
        entities: [{ name: `new ${n}`, entityType: 'note', observations: [`${text(n)} new`] }],
      }),
  );
  await compare(
    'find one by a word of its text',
    runs,
    (n) => call(ours, 'mem_search', { query: `word${n % 97}` }),
    (n) => call(theirs, 'search_nodes', { query: `word${n % 97}` }),
  );
  await compare(
    'read one',
    runs,
    (n) => call(ours, 'mem_get_observation', { id: n + 1 }),
    (n) => call(theirs, 'open_nodes', { names: [`entity ${n}`] }),
  );
  await Promise.all([ours.close(), theirs.close()]);
}
