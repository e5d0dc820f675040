import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { machineIn, realIfHere, realPath, statHere } from './machines.ts';

describe('the machine that a path is on, by its text [Z-15]', () => {
  const cases: [NodeJS.Platform, string, string | undefined][] = [
    ['linux', '/net/evil.example/share', 'net/evil.example'],
    ['linux', '//net//Evil.example', 'net/evil.example'],
    ['linux', '/misc/a/b', 'misc/a'],
    ['linux', '/afs/cell/user', 'afs/cell'],
    ['linux', '/smb/host/x', 'smb/host'],
    ['linux', '/net', undefined],
    ['linux', '/network/a', 'network/a'],
    ['linux', '/netto/a', undefined],
    ['linux', '/home/net/evil', undefined],
    ['linux', '/mnt/disk/a', undefined],
    ['linux', '\\\\host\\share', undefined],
    ['darwin', '/Network/Servers/host', 'network/servers'],
    ['darwin', '/System/Volumes/Data/net/host/a', 'net/host'],
    ['darwin', '/NET/host', 'net/host'],
    ['darwin', '/Volumes/Disk/a', undefined],
    ['win32', '\\\\Evil\\share\\x', 'evil'],
    ['win32', '//evil/share', 'evil'],
    ['win32', '\\/evil/share', 'evil'],
    ['win32', '\\\\evil@SSL@8443\\DavWWWRoot\\x', 'evil@ssl@8443'],
    ['win32', '\\\\?\\UNC\\evil\\share', 'evil'],
    ['win32', '//?/unc/evil/share', 'evil'],
    ['win32', '\\\\.\\UNC\\evil\\share', 'evil'],
    ['win32', '\\??\\UNC\\evil\\share', 'evil'],
    ['win32', '\\\\?\\GLOBALROOT\\Device\\Mup\\evil\\share', '\\\\?\\'],
    ['win32', '\\\\.\\pipe\\x', '\\\\.\\'],
    ['win32', '\\\\?\\C:\\x', undefined],
    ['win32', '\\??\\C:\\x', undefined],
    ['win32', '\\\\?\\Volume{1-2}\\x', undefined],
    ['win32', 'C:\\net\\evil', undefined],
    ['win32', 'C:/x', undefined],
    ['win32', '/net/evil', undefined],
  ];
  for (const [platform, path, machine] of cases)
    it(`${path} on ${platform}: ${machine ?? 'this one'}`, () =>
      assert.equal(machineIn(path, platform), machine));
});

describe('a path with its links resolved on this machine [Z-15]', {
  skip: process.platform === 'win32' && 'needs links',
}, () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'precedent-machines-')));
  after(() => rmSync(folder, { recursive: true }));
  const inside = (...names: string[]) => join(folder, ...names);
  mkdirSync(inside('real/below'), { recursive: true });
  writeFileSync(inside('real/file'), 'x');
  for (const [name, target] of [
    ['link', 'real'],
    ['below', 'link/below'],
    ['loop', 'loop'],
    ['root', '/'],
    ['away', '/net/evil.example/share'],
    ['far', 'root/net/evil.example'],
    ['around', '/proc/self/root/net/evil.example'],
  ] as const)
    symlinkSync(target, inside(name));

  it('is what the system has', () => {
    for (const name of ['link', 'below', 'link/file', 'real/../link/./below', 'root'])
      assert.equal(realPath(`${folder}/${name}`), realpathSync(`${folder}/${name}`), name);
    assert.equal(realPath(`${folder}/below/../file`), inside('real/file'), 'the link comes before ".."');
    assert.equal(statHere(inside('link/file'))?.size, 1);
    assert.equal(realIfHere(inside('none')), undefined);
    assert.throws(() => realPath(inside('loop')), { code: 'ELOOP' });
  });

  it('is refused where a link, or what a stranger names, leads to another machine', () => {
    const named = ['away', 'away/x', 'far', 'root/net/evil.example', 'root/tmp/../net/evil.example'];
    if (process.platform === 'linux') named.push('around');
    for (const name of named)
      assert.throws(
        () => realPath(`${folder}/${name}`),
        { code: 'invalid', message: /another, net\/evil/ },
        name,
      );
    assert.throws(() => realPath('/net/evil.example/x', folder), { code: 'invalid' });
    assert.throws(() => realPath('/net/evil.example/x'), { code: 'ENOENT' }, 'asked for by the person');
    assert.throws(() => realPath('/net/evil.example/x', '/net/evil.example/repository'), { code: 'ENOENT' });
  });
});
