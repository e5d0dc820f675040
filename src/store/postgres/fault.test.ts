import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import pg from 'pg';
import { CommitUnknown, faultAt, isLost } from './fault.ts';
import { NotPrimary } from './servers.ts';

const fault = faultAt('postgres://db/memory');
const withCode = (code: string, message = 'said by a driver') => Object.assign(new Error(message), { code });
const fromServer = (code: string, message = 'said by the server') =>
  Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });

describe('what an error of PostgreSQL means', () => {
  it('serialization failures, deadlocks and keys taken by another are run again; waiting too long is busy', () => {
    for (const code of ['40001', '40P01', '23505']) assert.equal(fault(fromServer(code)).kind, 'race', code);
    for (const code of ['55P03', '57014']) assert.equal(fault(fromServer(code)).kind, 'busy', code);
  });

  it('[OP-2] a server that is shut down, starting, full or out of reach, or a database that is closed, is lost, and may come back', () => {
    for (const code of ['57P01', '57P02', '57P03', '08006', '08003', '53300']) {
      assert.equal(fault(fromServer(code)).kind, 'lost', code);
      assert(isLost(fromServer(code)), code);
    }
    for (const code of ['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EPIPE', 'ETIMEDOUT']) {
      assert.equal(fault(withCode(code)).kind, 'lost', code);
    }
    for (const said of [
      'Connection terminated',
      'Connection terminated unexpectedly',
      'Connection terminated due to connection timeout',
      'timeout expired',
      'timeout exceeded when trying to connect',
      'Query read timeout',
      'Client has encountered a connection error and is not queryable',
      'Client was closed and is not queryable',
      'There was an error establishing an SSL connection',
    ]) {
      assert.equal(fault(new Error(said)).kind, 'lost', said);
      assert(isLost(new Error(said)), said);
    }
    const closed = fromServer('55000', 'database "memory" is not currently accepting connections');
    assert.equal(fault(closed).kind, 'lost');
    assert(isLost(closed));
    assert.equal(fault(new NotPrimary()).kind, 'lost');
    assert.equal(fault(new AggregateError([withCode('ECONNREFUSED')])).kind, 'lost');
  });

  it('[P-5] a node of Citus that its coordinator lost is lost too, and the coordinator is quoted', () => {
    for (const [code, said] of [
      ['XX000', 'could not commit transaction for shard 109702 on at least one active node'],
      ['XX000', 'failure on connection marked as essential: worker-1:5432'],
      ['XX000', 'server closed the connection unexpectedly\n\tThis probably means the server terminated'],
      ['XX000', 'connection not open'],
      ['55000', 'worker-1:5432 is a metadata node, but is out of sync'],
      [
        '08006',
        'connection to the remote node app@worker-1:5432 failed with the following error: Connection refused',
      ],
    ] as const) {
      const found = fault(fromServer(code, said));
      assert(found.kind === 'lost', said);
      assert(isLost(fromServer(code, said)), said);
      const [line = ''] = said.split('\n');
      assert(found.message.includes(line) && !found.message.includes('probably'), found.message);
      assert(!found.message.includes('cannot be reached'), found.message);
    }
    assert.equal(fault(fromServer('XX000', 'cache lookup failed for relation 7')).kind, 'bug');
    assert.equal(fault(fromServer('55000', 'cannot do that yet')).kind, 'bug');
  });

  it('what only a person can mend says so, with the address and nothing of the driver', () => {
    const cases: [unknown, RegExp][] = [
      [fromServer('28P01'), /password/],
      [fromServer('28000'), /pg_hba/],
      [fromServer('3D000'), /createdb/],
      [fromServer('42501'), /CREATE/],
      [fromServer('25006'), /primary/],
      [fromServer('42P01'), /dropped/],
      [withCode('DEPTH_ZERO_SELF_SIGNED_CERT'), /certificate/],
      [withCode('ERR_TLS_CERT_ALTNAME_INVALID'), /certificate/],
      [new Error('The server does not support SSL connections'), /TLS/],
      [new Error('SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string'), /password/],
      [new CommitUnknown(), /Look before you save again/],
    ];
    for (const [error, pattern] of cases) {
      const found = fault(error);
      assert(found.kind === 'unavailable', String(error));
      assert.match(found.message, pattern);
      assert.match(found.message, /postgres:\/\/db\/memory/);
      assert.doesNotMatch(found.message, /said by|SASL|SCRAM/);
    }
  });

  it('damage that the server finds in itself is told apart from all else that is unavailable', () => {
    for (const code of ['XX001', 'XX002']) {
      const found = fault(fromServer(code));
      assert(found.kind === 'unavailable', code);
      assert.equal(found.reason, 'damaged');
      assert.match(found.message, /damaged/);
    }
    const full = fault(fromServer('53100'));
    assert(full.kind === 'unavailable');
    assert.equal(full.reason, 'server_failed');
  });

  it('anything else is a bug of ours, also when its text speaks of a connection', () => {
    for (const error of [
      fromServer('42601'),
      fromServer('08P01'),
      new TypeError('x is not a function'),
      new TypeError("Cannot read properties of undefined (reading 'connection')"),
      new Error('Connection terminated is no name of a column'),
      new Error('no connection: timeout exceeded'),
      'text',
    ]) {
      assert.equal(fault(error).kind, 'bug', String(error));
      assert(!isLost(error), String(error));
    }
  });
});
