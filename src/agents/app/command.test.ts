import assert from 'node:assert/strict';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { commandOn, enterCommand, removeCommand, textOfCommand } from './command.ts';

const hasProgram = () => false;
const machine = (home: string, platform: NodeJS.Platform, environment = {}) => ({
  home,
  platform,
  environment,
  project: undefined,
  hasProgram,
});

describe('the command for people', () => {
  it('[V-7] is in the folder that the system keeps for commands of a user, and says what puts that into PATH', () => {
    const linux = commandOn(machine('/home/김 씨', 'linux', { PATH: '/usr/bin' }));
    assert.deepEqual(linux, {
      file: '/home/김 씨/.local/bin/precedent',
      is: 'missing',
      toPath: 'Add this line to your shell’s settings: export PATH="$HOME/.local/bin:$PATH"',
    });
    assert.equal(
      commandOn(machine('/home/k', 'darwin', { PATH: '/bin:/home/k/.local/bin/' })).toPath,
      undefined,
    );
    for (const name of ['PATH', 'Path']) {
      const windows = commandOn(
        machine('C:\\Users\\k', 'win32', { APPDATA: 'C:\\R', [name]: 'C:\\W;C:\\R\\npm' }),
      );
      assert.deepEqual(windows, { file: 'C:\\R\\npm\\precedent.cmd', is: 'missing', toPath: undefined });
    }
    assert.match(
      commandOn(machine("C:\\Users\\o'k", 'win32', {})).toPath ?? '',
      /^Run this once in PowerShell: \[Environment\]::Set.*\('Path', 'User'\) \+ ';C:\\Users\\o''k\\AppData\\Roaming\\npm', 'User'\)$/,
    );
    assert.match(
      commandOn(machine('C:\\Users\\k', 'win32', {})).file,
      /^C:\\Users\\k\\AppData\\Roaming\\npm\\/,
    );
  });

  it('[V-7] starts the program on its Node, whatever is in their names', () => {
    assert.match(
      textOfCommand('win32', 'C:\\a b\\node.exe', 'C:\\100 %\\p.cjs'),
      /\r\n@"C:\\a b\\node\.exe" "C:\\100 %%\\p\.cjs" %\*\r\n$/,
    );
    assert.match(
      textOfCommand('linux', "/a b/it's/node", '/p.cjs'),
      /\nexec '\/a b\/it'\\''s\/node' \/p\.cjs "\$@"\n$/,
    );
  });

  it('[V-7] is written and removed where it is ours, and nothing else ever is', {
    skip: process.platform === 'win32',
  }, () => {
    const home = mkdtempSync(join(tmpdir(), 'precedent-command-'));
    try {
      const now = () => commandOn(machine(home, 'linux', {}));
      const { file } = now();
      enterCommand(now(), textOfCommand('linux', '/node', '/one.cjs'));
      assert.equal(statSync(file).mode & 0o777, 0o755);
      enterCommand(now(), textOfCommand('linux', '/node', '/two.cjs'));
      assert.match(readFileSync(file, 'utf8'), /two\.cjs/);
      assert.equal(removeCommand(now()), true);
      assert.equal(existsSync(join(home, '.local')), false, 'it was made for the command');
      mkdirSync(join(home, '.local', 'bin'), { recursive: true });
      enterCommand(now(), textOfCommand('linux', '/node', '/one.cjs'));
      assert.equal(removeCommand(now()), true);
      assert.equal(
        existsSync(join(home, '.local', 'bin')),
        true,
        'a folder of somebody else stays, also empty',
      );
      enterCommand(now(), 'x');
      writeFileSync(file, '#!/bin/sh\necho theirs\n');
      chmodSync(file, 0o700);
      assert.equal(now().is, 'other');
      enterCommand(now(), textOfCommand('linux', '/node', '/three.cjs'));
      assert.equal(removeCommand(now()), false);
      assert.equal(readFileSync(file, 'utf8'), '#!/bin/sh\necho theirs\n');
    } finally {
      rmSync(home, { recursive: true, force: true });
    }
  });
});
