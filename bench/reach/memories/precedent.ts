import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { respond } from '../../../src/hook/respond.ts';
import { print } from '../../measure.ts';
import { HookAgent, shownOfJson } from '../hooks.ts';
import { startServer } from '../mcp.ts';
import type { Memory, Place } from '../memory.ts';
import type { Record } from '../set.ts';

const PROGRAM = resolve(import.meta.dirname, '../../../dist/precedent.cjs');

export const memories: Memory[] = [
  {
    name: 'precedent',
    rule: 'What its hooks say in Claude Code at a start, a prompt, a read, an edit or command, and a failed command; the agent asks for nothing by itself.',
    asksToSave: /mama_save/,
    async open({ home, repository, set, withHints }) {
      const db = join(home, 'reach.db');
      save(home, db, set.records, withHints ? set.hints : new Map());
      const server = await startServer(process.execPath, [PROGRAM, 'mcp', '--db', db], {
        env: { HOME: home, XDG_DATA_HOME: home },
        cwd: repository,
      });
      await server.close();
      return agentOf({ home, repository, db }, server.definitions);
    },
  },
];

/** An agent in a repository, with the memory of its own decision records. */
export async function openOwn(home: string, repository: string): Promise<HookAgent> {
  const db = join(home, 'reach.db');
  run(home, process.env, ['--db', db, 'import', '--from', 'adr', repository]);
  return agentOf({ home, repository, db });
}

function agentOf({ home, repository, db }: { home: string; repository: string; db: string }, tools?: string) {
  // The function behind `precedent hook`, called here: starting it a thousand times would take minutes.
  const send = async (payload: object) => {
    let written = '';
    await respond({
      agent: 'claude',
      payload,
      options: { db },
      environment: { HOME: home, XDG_DATA_HOME: home },
      cwd: repository,
      write: async (text) => {
        written += text;
      },
      note: async (what) => print(what),
    });
    return written === '' ? '' : shownOfJson(written);
  };
  return new HookAgent(repository, send, tools);
}

/** Saves the records as a person's script and an agent's shell would: a chain by whoever gave its last version. */
function save(home: string, db: string, records: Record[], hints: Place['set']['hints']): void {
  const last = new Map(records.map(({ topic, by = 'agent' }) => [topic, by]));
  const sorted = records.toSorted((a, b) => b.days_ago - a.days_ago);
  mkdirSync(join(home, 'precedent'), { recursive: true });
  writeFileSync(join(home, 'precedent', 'people'), 'kim\n', { mode: 0o600 });
  for (const author of ['person', 'agent']) {
    const lines: string[] = [];
    for (const record of sorted.filter(({ topic }) => last.get(topic) === author)) {
      const { id, outcome, outcome_reason: reason } = record;
      const date = new Date(Date.now() - record.days_ago * 86_400_000).toISOString().slice(0, 10);
      const own = hints.get(id);
      const said = outcome === 'failed' ? undefined : own;
      lines.push(JSON.stringify({ ...saving(record), ...(said && { hints: said }), date }));
      if (outcome)
        lines.push(
          JSON.stringify({
            ...{ operation: 'mama_update', id: `line ${lines.length}`, outcome, reason, date },
            ...(outcome === 'failed' && own && { hints: own }),
          }),
        );
    }
    if (lines.length === 0) continue;
    const file = join(home, `${author}.jsonl`);
    writeFileSync(file, lines.join('\n'));
    const env = { ...process.env, PRECEDENT_AUTHOR: author === 'person' ? 'kim' : 'lee' };
    run(home, env, ['--db', db, 'import', file]);
  }
}

function run(home: string, from: NodeJS.ProcessEnv, args: string[]): void {
  const env = { ...from, HOME: home, XDG_DATA_HOME: home };
  const { status, stderr } = spawnSync(process.execPath, [PROGRAM, ...args], {
    ...{ cwd: home, env, encoding: 'utf8' },
  });
  if (status !== 0) throw new Error(stderr);
}

function saving({ kind, topic, decision, reasoning, strength, scope, files, ...rest }: Record): object {
  if (kind === 'note')
    return { operation: 'mem_save', title: rest.title, content: rest.content, type: rest.note_kind };
  return {
    operation: 'mama_save',
    ...{ topic, decision, reasoning, strength: strength ?? 'normal' },
    ...(scope && { scope }),
    ...(files && files.length > 0 && { files: files.join('\n') }),
  };
}
