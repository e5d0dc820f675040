import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { Call, Case, Question } from './score.ts';

/** A line of bench/data/: something that happened, or a question about it. Keys stand for ids. */
type Line =
  | {
      kind: 'decision';
      key: string;
      session: string;
      topic: string;
      decision: string;
      reasoning?: string;
      scope?: string;
      strength?: string;
      evidence?: string[];
    }
  | { kind: 'outcome'; of: string; outcome: string; reason: string }
  | { kind: 'observation'; key: string; session: string; title: string; content: string; type: string }
  | { kind: 'relation'; from: string; to: string; type: string }
  | {
      kind: 'question';
      query: string;
      lang: string;
      type: string;
      tool: Question['tool'];
      expect: string[];
      failed?: string;
    };

/** Each file's history in one memory, saved in its order, each of its sessions by a client of its own. */
export function historyCases(): Case[] {
  return globSync('bench/data/*.jsonl')
    .sort()
    .map((file) => ({
      name: basename(file, '.jsonl'),
      async fill(connect) {
        const lines = readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line): Line => JSON.parse(line));
        const ids = new Map<string, unknown>();
        let session = '';
        let call = await connect();
        for (const line of lines) {
          if ('session' in line && line.session !== session) {
            session = line.session;
            call = await connect();
          }
          await happen(call, line, ids);
        }
        return lines.flatMap((line) => (line.kind === 'question' ? [questionOf(line, ids)] : []));
      },
    }));
}

async function happen(call: Call, line: Line, ids: Map<string, unknown>): Promise<void> {
  switch (line.kind) {
    case 'decision': {
      const { kind: _, key, session: __, reasoning, ...input } = line;
      const linked = reasoning?.replace(/\{([\w-]+)\}/g, (_match, named: string) => String(ids.get(named)));
      const { id } = await call('mama_save', { ...input, ...(linked && { reasoning: linked }) });
      ids.set(key, id);
      return;
    }
    case 'outcome':
      await call('mama_update', { id: ids.get(line.of), outcome: line.outcome, reason: line.reason });
      return;
    case 'observation': {
      const { title, content, type } = line;
      ids.set(line.key, (await call('mem_save', { title, content, type })).id);
      return;
    }
    case 'relation':
      await call('mem_relate', {
        from_id: ids.get(line.from),
        to_id: ids.get(line.to),
        relation_type: line.type,
      });
  }
}

function questionOf(line: Extract<Line, { kind: 'question' }>, ids: Map<string, unknown>): Question {
  const { query, tool, lang, type, expect, failed } = line;
  return {
    tool,
    query,
    groups: [lang, type, tool],
    expected: expect.map((key) => ids.get(key)),
    check: (rows) =>
      tool === 'mama_search' ? [...currentFirst(rows), ...warned(rows, failed && ids.get(failed))] : [],
  };
}

interface Row {
  id?: unknown;
  topic?: unknown;
  is_current?: unknown;
  outcome?: unknown;
  outcome_warning?: unknown;
  earlier_failure?: { id: unknown };
}

/** The current decision of a topic stands above every version that it replaced. */
function currentFirst(rows: Row[]): string[] {
  return rows.flatMap((row, index) => {
    const isAbove = rows.slice(0, index).some((other) => other.topic === row.topic && other.is_current);
    return row.is_current || isAbove ? [] : [`${row.topic}: a replaced version stands first`];
  });
}

/** What failed says so, also on what replaced it. */
function warned(rows: Row[], failed: unknown): string[] {
  const silent = rows.filter((row) => row.outcome === 'failed' && !row.outcome_warning);
  const shown = rows.filter((row) => row.id === failed || row.earlier_failure?.id === failed);
  return [
    ...silent.map(({ topic }) => `${topic}: failed, without a warning`),
    ...(failed !== undefined && shown.length === 0 ? ['what failed is not shown'] : []),
  ];
}
