import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { copied, line } from '../../operations/view.ts';
import { render } from './render.ts';
import { wrapLine } from './wrap.ts';

describe('lines of a text', () => {
  it('[U-9] a line that was broken begins with a word, the first keeps its blanks', () => {
    assert.equal(wrapLine('  to be or not', 9), '  to be \nor not');
    assert.equal(wrapLine('', 20), '');
  });

  it('[U-9] a command that a person copies is one line, however long', () => {
    const command = `precedent backup --restore /${'backups of all machines/'.repeat(6)}why.db --force`;
    const how = { width: 40, color: false, now: new Date(0) };
    assert.equal(render([copied(command)], how), `  ${command}`);
    assert(render([line(command)], how).includes('\n'));
  });
});
