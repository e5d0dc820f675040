import assert from 'node:assert/strict';
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { byTokenFile } from '../../src/http/access/authenticate.ts';
import { readTokens, writeTokens } from '../../src/http/access/token-file.ts';
import { hashOf, newToken } from '../../src/http/access/tokens.ts';
import { scratch } from '../support/engines.ts';

const DAY = 86_400_000;
const grant = { author: 'Kim', person: false, workspaces: ['가게'], access: 'write' as const, expires: DAY };

describe('[H-2] the file of tokens', () => {
  const folder = scratch();
  const file = (name: string) => join(folder, `${name}.jsonl`);
  const make = (path: string, ...names: string[]) => {
    const tokens = names.map((name) => ({ name, token: newToken() }));
    writeTokens(
      path,
      tokens.map(({ name, token }) => ({ ...grant, name, hash: hashOf(token) })),
    );
    return tokens.map(({ token }) => token);
  };

  it('keeps hashes alone, for its owner alone, and comes back whole', () => {
    const [token = ''] = make(file('whole'), 'ci');
    const text = readFileSync(file('whole'), 'utf8');
    assert.doesNotMatch(text, /prec_/);
    assert.ok(!text.includes(token.slice(5)));
    assert.equal(statSync(file('whole')).mode & 0o777, 0o600);
    const [read] = readTokens(file('whole'));
    assert.deepEqual({ ...read, expires: 0 }, { ...grant, name: 'ci', hash: hashOf(token), expires: 0 });
  });

  it('is refused when others may read it, when it is a link, and when a line is no token', () => {
    make(file('open'), 'ci');
    chmodSync(file('open'), 0o644);
    assert.throws(() => readTokens(file('open')), /chmod 600/);
    make(file('target'), 'ci');
    symlinkSync(file('target'), file('link'));
    assert.throws(() => readTokens(file('link')), /link/);
    mkdirSync(file('folder'));
    assert.throws(() => readTokens(file('folder')), { code: 'invalid' });
    if (process.getuid?.() === 0) {
      // As a manager of services hands it out: of another owner, for a group.
      make(file('given'), 'ci');
      chownSync(file('given'), 12_345, 12_345);
      for (const [mode, isTaken] of [
        [0o440, true],
        [0o444, false],
        [0o460, false],
      ] as const) {
        chmodSync(file('given'), mode);
        if (isTaken) assert.equal(readTokens(file('given')).length, 1);
        else assert.throws(() => readTokens(file('given')), /chmod 600/);
      }
    }
    for (const line of ['{', '{}', '[]', '{"name":"x","hash":"abc"}', 'null']) {
      writeFileSync(file('bad'), `${line}\n`, { mode: 0o600 });
      assert.throws(() => readTokens(file('bad')), /line 1/, line);
    }
  });

  it('ends a token without a restart, and keeps the last good ones while it is half written', async () => {
    const path = file('live');
    const [first = '', second = ''] = make(path, 'first', 'second');
    const logged: string[] = [];
    const authenticate = byTokenFile(
      path,
      (message) => void logged.push(message),
      () => 0,
    );
    assert.equal((await authenticate(first))?.name, 'first');
    writeTokens(
      path,
      readTokens(path).filter(({ name }) => name !== 'first'),
    );
    assert.equal(await authenticate(first), undefined);
    assert.equal((await authenticate(second))?.name, 'second');
    writeFileSync(path, '{"name":"seco');
    assert.equal((await authenticate(second))?.name, 'second');
    assert.equal(logged.length, 1);
    renameSync(path, `${path}.gone`);
    assert.equal(await authenticate(second), undefined, 'a file that is taken away lets nobody in');
  });

  it('ends a token when its time is over', async () => {
    const token = newToken();
    writeTokens(file('old'), [{ ...grant, name: 'old', hash: hashOf(token), expires: 1_000_000 }]);
    let now = 999_999;
    const authenticate = byTokenFile(
      file('old'),
      () => {},
      () => now,
    );
    assert.equal((await authenticate(token))?.name, 'old');
    now = 1_000_000;
    assert.equal(await authenticate(token), undefined);
  });
});
