import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Surroundings, wantsBrowser } from './browser.ts';

it('[X-4] a browser opens where a person sees it, and nowhere else', () => {
  const atDesk = { isSilent: false, environment: {}, platform: 'darwin', isTerminal: true } as const;
  const onLinux = { ...atDesk, platform: 'linux' } as const;
  const cases: [Surroundings, boolean][] = [
    [atDesk, true],
    [{ ...atDesk, platform: 'win32' }, true],
    [{ ...onLinux, environment: { DISPLAY: ':0' } }, true],
    [{ ...onLinux, environment: { WAYLAND_DISPLAY: 'wayland-0' } }, true],
    [{ ...onLinux, environment: { WSL_DISTRO_NAME: 'Debian' } }, true],
    [onLinux, false],
    [{ ...atDesk, isSilent: true }, false],
    [{ ...atDesk, isTerminal: false }, false],
    [{ ...atDesk, environment: { CI: 'true' } }, false],
    [{ ...atDesk, environment: { SSH_CONNECTION: '10.0.0.1 50000 10.0.0.2 22' } }, false],
    // A screen of another host that ssh shows here would take minutes to draw a browser.
    [{ ...onLinux, environment: { DISPLAY: 'localhost:10.0', SSH_TTY: '/dev/pts/1' } }, false],
  ];
  for (const [surroundings, expected] of cases)
    assert.equal(wantsBrowser(surroundings), expected, JSON.stringify(surroundings));
});
