import * as z from 'zod';

/**
 * A date in a result: ISO 8601, UTC. It checks nothing, so it is no field of an input: an input that names a moment
 * needs a field in `fields/` that parses and refuses.
 */
export const resultDate = () => z.string().meta({ format: 'date-time' });
/** A moment as {@link resultDate}. One that no date can hold, in a memory that was tampered with, ends no answer. */
export function iso(milliseconds: number): string {
  const date = new Date(milliseconds);
  return Number.isNaN(date.getTime()) ? 'unknown' : date.toISOString();
}

/** In the result of a search: given when the model did not answer. */
export const degraded = () =>
  z.string().optional().meta({ description: 'Given when the model did not answer: found by words alone' });
