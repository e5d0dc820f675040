import { once } from 'node:events';
import { closeSync, lstatSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { connect } from 'node:net';
import { extname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import pkg from '../../../package.json' with { type: 'json' };
import { asPrecedentError, invalid, unavailable } from '../../domain/error.ts';
import { namesIn } from '../../files/bounded.ts';
import { here } from '../../files/surroundings.ts';
import { proxiesIn } from '../../http/access/peer.ts';
import { type AppOptions, createApp } from '../../http/app.ts';
import { type Audit, auditLines } from '../../http/audit.ts';
import { listen } from '../../http/listen.ts';
import { Memories, type Source } from '../../http/memories.ts';
import { type Gauges, Metrics } from '../../http/metrics.ts';
import { type Outage, outagesTo } from '../../http/outage.ts';
import type { Page, PageFile } from '../../http/page.ts';
import { Unread } from '../../http/unread.ts';
import { boundConnections, requireWritable } from '../../memory/engines.ts';
import { toolsOf } from '../../operations/tools.ts';
import { findHere, openExisting, shown } from '../open.ts';
import { openForServer } from '../open-for-server.ts';
import { log, outlastReader } from '../output/print.ts';
import type { Place, PlaceOptions } from '../place.ts';
import { atHome } from '../repository/home.ts';
import { sharedEmbedder } from '../settings.ts';
import { type Access, type AccessOptions, accessOf } from './access.ts';
import { openAudit } from './audit-file.ts';
import { sharedAnswer } from './shared-answer.ts';
import { addressesOf, type ServingAt, type WhereOptions, whereOf } from './where.ts';

interface ServeOptions
  extends WhereOptions,
    AccessOptions,
    Partial<Record<'tools' | 'audit' | 'trustProxy' | 'connections', string | undefined>> {
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
  const isProxy = options.trustProxy === undefined ? undefined : proxiesIn(options.trustProxy);
  const write = outlastReader();
  const access = await accessOf(options, at);
  // A wrong setting is refused at the start.
  await sharedEmbedder(here().env);
  const place = await findHere(placeOptions);
  const connections = await boundConnections(
    place.home?.where ?? place.db,
    options.connections === undefined ? undefined : connectionsIn(options.connections),
  );
  const isWriting = options.write === true;
  const served = {
    at,
    access,
    tools,
    isProxy,
    isWriting,
    source: sourceOf(place, placeOptions),
    connections,
    audit: auditTo(options.audit, write),
  };
  // Without a terminal it is no wish to end (OP-2).
  const { isTTY } = here().stdout;
  if (!isTTY) process.on('SIGHUP', () => {});
  await serveUntil(
    () => asked(isTTY ? ['SIGTERM', 'SIGINT', 'SIGHUP'] : ['SIGTERM', 'SIGINT']),
    served,
    (base) => announce(base, access, shown(place)),
  );
}

/** A server as it is composed: where it listens, who is let in, and what is served. */
interface Served {
  at: ServingAt;
  access: Pick<Access, 'authenticate' | 'resource' | 'login'>;
  source: Source;
  tools: AppOptions['tools'];
  audit: Audit;
  isProxy?: AppOptions['isProxy'];
  /** How many connections to a database there are. */
  connections?: Gauges['connections'];
  /** Whether people may change something on the page. */
  isWriting: boolean;
}

/**
 * Serves until the end, then ends the process.
 * @param end called once it listens: resolves when it should end
 * @param tell receives its address, when it can be reached there
 */
export async function serveUntil(
  end: () => Promise<unknown>,
  { at, access, source, tools, audit, isProxy, connections, isWriting }: Served,
  tell: (base: string) => void,
): Promise<void> {
  const memories = new Memories(source);
  const metrics = new Metrics({ waiting: () => memories.waiting, connections, version: pkg.version });
  const outage = outagesTo(log, Date.now);
  let isEnding = false;
  let isProbed = false;
  let port: number | undefined;
  const app = createApp({
    memories,
    metrics,
    unread: new Unread(),
    audit,
    log,
    outage,
    now: Date.now,
    authenticate: access.authenticate,
    ...(access.resource && { resource: access.resource }),
    ...(access.login && { login: access.login }),
    addresses: () => addressesOf(port, at.publicUrl, at.where),
    tools,
    page: { files: readPage(join(import.meta.dirname, 'page')), isWriting },
    rate: RATE,
    ...(isProxy && { isProxy }),
    version: pkg.version,
    isEnding: () => isEnding,
    isReady: sharedAnswer(
      () => {
        isProbed = true;
        return inTime((source.check ?? source.list)(), outage);
      },
      SEEN,
      Date.now,
    ),
  });
  const listening = await ('path' in at.where
    ? listenAtSocket(at.where.path, () => listen(app.fetch, at.where, { isProxy }))
    : listen(app.fetch, at.where, { isProxy }));
  port = listening.port;
  const ended = end();
  tell(baseOf(at.where, port));

  const signal = await ended;
  isEnding = true;
  // A person at a terminal waits for no load balancer.
  await listening.close(app.close, isProbed && signal === 'SIGTERM');
  await memories.close();
  process.exit(0);
}

/** @throws PrecedentError `invalid` */
function connectionsIn(given: string): number {
  const most = Number(given);
  if (Number.isInteger(most) && most >= 1 && most <= 1000) return most;
  throw invalid.out_of_range(`Expected --connections to be a number from 1 to 1000, found "${given}".`);
}

/** Resolves with the signal that asks the process to end; who asks again does not wait for what was begun. */
export function asked(signals: readonly NodeJS.Signals[] = ['SIGTERM', 'SIGINT']): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isAsked = false;
    const ask = (signal: NodeJS.Signals) => {
      if (isAsked) process.exit(1);
      isAsked = true;
      resolve(signal);
    };
    for (const signal of signals) process.on(signal, ask);
  });
}

