import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { isTelling } from '../../src/domain/prompt/telling-hint.ts';
import { respond } from '../../src/hook/respond.ts';
import { print } from '../measure.ts';

/**
 * Reach and noise of the hooks: of the moments in which an agent is about to break a rule or repeat a failure, in how many
 * its text and why are in the agent's context before it acts. Records and cases: README.md.
 *
 *   node bench/reach/run.ts [small large] [--held] [--no-hints] [--misses]
 *
 * `--held` measures the half of the cases that is not for choosing. `--misses` prints each case that went wrong.
 */
const given = process.argv.slice(2).filter((each) => !each.startsWith('--'));
const HALF = process.argv.includes('--held') ? 'held' : 'work';
const WITH_HINTS = !process.argv.includes('--no-hints');
const IS_EXPLAINING = process.argv.includes('--misses');
/** Generic prompts that come before each case: a rule matters late in a session. */
const BEFORE = 9;

interface Record {
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

interface Case {
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

/** One kind of case, and what came of it. */
interface Row {
  what: string;
  cases: number;
  /** A right record was named; its why was whole; something else was said. */
  told: number;
  why: number;
  other: number;
  /** Those whose why was in what the start said, or in either. */
  start: number;
  either: number;
  tokens: number;
}

async function measure(set: string): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'precedent-reach-'));
  try {
    const folder = join(import.meta.dirname, set);
    const records = read<Record>(folder, 'records');
    const repository = join(home, 'project');
    makeRepository(repository, readFileSync(join(folder, 'tree.txt'), 'utf8').trim().split('\n'));
    const db = join(home, 'reach.db');
    save(home, db, records, WITH_HINTS ? hintsOf(folder) : new Map());
    const agent = new Agent(home, repository, db);
    print(`\n## ${set}: ${records.length} records, ${WITH_HINTS ? 'with' : 'without'} hints, ${HALF} half\n`);
    print(
      '| moment | cases | told | with why | something else | by the start | start or event | tokens a case |',
    );
    print('|---|---|---|---|---|---|---|---|');
    const cases = (name: string) => read<Case>(folder, name).filter(({ half }) => half === HALF);
    const prompts = cases('prompts');
    const idle = prompts.filter((each) => each.class === 'generic').map(({ text = '' }) => text);
    const judge = new Judge(records, agent, idle);
    for (const how of ['near', 'words', 'language'])
      await judge.all(
        how === 'near' ? 'prompt that breaks, near words' : `prompt that breaks, other ${how}`,
        prompts.filter((each) => (each.class === 'other' ? each.how : each.class) === how),
        ({ text }) => agent.prompt(text ?? ''),
      );
    for (const kind of ['concern', 'generic'])
      await judge.all(
        kind === 'concern' ? 'prompt that concerns a decision' : 'prompt about nothing',
        prompts.filter((each) => each.class === kind),
        ({ text }) => agent.prompt(text ?? ''),
      );
    for (const kind of ['breaking', 'innocent'])
      await judge.all(
        `edit or command, ${kind}`,
        cases('changes').filter((each) => each.class === kind),
        (each) => (kind === 'innocent' ? agent.changeOfRead(each) : agent.change(each)),
      );
    for (const kind of ['known', 'none'])
      await judge.all(
        kind === 'known' ? 'error with a known cause' : 'error without',
        cases('errors').filter((each) => each.class === kind),
        (each) => agent.fail(each),
      );
    await judge.all('file that is bound, before the change', cases('files'), (each) => agent.touch(each));
    for (const kind of ['deciding', 'none'])
      await judge.all(
        kind === 'deciding' ? 'moment of deciding: asked to save' : 'no such moment',
        cases('moments').filter((each) => each.class === kind),
        async ({ text }) => (/mama_save/.test(await agent.prompt(text ?? '')) ? 'asked to save' : ''),
      );
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

/** An agent that works in a repository; its calls return the words of the hooks. */
class Agent {
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

/** Runs cases, each in a session of its own, and prints what came of them. */
class Judge {
  readonly #records: Map<string, Record>;
  readonly #agent: Agent;
  readonly #idle: string[];

  constructor(records: Record[], agent: Agent, idle: string[]) {
    this.#records = new Map(records.map((record) => [record.id, record]));
    this.#agent = agent;
    this.#idle = idle;
  }

  async all(what: string, cases: Case[], say: (each: Case) => Promise<string>): Promise<void> {
    const row: Row = { what, cases: 0, told: 0, why: 0, other: 0, start: 0, either: 0, tokens: 0 };
    for (const [at, each] of cases.entries()) {
      const start = await this.#agent.begin();
      for (let n = 1; n <= BEFORE; n++)
        await this.#agent.prompt(this.#idle[(at * BEFORE + n) % this.#idle.length] ?? '');
      const said = await say(each);
      const isAsked = said === 'asked to save';
      const ids = each.records ?? (each.record ? [each.record] : []);
      const dangers = each.dangers ?? (each.danger ? [each.danger] : []);
      const isTold = isAsked || ids.some((id) => this.#names(said, id));
      const isWhy = isAsked || dangers.some((danger) => holds(said, danger));
      row.cases++;
      if (isTold || isWhy) row.told++;
      else if (said !== '') row.other++;
      if (isWhy) row.why++;
      if (dangers.some((danger) => holds(start, danger))) row.start++;
      if (isWhy || dangers.some((danger) => holds(start, danger))) row.either++;
      row.tokens += Math.ceil(said.length / 4);
      const isWrong = ids.length > 0 || each.class === 'deciding' ? !isWhy : said !== '';
      if (IS_EXPLAINING && isWrong)
        print(
          `  ${each.id} ${ids.join(' ')} ${each.text ?? each.file ?? each.command ?? ''}\n    → ${said || 'silent'}`,
        );
    }
    const { told, why, other, start, either } = row;
    const each = row.cases === 0 ? 0 : Math.round(row.tokens / row.cases);
    print(`| ${[what, row.cases, told, why, other, start, either, each].join(' | ')} |`);
  }

  #names(said: string, id: string): boolean {
    const record = this.#records.get(id);
    return (
      record !== undefined &&
      (said.includes(record.topic) || holds(said, record.decision ?? record.title ?? ''))
    );
  }
}

/** On one line, with the signs that a quotation has in place of those that would end it. */
const flat = (text: string) =>
  text.replace(/\s+/g, ' ').replaceAll('<', '‹').replaceAll('>', '›').replace(/[“”]/g, '"').trim();
const holds = (said: string, text: string) => text !== '' && flat(said).includes(flat(text));

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

for (const set of given.length > 0 ? given : ['small', 'large']) await measure(set);
