import { emitKeypressEvents } from 'node:readline';
import { createInterface } from 'node:readline/promises';
import type { Surroundings } from '../../files/surroundings.ts';

type Terminal = Pick<Surroundings, 'stdin' | 'stdout'>;
type Raw = { setRawMode?(isRaw: boolean): unknown };

/** Ctrl-C, Ctrl-D and the end of the input. */
export const END = 'end';

/** The keys that a person presses, one after the other. */
export class Keys {
  readonly #terminal: Terminal;
  readonly #pressed: string[] = [];
  #waiting: ((key: string) => void) | undefined;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
    emitKeypressEvents(terminal.stdin);
    terminal.stdin.on('end', () => this.#take(END));
    this.#listen();
  }

  /** The next key: a letter as it is typed, `return`, `escape`, or {@link END}. */
  next(): Promise<string> {
    const pressed = this.#pressed.shift();
    if (pressed !== undefined) return Promise.resolve(pressed);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** As if a person pressed this key next. */
  press(key: string): void {
    this.#pressed.unshift(key);
  }

  /** A line that a person types; empty for none, undefined when they leave it by Ctrl-C or Ctrl-D. */
  async line(question: string): Promise<string | undefined> {
    this.close();
    const { stdin: input, stdout: output } = this.#terminal;
    const dialogue = createInterface({ input, output });
    const gone = new AbortController();
    dialogue.once('close', () => gone.abort());
    const typed = await dialogue.question(question, { signal: gone.signal }).catch(() => undefined);
    dialogue.close();
    this.#listen();
    return typed?.trim();
  }

  /** Lets something else have the terminal for a while, such as an editor. */
  async lend<Result>(work: () => Promise<Result>): Promise<Result> {
    this.close();
    try {
      return await work();
    } finally {
      this.#listen();
    }
  }

  close(): void {
    const { stdin } = this.#terminal;
    stdin.off('keypress', this.#press);
    (stdin as Raw).setRawMode?.(false);
    stdin.pause();
  }

  #listen(): void {
    const { stdin } = this.#terminal;
    stdin.on('keypress', this.#press);
    (stdin as Raw).setRawMode?.(true);
    stdin.resume();
  }

  readonly #press = (text: string | undefined, key: { name?: string; ctrl?: boolean }): void => {
    if (key.ctrl) {
      if (key.name === 'c' || key.name === 'd') this.#take(END);
    } else this.#take(text && text.trim() !== '' ? text : (key.name ?? ''));
  };

  #take(key: string): void {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    if (waiting) waiting(key);
    else this.#pressed.push(key);
  }
}

/** The items of a list that numbers choose, such as "1 3-5"; undefined where the list has no such number. */
export function chosenBy<Item>(numbers: string, list: Item[]): Item[] | undefined {
  const chosen = new Set<Item>();
  for (const part of numbers.split(/[ ,]+/).filter((each) => each !== '')) {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    const [from, to] = [Number(first), Number(last)];
    // Not so for what is not a number.
    if (!(from >= 1 && from <= to && to <= list.length)) return undefined;
    for (const item of list.slice(from - 1, to)) chosen.add(item);
  }
  return [...chosen];
}
