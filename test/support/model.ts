import { type Embedder, unitVector } from '../../src/embedding/embedder.ts';

/** Words that mean another word, in lower case: `{ automobile: 'car' }`. */
export type Synonyms = Record<string, string>;

/** A model within this process, which answers before any time has passed. May be changed between questions. */
export interface LocalModel extends Embedder {
  /** What it was asked for, failed questions included. */
  asked: string[][];
  /** Thrown in the place of an answer. */
  fail: Error | undefined;
}

/** A {@link LocalModel}; see {@link vectorOf} for its answers. */
export function localModel({
  model = 'test-model',
  dimensions = 64,
  synonyms = {},
}: {
  model?: string;
  dimensions?: number;
  synonyms?: Synonyms;
} = {}): LocalModel {
  const self: LocalModel = {
    model,
    asked: [],
    fail: undefined,
    async embed(texts) {
      self.asked.push(texts);
      if (self.fail) throw self.fail;
      return texts.map((text) => unitVector(vectorOf(text, dimensions, synonyms)) as Float32Array);
    },
  };
  return self;
}

/** A model that does not answer until it is told that it never will. */
export interface MuteModel extends Embedder {
  /** By which each question could be stopped. */
  signals: (AbortSignal | undefined)[];
  giveUp(): void;
}

export function muteModel(): MuteModel {
  const signals: (AbortSignal | undefined)[] = [];
  const { promise, reject } = Promise.withResolvers<never>();
  promise.catch(() => {});
  return {
    model: 'mute',
    signals,
    embed(_texts, _purpose, signal) {
      signals.push(signal);
      return promise;
    },
    giveUp: () => reject(new Error('the model is gone')),
  };
}

/**
 * The meaning of a text: texts that share pairs of letters get close vectors, always the same; a word and its synonym
 * get the same one. Half of the pairs count below zero, so that unlike texts are at about a right angle.
 */
export function vectorOf(one: string, dimensions: number, synonyms: Synonyms): number[] {
  const vector = new Array<number>(dimensions).fill(0);
  const words =
    one
      .replace(/^(query|passage): /, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
  for (const word of words) {
    const letters = [' ', ...(Object.hasOwn(synonyms, word) ? (synonyms[word] ?? '') : word), ' '];
    for (let at = 1; at < letters.length; at++) {
      const hash = hashOf(`${letters[at - 1]}${letters[at]}`);
      const place = (hash >>> 1) % dimensions;
      vector[place] = (vector[place] ?? 0) + (hash & 1 ? 1 : -1);
    }
  }
  if (!vector.some(Boolean)) vector[0] = 1;
  return vector;
}

/** FNV-1a, then mixed, since the lowest bits of FNV alone are poor. */
function hashOf(pair: string): number {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(pair)) hash = Math.imul(hash ^ byte, 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  return (hash ^ (hash >>> 13)) >>> 0;
}
