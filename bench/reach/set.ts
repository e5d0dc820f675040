import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { nearest } from '../../src/domain/place-match.ts';
import { isTelling } from '../../src/domain/prompt/telling-hint.ts';

export interface Record {
  id: string;
  kind: 'decision' | 'note';
  topic: string;
  decision?: string;
  reasoning?: string;
  strength?: string;
  scope?: string;
  files?: string[];
  by?: 'person' | 'agent';
  days_ago: number;
  outcome?: 'success' | 'failed';
  outcome_reason?: string;
  title?: string;
  content?: string;
  note_kind?: string;
}

export interface Case {
  id: string;
  class: string;
  half: 'work' | 'held';
  /** How a breaking prompt differs from its record: other words, or another language. */
  how?: string;
  text?: string;
  tool?: string;
  action?: 'Read' | 'Edit';
  file?: string;
  old?: string;
  new?: string;
  command?: string;
  exit?: number;
  output?: string;
  record?: string;
  records?: string[];
  danger?: string;
  dangers?: string[];
}

/** A made-up project: its records, and the moments in which they should be told. README.md describes its files. */
export interface TestSet {
  name: string;
  records: Record[];
  /** By the id of their record. A set may have none. */
  hints: Map<string, string[]>;
  /** Paths of the project; a folder ends with a slash. */
  tree: string[];
  cases(name: 'prompts' | 'changes' | 'errors' | 'files' | 'moments'): Case[];
}

/** @param given a folder next to this file, or a path */
export function readSet(given: string): TestSet {
  const folder = [join(import.meta.dirname, given), resolve(given)].find((each) =>
    existsSync(join(each, 'records.jsonl')),
  );
  if (!folder)
    throw new Error(
      `Expected a folder with the files of a set, found none at "${given}". SETS.md lists them.`,
    );
  const lines = <Line>(name: string): Line[] => {
    const file = join(folder, `${name}.jsonl`);
    if (!existsSync(file)) return [];
    return readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => JSON.parse(line));
  };
  const records = lines<Record>('records');
  for (const name of ['prompts', 'changes', 'errors', 'files'] as const)
    for (const each of lines<Case>(name)) checkDanger(each, records, `${given}/${name}.jsonl`);
  const hints = lines<{ id: string; hints: string[] }>('hints');
  return {
    name: given,
    records,
    // A save refuses common words: whoever saves would choose others.
    hints: new Map(hints.map(({ id, hints: all }) => [id, all.filter(isTelling)])),
    tree: readFileSync(join(folder, 'tree.txt'), 'utf8').trim().split('\n'),
    cases: lines,
  };
}

/** The ids of the records that should be told. */
export const idsOf = ({ records, record }: Case): string[] => records ?? (record ? [record] : []);
/** The sentences that name the danger: one of them, whole, is the why. */
export const dangersOf = ({ dangers, danger }: Case): string[] => dangers ?? (danger ? [danger] : []);

/** An innocent change with the records that name its file, or a file of its command: to be told these is no noise. */
export function withOwnRecords(change: Case, records: Record[]): Case {
  const paths = [change.file ?? [], change.command?.split(/\s+/) ?? []].flat();
  const naming = records.filter(({ files = [] }) => paths.some((path) => nearest(files, path)));
  return { ...change, records: naming.map(({ id }) => id) };
}

function checkDanger(each: Case, records: Record[], file: string): void {
  const right = records.filter(({ id }) => idsOf(each).includes(id));
  const text = right.map((record) => Object.values(record).join('\n')).join('\n');
  const missing = dangersOf(each).find((danger) => !text.includes(danger));
  if (right.length < idsOf(each).length || missing !== undefined)
    throw new Error(
      `${file}, ${each.id}: expected the records ${idsOf(each).join(', ')} to be there and hold the danger, found otherwise. ${missing ?? ''}`,
    );
}

/** Makes a repository with these empty files, in one commit. */
export function makeRepository(folder: string, files: string[]): void {
  for (const file of files) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    if (!file.endsWith('/')) writeFileSync(join(folder, file), '');
  }
  const git = (...args: string[]) =>
    spawnSync('git', ['-c', 'user.name=kim', '-c', 'user.email=kim@example.com', ...args], { cwd: folder });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'All of it');
}
