import assert from 'node:assert/strict';
import { type IncomingMessage, ServerResponse } from 'node:http';
import { it } from 'node:test';
import { findOperation } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import type { AuditEntry } from './audit.ts';
import type { Memories } from './memories.ts';
import { Metrics } from './metrics.ts';
import { perform } from './perform.ts';
import { Unread } from './unread.ts';

const grant = {
  name: 'it',
  author: '',
  person: false,
  workspaces: undefined,
  access: 'write' as const,
  expires: 1e15,
};

it('[V-1] a caller is on no branch of the folder that the server was started in', async (test) => {
  const metrics = new Metrics({ waiting: () => 0, version: '0' });
  test.after(() => metrics.close());
  const writers: object[] = [];
  const memory = {
    async call(_name: string, _input: unknown, writer: object) {
      writers.push(writer);
      return {};
    },
  };
  const memories = {
    use: (...[, , , , work]: [unknown, string, string, unknown, (asked: object) => unknown]) => work(memory),
  };
  const desk = {
    memories,
    audit() {},
    metrics,
    unread: new Unread(),
    log() {},
    outage: { worked() {} },
    now: () => 0,
  };
  const response = new ServerResponse({ socket: {} } as IncomingMessage);
  await perform(
    desk as never,
    { grant, face: 'api', client: '', response },
    'shop',
    findOperation('mama_save') as Operation,
    {},
    () => {},
  );
  // What it gives goes before what the folder says.
  const [writer] = writers;
  assert(writer !== undefined && 'branch' in writer && writer.branch === undefined, JSON.stringify(writer));
});

it('[H-5] a clock that is set back takes nothing from what was measured', async (test) => {
  const metrics = new Metrics({ waiting: () => 0, version: '0' });
  test.after(() => metrics.close());
  const audited: AuditEntry[] = [];
  let now = 5_000;
  const desk = {
    memories: { use: async () => ({}) } as unknown as Memories,
    audit: (entry: AuditEntry) => void audited.push(entry),
    metrics,
    unread: new Unread(),
    log: () => {},
    outage: { failed: (error: never) => error, worked() {} },
    now: () => (now -= 1_000),
  };
  const response = new ServerResponse({ socket: {} } as IncomingMessage);
  const recall = findOperation('recall') as Operation;
  await perform(desk, { grant, face: 'api', client: '', response }, 'shop', recall, {}, () => {});
  assert.equal(audited[0]?.ms, 0);
  assert.match(
    metrics.text(() => true),
    /^precedent_request_seconds_sum\{operation="[a-z_]+"\} 0$/m,
  );
});
