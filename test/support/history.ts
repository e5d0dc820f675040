import { readFileSync } from 'node:fs';
import type { Memory } from '../../src/memory/memory.ts';

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
 * Saves the decisions, observations and outcomes of histories out of `bench/data/`, oldest first.
 * @returns the topic of each decision by its key, without the version at its end: `auth-token` of `auth-token-2`
 */
export async function saveHistories(memory: Memory, names: string[]): Promise<Map<string, string>> {
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
