import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Machine } from '../agent.ts';
import { agentsNamed } from '../agents.ts';
import { HOOK_TIMEOUT } from '../hook.ts';
import { forCmd, forPowerShell, forSh } from '../shell.ts';

const LAUNCH = {
  node: 'C:\\Program Files\\nodejs\\node.exe',
  program: "C:\\Users\\김's\\precedent.cjs",
  pins: [],
};
const WINDOWS: Machine = {
  home: 'C:\\Users\\김',
  environment: { APPDATA: 'C:\\Users\\김\\AppData\\Roaming' },
  platform: 'win32',
  project: 'C:\\work',
  hasProgram: () => false,
};

describe('command lines', () => {
  it('[A-1] are quoted for each shell', () => {
    const words = ['/a b/node', "/it's.cjs", 'hook', '$HOME', '`x`'];
    assert.equal(forSh(words), `'/a b/node' '/it'\\''s.cjs' hook '$HOME' '\`x\`'`);
    assert.equal(forPowerShell(words), `& '/a b/node' '/it''s.cjs' hook '$HOME' '\`x\`'`);
    assert.equal(forCmd(['C:\\a b\\node.exe', 'hook']), '"C:\\a b\\node.exe" hook');
  });

  it('[A-1] the hooks of Windows are in the words of its shells', () => {
    const hooksOf = (name: string) =>
      agentsNamed([name])
        .flatMap((agent) => agent.entries(WINDOWS, { launch: LAUNCH, tools: [], skill: '', hooks: true }))
        .filter(({ part, isFrame }) => part === 'hooks' && !isFrame)
        .map(({ value }) => value);
    const quoted = `"${LAUNCH.node}" "${LAUNCH.program}"`;
    const powershell = `& '${LAUNCH.node}' 'C:\\Users\\김''s\\precedent.cjs'`;
    assert.match(JSON.stringify(hooksOf('codex')[0]), new RegExp(escaped(`${quoted} hook codex`)));
    // PowerShell takes a name in quotes for a text.
    assert.match(
      JSON.stringify(hooksOf('gemini')[0]),
      new RegExp(escaped(`node "${LAUNCH.program}" hook gemini`)),
    );
    assert.equal(
      JSON.parse(String(hooksOf('copilot')[0])).hooks.SessionStart[0].powershell,
      `${powershell} hook copilot`,
    );
    assert.deepEqual(hooksOf('cursor')[0], { command: `${powershell} hook cursor`, timeout: HOOK_TIMEOUT });
    // Without a shell there is nothing to quote.
    const [{ hooks: [claude] = [] }] = hooksOf('claude') as [{ hooks: Record<string, unknown>[] }];
    assert.deepEqual([claude?.command, claude?.args], [LAUNCH.node, [LAUNCH.program, 'hook', 'claude']]);
  });

  it('[A-1] no hook of POSIX ends with the code of a missing program where that stops the user', () => {
    for (const name of ['gemini', 'cursor']) {
      const [agent] = agentsNamed([name]);
      const entries = agent?.entries(
        { ...WINDOWS, platform: 'linux' },
        { launch: { ...LAUNCH, node: '/n', program: '/p' }, tools: [], skill: '', hooks: true },
      );
      assert.match(JSON.stringify(entries), new RegExp(`/n /p hook ${name} \\|\\| exit 0"`));
    }
  });
});

const escaped = (text: string): string =>
  JSON.stringify(text)
    .slice(1, -1)
    .replace(/[\\$.*+?()[\]{}|^]/g, '\\$&');
