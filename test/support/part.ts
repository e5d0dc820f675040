/** Whether everything is tried that repeats something else: `npm run test:deep`. */
export const IS_DEEP = process.env.PRECEDENT_TEST_DEEP === '1';
/** Of how many cases that repeat each other one is tried. */
export const ONE_OF = IS_DEEP ? 1 : 8;
/** Says which one. `npm test` takes another with each commit, and prints it. */
const SEED = Number(process.env.PRECEDENT_TEST_SEED || 0);

/**
 * Whether this run tries a case, where many differ in nothing but the moment at which something happens. Whatever the
 * seed, neighbours are tried: of any eight cases in a row, one.
 * @param index its number among them
 * @param around in how many turns comes what these are cases of: over time it is tried with each of them
 */
export const isTried = (index: number, around = 1): boolean =>
  (index + Math.floor(SEED / around)) % ONE_OF === 0;

/** How much of a random or a repeated work this run does. */
export const portion = (whole: number): number => Math.ceil(whole / ONE_OF);

/** How often this run tries a random property, and with which seed: the runs of eight turns differ. */
export const runs = (whole: number, seed: number) => ({
  numRuns: portion(whole),
  seed: seed + (SEED % ONE_OF),
});

/**
 * Which of a few ways this run takes to try the same: one, in turn.
 * @param index the number of what is tried, so that neighbours take different ways
 * @param around in how many turns comes what this is a part of: each of them meets each way
 */
export const inTurn = <Way>(ways: readonly Way[], index: number, around = 1): Way[] =>
  IS_DEEP
    ? [...ways]
    : ways.filter((_, place) => place === (index + Math.floor(SEED / around)) % ways.length);
