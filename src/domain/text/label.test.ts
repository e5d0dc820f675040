import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { label } from './label.ts';

describe('label', () => {
  it('[D-16] keeps a name as it is, and of any other what may be kept with every record', () => {
    for (const name of ['claude-code 2.1.329', '에디터 1.0', 'cli']) assert.equal(label(name), name);
    assert.equal(label('ed<private>itor of Kim</private> 1.0'), 'ed[REDACTED] 1.0');
    assert.equal(label('a\0b\u001b[31m\nc\ud800'), 'a b c\ufffd');
    assert.equal(label('🙂'.repeat(5_000_000)), '🙂'.repeat(200));
  });
});
