import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HOOKED } from '../../../test/support/agents.ts';
import { HOOK_TIMEOUT, type Launch, type Machine } from '../agent.ts';
import { AGENTS, agentsNamed } from '../agents.ts';
import type { Entry } from '../entry.ts';
import { forCmd, forPowerShell, forSh } from '../shell.ts';

const HARD: Launch = {
  node: 'C:\\Program Files\\nodejs\\node.exe',
  program: "C:\\Users\\김's ‘a’ ‚b‛ & co\\100% $x `y` (1)\\precedent.cjs",
  pins: ['--db', "D:\\왜 & why's 50%.db"],
};
const PLAIN: Launch = { node: 'C:\\nodejs\\node.exe', program: 'C:\\Users\\kim\\precedent.cjs', pins: [] };
const WINDOWS: Machine = {
  home: 'C:\\Users\\김',
  environment: { APPDATA: 'C:\\Users\\김\\AppData\\Roaming' },
  platform: 'win32',
  project: 'C:\\work',
  hasProgram: () => false,
};

function entriesOf(name: string, part: Entry['part'], launch: Launch, machine: Machine = WINDOWS): unknown[] {
  return agentsNamed([name])
    .flatMap((agent) => agent.entries(machine, { launch, tools: [], skill: '', hooks: true }))
    .filter((entry) => entry.part === part && !entry.isFileHeader)
    .map(({ value }) => value);
}

const wordsFor = (name: string, { node, program, pins }: Launch) => [node, program, ...pins, 'hook', name];

/** The words that PowerShell makes of a line of plain words and texts in single quotes, of which it knows five. */
function readByPowerShell(line: string): string[] {
  assert.match(line, /^(?:& '|[\w:./\\-]+ )/, 'a name in quotes needs the call operator');
  const words = line.replace(/^& /, '').match(/'(?:[^'‘’‚‛]|['‘’‚‛]{2})*'|[\w:./\\-]+/g) ?? [];
  assert.equal(words.join(' '), line.replace(/^& /, ''), 'nothing stands between the words');
  return words.map((word) =>
    word.startsWith("'") ? word.slice(1, -1).replace(/(['‘’‚‛])['‘’‚‛]/g, '$1') : word,
  );
}

describe('command lines', () => {
  it('[A-1] are quoted for each shell', () => {
    const words = ['/a b/node', "/it's.cjs", 'hook', '$HOME', '`x`'];
    assert.equal(forSh(words), `'/a b/node' '/it'\\''s.cjs' hook '$HOME' '\`x\`'`);
    assert.equal(forPowerShell(words), `& '/a b/node' '/it''s.cjs' hook '$HOME' '\`x\`'`);
    assert.equal(forCmd(['C:\\a b\\node.exe', 'hook']), '"C:\\a b\\node.exe" hook');
    assert.equal(forSh(['C:\\node']), `'C:\\node'`);
  });

  for (const [name, { starts }] of HOOKED) {
    it(`[A-1] ${name} on Windows: PowerShell, or no shell, starts the hook, with blanks, quotes, & and % in its paths`, () => {
      const hooks = entriesOf(name, 'hooks', HARD);
      assert(hooks.length > 0);
      for (const hook of hooks) {
        const started = starts(hook as never);
        const words = typeof started === 'string' ? readByPowerShell(started) : started;
        assert.deepEqual(words, wordsFor(name, HARD));
      }
    });

    it(`[A-1] ${name} on Windows: a line without such paths is one for cmd.exe, too`, () => {
      for (const hook of entriesOf(name, 'hooks', PLAIN))
        assert.equal([starts(hook as never)].flat().join(' '), wordsFor(name, PLAIN).join(' '));
    });
  }

  it('[A-1] Claude Code is told in seconds how long it waits for a hook', () => {
    const [{ hooks: [hook] = [] }] = entriesOf('claude', 'hooks', HARD) as [{ hooks: { timeout: number }[] }];
    assert.equal(hook?.timeout, HOOK_TIMEOUT);
  });

  it('[A-1] every server on Windows is started by its words', () => {
    for (const { name } of AGENTS) {
      const [server] = entriesOf(name, 'server', HARD) as { command: string | string[]; args?: string[] }[];
      const words = [server?.command, server?.args ?? []].flat();
      assert.deepEqual(words, [HARD.node, HARD.program, ...HARD.pins, 'mcp'], name);
    }
  });

  it('[A-1] no hook of POSIX ends with the code of a missing program where that stops the user', () => {
    const launch = { node: '/n', program: '/p', pins: [] };
    for (const name of ['gemini', 'cursor']) {
      const hooks = entriesOf(name, 'hooks', launch, { ...WINDOWS, platform: 'linux' });
      assert.match(JSON.stringify(hooks), new RegExp(`"/n /p hook ${name} \\|\\| exit 0"`));
    }
  });
});
