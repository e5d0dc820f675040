import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unreadable } from './format.ts';
import { toml } from './toml.ts';
import { valueAt } from './value.ts';

const SERVER = {
  command: 'C:\\Program Files\\node.exe',
  args: ['/프로그램/"p".cjs', 'mcp'],
  env_vars: ['A_B'],
};
const PATH = ['mcp_servers', 'precedent'];

describe('settings in TOML', () => {
  for (const [what, text] of Object.entries({
    'nothing in it': '',
    comments:
      '# top\nmodel = "gpt-5.5" # why\n\n# of the project\n[projects."/a b"]\ntrust_level = "trusted"\n',
    'other servers':
      '[mcp_servers.other]\ncommand = "x"\n# of its tools\n[mcp_servers.other.tools.y]\napproval_mode = "approve"\n',
    CRLF: 'model = "x"\r\n\r\n[tui]\r\nnotifications = true\r\n',
    'a text that looks like a table': 'a = """\n[mcp_servers.precedent]\ncommand = "no"\n"""\n',
    'lists of tables, dates and inline tables':
      '[[rules]]\nat = 2026-01-01\nx = { y = 1 }\n\n[[rules]]\nz = []\n',
  })) {
    it(`[A-1] ${what}: a server goes in and out, and nothing else changes`, () => {
      const put = toml.put(text, PATH, SERVER);
      assert.deepEqual(valueAt(toml.read(put), PATH), SERVER);
      assert(put.startsWith(text));
      assert.equal(put.includes('\r\n'), text.includes('\r\n'));
      assert.equal(toml.take(put, PATH), text);
    });
  }

  it('[A-1] what others entered behind it stays, and what they entered below it goes with it', () => {
    const put = toml.put('a = 1\n', PATH, SERVER);
    const agentWrittenKeys = `${put}\n[mcp_servers.precedent.tools.recall]\napproval_mode = "approve"\n\n# mine\n[other]\nb = 2\n`;
    assert.equal(toml.take(agentWrittenKeys, PATH), 'a = 1\n\n# mine\n[other]\nb = 2\n');
  });

  it('[A-1] a field is changed where it stands, and a new one goes below the others', () => {
    const text = '[mcp_servers.precedent]\ncommand = "old" # why\nargs = ["a"]\n\n[z]\n';
    const changed = toml.put(text, [...PATH, 'command'], 'new');
    assert.equal(changed, text.replace('old', 'new'));
    assert.equal(
      toml.put(text, [...PATH, 'env_vars'], ['A']),
      text.replace('["a"]', '["a"]\nenv_vars = ["A"]'),
    );
  });

  it('[A-1] a table behind a last line without an end goes in and out, to the byte', () => {
    const text = 'model = "x"';
    const put = toml.put(text, PATH, SERVER);
    assert.equal(toml.take(put, PATH), text);
    const changed = toml.put(toml.take(put, [...PATH, 'args']), [...PATH, 'url'], 'u');
    assert.equal(toml.take(changed, PATH), text);
  });

  it('[A-1] a field goes with its line, a comment behind it stays', () => {
    const text = '[mcp_servers.precedent]\r\n  command = "x"\r\nargs = ["a"] # why\r\nurl = "u"';
    const without = (name: string) => toml.take(text, [...PATH, name]);
    assert.equal(without('command'), text.replace('  command = "x"\r\n', ''));
    assert.equal(without('args'), text.replace('args = ["a"]', ''));
    assert.equal(without('url'), text.replace('\r\nurl = "u"', ''));
  });

  it('[A-1] refuses what it cannot read or change safely', () => {
    for (const [text, message] of [
      ['a = \n', /line 2 is not TOML/],
      ['a = 1\na = 2\n', /line \d is not TOML/],
      ['mcp_servers = { other = { command = "x" } }\n', /cannot be changed safely/],
    ] as const)
      assert.throws(
        () => toml.put(text, PATH, SERVER),
        (error) => error instanceof Unreadable && message.test(error.message),
        text,
      );
    assert.throws(() => toml.take('mcp_servers.precedent.command = "x"\n', PATH), /cannot be changed safely/);
  });
});
