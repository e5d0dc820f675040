import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { type MemoryCore, openCore } from '../../src/memory/core.ts';
import { forModel } from '../../src/memory/for-model.ts';
import { loadOperation } from '../../src/operations/load.ts';
import { machine, print } from '../measure.ts';

/**
 * What an agent that asks is shown (RE-7): whether the right record is among the first three results, and whether it stands
 * in the first 800 tokens of the answer, as a model reads it. Records and questions: README.md.
 *
 *   node bench/asked/run.ts [one several | FOLDER…] [--held] [--misses] [--answers]
 *
 * `--held` measures the half of the questions that is not for choosing. `--misses` prints each question whose record is not
 * shown, `--answers` what each question is answered, as JSON Lines, for somebody who judges the answers alone.
 */
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const has = (option: string) => process.argv.includes(option);
const HALF = has('--held') ? 'held' : 'work';
/** Tokens of an answer that are looked at. */
const READ = 800;

interface Line {
  id: string;
  kind: 'decision' | 'note';
  topic: string;
  decision?: string;
  reasoning?: string;
  scope?: string;
  strength?: string;
  days_ago: number;
  outcome?: string;
  outcome_reason?: string;
  withdrawn?: string;
  title?: string;
  content?: string;
}
interface Question {
  id: string;
  class: string;
  question: string;
  record?: string | string[];
  language: 'en' | 'ko';
  half: 'work' | 'held';
}
interface Asked {
  /** Of the first right result, from 1; undefined where it is not among the results. */
  place: number | undefined;
  isShown: boolean;
  isAnswered: boolean;
  tokens: number;
}

