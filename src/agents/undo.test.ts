import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { json } from './edit/json.ts';
import { undone, undoOf } from './undo.ts';

const written = (undo: unknown) => JSON.parse(JSON.stringify(undo));

describe('the way back from what setup wrote', () => {
  it('[A-1] leads to the very text before, whatever the two are', () => {
    const text = fc
      .array(fc.constantFrom('{', '}', ',', '\n', '"a"', '😀', '😁', '한', ' ', '\uFEFF'))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(text, text, (before, after) => {
        assert.equal(undone(after, written(undoOf(before, after))), before);
      }),
      { numRuns: 500 },
    );
  });

  it('[A-1] holds nothing of what others keep in their settings, on one line too', () => {
    const settings = {
      env: { KEY: 'sk-1, {sk-2}' },
      permissions: { allow: ['sk-3'] },
      mcpServers: { other: { env: { KEY: 'sk-4' }, args: ['sk-5'] } },
      projects: { '/home': ['sk-6'] },
    };
    for (const indent of [undefined, 2]) {
      const before = JSON.stringify(settings, null, indent);
      const server = json.put(before, ['mcpServers', 'ours'], { command: 'node', args: ['x', 'mcp'] });
      const list = json.put(server, ['permissions', 'allow', 1], 'mcp__ours');
      const after = json.put(list, ['hooks', 'Start'], [{ hooks: ['ours'] }]);
      const undo = undoOf(before, after);
      assert.equal(undone(after, undo), before);
      assert.doesNotMatch(JSON.stringify(undo), /sk-/);
    }
  });
});
