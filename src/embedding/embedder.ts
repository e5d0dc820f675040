/** The part of a text in a search: a question, or a passage that may answer one. */
export type Purpose = 'query' | 'passage';

/** Turns texts into vectors. It is slow and may fail, being a network or a model: no write ever waits for it. */
export interface Embedder {
  /** Stored with each vector; vectors of different models are never compared. */
  readonly model: string;
  /**
   * A vector of unit length for each text, in the order of the texts, all of one size. No text may be empty: some
   * endpoints refuse the whole request then.
   * @throws EmbedderFault also when the signal stops it
   */
  embed(texts: string[], purpose: Purpose, signal?: AbortSignal): Promise<Float32Array[]>;
}

/** The reason why there is no vector, for the operator's log. It never holds a text or a secret. */
export class EmbedderFault extends Error {
  /** The HTTP status of the answer, if there was one. After a 400, 413 or 422 the same texts fail again. */
  readonly status: number | undefined;

  constructor(message: string, status?: number) {
    super(message);
    this.name = 'EmbedderFault';
    this.status = status;
  }
}

/** Characters of a text that a model reads: models have windows of 500 to 8,000 tokens, and some endpoints refuse longer texts. */
const TEXT_LIMIT = 8_000;

/** The first characters of a text, whole ones: an endpoint may refuse text that is not valid Unicode. */
export function cut(text: string): string {
  if (text.length <= TEXT_LIMIT) return text.toWellFormed();
  return [...text.slice(0, TEXT_LIMIT * 2)].slice(0, TEXT_LIMIT).join('').toWellFormed();
}

/** Statuses of a text that is refused every time, such as one that is too long. */
const REFUSED = new Set([400, 413, 422]);

/** Whether the model refused this text, and may answer another one. */
export function isRefusal(error: unknown): boolean {
  return error instanceof EmbedderFault && REFUSED.has(error.status ?? 0);
}

/** The values as a vector of length 1; undefined for a zero vector, which points nowhere. */
export function unitVector(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values);
  return length === 0 ? undefined : Float32Array.from(values, (value) => value / length);
}

const E5 = /(?<![a-z0-9])e5(?![a-z0-9])/i;

/**
 * The prefix that a model expects before each text. The E5 models were trained with "query: " and "passage: " and find
 * less without them. E5 models that take instructions expect a description of the task instead, which is unknown here.
 */
export function textPrefix(model: string, purpose: Purpose): string {
  return E5.test(model) && !/instruct/i.test(model) ? `${purpose}: ` : '';
}
