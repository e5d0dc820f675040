import assert from 'node:assert/strict';
import { it } from 'node:test';
import { differenceOf } from './difference.ts';
import type { Entry } from './entry.ts';
import type { Change } from './plan.ts';

it('[A-1] what a dry run shows as there is in the file: an entry that was removed by hand is added again', () => {
  const entry: Omit<Entry, 'part' | 'file'> = {
    format: 'json',
    path: ['mcpServers', 'precedent'],
    value: { command: 'node' },
  };
  const whole = '{"mcpServers":{"precedent":{"command":"node"}}}';
  const from = (before: string) =>
    differenceOf({
      ...{ file: 'f.json', before: Buffer.from(before), after: Buffer.from(whole) },
      ...{ entries: [entry], written: { entries: [entry] } },
    } as unknown as Change);
  assert.match(from('{"mcpServers":{"other":{}}}'), /^\+.*"precedent"/m);
  assert.doesNotMatch(from(whole), /^[+-] /m);
});

it('[A-1] an entry that somebody added to is shown to change as it does, without what was added', () => {
  const entry = (args: string[]): Omit<Entry, 'part' | 'file'> => ({
    format: 'toml',
    path: ['servers', 'ours'],
    value: { command: 'node', args },
  });
  const file = (args: string) => `[servers.ours]\ncommand = "node"\nargs = [${args}]\nkey = "비밀"\n`;
  const shown = (after: string, entries: object[], before = file('"a"')) =>
    differenceOf({
      ...{ file: 'f.toml', before: Buffer.from(before), after: Buffer.from(after) },
      ...{ entries, written: { entries: [entry(['a'])] } },
    } as unknown as Change).match(/^[+-](?![+-]).*$/gm);
  assert.deepEqual(shown(file('"b"'), [entry(['b'])]), ['-args = ["a"]', '+args = ["b"]']);
  assert.deepEqual(shown('', []), ['-[servers.ours]', '-command = "node"', '-args = ["a"]']);
  assert.equal(shown(file('"u"'), [entry(['a'])], file('"u"')), null, 'what is left as it is');
});
