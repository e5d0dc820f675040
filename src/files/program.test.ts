import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { candidates, commandLine } from './program.ts';

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

describe('a command line that a person named', () => {
  const found = (line: string, platform: NodeJS.Platform, PATH: string, ...there: string[]) =>
    commandLine(line, { PATH }, { platform, isThere: (file) => there.includes(file) });

  it('starts a program of PATH, never one of the working folder', () => {
    const windows = (line: string) =>
      found(
        line,
        'win32',
        '.;C:\\Git\\usr;C:\\VS Code',
        'C:\\Git\\usr\\less.exe',
        'C:\\VS Code\\code.cmd',
        'less.bat',
      );
    assert.equal(windows('less'), '"C:\\Git\\usr\\less.exe"');
    assert.equal(windows(' less.exe -R '), '"C:\\Git\\usr\\less.exe" -R');
    assert.equal(windows('code --wait'), '"C:\\VS Code\\code.cmd" --wait');
    assert.equal(windows('notepad'), undefined);
    const unix = (line: string) =>
      found(line, 'linux', ".::bin:/usr/bin:/o'k", '/usr/bin/less', "/o'k/vi", './more', 'bin/more');
    assert.equal(unix('less -R'), "'/usr/bin/less' -R");
    assert.equal(unix('vi'), "'/o'\\''k/vi'");
    assert.equal(unix('more'), undefined);
  });

  it('is left as it is where it is no plain name', () => {
    for (const line of ['/opt/vim -f', '"C:\\My Editor\\e.exe" -w', './mine', 'LESS=R less', '$EDIT', '..'])
      assert.equal(found(line, 'linux', '/usr/bin'), line);
  });
});
