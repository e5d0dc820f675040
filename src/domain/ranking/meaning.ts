import { rounded } from './context.ts';
import { FOUND, FULL, NEAR, NEAREST, UNSKILLED, UNTRIED } from './weights.ts';

/**
 * The gain of each of the nearest records from its meaning, 0..1: 1 the nearest, 0 the last of `NEAREST`. So a model to which
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

/** How a model did with titles and texts of the memory's own records. */
export interface Trial {
  /** How many titles it was asked. */
  asked: number;
  /** For how many the text of their own record was among the `FOUND` nearest. */
  found: number;
  /** The largest cosine of a title and the text of another record: to be an answer, a record has to be nearer. */
  stranger: number;
}

/**
 * Tries a model: does each title find the text of its own record among the texts of all?
 * @param records vectors of unit length; the text without the title
 */
export function trialOf(records: { title: Float32Array; text: Float32Array }[]): Trial {
  const trial: Trial = { asked: records.length, found: 0, stranger: 0 };
  for (const [own, { title }] of records.entries()) {
    const cosines = records.map(({ text }) => cosine(title, text));
    const mine = cosines[own] ?? 0;
    const others = cosines.toSpliced(own, 1);
    // One that is just as near counts against it: to some models all texts are alike.
    if (others.filter((other) => other >= mine).length < FOUND) trial.found++;
    trial.stranger = Math.max(trial.stranger, ...others);
  }
  return trial;
}

function cosine(one: Float32Array, other: Float32Array): number {
  return one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
}

/**
 * The gain of the nearest record by its meaning, as a share of the best score by words: as much as the model showed that it
 * can, nothing for one that finds hardly more than chance.
 * @param trial undefined for a model that was not tried
 */
export function weightOf(trial: Trial | undefined): number {
  if (!trial) return UNTRIED;
  const chance = FOUND / trial.asked;
  const skill = (trial.found / trial.asked - chance) / (1 - chance);
  const weight = FULL * Math.max(0, (skill - UNSKILLED) / (1 - UNSKILLED));
  return Math.round(weight * 100) / 100;
}

/** A trial as people see it. */
export interface Tried {
  /** How many titles of records the model was asked. */
  asked: number;
  /** Of how many it found the record. */
  found: number;
  /** Its weight in the ranking: 0 nothing, 0.9 as much as it can. */
  weight: number;
}

export const triedOf = (trial: Trial): Tried => ({
  asked: trial.asked,
  found: trial.found,
  weight: weightOf(trial),
});

/**
 * Joins what the words say of records and what their meaning says: scores as a share of the best, plus `weight` times the
 * nearness. So a weak model moves little, whatever it finds near (S-4).
 * @param words scores by number, best first
 * @param near nearness by number
 * @param weight {@link weightOf} the model
 * @param unknown whether the meaning of a record is not known yet: it counts as being as near as its words say
 * @returns scores by number, rounded to 9 digits
 */
export function joined(
  words: ReadonlyMap<number, number>,
  near: ReadonlyMap<number, number>,
  weight: number,
  unknown: (seq: number) => boolean,
): Map<number, number> {
  const [best = 0] = words.values();
  const byWords = (seq: number) => (best > 0 ? (words.get(seq) ?? 0) / best : 0);
  return new Map(
    [...words.keys(), ...near.keys()].map((seq) => [
      seq,
      rounded(byWords(seq) + weight * (near.get(seq) ?? (unknown(seq) ? byWords(seq) : 0))),
    ]),
  );
}
