import { openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import pkg from '../../../package.json' with { type: 'json' };
import { createApp } from '../../http/app.ts';
import { type Audit, auditLines } from '../../http/audit.ts';
import { type Listening, listen } from '../../http/listen.ts';
import { Memories } from '../../http/memories.ts';
import { Metrics } from '../../http/metrics.ts';
import { toolsOf } from '../../mcp/tools.ts';
import { findHere, shown } from '../open.ts';
import { log } from '../output/print.ts';
import type { PlaceOptions } from '../place.ts';
import { type AccessOptions, accessOf } from './access.ts';
import { once } from './once.ts';
import { readPage } from './page-files.ts';
import { listenAtSocket } from './socket.ts';
import { sourceOf } from './source.ts';
import { addressesOf, type WhereOptions, whereOf } from './where.ts';

export interface ServeOptions extends WhereOptions, AccessOptions {
  tools?: string | undefined;
  audit?: string | undefined;
  write?: boolean | undefined;
}

/** Calls of one token: far more than people and agents make, far fewer than a loop that went wrong. */
const RATE = { burst: 400, perSecond: 100 };
/** How long the memories may take to say that they can be reached, in milliseconds. */
const READY = 2_000;
/** How long that answer holds, in milliseconds: whoever asks needs no token, and must not keep the database busy. */
const SEEN = 1_000;

/** Serves the memories of a place until the process is asked to end. */
export async function serveHttp(options: ServeOptions, placeOptions: PlaceOptions): Promise<void> {
  const tools = toolsOf(options.tools);
  const at = whereOf(options);
  const access = await accessOf(options, at);
  const place = await findHere(placeOptions);
  const source = sourceOf(place, placeOptions);
  const memories = new Memories(source);
  const metrics = new Metrics({ waiting: () => memories.waiting, version: pkg.version });
  let isEnding = false;
  let port: number | undefined;
  const app = createApp({
    memories,
    metrics,
    audit: auditTo(options.audit),
    log,
    now: Date.now,
    authenticate: access.authenticate,
    ...(access.resource && { resource: access.resource }),
    addresses: () => addressesOf(port, at.publicUrl, at.where),
    tools,
    page: { files: readPage(join(import.meta.dirname, 'page')), isWriting: options.write === true },
    rate: RATE,
    version: pkg.version,
    isEnding: () => isEnding,
    isReady: once(() => inTime(source.list()), SEEN, Date.now),
  });
  const listening = await ('path' in at.where
    ? listenAtSocket(at.where.path, () => listen(app.fetch, at.where))
    : listen(app.fetch, at.where));
  port = listening.port;
  const end = asked();
  announce(at.where, port, access, shown(place));

  await end;
  isEnding = true;
  await listening.close(app.close);
  await memories.close();
  process.exit(0);
}

/** Resolves when the process is asked to end; who asks again does not wait for what was begun. */
function asked(): Promise<void> {
  return new Promise((resolve) => {
    let isAsked = false;
    const ask = () => {
      if (isAsked) process.exit(1);
      isAsked = true;
      resolve();
    };
    process.on('SIGTERM', ask);
    process.on('SIGINT', ask);
  });
}

function announce(
  where: Parameters<typeof listen>[1],
  port: Listening['port'],
  access: Awaited<ReturnType<typeof accessOf>>,
  memory: string,
): void {
  const base =
    'path' in where
      ? `unix:${where.path}`
      : `http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`;
  const lines = [
    `Precedent ${pkg.version} listens at ${base}`,
    `  memory  ${memory}`,
    `  MCP     ${base}/mcp`,
    `  API     ${base}/api/v1/<workspace>/<operation>, as ${base}/api/v1/openapi.json has it`,
    ...('path' in where
      ? []
      : [`  page    ${base}/${access.token === undefined ? '' : `#token=${access.token}`}`]),
    ...(access.token === undefined ? [] : [`  token   ${access.token}`]),
    `${access.told} Stop with Ctrl-C.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

function auditTo(path: string | undefined): Audit {
  if (path === undefined) return () => {};
  if (path === '-') return auditLines((line) => void process.stdout.write(line));
  const file = openSync(path, 'a', 0o600);
  return auditLines((line) => void writeSync(file, line), log);
}

async function inTime(work: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(() => resolve(false), READY);
  });
  const done = work.then(
    () => true,
    () => false,
  );
  return Promise.race([done, late]).finally(() => clearTimeout(timer));
}
