import { createHash } from 'node:crypto';
import { closeSync, openSync, readSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Tokenizer } from '@huggingface/tokenizers';
import { invalid } from '../domain/error.ts';
import { jsonIn } from '../domain/text/json.ts';
import { readBounded } from '../files/bounded.ts';
import { isTooDeep } from '../files/depth.ts';
import { cut, type Embedder, EmbedderFault, unitVector } from './embedder.ts';

export interface StaticOptions {
  /** A folder with `tokenizer.json` and `model.safetensors`, as model2vec writes them. */
  folder: string;
}

/** Numbers of a vector that are used, at most: model2vec sorts them by how much they tell. */
const DIMENSIONS = 256;
/** Tokens of a text that are read. */
const TOKENS = 512;
/** Bytes of the list of matrices in a file, and of a tokenizer: those of 500,000 tokens have 40 MB. */
const HEADER = 64 * 1024;
const TOKENIZER = 128 * 1024 * 1024;
const WIDTH: Record<string, number> = { F32: 4, F16: 2 };

/**
 * A static model, in which each token has a vector and a text the mean of its tokens' vectors. Vectors are read from the file
 * as they are needed; the tokenizer is loaded with the first text.
 * @throws PrecedentError `invalid` for files that are no such model
 */
export function staticEmbedder({ folder }: StaticOptions): Embedder {
  const path = join(folder, 'model.safetensors');
  const matrix = matrixIn(path);
  const dimensions = Math.min(matrix.columns, DIMENSIONS);
  const strange = new Float32Array(dimensions).fill(1 / Math.sqrt(dimensions));
  let loading: Promise<Tokens> | undefined;

  function vectorOf(ids: number[], file: number): Float32Array {
    const width = matrix.width;
    const sums = new Array<number>(dimensions).fill(0);
    const row = new DataView(new ArrayBuffer(dimensions * width));
    for (const id of ids) {
      const at = matrix.from + id * matrix.columns * width;
      if (id >= matrix.rows || readSync(file, row, 0, row.byteLength, at) < row.byteLength)
        throw new EmbedderFault(`${path} has no vector for token ${id}`);
      for (let n = 0; n < dimensions; n++)
        sums[n] =
          (sums[n] ?? 0) + (width === 4 ? row.getFloat32(n * 4, true) : float16(row.getUint16(n * 2, true)));
    }
    if (!sums.every(Number.isFinite)) throw new EmbedderFault(`${path} has values that are no numbers`);
    // A text without a known word is near to none.
    return unitVector(sums) ?? strange;
  }

  return {
    model: `${basename(folder)}@${dimensions}#${matrix.mark}`,
    async embed(texts) {
      loading ??= tokensIn(join(folder, 'tokenizer.json'));
      const tokensOf = await loading;
      const file = openSync(path, 'r');
      try {
        return texts.map((text) => vectorOf(tokensOf(cut(text)), file));
      } finally {
        closeSync(file);
      }
    },
  };
}

/** Where the vectors are in a file, and what tells the file from another one of the same name. */
function matrixIn(path: string) {
  const wrong = (found: string) =>
    invalid.wrong_form(
      `Expected a static model in model2vec’s form, with one matrix “embeddings” of F32 or F16, found ${found}: ${path}`,
    );
  const start = readBounded(path, { isOwn: true, first: 8 });
  if (start?.length !== 8) throw wrong(start ? 'a file that is too short' : 'no file');
  const length = Number(start.readBigUInt64LE());
  if (length > HEADER) throw wrong(`a list of matrices of ${(length / 1024).toFixed()} kB`);
  const header = readBounded(path, { isOwn: true, first: 8 + length })?.subarray(8) ?? start;
  const text = header.toString('utf8');
  const listed = (isTooDeep(text, 'json') ? undefined : jsonIn(text)) as Record<string, Listed> | undefined;
  const matrix = listed?.embeddings ?? listed?.['embedding.weight'];
  const [rows, columns] = pairOf(matrix?.shape);
  const [begin, end] = pairOf(matrix?.data_offsets);
  const width = WIDTH[String(matrix?.dtype)];
  if (width === undefined) throw wrong('none');
  // A model with fewer vectors than tokens has a second matrix that says which is whose.
  if (listed?.mapping ?? listed?.weights) throw wrong('a quantized vocabulary');
  const { size } = statSync(path);
  if (rows * columns === 0 || end - begin !== rows * columns * width || 8 + length + end > size)
    throw wrong('one whose size is not that of the file');
  const mark = createHash('sha256').update(header).update(String(size)).digest('hex').slice(0, 8);
  return { rows, columns, width, from: 8 + length + begin, mark };
}

type Listed = { dtype?: unknown; shape?: unknown; data_offsets?: unknown };
type Tokens = (text: string) => number[];

/** Two sizes, as a file names them; zeros where it names none. */
function pairOf(value: unknown): [number, number] {
  const [first, second] = Array.isArray(value) ? value : [];
  return [first, second].every((each) => Number.isSafeInteger(each) && each >= 0) ? [first, second] : [0, 0];
}

/** @throws EmbedderFault for a file that is no tokenizer */
async function tokensIn(path: string): Promise<Tokens> {
  try {
    const text = String(readBounded(path, { isOwn: true, limit: TOKENIZER }));
    if (isTooDeep(text, 'json')) throw new Error('it is nested too deeply');
    const read = JSON.parse(text);
    const { Tokenizer } = await import('@huggingface/tokenizers');
    const tokenizer: Tokenizer = new Tokenizer(read, {});
    const unknown = tokenizer.token_to_id(read.model.unk_token);
    return (each) =>
      tokenizer
        .encode(each, { add_special_tokens: false })
        .ids.filter((id: number) => id !== unknown)
        .slice(0, TOKENS);
  } catch (error) {
    const { message } = error as Error;
    throw new EmbedderFault(`${path} is no tokenizer of type WordPiece, Unigram or BPE: ${message}`);
  }
}

/** The number in these 16 bits, NaN for an endless one: Node 22 has no reader of its own. */
function float16(bits: number): number {
  const exponent = (bits >> 10) & 31;
  const fraction = (bits & 1023) / 1024;
  if (exponent === 31) return Number.NaN;
  const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -size : size;
}
