import { readFileSync } from 'node:fs';
import type { Outcome } from '../../src/domain/outcome.ts';
import { readPrompt } from '../../src/domain/prompt/reading.ts';
import { promptContext } from '../../src/hook/context.ts';
import { type Briefing, openBriefing } from '../../src/memory/briefing.ts';
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

interface Line {
  key: string;
  kind: 'decision' | 'observation';
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
    return save(tx, files.flatMap(linesOf));
  });
  await store.close();
  const briefing = await openBriefing({ db, workspace: 'gate', session: 'gate', client: 'test' });
  return {
    judge: (file) => judge(briefing, keys, JSON.parse(readFileSync(pathOf(file), 'utf8'))),
    close: () => briefing.close(),
  };
}

const FOLDER = 'bench/data/gate';
const pathOf = (file: string) => (file.endsWith('.json') ? file : `${FOLDER}/${file}.json`);

/** @returns the key of each record by its id, of an observation by its number */
async function save(tx: Tx, lines: Line[]): Promise<Map<string, string>> {
  const keys = new Map<string, string>();
  for (const { key, kind, topic, decision, reasoning, outcome, reason, title, content, type } of lines) {
    if (kind === 'observation') {
      const text = { title: title ?? '', content: content ?? '', project: null, scope: 'project' as const };
      const { observation } = await saveObservation(tx, { ...text, type, topicKey: null }, undefined);
      keys.set(`#${observation.id}`, key);
      continue;
    }
    const written = await saveDecision(tx, { text: decision ?? '', topic, reasoning }, []);
    keys.set(written.decision.id, key);
    if (outcome && outcome !== 'pending')
      await recordOutcome(tx, written.decision.id, outcome, reason ?? null);
  }
  return keys;
}

async function judge(briefing: Briefing, keys: Map<string, string>, labelled: Labelled): Promise<Judged> {
  const judged: Judged = { noise: [], right: [], wrong: [] };
  const tell = async (prompt: string) =>
    promptContext(await briefing.about(readPrompt(prompt), new Set()), 0).shown.map(
      (id) => keys.get(id) ?? id,
    );
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

function linesOf(name: string): Line[] {
  return readFileSync(`${FOLDER}/${name}.jsonl`, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
