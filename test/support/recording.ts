import { cpSync, globSync, mkdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type Memory, PrecedentError } from '../../src/index.ts';
import { readSource } from '../../src/memory/importing.ts';
import { INTENDED, type Intended } from '../recording/intended.ts';
import { type EngineUnderTest, scratch } from './engines.ts';
import { filesOf } from './exported.ts';
import { exported } from './stream.ts';

/** One call: on which of three machines, when, by whom. An operation, or one of {@link WHOLE}. */
export interface Step {
  on: number;
  at: number;
  by: string;
  client: string;
  name: string;
  input: Record<string, unknown>;
}
/** What a call answers; null for none. */
export type Answer = Record<string, unknown> | null;
/** A step, and its answer when the recording was written. */
export type Recorded = Step & { answer: unknown };

/** A call whose answer is not the recorded one, at these places. */
export interface Difference {
  life: string;
  call: number;
  step: Step;
  places: { path: string; recorded: unknown; present: unknown }[];
  /** The names of the intended changes that cover it, if they cover each place. */
  intended?: string;
}

const FOLDER = join(import.meta.dirname, '..', 'recording');
const IMPORTS = join(import.meta.dirname, '..', 'fixtures', 'imports');
/** The third machine's clock is behind by more than any two calls that follow each other at once. */
const BEHIND = [0, 0, 90_000];
const BEGINNING = Date.UTC(2026, 0, 1);
const OF_DISK = /^The text is gone from every answer/;

/** Three machines with fixed clocks and ids. What is asked of a memory goes through what users can reach. */
export class Scene {
  readonly memories: Memory[] = [];
  readonly folder = scratch();
  readonly engine: EngineUnderTest;
  readonly life: string;
  #now = BEGINNING;

  constructor(engine: EngineUnderTest, life: string) {
    this.engine = engine;
    this.life = life;
  }

  /** The names of the workspaces are the same in every run and on every engine, since answers have them. */
  async open(machines: number): Promise<void> {
    const { db } = await this.engine.alone();
    for (let on = 0; on < machines; on++) {
      let ids = 0;
      const place = db?.includes('://') ? { db } : this.engine.place();
      this.memories.push(
        await this.engine.open({
          ...place,
          workspace: `recorded-${this.life}-${on}`,
          // The clock stands still during a call: how often a program looks at it must not matter.
          clock: () => this.#now - (BEHIND[on] ?? 0),
          // Later ids are higher, so that ties go as they were saved; a machine is called by the end of one of its ids.
          newId: () => `${on + 1}${(++ids).toString(16).padStart(7, '0')}-0000-4000-8000-00000000000${on}`,
          writer: { author: 'Kim <kim@example.com>', host: `host${on}`, client: 'cli', session: `own ${on}` },
        }),
      );
    }
  }

  async close(): Promise<void> {
    for (const memory of this.memories) await memory.close();
  }

  /** Takes a step; a refusal is an answer. */
  async answer(step: Step): Promise<Answer> {
    this.#now = step.at;
    const memory = this.memories[step.on] as Memory;
    const notes: string[] = [];
    const whole = WHOLE[step.name];
    const writer = { author: step.by, client: step.client, session: `${step.client} of ${step.by}` };
    try {
      const result = whole
        ? await whole(this, memory, step.input)
        : await memory.call(step.name, step.input, writer, (note) => notes.push(note));
      return this.#comparable(notes.length > 0 ? { result, notes } : result);
    } catch (error) {
      // A failure of the program is an answer too, until it is mended; the log has its cause.
      if (!(error instanceof PrecedentError)) throw error;
      return this.#comparable({ refused: error.code, reason: error.reason, message: error.message });
    }
  }

  /**
   * An answer without what says nothing of the memory: the folder is another one in each run; a cursor is read by nobody but
   * the program; tokens count the digits of ids; whether bytes are left on the disk depends on the engine, and on when PostgreSQL collects statistics.
   */
  #comparable(answer: unknown): Answer {
    const text = JSON.stringify(answer, (key, value) => {
      if (/^next_?[cC]ursor$/.test(key)) return 'another page';
      if (key === 'tokens') return 'some';
      return key === 'warnings' && Array.isArray(value) ? value.filter((each) => !OF_DISK.test(each)) : value;
    });
    return JSON.parse((text ?? 'null').replaceAll(this.folder, 'FOLDER'));
  }
}

