import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Memory } from '../../src/index.ts';
import { streamOf } from './stream.ts';

/** What somebody did in `narae.jsonl`, at a moment of Seoul. */
interface Deed {
  at: string;
  /** Set for what somebody did wrong, for the questions of how that is set right. */
  slip?: true;
  by: 'yuna' | 'minho' | 'seojun';
  do: keyof typeof DEEDS;
  /** The name by which later lines, and questions, mean what it made. */
  key?: string;
  /** The key of what it is about. */
  of?: string;
  topic?: string;
  decision?: string;
  reasoning?: string;
  strength?: string;
  scope?: string;
  confidence?: number;
  evidence?: string[] | number;
  observation?: string;
  outcome?: string;
  reason?: string;
  title?: string;
  content?: string;
  type?: string;
  topic_key?: string;
  from?: string;
  to?: string;
  text?: string;
  keywords?: string[];
  hint?: string;
  summary?: string;
  next?: string;
  files?: string[];
}

/** Who they are, and the program that each of them works with. */
const PEOPLE = {
  yuna: { author: 'Yuna Park <yuna@narae.example>', client: 'cli' },
  minho: { author: 'Minho Kim <minho@narae.example>', client: 'claude-code' },
  seojun: { author: '이서준 <seojun@narae.example>', client: 'codex' },
};

/** The operation that does it. */
const DEEDS = {
  decide: 'mama_save',
  withdraw: 'decision_revise',
  outcome: 'mama_update',
  ground: 'evidence_save',
  anchor: 'anchor_save',
  checkpoint: 'mama_save',
  observe: 'mem_save',
  relate: 'mem_relate',
  forget: 'delete',
  memo: 'memo_save',
  say: 'keywords_record',
} as const;

const HISTORY = join(import.meta.dirname, 'narae.jsonl');

/** A moment of Seoul as milliseconds UTC. */
export const inSeoul = (at: string): number => Date.parse(`${at.replace(' ', 'T')}:00+09:00`);

/**
 * The memory of six weeks of one project, as a stream for `precedent import`: made by the operations, with the dates and
 * authors of its history, the same in every run.
 * @param hasSlips whether it holds what its people did wrong: a key that was saved, a mistyped topic
 * @returns its lines, and the ids that the keys of the history and `<key> evidence` got; of an observation its number
 */
export async function sixWeeks(hasSlips: boolean): Promise<{ lines: string[]; ids: Map<string, string> }> {
  const all = readFileSync(HISTORY, 'utf8').trim().split('\n');
  const deeds = all.map((line) => JSON.parse(line) as Deed).filter(({ slip }) => hasSlips || !slip);
  const ids = new Map<string, string>();
  const lines = await streamOf('narae', async (memory, goTo) => {
    for (const deed of deeds) {
      goTo(inSeoul(deed.at));
      await carryOut(memory, deed, ids);
    }
  });
  return { lines, ids };
}

async function carryOut(memory: Memory, deed: Deed, ids: Map<string, string>): Promise<void> {
  const session = `${deed.by} on ${deed.at.slice(0, 10)}`;
  const writer = { ...PEOPLE[deed.by], session };
  // biome-ignore lint/suspicious/noExplicitAny: the results of eleven operations
  const made: any = await memory.call(DEEDS[deed.do], inputOf(deed, ids), writer);
  if (deed.key === undefined) return;
  const id = made.memo?.infoId ?? made.anchor?.id ?? made.decision?.id ?? made.id ?? made.infoId;
  ids.set(deed.key, String(id));
  for (const evidence of made.evidence ?? []) ids.set(`${deed.key} evidence`, evidence);
}

/** What the operation is given. @throws Error for a key that no line above has */
function inputOf(deed: Deed, ids: Map<string, string>): object {
  const { topic, decision, reasoning, strength, scope, confidence, evidence, keywords } = deed;
  const idOf = (key = ''): string => {
    const id = ids.get(key);
    if (id === undefined) throw new Error(`${deed.at}: nothing above is called "${key}"`);
    return id;
  };
  switch (deed.do) {
    case 'decide':
      return given({ topic, decision, reasoning, strength, scope, confidence, evidence });
    case 'withdraw':
      return { id: idOf(deed.of), withdrawn: true, reasoning };
    case 'outcome':
      return { id: idOf(deed.of), outcome: deed.outcome, reason: deed.reason };
    case 'ground':
      return { decisionRef: idOf(deed.of), observationId: Number(idOf(deed.observation)) };
    case 'anchor': {
      const of = evidence === undefined ? 'decision' : 'evidence';
      const targetRef = idOf(of === 'evidence' ? `${deed.of} evidence` : deed.of);
      return { hint: deed.hint, targetRef, type: `${of}_link` };
    }
    case 'checkpoint':
      return { type: 'checkpoint', summary: deed.summary, next_steps: deed.next, open_files: deed.files };
    case 'observe':
      return given({
        title: deed.title,
        content: deed.content,
        type: deed.type,
        project: 'narae',
        topic_key: deed.topic_key,
      });
    case 'relate':
      return { from_id: Number(idOf(deed.from)), to_id: Number(idOf(deed.to)), relation_type: deed.type };
    case 'forget':
      return { ref: `#${idOf(deed.of)}` };
    case 'memo':
      return { fullText: deed.text, keywords };
    case 'say':
      return { text: deed.text };
  }
}

const given = (fields: object) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
