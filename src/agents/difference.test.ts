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
