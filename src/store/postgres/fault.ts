import pg from 'pg';
import type { Unavailability } from '../../domain/error.ts';
import type { Engine, Fault } from '../engine.ts';
import { NOT_KEPT } from './prepared.ts';
import { NotPrimary } from './servers.ts';

/** A transaction whose end is not known, since the server went away while committing. */
export class CommitUnknown extends Error {}

/** SQLSTATE, https://www.postgresql.org/docs/17/errcodes-appendix.html. */
const BUSY = new Set(['55P03', '57014', ...NOT_KEPT]);
const RACE = new Set(['40001', '40P01', '23505']);
/** Shut down, crashed, starting up, timed out, too many connections; class 08; and a database that is closed for a while. */
const LOST = new Set(['57P01', '57P02', '57P03', '57P05', '25P03', '25P04', '53300']);
const CLOSED = /is not currently accepting connections$/;
const TOO_MANY_CONNECTIONS = '53300';
/** Data or an index that cannot be read as what it should be. */
const DAMAGED = new Set(['XX001', 'XX002']);
/**
 * The answers of a Citus coordinator when a node has gone away: under `XX000`, which is not a code of its own, and under one
 * of many meanings while a node that came back has yet to learn what it missed, and no workspace can be made.
 */
const NODE_LOST: Record<string, RegExp> = {
  XX000: new RegExp(
    `^(${[
      'could not commit transaction for shard \\d+ on at least one active node',
      'failure on connection marked as essential: ',
      'connection not open',
      'no connection to the server',
      'server closed the connection unexpectedly',
      'could not (receive data from|send data to) server',
      'SSL connection has been closed unexpectedly',
      'SSL SYSCALL error',
    ].join('|')})`,
  ),
  '55000': / is a metadata node, but is out of sync$/,
};
/** Ours to mend, whatever its class says. */
const PROTOCOL_VIOLATION = '08P01';
/** Node's codes for a certificate that it does not accept. */
const CERTIFICATE = /^(ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|SELF_SIGNED|DEPTH_ZERO|HOSTNAME_MISMATCH)/;

const DROPPED =
  'no longer has this workspace: it was renamed or dropped while in use; nothing was written. Try again; with the library, open the memory first: that creates a new one';
const PASSWORD =
  'does not accept the user or the password. Give them in the address, or as PGUSER and PGPASSWORD';
const UNAVAILABLE: Record<string, [reason: Unavailability, what: string]> = {
  '28P01': ['not_let_in', PASSWORD],
  '28000': ['not_let_in', 'does not let this user in. Check the user in the address, and pg_hba.conf'],
  '3D000': ['no_database', 'has no such database. Create it with createdb, or name another'],
  '42501': [
    'no_access',
    'does not allow this user to do that. Whoever makes or upgrades the tables owns them, and needs CREATE on the database; others need what docs/scaling.md grants',
  ],
  '25006': [
    'read_only',
    'takes no writes: it is a standby, or read-only. Name the primary, or all hosts with commas between',
  ],
  '53100': ['server_failed', 'has no space left on its disk'],
  '53200': ['server_failed', 'has no memory left'],
  '42P01': ['replaced', DROPPED],
  '3F000': ['replaced', DROPPED],
};

/** How pg and pg-pool word the end of a connection, or one that took too long. */
const LOST_WORDS = [
  'Connection terminated( unexpectedly| due to connection timeout)?',
  'timeout expired',
  'timeout exceeded when trying to connect',
  'Query read timeout',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'There was an error establishing an SSL connection',
];
/**
 * The driver's own errors have no code, so that these are recognised by their words: a connection that is lost, a
 * server without TLS, and a password that is missing or wrong. Only the whole text counts for the first, since errors
 * of this project's own may speak of a connection too.
 */
const DRIVER = {
  lost: new RegExp(`^(${LOST_WORDS.join('|')})$`),
  noTls: /does not support SSL/,
  password: /^SASL/,
};

