import { readFileSync } from 'node:fs';
import type { Strength } from '../../src/domain/decision.ts';
import type { Outcome } from '../../src/domain/outcome.ts';
import { readPrompt } from '../../src/domain/prompt/reading.ts';
import { promptContext } from '../../src/hook/events/prompt.ts';
import { openBriefing } from '../../src/memory/briefing.ts';
import { openEngine } from '../../src/memory/engines.ts';
import { saveDecision } from '../../src/store/decisions/chain.ts';
import { recordOutcome } from '../../src/store/decisions/outcome.ts';
import { saveObservation } from '../../src/store/observations/save.ts';
import { refreshIndex } from '../../src/store/search/reindex.ts';
import { Store } from '../../src/store/store.ts';
import type { Tx } from '../../src/store/tx.ts';

/** The labelled prompts in `bench/data/gate/`, by the names of their files: all are for choosing. */
export const GATE_FILES = ['tune', 'more', 'everyday', 'spent', 'fresh'] as const;

/** What a file of prompts holds. */
interface Labelled {
  /** Prompts that must be answered with nothing. */
  generic: string[];
  /** Prompts about records of the memory, by their keys. `cross`: in Korean about an English record. */
  telling: { prompt: string; expect: string[]; cross?: boolean }[];
}

/** A record of `bench/data/gate/`, or what an earlier one of a set came to. */
interface Line {
  key: string;
  kind: 'decision' | 'observation' | 'outcome';
  /** The key of the record that this is the outcome of. */
  of?: string;
  scope?: string;
  strength?: Strength;
  topic?: string;
  decision?: string;
  reasoning?: string;
  outcome?: Outcome | 'pending';
  reason?: string;
  title?: string;
  content?: string;
  type?: string;
}

/** What a file came to. */
export interface Judged {
  /** Generic prompts that got anything, with what they got. */
  noise: Answer[];
  /** Telling prompts that got a right record among what they were shown. */
  right: Answer[];
  wrong: Answer[];
}

interface Answer {
  prompt: string;
  expect: string[];
  /** The keys of what was shown. */
  shown: string[];
}

/** The labelled memory with its prompts, opened as a hook opens it. */
export interface GateMemory {
  /** @param file one of `GATE_FILES`, or the path of another one */
  judge(file: string): Promise<Judged>;
  close(): Promise<void>;
}

/** Fills a new SQLite file with one or both files of records, in the order in which they stand there. */
export async function openGateMemory(db: string, files: string[]): Promise<GateMemory> {
  const { tell, close } = await openLabelled(db, files.flatMap(linesOf));
  return { judge: (file) => judge(tell, JSON.parse(readFileSync(pathOf(file), 'utf8'))), close };
}

/** Two sets by people who saw no code, each with two memories and two halves: folders below `bench/data/`. */
export const GATE_SETS = ['gate-2', 'gate-3'] as const;

/** A prompt of one of them. */
export interface Prompted {
  memory: string;
  prompt: string;
  /** The keys of the records that are right to tell; none for a generic one. */
  expect: string[];
  /** Whether what is expected is a lock, an axis or a failure. */
  binding: boolean;
  /** `near`: it shares its words with the record. */
  words?: 'near' | 'other words' | 'other language';
}

/** The prompts of one half over one of the two memories, each with the keys of what is told. */
export async function promptedOver(
  db: string,
  set: string,
  memory: '10' | '300',
  half: 'dev' | 'held',
): Promise<(Prompted & { shown: string[] })[]> {
  const folder = `bench/data/${set}`;
  const lines = readLines<SecondLine>(`${folder}/memory-${memory}.jsonl`).map(
    ({ operation, ...line }): Line => ({ ...line, kind: KINDS[operation] }),
  );
  const { tell, close } = await openLabelled(db, lines);
  const told = [];
  for (const prompted of readLines<Prompted>(`${folder}/prompts-${half}.jsonl`))
    if (prompted.memory === memory) told.push({ ...prompted, shown: await tell(prompted.prompt) });
  await close();
  return told;
}

type SecondLine = Omit<Line, 'kind'> & { operation: keyof typeof KINDS };
const KINDS = { mama_save: 'decision', mem_save: 'observation', mama_update: 'outcome' } as const;

/** What a prompt is told, by the keys of the records. */
type Tell = (prompt: string) => Promise<string[]>;

async function openLabelled(db: string, lines: Line[]): Promise<{ tell: Tell; close(): Promise<void> }> {
  const silent = () => {};
  let ids = 0;
  const engine = await openEngine(db, 'gate', silent, { create: true });
  const store = new Store({
    engine,
    workspace: 'gate',
    clock: () => 1_790_000_000_000,
    // The same in every run: where two records match alike, their ids decide.
    newId: () => `${String(++ids).padStart(8, '0')}-0000-4000-8000-000000000000`,
    log: silent,
  });
  const self = { author: '', host: '', client: 'test', session: 'gate' };
  // One transaction: a sync to the disk for each of 5,000 records would take minutes.
  const keys = await store.write(self, async (tx) => {
    await refreshIndex(tx);
    return save(tx, lines);
  });
  await store.close();
  const briefing = await openBriefing({ db, workspace: 'gate', session: 'gate', client: 'test' });
  return {
    tell: async (prompt) =>
      promptContext(await briefing.about(readPrompt(prompt), new Set())).shown.map(
        (id) => keys.get(id) ?? id,
      ),
    close: () => briefing.close(),
  };
}

const FOLDER = 'bench/data/gate';
const pathOf = (file: string) => (file.endsWith('.json') ? file : `${FOLDER}/${file}.json`);

/** @returns the key of each record by its id, of an observation by its number */
async function save(tx: Tx, lines: Line[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const line of lines) {
    const { key, kind, topic, decision, reasoning, outcome, reason, title, content, type } = line;
    const { scope, strength } = line;
    const isKnown = outcome !== undefined && outcome !== 'pending';
    if (kind === 'outcome') {
      if (isKnown) await recordOutcome(tx, ids.get(line.of ?? '') ?? '', outcome, reason ?? null);
      continue;
    }
    if (kind === 'observation') {
      const text = { title: title ?? '', content: content ?? '', project: null, scope: 'project' as const };
      const { observation } = await saveObservation(tx, { ...text, type, topicKey: null }, undefined);
      keys.set(`#${observation.id}`, key);
      continue;
    }
    const written = await saveDecision(tx, { text: decision ?? '', topic, reasoning, scope, strength }, []);
    keys.set(written.decision.id, key);
    ids.set(key, written.decision.id);
    if (isKnown) await recordOutcome(tx, written.decision.id, outcome, reason ?? null);
  }
  return keys;
}

async function judge(tell: Tell, labelled: Labelled): Promise<Judged> {
  const judged: Judged = { noise: [], right: [], wrong: [] };
  for (const prompt of labelled.generic) {
    const shown = await tell(prompt);
    if (shown.length > 0) judged.noise.push({ prompt, expect: [], shown });
  }
  for (const { prompt, expect } of labelled.telling) {
    const shown = await tell(prompt);
    const isRight = shown.slice(0, 3).some((key) => expect.includes(key));
    judged[isRight ? 'right' : 'wrong'].push({ prompt, expect, shown });
  }
  return judged;
}

const linesOf = (name: string) => readLines<Line>(`${FOLDER}/${name}.jsonl`);

function readLines<Read>(file: string): Read[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