/** What is done to a memory as a whole, by the name that a step has for it. */
const WHOLE: Record<
  string,
  (scene: Scene, memory: Memory, input: Record<string, unknown>) => Promise<unknown>
> = {
  sync: (scene, memory) => memory.sync(join(scene.folder, 'shared')),
  redact: (_, memory, { id, text }) => memory.redact(String(id), text as string | undefined),
  'import export': async (scene, memory, { from }) =>
    memory.import(await exported(scene.memories[Number(from)] as Memory), undefined, { merge: true }),
  'import tool': async (scene, memory, { source, path }) => {
    const here = join(scene.folder, String(path).replaceAll('/', '-'));
    cpSync(join(IMPORTS, String(path)), here, { recursive: true });
    return merge(memory, String(source), here);
  },
  /** Decision records that this project did not write: each is changed from one import to the next. */
  'import records': async (scene, memory, { texts }) => {
    const here = join(scene.folder, 'records', 'docs', 'adr');
    mkdirSync(here, { recursive: true });
    for (const [index, text] of (texts as string[]).entries())
      writeFileSync(
        join(here, `000${index + 1}-record.md`),
        `# ${index + 1}. Record ${index + 1}\n\nDate: 2025-0${index + 1}-11\n\n## Status\n\nAccepted\n\n## Context\n\nWe asked.\n\n## Decision\n\n${text}\n\n## Consequences\n\nSome.\n`,
      );
    return merge(memory, 'adr', join(scene.folder, 'records'));
  },
  unmerge: (_, memory, { source }) => memory.unmerge(String(source)),
  doctor: async (_, memory) => (await memory.inspect()).problems,
  'export madr': async (_, memory) => [...(await filesOf(memory))],
};

/** Some readers take the date of a file for the date of a record. */
function merge(memory: Memory, source: string, path: string) {
  for (const file of [path, ...globSync('**', { cwd: path }).map((name) => join(path, name))])
    utimesSync(file, BEGINNING / 1000, BEGINNING / 1000);
  const machine = { home: '/nowhere', folder: '/nowhere', platform: 'linux' as const, env: {} };
  return memory.merge(readSource(source, path, machine, {}));
}

/** An id, the eight digits that people see of it, or the key of a save in a review. */
const ID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b[0-9a-f]{8}\b|\bs\d+\b/g;
const NAME = /⟨\d+\.\d+~?⟩/g;

/**
 * Names for ids: ⟨12.0⟩ is the first that the answer to call 12 showed. Another program may draw more ids than this one, or
 * make them of something else; who reads an answer sees only which are the same.
 */
class Names {
  readonly #names = new Map<string, string>();
  readonly #ids = new Map<string, string>();

