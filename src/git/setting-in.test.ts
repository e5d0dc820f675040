import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../test/support/clock.ts';
import { settingIn } from './setting-in.ts';

describe('a setting in the text of a file of git', () => {
  it('is the last one of its section, in any case, with and without quotes, a comment and a value', () => {
    const text = '[Core]\r\n\tworktree = a\n[x]worktree=b\n [core] # c\n  WorkTree = "c d" ; e\n';
    assert.equal(settingIn(text, 'core.worktree'), 'c d');
    assert.equal(settingIn('[precedent]\n\thooks\n', 'precedent.hooks'), 'true');
    assert.equal(settingIn('[precedent "a"]\n\thooks = off\n', 'precedent.hooks'), undefined);
    assert.equal(settingIn('# precedent', 'precedent.hooks'), undefined);
  });

  it('is looked for in time that grows with the text, whatever it repeats [Z-6]', async () => {
    const parts = [' ', '\t', '[', ']', '=', 'a', '"', '#', '\r', '\n', '[a]', 'a ', '\u2028', '가'];
    for (const part of parts)
      for (const before of ['', 'a', '[', 'hooks', 'hooks = ', 'hooks =']) {
        const text = `[precedent]\n${before}${part.repeat(300_000 / part.length)}x`;
        const look = () => settingIn(text, 'precedent.hooks');
        await withinProcessorTime(1_000, look, JSON.stringify(before + part));
      }
  });
});
