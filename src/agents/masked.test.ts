import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Entry } from './entry.ts';
import { masked } from './masked.ts';

const SERVER = { command: '/usr/bin/node', args: ['/p.cjs', 'mcp'] };
const entry = (format: 'json' | 'toml', path: string[], value: Entry['value']): Entry => ({
  part: 'server',
  file: '/f',
  format,
  path,
  value,
});

describe('settings as they are shown', () => {
  it('[A-1] in JSON, on one line too: keys and what is ours', () => {
    const text = `{"a":"sk-1","mcpServers":{"other":{"env":{"KEY":"sk-2"},"args":["sk-3",4]},"ours":${JSON.stringify(SERVER)}}}`;
    assert.equal(
      masked(text, [entry('json', ['mcpServers', 'ours'], SERVER)]),
      `{"a":…,"mcpServers":{"other":{"env":{"KEY":…},"args":[…,…]},"ours":${JSON.stringify(SERVER)}}}`,
    );
  });

  it('[A-1] what others added to an entry of ours, or beside it in a list, is not ours', () => {
    const text = `{
  // sk-1
  "ours": { "command": "/usr/bin/node", "args": ["/p.cjs", "mcp"], "env": { "KEY": "sk-2" } }, /* sk-3 */
  "allow": ["sk-4", "mcp__recall", {"hooks": ["ours"]}, {"hooks": ["sk-5"]}],
}`;
    const item = (value: Entry['value']): Entry => ({ ...entry('json', ['allow'], value), isItem: true });
    assert.equal(
      masked(text, [entry('json', ['ours'], SERVER), item('mcp__recall'), item({ hooks: ['ours'] })]),
      text
        .replace(' sk-1', '…')
        .replace(' sk-3 */', '…')
        .replace(/"sk-\d"/g, '…'),
    );
  });

  it('[A-1] in TOML: tables, tables in lists, inline tables, dotted keys and comments', () => {
    const ours = '[mcp_servers.ours]\ncommand = "/usr/bin/node"\nargs = ["/p.cjs", "mcp"]\n';
    const text = `a = "sk-1" # sk-2\n[mcp_servers.other]\nenv = { KEY = "sk-3" }\nb.c = ["""\nsk-4\n"""]\n\n${ours}own = 'sk-5'\n\n[[d]]\ne = 2026-01-01\n`;
    assert.equal(
      masked(text, [entry('toml', ['mcp_servers', 'ours'], SERVER)]),
      `a = … #…\n[mcp_servers.other]\nenv = { KEY = … }\nb.c = […]\n\n${ours}own = …\n\n[[d]]\ne = …\n`,
    );
  });

  it('[A-1] a file of our own is shown whole', () => {
    assert.equal(masked('text', [{ ...entry('json', [], 'text'), format: 'text' }]), 'text');
  });
});
