import { giveWay } from './turns.ts';

/** The most that one call does before others get their turn (Z-5): rows, or characters of texts. */
export const STRETCH = { rows: 500, characters: 64 * 1024 } as const;

/**
 * Lets the event loop go on between pieces of a long work (Z-5). An embedded database answers without a pause, and whoever
 * else is served by the process waits until the work yields by itself.
 */
export class Pauses {
  #rows = 0;
  #characters = 0;
  readonly #pause: () => Promise<unknown>;

  /** @param pause resolves when others had their turn; for tests */
  constructor(pause: () => Promise<unknown> = giveWay) {
    this.#pause = pause;
  }

  /** Called before each piece of work: pauses where that and what was done since the last pause would be too much. */
  async before(rows: number, characters: number): Promise<void> {
    const isTooMuch = this.#rows + rows > STRETCH.rows || this.#characters + characters > STRETCH.characters;
    if (isTooMuch && this.#rows + this.#characters > 0) {
      await this.#pause();
      [this.#rows, this.#characters] = [0, 0];
    }
    this.#rows += rows;
    this.#characters += characters;
  }
}

/** Things in groups that one stretch bears; what is larger by itself is a group of its own. */
export function* stretchesOf<T>(all: readonly T[], charactersOf: (each: T) => number): Generator<T[]> {
  let group: T[] = [];
  let characters = 0;
  for (const each of all) {
    const more = charactersOf(each);
    if (group.length > 0 && (group.length >= STRETCH.rows || characters + more > STRETCH.characters)) {
      yield group;
      [group, characters] = [[], 0];
    }
    group.push(each);
    characters += more;
  }
  if (group.length > 0) yield group;
}