/** The meaning of an error of a database. @param shown its address, without a password */
export function faultAt(shown: string): (error: unknown) => Fault {
  const unavailable = (reason: Unavailability, what: string): Fault => ({
    kind: 'unavailable',
    message: said(what),
    reason,
  });
  const said = (what: string) => `The server at ${shown} ${what}.`;
  return (error) => {
    if (error instanceof CommitUnknown) {
      return unavailable(
        'interrupted',
        'went away while it saved, and did not come back to say whether it had. Look before you save again',
      );
    }
    if (error instanceof NotPrimary) return { kind: 'lost', message: said('takes no writes on any host') };
    if (!(error instanceof Error)) return { kind: 'bug' };
    if (error instanceof pg.DatabaseError) {
      const { code = '' } = error;
      if (BUSY.has(code)) return { kind: 'busy' };
      if (RACE.has(code)) return { kind: 'race' };
      if (DAMAGED.has(code)) {
        const what = `finds its own files damaged (${code}). Nothing was written. Its operator can restore them`;
        return unavailable('damaged', what);
      }
      const known = UNAVAILABLE[code];
      if (known) return unavailable(...known);
      return isLost(error)
        ? { kind: 'lost', message: said(unreachable(code, error.message)) }
        : { kind: 'bug' };
    }
    if (DRIVER.password.test(error.message)) return unavailable('not_let_in', PASSWORD);
    if (CERTIFICATE.test(codeOf(error))) {
      return unavailable(
        'unsafe_connection',
        `shows a certificate that is not accepted (${codeOf(error)}). Check sslmode and sslrootcert in the address`,
      );
    }
    if (DRIVER.noTls.test(error.message)) {
      return unavailable(
        'unsafe_connection',
        'speaks no TLS. Turn ssl on there, or leave sslmode out of the address',
      );
    }
    if (isLost(error)) return { kind: 'lost', message: said(unreachable(codeOf(error))) };
    return { kind: 'bug' };
  };
}

/** As `fault`, for opening: it says at once that the server is not there. */
export function atOnce(fault: Engine['fault']): (error: unknown) => Fault {
  return (error) => {
    const found = fault(error);
    return found.kind === 'lost'
      ? { kind: 'unavailable', message: found.message, reason: 'unreachable' }
      : found;
  };
}

/** Whether the connection is of no use any more. */
export function isLost(error: unknown): boolean {
  if (error instanceof NotPrimary) return true;
  if (error instanceof pg.DatabaseError) {
    const { code = '' } = error;
    return LOST.has(code) || CLOSED.test(error.message) || isNodeLost(code, error.message);
  }
  if (!(error instanceof Error)) return false;
  // A bad name, a refused connection and their like have a code.
  return /^E[A-Z]+$/.test(codeOf(error)) || DRIVER.lost.test(error.message);
}

function codeOf(error: Error): string {
  if (error instanceof AggregateError) return codeOf(error.errors[0] ?? new Error());
  return 'code' in error ? String(error.code) : '';
}

/** Whether a server that answers says that it lost another one: a coordinator its node, a pooler its server. */
function isNodeLost(code: string, message: string): boolean {
  return NODE_LOST[code]?.test(message) ?? (code.startsWith('08') && code !== PROTOCOL_VIOLATION);
}

/** @param message what the server itself said; none when nothing was heard of it */
function unreachable(code: string, message = ''): string {
  const why = code === '' ? '' : ` (${code})`;
  if (code === TOO_MANY_CONNECTIONS)
    return 'has no connection left for us. Raise max_connections, or put a pooler before it';
  if (isNodeLost(code, message))
    return `cannot reach one that it needs${why}: ${message.split('\n', 1)[0]}; nothing is half-written. Check that all of them run`;
  return `cannot be reached${why}; nothing is half-written. Check that it runs, and its address`;
}
