import pg from 'pg';
import type { Address } from './address.ts';
import { ASK_IF_WORKER, IS_CITUS } from './citus.ts';
import { Places } from './places.ts';

/** Connections at most that a process holds to one address: a server has a hundred for everybody. */
const CONNECTIONS = 10;
/** Milliseconds until an unused connection is closed. */
const IDLE = 5_000;
/** Milliseconds to wait for a connection. */
const CONNECTING = 5_000;
/** Milliseconds to wait for an answer; after that a server counts as lost, though its connection says nothing. */
export const ANSWERING = 30_000;

/** A standby, which only repeats what the primary writes; or a worker of Citus, next to its coordinator. */
export class NotPrimary extends Error {}

/** A connection for one transaction. */
export interface Lent {
  client: pg.PoolClient;
  /** @param isBroken whether it is closed */
  release(isBroken: boolean): void;
}

/** How many connections a process has. */
export interface ConnectionCounts {
  open: number;
  /** Of these, the ones in no transaction. */
  idle: number;
  /** Transactions that wait for one. */
  waiting: number;
}

/** The servers of an address. Finds the one that takes writes, beginning with the last one that did. */
export class Servers {
  readonly #pools: pg.Pool[];
  readonly #places: Places;
  #last = 0;

  constructor({ hosts }: Address, connections: number) {
    this.#pools = hosts.map((host) => poolOf(host, hosts.length > 1, connections));
    this.#places = new Places(connections);
  }

  get counts(): ConnectionCounts {
    const sum = (of: (pool: pg.Pool) => number) => this.#pools.reduce((all, pool) => all + of(pool), 0);
    return {
      open: sum((pool) => pool.totalCount),
      idle: sum((pool) => pool.idleCount),
      waiting: this.#places.waiting,
    };
  }

  /**
   * Waits for a connection as long as it takes: whoever has one is limited in time.
   * @throws the last error that is not {@link NotPrimary}, or that when every server repeats another
   */
  async connect(workspace: string): Promise<Lent> {
    const leave = await this.#places.take(workspace);
    try {
      const client = await this.#connect();
      let isLent = true;
      const release = (isBroken: boolean) => {
        if (isLent) client.release(isBroken);
        isLent = false;
        leave();
      };
      return { client, release };
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #connect(): Promise<pg.PoolClient> {
    let failure: unknown;
    for (let tried = 0; tried < this.#pools.length; tried++) {
      const index = (this.#last + tried) % this.#pools.length;
      try {
        const client = await (this.#pools[index] as pg.Pool).connect();
        this.#last = index;
        return client;
      } catch (error) {
        if (failure === undefined || !(error instanceof NotPrimary)) failure = error;
      }
    }
    throw failure;
  }

  async end(): Promise<void> {
    await Promise.all(this.#pools.map((pool) => pool.end()));
  }
}

/** The servers that are in use, by their address. */
const inUse = new Map<string, { servers: Servers; users: number }>();

/**
 * The servers of an address, which all memories of this process share (OP-3).
 * @param connections at most; counts for the first user of an address
 * @returns `leave` closes every connection after the last user; a second time it does nothing
 */
export function shareServers(address: Address, connections = CONNECTIONS) {
  const key = address.hosts.join(' ');
  const used = inUse.get(key) ?? { servers: new Servers(address, connections), users: 0 };
  inUse.set(key, used);
  used.users++;
  let left: Promise<void> | undefined;
  const leave = async () => {
    if (--used.users > 0) return;
    inUse.delete(key);
    await used.servers.end();
  };
  return {
    servers: used.servers,
    leave: () => {
      left ??= leave();
      return left;
    },
  };
}

/** Closes a connection that could not be opened: else the process waits for the server to give up, a minute or more. */
class Client extends pg.Client {
  override connect(): Promise<pg.Client>;
  override connect(callback: (error: Error) => void): void;
  override connect(callback?: (error: Error) => void): Promise<pg.Client> | undefined {
    // A connection may break while it is idle: the next query then fails, and its caller learns of it.
    this.on('error', () => {});
    const connecting = super.connect();
    const closing = connecting.catch((error: unknown) => {
      (this as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
      throw error;
    });
    if (!callback) return closing;
    closing.then(() => callback(undefined as never), callback);
    return undefined;
  }
}

/** @param choosing whether the address has other servers to try when this one takes no writes */
function poolOf(connectionString: string, choosing: boolean, max: number): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString,
    max,
    idleTimeoutMillis: IDLE,
    connectionTimeoutMillis: CONNECTING,
    query_timeout: ANSWERING,
    keepAlive: true,
    // An unhurried statement has no time limit: the network itself notices then that the server is gone.
    keepAliveInitialDelayMillis: ANSWERING,
    pipeline: true,
    // A program that has nothing else to do ends.
    allowExitOnIdle: true,
    application_name: 'precedent',
    types: { getTypeParser },
    async onConnect(client) {
      if (!choosing) return;
      const [node] = (
        await client.query(`select pg_catalog.pg_is_in_recovery() as repeats, ${IS_CITUS} as "isCitus"`)
      ).rows;
      if (node?.repeats === true) throw new NotPrimary();
      if (node?.isCitus === true && (await client.query(ASK_IF_WORKER)).rows[0]?.isWorker)
        throw new NotPrimary();
    },
  });
  pool.on('error', () => {});
  return pool;
}

const { INT8, NUMERIC } = pg.types.builtins;

/** Counts and sums arrive as numbers, as from every engine: none of ours is beyond 2^53. */
function getTypeParser(oid: number, format?: 'text' | 'binary') {
  if (oid === INT8 || oid === NUMERIC) return Number;
  return pg.types.getTypeParser(oid, format as 'text');
}
