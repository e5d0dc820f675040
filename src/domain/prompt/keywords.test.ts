import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recordableWords } from './keywords.ts';
import { saidIn, subjectOf, wordsOf } from './prompt.ts';

const recordable = (prompt: string) => recordableWords(saidIn(prompt));

describe('the words of a prompt', () => {
  it('[M-11] are taken from what a person says, in English and Korean', () => {
    assert.deepEqual(recordable('Why do the bookings deadlock?'), ['bookings', 'deadlock']);
    assert.deepEqual(recordable('예약 서비스의 교착을 고쳐줘').slice(0, 3), ['예약', '서비스', '교착']);
  });

  it('[M-11] are none out of code, logs, addresses and paths', () => {
    for (const prompt of [
      '```\nconst wallet = openVault();\n```',
      '`wallet vault`',
      '2026-11-22 10:00:01 wallet vault crashed',
      'ERROR: wallet vault crashed',
      'at wallet (vault.ts:3:1)',
      '{"wallet": "vault"}',
      'https://wallet.example/vault',
      'src/wallet/vault.ts',
      'C:\\wallet\\vault',
      'wallet@vault.example',
      'WALLET=vault',
      '<private>wallet vault</private>',
      '<hook_context>wallet vault</hook_context>',
      'wallet1234vault',
    ])
      assert.deepEqual(recordable(prompt), [], prompt);
  });

  it('[RE-10] are CamelCase of ordinary parts, and no run of letters that nothing splits', () => {
    for (const word of ['NetworkManager', 'userAuthService', 'AbstractSingletonProxyFactoryBean'])
      assert.deepEqual(recordable(`${word}는 씬에 하나`).slice(0, 1), [word.toLowerCase()], word);
    for (const word of [
      'QmFzZURhdGFLZXk',
      'kJhGfDsAqWeRtY',
      'NetworkManagerX9fQ',
      'abcdefghijklmnopqrstuvwxyz',
    ])
      assert.deepEqual(recordable(`${word}는 씬에 하나`).slice(0, 1), ['씬'], word);
  });

  it('[M-11] end before the sentence that names a secret', () => {
    for (const word of [
      'password',
      'token:',
      'API key',
      'secret is',
      'DB_PASSWORD',
      '비밀번호는',
      '토큰',
      'pw',
      'PIN:',
      'api_key',
    ])
      assert.deepEqual(recordable(`wide mirror.\npanda ${word} hunter\nokapi`), ['wide', 'mirror'], word);
    assert.deepEqual(recordable('keyboard monkey'), ['keyboard', 'monkey']);
  });

  it('[A-2] a hook sees neither private parts nor what another hook added', () => {
    const prompt = 'mirror <private>zebra</private>\n<hook_context>okapi</hook_context> 예약';
    assert.deepEqual(subjectOf(wordsOf(saidIn(prompt))), ['mirror', '예약']);
    assert.deepEqual(subjectOf(wordsOf(saidIn('please fix the tests'))), []);
  });
});
