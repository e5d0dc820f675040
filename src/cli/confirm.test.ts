import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { describe, it } from 'node:test';
import { settle } from '../../test/support/until.ts';
import { PrecedentError } from '../domain/error.ts';
import { runIn, type Surroundings } from '../files/surroundings.ts';
import { agrees, asking, confirm } from './output/destroy.ts';

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
      const { input: stdin, output: stderr } = terminal(typed);
      const asking = () => confirm('Remove it?', ['a file', '\u001b[2J']);
      assert.equal(await runIn({ stdin, stderr } as object as Surroundings, asking), meant);
      const shown = String(stderr.read());
      assert(shown.includes('  a file\n') && shown.includes('Remove it? [y/N]'), shown);
      assert(!shown.includes('\u001b[2J'), 'what is destroyed cannot clear the screen');
    });
  }

  it('and takes what was typed ahead, and nothing of who left after it', async () => {
    const { input: stdin, output: stderr } = terminal('y');
    stdin.end();
    const both = () =>
      asking([], async (ask) => {
        const first = await agrees(ask, 'One?');
        await settle();
        return [first, await agrees(ask, 'Two?')];
      });
    assert.deepEqual(await runIn({ stdin, stderr } as object as Surroundings, both), [true, false]);
  });

  it('and refuses where nobody can be asked', async () => {
    const piped = { stdin: new PassThrough(), stderr: new PassThrough() } as object as Surroundings;
    await assert.rejects(
      runIn(piped, () => confirm('Remove it?', [])),
      (error) =>
        error instanceof PrecedentError && error.code === 'invalid' && error.message.includes('--yes'),
    );
  });
});
