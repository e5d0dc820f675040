import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

/** What a person asks of the memory of six weeks, in `test/fixtures/questions/questions.jsonl`. */
export interface Question {
  /** Its number, and which part of it this is. */
  n: string;
  ask: string;
  /** The one command that answers it, in words; `{key}` is what a record of the history is called. */
  command?: string[];
  /** In place of a command, why there is none yet. */
  later?: string;
  /** What the answer must hold among its first lines. */
  first?: string[];
  /** What it must hold anywhere. */
  must?: string[];
  not?: string[];
  /** Fields of an answer for programs. */
  json?: Record<string, unknown>;
  /** What it must hold stands in the files that it writes, into the folder `{out}`. */
  files?: true;
  /** Who asks, where it matters; else Yuna. */
  by?: string;
  /** What a person's editor does. */
  editor?: string;
  /** Whether the command changes the memory. */
  changes?: true;
  /** What must stand nowhere in the memory afterwards. */
  gone?: string;
}

/** Folders that a command names: one to write into, and one in which a colleague's decisions are. */
export type Folders = Record<'out' | 'colleague', string>;

/** Half of a screen of 24 lines, which a person reads before anything else. */
const FIRST = 12;

export const QUESTIONS: Question[] = readFileSync('test/fixtures/questions/questions.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

/** The numbers of the questions of which each part has a command. */
export function answered(): Set<number> {
  const open = new Set(QUESTIONS.filter(({ later }) => later).map(({ n }) => Number.parseInt(n, 10)));
  return new Set(QUESTIONS.map(({ n }) => Number.parseInt(n, 10)).filter((n) => !open.has(n)));
}

/** A word of a command with the folder that it names. */
export function withFolders(text: string, folders: Folders): string {
  return text.replace(/^\{(out|colleague)\}$/, (_, name: keyof Folders) => folders[name]);
}

/** A text of a question with what its records are called here: `#38`, or the first digits of an id. */
export function withNames(text: string, ids: ReadonlyMap<string, string>): string {
  return text.replace(/\{([^}]+)\}/g, (_, key: string) => {
    const id = ids.get(key);
    assert(id !== undefined, `the history has nothing called "${key}"`);
    return /^\d+$/.test(id) ? `#${id}` : id.slice(0, 8);
  });
}

/** Asserts that a printed answer holds what it must. */
export function holdsAnswer(printed: string, question: Question, ids: ReadonlyMap<string, string>): void {
  const { first = [], must = [], not = [] } = question;
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const [top, all] = [running(lines.slice(0, FIRST)), running(lines)];
  const named = (facts: string[]) => facts.map((fact) => withNames(fact, ids));
  assert.deepEqual(
    {
      missingAtTop: named(first).filter((fact) => !top.includes(fact)),
      missing: named(must).filter((fact) => !all.includes(fact)),
      wrong: named(not).filter((fact) => all.includes(fact)),
    },
    { missingAtTop: [], missing: [], wrong: [] },
    printed,
  );
}

/** Lines as one text, however a terminal broke and drew them. */
const running = (lines: string[]) => lines.join(' ').replace(/[─│┌┐└┘├┤┬┴┼\s]+/g, ' ');