  bind(id: string, name: string): void {
    if (this.#names.has(id) || this.#ids.has(name)) return;
    this.#names.set(id, name);
    this.#ids.set(name, id);
    const [short, shortened] = [id.slice(0, 8), name.replace('⟩', '~⟩')];
    if (id.length > 8) this.bind(short, shortened);
  }

  /** Gives every id that has no name one of this call. */
  add(answer: unknown, call: number): void {
    let count = 0;
    for (const id of JSON.stringify(answer).match(ID) ?? [])
      if (!this.#names.has(id)) this.bind(id, `⟨${call}.${count++}⟩`);
  }

  /** Takes the names of the recorded answer for the ids that stand in the same places of the present one. */
  learn(recorded: unknown, present: unknown): void {
    if (typeof recorded === 'string' && typeof present === 'string') {
      const [names, ids] = [recorded.match(NAME) ?? [], present.match(ID) ?? []];
      if (names.length === ids.length)
        for (const [index, name] of names.entries())
          if (!name.endsWith('~⟩')) this.bind(ids[index] as string, name);
    } else if (isObject(recorded) && isObject(present))
      for (const key of Object.keys(recorded)) this.learn(recorded[key], present[key]);
  }

  named<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll(ID, (id) => this.#names.get(id) ?? id));
  }

  resolved<T>(value: T): T {
    return JSON.parse(JSON.stringify(value).replaceAll(NAME, (name) => this.#ids.get(name) ?? name));
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

/** Every place at which two answers differ; a list of another length differs at its length, too. */
function differing(recorded: unknown, present: unknown, path = ''): Difference['places'] {
  if (Object.is(recorded, present)) return [];
  if (!isObject(recorded) || !isObject(present) || Array.isArray(recorded) !== Array.isArray(present))
    return [{ path, recorded, present }];
  const keys = new Set([...Object.keys(recorded), ...Object.keys(present)]);
  return [...keys].flatMap((key) => differing(recorded[key], present[key], path ? `${path}.${key}` : key));
}

const covers = ({ calls, places }: Intended, name: string, path: string) =>
  calls.test(name) && places.test(path);

/** Plays a recorded life again. @returns the calls that are answered otherwise */
export async function compare(engine: EngineUnderTest, life: string): Promise<Difference[]> {
  const scene = new Scene(engine, life);
  const steps = recordingOf(life);
  await scene.open(1 + Math.max(...steps.map(({ on }) => on)));
  const names = new Names();
  const differences: Difference[] = [];
  for (const [call, { answer, ...step }] of steps.entries()) {
    const present = await scene.answer({ ...step, input: names.resolved(step.input) });
    names.learn(answer, present);
    const places = differing(answer, names.named(present));
    if (places.length === 0) continue;
    const covering = places.map(({ path }) => INTENDED.find((each) => covers(each, step.name, path))?.name);
    const intended = [...new Set(covering)].join(', ');
    differences.push({ life, call, step, places, ...(!covering.includes(undefined) && { intended }) });
  }
  await scene.close();
  return differences;
}

/** Plays a new life and writes it down. @param steps gives the next step for the answer to the one before */
export async function record(
  engine: EngineUnderTest,
  life: string,
  machines: number,
  steps: Generator<Step, void, Answer>,
): Promise<number> {
  const scene = new Scene(engine, life);
  await scene.open(machines);
  const names = new Names();
  const recorded: Recorded[] = [];
  for (let next = steps.next(); !next.done; ) {
    const answer = await scene.answer(next.value);
    names.add(answer, recorded.length);
    recorded.push(names.named({ ...next.value, answer }));
    next = steps.next(answer);
  }
  await scene.close();
  const text = recorded.map((each) => `${JSON.stringify(each)}\n`).join('');
  const params = {
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  };
  writeFileSync(join(FOLDER, `${life}.jsonl.br`), brotliCompressSync(text, { params }));
  return recorded.length;
}

/** The calls of a recorded life, and how they were answered. */
export function recordingOf(life: string): Recorded[] {
  const text = brotliDecompressSync(readFileSync(join(FOLDER, `${life}.jsonl.br`))).toString();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The lives that are recorded, by name. */
export const recordedLives = (): string[] =>
  globSync('*.jsonl.br', { cwd: FOLDER })
    .map((name) => name.replace('.jsonl.br', ''))
    .sort();

/** A difference in words: the call, and both answers at each place. */
export function inWords({ life, call, step, places, intended }: Difference, most = 8): string {
  const { name, on, input } = step;
  const shown = (value: unknown) => JSON.stringify(value) ?? 'nothing';
  return [
    `${life}, call ${call}: ${name} ${JSON.stringify(input)} on machine ${on}${intended ? ` (on purpose: ${intended})` : ''}`,
    ...places
      .slice(0, most)
      .map(
        ({ path, recorded, present }) =>
          `  ${path || 'the answer'}\n    recorded: ${shown(recorded)}\n    present:  ${shown(present)}`,
      ),
    ...(places.length > most ? [`  and ${places.length - most} other places`] : []),
  ].join('\n');
}
