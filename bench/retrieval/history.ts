import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { type Call, type Case, isShort, type Question } from './score.ts';

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
  | { kind: 'memo'; key: string; session: string; keywords: string[]; content: string }
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
export function historyCases(files: string[]): Case[] {
  return files.map((file) => ({
    name: basename(file, '.jsonl'),
    async fill(connect) {
      const lines = readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line): Line => JSON.parse(line));
      const ids = new Map<string, string>();
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

async function happen(call: Call, line: Line, ids: Map<string, string>): Promise<void> {
  switch (line.kind) {
    case 'decision': {
      const { kind: _, key, session: __, reasoning, ...input } = line;
      const linked = reasoning?.replace(/\{([\w-]+)\}/g, (_match, named: string) => String(ids.get(named)));
      const { id } = await call('mama_save', { ...input, ...(linked && { reasoning: linked }) });
      ids.set(key, String(id));
      return;
    }
    case 'outcome':
      await call('mama_update', { id: ids.get(line.of), outcome: line.outcome, reason: line.reason });
      return;
    case 'observation': {
      const { title, content, type } = line;
      ids.set(line.key, `#${(await call('mem_save', { title, content, type })).id}`);
      return;
    }
    case 'memo': {
      const { keywords, content } = line;
      ids.set(line.key, String((await call('memo_save', { fullText: content, keywords })).infoId));
      return;
    }
    case 'relation':
      await call('mem_relate', {
        from_id: numberOf(ids.get(line.from)),
        to_id: numberOf(ids.get(line.to)),
        relation_type: line.type,
      });
  }
}

/** The id of an observation in the form `#38`. */
function numberOf(id: string | undefined): number {
  return Number(id?.slice(1));
}

function questionOf(line: Extract<Line, { kind: 'question' }>, ids: Map<string, string>): Question {
  const { query, tool, lang, type, expect, failed } = line;
  return {
    tool,
    query,
    groups: [lang, type, tool],
    expected: expect.map((key) => ids.get(key) ?? key),
    check: (rows) =>
      tool === 'mama_search' ? [...currentFirst(rows), ...warned(rows, failed && ids.get(failed))] : [],
  };
}

interface Row {
  /** What is not shown whole, by its first words. */
  name?: string;
  id?: string;
  topic?: unknown;
  is_current?: unknown;
  outcome?: string;
  outcome_warning?: string;
  earlier_failure?: string;
}

/** The current decision of a topic stands above every version that it replaced. */
function currentFirst(rows: Row[]): string[] {
  return rows.flatMap((row, index) => {
    const isAbove = rows.slice(0, index).some((other) => other.topic === row.topic && isCurrent(other));
    return isCurrent(row) || isAbove ? [] : [`${row.topic}: a replaced version stands first`];
  });
}

/** What stands is not said: only what does not stand any more says so. */
function isCurrent({ is_current }: Row): boolean {
  return is_current !== false;
}

/** What failed says so: as a row with its warning, as a name with ✗, or on what replaced it. */
function warned(rows: Row[], failed: string | undefined): string[] {
  if (failed === undefined) return [];
  const row = rows.find(({ id }) => isShort(id, failed));
  if (row)
    return row.outcome_warning || row.outcome || String(row.name).startsWith('✗')
      ? []
      : [`${row.topic ?? row.name}: failed, without a warning`];
  return rows.some(({ earlier_failure }) => earlier_failure) ? [] : ['what failed is not shown'];
}
