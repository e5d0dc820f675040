/** Whether everything is tried that repeats something else: `npm run test:deep`. */
const IS_DEEP = process.env.PRECEDENT_TEST_DEEP === '1';
/** Of how many cases that repeat each other one is tried. */
const ONE_OF = IS_DEEP ? 1 : 4;
/** Says which one. `npm test` takes another with each commit, and prints it. */
const SEED = Number(process.env.PRECEDENT_TEST_SEED || 0);

/**
 * Whether this run tries a case, where many differ in nothing but the moment at which something happens. Whatever the
 * seed, neighbours are tried: of any four cases in a row, one.
 * @param index its number among them
 */
export const isTried = (index: number): boolean => (index + SEED) % ONE_OF === 0;

/** How much of a random or a repeated work this run does. */
export const portion = (whole: number): number => Math.ceil(whole / ONE_OF);