function read<Type>(folder: string, name: string): Type[] {
  const file = join(folder, `${name}.jsonl`);
  if (!existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** The lines of a batch that saves all records, the oldest first. */
function saving(records: Line[]): string[] {
  const lines: string[] = [];
  const dated = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
  for (const each of records.toSorted((a, b) => b.days_ago - a.days_ago)) {
    const { kind, topic, decision, reasoning, scope, strength = 'normal', title, content } = each;
    const date = dated(each.days_ago);
    const add = (fields: object) => lines.push(JSON.stringify({ ...fields, date }));
    if (kind === 'note') {
      add({ operation: 'mem_save', title, content });
      continue;
    }
    add({ operation: 'mama_save', topic, decision, reasoning, strength, ...(scope && { scope }) });
    const id = `line ${lines.length}`;
    const { outcome, outcome_reason: reason, withdrawn } = each;
    if (outcome !== undefined) add({ operation: 'mama_update', id, outcome, reason });
    if (withdrawn !== undefined)
      add({ operation: 'decision_revise', id, withdrawn: true, reasoning: withdrawn });
  }
  return lines;
}

const flat = (text: string) => text.replace(/\s+/g, ' ').trim();
/** The first words of a record, by which an answer is seen to hold it: a name of 14 tokens has no more. */
const beginning = ({ decision, title }: Line) => flat(decision ?? title ?? '').slice(0, 20);

async function ask(memory: MemoryCore, tool: string, input: object, right: Line[]): Promise<Asked> {
  const result: Record<string, unknown> = await memory.call(tool, input);
  const results = (result.results ?? result.entries ?? []) as object[];
  const holds = (text: string) => right.some((each) => flat(text).includes(beginning(each)));
  const at = results.findIndex((each) => holds(JSON.stringify(each)));
  const told = JSON.stringify(forModel(tool, result));
  const tokens = encode(told);
  // What is cut inside a sign still shows all before it.
  const shown = new TextDecoder().decode(new TextEncoder().encode(told).slice(0, bytesOf(told, tokens)));
  return {
    place: at < 0 ? undefined : at + 1,
    isShown: holds(shown),
    isAnswered: result.answered !== false && results.length > 0,
    tokens: tokens.length,
  };
}

/** How many bytes of a text its first tokens are. */
function bytesOf(text: string, tokens: number[]): number {
  if (tokens.length <= READ) return Buffer.byteLength(text);
  let low = 0;
  let high = text.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (encode(text.slice(0, middle)).length <= READ) low = middle;
    else high = middle - 1;
  }
  return Buffer.byteLength(text.slice(0, low));
}

async function measure(set: string): Promise<void> {
  const folder = existsSync(set) ? resolve(set) : join(import.meta.dirname, set);
  const records = read<Line>(folder, 'records');
  const byId = new Map(records.map((each) => [each.id, each]));
  const wordings = new Map(
    read<{ id: string; wording: string }>(folder, 'wordings').map(({ id, wording }) => [id, wording]),
  );
  const questions = read<Question>(folder, 'questions').filter(({ half }) => half === HALF);
  const home = mkdtempSync(join(tmpdir(), 'precedent-asked-'));
  const memory = await openCore({ db: join(home, 'm.db') }, loadOperation);
  try {
    await memory.batch(saving(records));
    print(`\n## ${set}: ${records.length} records, ${questions.length} questions of the ${HALF} half`);
    for (const way of ['bare', 'with another wording'] as const) {
      const all: [Question, string, Asked][] = [];
      for (const each of questions) {
        const wording = wordings.get(each.id);
        if (way !== 'bare' && wording === undefined) continue;
        const query = way === 'bare' ? each.question : `${each.question}\n${wording}`;
        const right = [each.record ?? []].flat().map((id) => byId.get(id) as Line);
        const ofNotes = right[0]?.kind === 'note';
        const own = ofNotes ? 'mem_search' : 'mama_search';
        for (const [tool, input] of [
          [own, { query }],
          ['recall', { task: query, token_budget: READ }],
        ] as const) {
          const asked = await ask(memory, tool, input, right);
          all.push([each, tool === 'recall' ? tool : 'search', asked]);
          if (has('--misses') && right.length > 0 && !asked.isShown)
            print(`  ${each.id} ${each.class} ${tool} ${asked.place ?? '–'} ${way}: ${query}`);
          if (has('--answers')) {
            const result: Record<string, unknown> = await memory.call(tool, input);
            print(JSON.stringify({ id: each.id, tool, way, query, answer: forModel(tool, result) }));
          }
        }
      }
      if (all.length > 0) table(way, all);
    }
  } finally {
    await memory.close();
    rmSync(home, { recursive: true, force: true });
  }
}

function table(way: string, all: [Question, string, Asked][]): void {
  print(`\n${way}\n\n| questions | by | n | r@1 | r@3 | MRR | shown in ${READ} tokens | tokens |`);
  print('|---|---|---|---|---|---|---|---|');
  const groups: [string, (each: Question) => boolean][] = [
    ['English', ({ language, class: of }) => language === 'en' && of !== 'none'],
    ['Korean', ({ language, class: of }) => language === 'ko' && of !== 'none'],
    ['superseded or withdrawn', ({ class: of }) => of === 'superseded' || of === 'withdrawn'],
    ['failed', ({ class: of }) => of === 'failed'],
    ['note', ({ class: of }) => of === 'note'],
  ];
  for (const tool of ['search', 'recall'])
    for (const [name, passes] of groups) {
      const own = all.filter(([each, by]) => by === tool && passes(each)).map(([, , asked]) => asked);
      const share = (count: number) => (own.length === 0 ? '–' : (count / own.length).toFixed(3));
      const within = (most: number) => own.filter(({ place = Infinity }) => place <= most).length;
      const reciprocal = own.reduce((sum, { place = Infinity }) => sum + 1 / place, 0);
      const shown = own.filter(({ isShown }) => isShown).length;
      const tokens = Math.round(own.reduce((sum, each) => sum + each.tokens, 0) / own.length);
      const cells = [name, tool, own.length, share(within(1)), share(within(3)), share(reciprocal)];
      print(`| ${[...cells, share(shown), tokens].join(' | ')} |`);
    }
  for (const tool of ['search', 'recall']) {
    const of = (isNone: boolean) =>
      all.filter(([each, by]) => by === tool && (each.class === 'none') === isNone).map((each) => each[2]);
    const said = (isNone: boolean) => of(isNone).filter(({ isAnswered }) => !isAnswered).length;
    print(
      `\n${tool}: said that nothing answers: ${said(true)} of ${of(true).length} without an answer, ${said(false)} of ${of(false).length} with one`,
    );
  }
}

machine();
for (const set of given.length > 0 ? given : ['one', 'several']) await measure(set);
