import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { PrecedentError } from '../domain/error.ts';
import { confirm } from './output/destroy.ts';

/** A terminal at which a person types this; undefined for one who leaves with Ctrl-D. */
function terminal(typed: string | undefined) {
  const input = Object.assign(new PassThrough(), { isTTY: true });
  const output = Object.assign(new PassThrough(), { isTTY: true });
  if (typed === undefined) input.end();
  else input.write(`${typed}\n`);
  return { input, output };
}

describe('[K-5] what destroys asks', () => {
  for (const [typed, meant] of [
    ['y', true],
    ['Yes', true],
    ['', false],
    ['n', false],
    ['yesterday', false],
    [undefined, false],
  ] as const) {
    it(`and takes ${JSON.stringify(typed)} for ${meant ? 'yes' : 'no'}`, async () => {
      const { input, output } = terminal(typed);
      assert.equal(await confirm('Remove it?', ['a file', '\u001b[2J'], { input, output }), meant);
      const shown = String(output.read());
      assert(shown.includes('  a file\n') && shown.includes('Remove it? [y/N]'), shown);
      assert(!shown.includes('\u001b[2J'), 'what is destroyed cannot clear the screen');
    });
  }

  it('and refuses where nobody can be asked', async () => {
    await assert.rejects(
      confirm('Remove it?', [], { input: new PassThrough(), output: new PassThrough() }),
      (error) =>
        error instanceof PrecedentError && error.code === 'invalid' && error.message.includes('--yes'),
    );
  });
});
