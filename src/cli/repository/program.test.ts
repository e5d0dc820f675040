import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { candidates } from './program.ts';

describe('where a program may be', () => {
  it('is never the working folder of Windows, nor one that depends on it', () => {
    const path = [
      '',
      '.',
      'bin',
      '..\\bin',
      'D:bin',
      '\\bin',
      'C:\\Program Files\\Git\\cmd',
      '"E:/a b"',
      '\\\\host\\x',
    ];
    assert.deepEqual(candidates('git', path.join(';'), 'win32'), [
      'C:\\Program Files\\Git\\cmd\\git.com',
      'C:\\Program Files\\Git\\cmd\\git.exe',
      'E:\\a b\\git.com',
      'E:\\a b\\git.exe',
      '\\\\host\\x\\git.com',
      '\\\\host\\x\\git.exe',
    ]);
    assert.deepEqual(candidates('git', '', 'win32'), []);
  });

  it('is no relative folder elsewhere', () => {
    const path = ':.:node_modules/.bin:../x:/usr/bin:/opt/my tools/:';
    assert.deepEqual(candidates('git', path, 'linux'), ['/usr/bin/git', '/opt/my tools/git']);
    assert.deepEqual(candidates('git', '', 'darwin'), []);
  });
});
