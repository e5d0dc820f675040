import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isTelling } from '../../src/domain/prompt/telling-hint.ts';
import { respond } from '../../src/hook/respond.ts';
import { print } from '../measure.ts';

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

/** A set's project with its memory, and an agent that works there. @param home an empty folder */
export function scene(home: string, set: string, withHints: boolean) {
  const folder = join(import.meta.dirname, set);
  const records = read<Record>(folder, 'records');
  const repository = join(home, 'project');
  makeRepository(repository, readFileSync(join(folder, 'tree.txt'), 'utf8').trim().split('\n'));
  const db = join(home, 'reach.db');
  save(home, db, records, withHints ? hintsOf(folder) : new Map());
  return {
    records,
    repository,
    agent: new Agent(home, repository, db),
    cases: (name: string) => read<Case>(folder, name),
  };
}

/** An agent that works in a repository; its calls return the words of the hooks. */
export class Agent {
  readonly #home: string;
  readonly #cwd: string;
  readonly #db: string;
  #sessions = 0;

  constructor(home: string, cwd: string, db: string) {
    this.#home = home;
    this.#cwd = cwd;
    this.#db = db;
  }

  /** Begins a session. @returns what it is told */
  begin(): Promise<string> {
    this.#sessions++;
    return this.#event('SessionStart', { source: 'startup' });
  }

  prompt(prompt: string): Promise<string> {
    return this.#event('UserPromptSubmit', { prompt });
  }

  /** The words at a change of a file that the agent has read, as it must: rules that bind the file came with the read. */
  async changeOfRead(each: Case): Promise<string> {
    if (each.tool === 'Edit') await this.touch({ ...each, action: 'Read' });
    return this.change(each);
  }

  /** The words before a file is written or a command runs. */
  change({ tool = '', file = '', old, new: text, command }: Case): Promise<string> {
    const path = { file_path: join(this.#cwd, file) };
    const input =
      tool === 'Bash'
        ? { command }
        : tool === 'Write'
          ? { ...path, content: text }
          : { ...path, old_string: old, new_string: text };
    return this.#event('PreToolUse', { tool_name: tool, tool_input: input });
  }

  fail({ command, exit, output }: Case): Promise<string> {
    return this.#event('PostToolUseFailure', {
      tool_name: 'Bash',
      tool_input: { command },
      error: `Exit code ${exit}\n${output}`,
    });
  }

  /** All words until a file is changed, which an agent reads first. */
  async touch({ action, file = '', ...rest }: Case): Promise<string> {
    const reading = { tool_name: 'Read', tool_input: { file_path: join(this.#cwd, file) } };
    const said = [await this.#event('PreToolUse', reading), await this.#event('PostToolUse', reading)];
    if (action === 'Edit') said.push(await this.change({ ...rest, file, tool: 'Edit' }));
    return said.filter((each) => each !== '').join('\n');
  }

  async #event(name: string, fields: object): Promise<string> {
    let written = '';
    await respond({
      agent: 'claude',
      payload: { hook_event_name: name, session_id: `s${this.#sessions}`, cwd: this.#cwd, ...fields },
      options: { db: this.#db },
      environment: { HOME: this.#home, XDG_DATA_HOME: this.#home },
      cwd: this.#cwd,
      write: async (text) => {
        written += text;
      },
      note: async (what) => print(what),
    });
    if (written === '') return '';
    const { hookSpecificOutput, systemMessage = '' } = JSON.parse(written);
    return hookSpecificOutput?.additionalContext ?? systemMessage;
  }
}

function makeRepository(folder: string, files: string[]): void {
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

/** Saves the records as a person's script and an agent's shell would: a chain by whoever gave its last version. */
function save(home: string, db: string, records: Record[], hints: Map<string, string[]>): void {
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
    const file = join(home, `${author}.jsonl`);
    writeFileSync(file, lines.join('\n'));
    const env = {
      ...process.env,
      ...{ HOME: home, XDG_DATA_HOME: home, PRECEDENT_AUTHOR: author === 'person' ? 'kim' : 'lee' },
    };
    const program = resolve(import.meta.dirname, '../../dist/precedent.cjs');
    const { status, stderr } = spawnSync(process.execPath, [program, '--db', db, 'batch', file], {
      cwd: home,
      env,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stderr);
  }
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

function hintsOf(folder: string): Map<string, string[]> {
  const lines = existsSync(join(folder, 'hints.jsonl'))
    ? read<{ id: string; hints: string[] }>(folder, 'hints')
    : [];
  // A save refuses common words: whoever saves would choose others.
  return new Map(lines.map(({ id, hints }) => [id, hints.filter(isTelling)]));
}

function read<Line>(folder: string, name: string): Line[] {
  return readFileSync(join(folder, `${name}.jsonl`), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}
