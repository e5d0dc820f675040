import { rounded } from './context.ts';
import { MEANING, NEAR, NEAREST } from './weights.ts';

/**
 * What each of the nearest records gains from its meaning, 0..1: 1 the nearest, 0 the last of `NEAREST`. So a model to which
 * all texts are much alike says as much as one that tells them apart, and how near is near to it need not be known.
 * @param cosines of the nearest records, the nearest first
 */
export function nearness(cosines: number[]): number[] {
  const [nearest = 0] = cosines;
  // In a small memory fewer are near enough: the farthest of them would gain nothing.
  const farthest = cosines.length < NEAREST ? NEAR : (cosines.at(-1) ?? 0);
  const span = nearest - farthest;
  return cosines.map((cosine) => (span > 0 ? (cosine - farthest) / span : 1));
}

/** Records that a model must tell apart: two may be the same. */
const SEVERAL = 3;
/** Cosines that differ by less are the same, however a model rounds. */
const SAME = 1e-4;

/** Whether a model tells several records apart. One that does not is ignored. @param cosines nearest first */
export function differs(cosines: number[]): boolean {
  const [nearest = 0] = cosines;
  return cosines.length < SEVERAL || nearest - (cosines.at(-1) ?? 0) >= SAME;
}

/**
 * Joins what the words say of records and what their meaning says: scores as a share of the best, plus `MEANING` times the
 * nearness. So a weak model moves little, whatever it finds near (S-4).
 * @param words scores by number, best first
 * @param near nearness by number
 * @returns scores by number, rounded to 9 digits
 */
export function joined(
  words: ReadonlyMap<number, number>,
  near: ReadonlyMap<number, number>,
): Map<number, number> {
  const [best = 0] = words.values();
  const byWords = (seq: number) => (best > 0 ? (words.get(seq) ?? 0) / best : 0);
  return new Map(
    [...words.keys(), ...near.keys()].map((seq) => [
      seq,
      rounded(byWords(seq) + MEANING * (near.get(seq) ?? 0)),
    ]),
  );
}
