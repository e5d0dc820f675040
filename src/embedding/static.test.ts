import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { staticModel } from '../../test/support/static-model.ts';
import { PrecedentError } from '../domain/error.ts';
import { EmbedderFault } from './embedder.ts';
import { staticEmbedder } from './static.ts';

const close = (one: Float32Array | undefined, other: number[]) => {
  assert.equal(one?.length, other.length);
  for (const [at, value] of other.entries())
    assert(Math.abs((one?.[at] ?? 0) - value) < 1e-3, `${one} is not ${other}`);
};

describe('staticEmbedder', () => {
  it('gives the mean of the vectors of the tokens, of length 1, from F32 and F16, of each type of tokenizer', async () => {
    for (const dtype of ['F32', 'F16'] as const) {
      for (const type of ['WordPiece', 'Unigram', 'BPE'] as const) {
        const folder = staticModel({ dtype, type });
        const [car, both, strange, none] = await staticEmbedder({ folder }).embed(
          ['car', 'car soup', 'xyzzy', ''],
          'query',
        );
        close(car, [0.6, -0.8, 0, 0]);
        // Half of (0.6, -0.8, 0, 0) and (0, 0, 0.5, 0).
        close(
          both,
          [0.6, -0.8, 0.5, 0].map((value) => value / Math.hypot(1, 0.5)),
        );
        assert.equal(none?.length, 4);
        assert.deepEqual(strange, none, `${type}: an unknown word is left out`);
      }
    }
  });

  it('has another name when its vectors are others', () => {
    const names = [4, 5].map((columns) => staticEmbedder({ folder: staticModel({ columns }) }).model);
    assert.notEqual(names[0], names[1]);
    assert.match(names[0] ?? '', /^model-\w+@4#[0-9a-f]{8}$/);
  });

  it('uses the first 256 numbers of long vectors', async () => {
    const [car] = await staticEmbedder({ folder: staticModel({ columns: 300 }) }).embed(['car'], 'query');
    assert.equal(car?.length, 256);
  });

  it('[Z-3] refuses files that are no such model, and says why', async () => {
    const cases: [Parameters<typeof staticModel>[0], RegExp][] = [
      [{ length: 2n ** 60n }, /a list of matrices of \d+ kB/],
      [{ length: 8n }, /found none/],
      [{ ends: 2 ** 40 }, /whose size is not that of the file/],
      [{ rows: 2 ** 40 }, /whose size is not that of the file/],
      [{ rows: -1 }, /whose size is not that of the file/],
      [{ dtype: 'I8' }, /found none/],
      [{ header: '{"embeddings":{"dtype":"F32","shape":5}}' }, /whose size is not/],
      [{ header: 'null' }, /found none/],
      [{ more: { mapping: { dtype: 'I64', shape: [4], data_offsets: [0, 32] } } }, /a quantized vocabulary/],
      [{ header: '['.repeat(5_000) }, /found none/],
      [{ without: 'model.safetensors' }, /found no file/],
    ];
    for (const [knobs, why] of cases)
      assert.throws(
        () => staticEmbedder({ folder: staticModel(knobs) }),
        (error) => error instanceof PrecedentError && error.code === 'invalid' && why.test(error.message),
        String(why),
      );
    const later: [Parameters<typeof staticModel>[0], RegExp][] = [
      [{ value: Number.NaN }, /values that are no numbers/],
      [{ value: Number.POSITIVE_INFINITY }, /values that are no numbers/],
      [{ rows: 2 }, /no vector for token/],
      [{ tokenizer: '{"model":{"type":"Other"}}' }, /no tokenizer of type WordPiece, Unigram or BPE/],
      [{ tokenizer: '['.repeat(5_000) }, /nested too deeply/],
      [{ without: 'tokenizer.json' }, /no tokenizer/],
    ];
    for (const [knobs, why] of later)
      await assert.rejects(
        staticEmbedder({ folder: staticModel(knobs) }).embed(['car'], 'query'),
        (error) => error instanceof EmbedderFault && why.test(error.message),
        String(why),
      );
  });
});
