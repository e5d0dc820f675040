import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { peerOf, proxiesIn } from './peer.ts';

describe('[H-3] whom a request comes from', () => {
  const near = proxiesIn('loopback');
  const far = proxiesIn('loopback, 10.0.0.0/8,fd00::/8, 192.0.2.7');

  it('is the address of the connection, whatever a header says, where no proxy is trusted', () => {
    assert.equal(peerOf('203.0.113.5', '198.51.100.1'), '203.0.113.5');
    assert.equal(peerOf('::ffff:203.0.113.5', null), '203.0.113.5');
    assert.equal(peerOf('203.0.113.5', '198.51.100.1', near), '203.0.113.5');
    assert.equal(peerOf(undefined, '198.51.100.1', proxiesIn('192.0.2.7')), 'local');
  });

  it('is what the last trusted proxy says, and nothing that the client wrote before it', () => {
    for (const proxy of ['127.0.0.1', '127.0.0.9', '::1', '::1%lo', '::ffff:127.0.0.1', undefined])
      assert.equal(peerOf(proxy, 'spoofed, 198.51.100.9, 203.0.113.5', near), '203.0.113.5', String(proxy));
    const chain = '198.51.100.9, 203.0.113.5:4711, 192.0.2.7, [fd00::1]:80, 10.1.2.3';
    assert.equal(peerOf('127.0.0.1', chain, far), '203.0.113.5');
    assert.equal(peerOf('127.0.0.1', chain, near), '10.1.2.3');
    assert.equal(peerOf('127.0.0.1', '2001:db8::5', near), '2001:db8::5');
  });

  it('is the proxy itself where it says nothing that is an address', () => {
    for (const said of [null, '', 'unknown', '_hidden', '203.0.113.5, unknown', '1.2.3', '{"a":1}\n'])
      assert.equal(peerOf('127.0.0.1', said, near), '127.0.0.1', String(said));
    assert.equal(peerOf('127.0.0.1', '10.0.0.1, 10.0.0.2', far), '10.0.0.1');
  });

  it('refuses proxies that are none', () => {
    for (const list of [
      '',
      'proxy.example',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '10.0.0.0/8/8',
      '10.0.0.0/x',
      '::/129',
      '*',
    ])
      assert.throws(() => proxiesIn(list), { code: 'invalid', message: /--trust-proxy/ }, list);
  });
});
