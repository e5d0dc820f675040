import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { sha256 } from '../../src/domain/text/digest.ts';
import { type Memory, openMemory } from '../../src/memory/memory.ts';
import { exported } from './stream.ts';

interface Line {
  kind: string;
  key: string;
  topic?: string;
  decision?: string;
  reasoning?: string;
  scope?: string;
  title?: string;
  content?: string;
  of?: string;
  outcome?: string;
  reason?: string;
}

/**
 * Fills an empty memory with histories out of `bench/data/`: who asks first saves them elsewhere, and all import what was
 * saved, in a tenth of the time. Ids are the same in every run, since a text takes more or fewer tokens with others.
 * @returns the topic of each decision by its key, without the version at its end: `auth-token` of `auth-token-2`
 */
export async function saveHistories(memory: Memory, names: string[]): Promise<Map<string, string>> {
  const { topics, lines } = keptOf(names) ?? keep(names, await made(names));
  await memory.import(lines);
  return new Map(topics);
}

/** Where `npm test` has what several files begin with; a file that runs alone has no such folder. */
const { PRECEDENT_TEST_TEMPLATE: template } = process.env;
const fileOf = (names: string[]) => template && join(dirname(template), `${names.join('-')}.json`);

function keptOf(names: string[]): Kept | undefined {
  const file = fileOf(names);
  return file && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

function keep(names: string[], kept: Kept): Kept {
  const file = fileOf(names);
  if (file) {
    // Whole or not there, for who looks meanwhile.
    writeFileSync(`${file}.${process.pid}`, JSON.stringify(kept));
    renameSync(`${file}.${process.pid}`, file);
  }
  return kept;
}

async function made(names: string[]): Promise<Kept> {
  let ids = 0;
  const newId = () => {
    const hash = sha256(`id ${++ids}`);
    return `${hash.slice(0, 8)}-${hash.slice(8, 12)}-4${hash.slice(13, 16)}-8${hash.slice(17, 20)}-${hash.slice(20, 32)}`;
  };
  const memory = await openMemory({ db: ':memory:', newId });
  const topics = await save(memory, names);
  const lines = await exported(memory);
  await memory.close();
  return { topics: [...topics], lines };
}

interface Kept {
  topics: [key: string, topic: string][];
  lines: string[];
}

/** Saves the decisions, observations and outcomes, oldest first. */
async function save(memory: Memory, names: string[]): Promise<Map<string, string>> {
  const topics = new Map<string, string>();
  const ids = new Map<string, string>();
  for (const line of names.flatMap(linesOf)) {
    const { kind, key, topic = '', decision = '', reasoning, scope, title = '', content = '' } = line;
    if (kind === 'decision') {
      const given = { topic, decision, scope, ...(reasoning && { reasoning: resolved(reasoning, ids) }) };
      const saved = await memory.call('mama_save', given);
      ids.set(key, String(saved.id));
      topics.set(key.replace(/-\d+$/, ''), topic);
    }
    if (kind === 'observation') await memory.call('mem_save', { title, content });
    const id = kind === 'outcome' ? ids.get(line.of ?? '') : undefined;
    if (id) await memory.call('mama_update', { id, outcome: line.outcome, reason: line.reason });
  }
  return topics;
}

function linesOf(name: string): Line[] {
  const lines = readFileSync(`bench/data/${name}.jsonl`, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line));
}

/** References in a reasoning stand for the ids that their decisions got: `{auth-token-1}`. */
function resolved(reasoning: string, ids: Map<string, string>): string {
  return reasoning.replace(/\{([^}]*)\}/g, (_, key: string) => ids.get(key) ?? key);
}
