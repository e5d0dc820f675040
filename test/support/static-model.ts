import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { scratch } from './engines.ts';

/** Words of the model, by token, and what their vectors begin with. */
const WORDS: [word: string, vector: number[]][] = [
  ['[UNK]', [9, 9, 9, 9]],
  ['soup', [0, 0, 0.5]],
  ['car', [0.6, -0.8]],
  ['automobile', [0.6, -0.8]],
  ['kitchen', [0, 0, 0, 1]],
];

/** How a model differs from one that is in order. */
export interface StaticKnobs {
  type?: 'WordPiece' | 'Unigram' | 'BPE';
  dtype?: string;
  columns?: number;
  /** What the file says that it has. */
  rows?: number;
  ends?: number;
  length?: bigint;
  header?: string;
  /** Other matrices that it lists. */
  more?: Record<string, unknown>;
  /** The value of each number. */
  value?: number;
  tokenizer?: string;
  without?: string;
}

/** Makes the folder of a static model in model2vec's form. */
export function staticModel(knobs: StaticKnobs = {}): string {
  const folder = mkdtempSync(join(scratch(), 'model-'));
  const { type = 'WordPiece', dtype = 'F32', columns = 4, value } = knobs;
  const stored =
    knobs.rows !== undefined && knobs.rows > 0 && knobs.rows < WORDS.length ? knobs.rows : WORDS.length;
  const width = dtype === 'F16' ? 2 : 4;
  const data = Buffer.alloc(stored * columns * width);
  for (const [row, [, vector]] of WORDS.slice(0, stored).entries())
    for (let column = 0; column < columns; column++) {
      const number = value ?? vector[column] ?? 0;
      const at = (row * columns + column) * width;
      if (width === 2) data.writeUInt16LE(float16(number), at);
      else data.writeFloatLE(number, at);
    }
  const embeddings = {
    dtype,
    shape: [knobs.rows ?? stored, columns],
    data_offsets: [0, knobs.ends ?? data.length],
  };
  const header = Buffer.from(knobs.header ?? JSON.stringify({ embeddings, ...knobs.more }));
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(knobs.length ?? BigInt(header.length));
  writeFileSync(join(folder, 'model.safetensors'), Buffer.concat([length, header, data]));
  writeFileSync(join(folder, 'tokenizer.json'), knobs.tokenizer ?? JSON.stringify(tokenizerOf(type)));
  if (knobs.without !== undefined) rmSync(join(folder, knobs.without));
  return folder;
}

function tokenizerOf(type: string) {
  const vocab = Object.fromEntries(WORDS.map(([word], id) => [word, id]));
  const model = {
    WordPiece: {
      type,
      unk_token: '[UNK]',
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
    Unigram: { type, unk_id: 0, unk_token: '[UNK]', vocab: WORDS.map(([word]) => [word, -word.length]) },
    BPE: { type, unk_token: '[UNK]', vocab, merges: [], ignore_merges: true },
  }[type];
  return {
    version: '1.0',
    added_tokens: [],
    normalizer: { type: 'Lowercase' },
    pre_tokenizer: { type: 'Whitespace' },
    post_processor: null,
    decoder: null,
    model,
  };
}

/** The bits of a number that has few, or is none, as F16. */
function float16(number: number): number {
  if (Number.isNaN(number)) return 0x7e00;
  if (number === 0) return 0;
  const sign = number < 0 ? 0x8000 : 0;
  const exponent = Math.floor(Math.log2(Math.abs(number)));
  if (exponent > 15) return sign | 0x7c00;
  const fraction = Math.round((Math.abs(number) / 2 ** exponent - 1) * 1024);
  return sign | ((exponent + 15) << 10) | fraction;
}