function baseOf(where: ServingAt['where'], port: number | undefined): string {
  if ('path' in where) return `unix:${where.path}`;
  return `http://${where.host.includes(':') ? `[${where.host}]` : where.host}:${port}`;
}

function announce(base: string, access: Access, memory: string): void {
  const lines = [
    `Precedent ${pkg.version} listens at ${base}`,
    `  memory  ${memory}`,
    `  MCP     ${base}/mcp`,
    `  API     ${base}/api/v1/<workspace>/<operation>, described in ${base}/api/v1/openapi.json`,
    ...(base.startsWith('unix:')
      ? []
      : [`  page    ${base}/${access.token === undefined ? '' : `#token=${access.token}`}`]),
    ...(access.token === undefined ? [] : [`  token   ${access.token}`]),
    `${access.shown} Stop with Ctrl-C.`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}

/** @param write to standard output */
function auditTo(path: string | undefined, write: (line: string) => void): Audit {
  if (path === undefined) return () => {};
  if (path === '-') return auditLines(write, log);
  let file = openAudit(path);
  // What rotates logs renames the file, and then sends this. A terminal that is closed sends it, too.
  process.on('SIGHUP', () => {
    try {
      const next = openAudit(path);
      closeSync(file);
      file = next;
    } catch (error) {
      log((error as Error).message);
    }
  });
  return auditLines((line) => void writeSync(file, line), log);
}

async function inTime(work: Promise<unknown>, outage: Outage): Promise<boolean> {
  const done = work.then(
    () => {
      outage.worked('', 'read');
      return true;
    },
    (error) => {
      outage.failed(asPrecedentError(error, log));
      return false;
    },
  );
  return Promise.race([done, pause(READY, false, { ref: false })]);
}

/** The memories of a place, for a server: all of the data folder or of a database, or the one file that was named. */
export function sourceOf(place: Place, { db }: PlaceOptions): Source {
  const { home, workspace: main } = place;
  if (!home) {
    return {
      main,
      only: main,
      list: async () => [main],
      check: async () => {
        await (await openExisting(place, undefined))?.close();
        requireWritable(place.db);
      },
      open: () => openForServer({ db }, new Set()),
    };
  }
  return {
    main,
    list: () =>
      atHome(home, async (workspaces) => (await workspaces.list()).map(({ workspace }) => workspace)),
    // The owner's server brings the tables up to date by it; that of any other role waits for `precedent upgrade` (OP-1).
    check: () => atHome(home, (workspaces) => workspaces.check()),
    open: (workspace) => openForServer({ db, workspace }, new Set()),
  };
}

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

/** The files of the page in a folder, which the build makes; none where the program runs from its sources. */
export function readPage(folder: string): Page {
  const page = new Map<string, PageFile>();
  for (const name of namesIn(folder)) {
    const type = TYPES[extname(name)];
    if (type === undefined) continue;
    const text = readFileSync(join(folder, name), 'utf8');
    const isStart = name === 'index.html';
    page.set(isStart ? '/' : `/${name}`, { type, text, isHashed: !isStart });
  }
  return page;
}

/**
 * Listens at a socket of this machine, which its owner alone may use from the moment that it is there. One that a server
 * left behind which ended unasked is replaced; no other file may be removed.
 * @throws PrecedentError `invalid` for a path where something else is, `unavailable` where another server listens
 */
async function listenAtSocket<Listening>(path: string, listen: () => Promise<Listening>): Promise<Listening> {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found && !found.isSocket())
    throw invalid.wrong_file(`Expected --socket to name a socket or nothing, found a file: ${path}`);
  if (found && (await isListenedTo(path)))
    throw unavailable.cannot_listen(`Another server listens at ${path}: name another with --socket.`);
  if (found) rmSync(path, { force: true });
  const before = process.umask(0o177);
  try {
    return await listen();
  } finally {
    process.umask(before);
  }
}

async function isListenedTo(path: string): Promise<boolean> {
  const socket = connect(path);
  const isThere = await once(socket, 'connect').catch(() => undefined);
  socket.destroy();
  return isThere !== undefined;
}
