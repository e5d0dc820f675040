import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { styleText } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { render } from '../src/cli/output/render.ts';
import { openMemory } from '../src/index.ts';
import { findOperation } from '../src/operations/index.ts';
import { RECORDS } from './records.ts';

/**
 * The main job in ten seconds: this project's own decision records come in, one agent adds to them over MCP; another, in
 * a process of its own, finds them, is warned of what failed, and sees what binds it. On a scratch database.
 */
const folder = mkdtempSync(join(tmpdir(), 'precedent-tour-'));
const DB = join(folder, 'tour.db');
const started = performance.now();
try {
  importDecisions();
  await agent('first agent', addToThem);
  await agent('second agent', useDecisions);
  say(
    '',
    styleText(
      'gray',
      `That took ${((performance.now() - started) / 1000).toFixed(1)} s, with no model, no key and no network.`,
    ),
  );
  say(
    styleText(
      'gray',
      'Connect your own agent: see README.md. Explore by hand: npx --no-install precedent --help',
    ),
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}

type Call = (name: string, input: object) => Promise<Record<string, unknown>>;

/** What was settled before there was a memory: this project's own decision records, as anybody's would come in. */
function importDecisions(): void {
  title('What was settled before: a folder of decision records comes in with reasons, links and evidence');
  const from = ['import', '--from', 'adr', RECORDS, '--db', DB, '--workspace', 'tour'];
  say(`  precedent import --from adr ${RECORDS}`);
  const printed = execFileSync(process.execPath, ['dist/precedent.cjs', ...from], { encoding: 'utf8' });
  say(printed.replace(/^/gm, '  ').trimEnd());
}

async function addToThem(call: Call): Promise<void> {
  title('The first agent adds what it learns');
  await call('anchor_save', {
    hint: 'Korean was measured before bigrams were chosen',
    targetRef: 'search:analysis',
    type: 'decision_link',
  });
  const { decision } = await call('decision_revise', {
    id: 'search:similar',
    confidence: 0.8,
    reasoning:
      'builds_on: search:analysis\nA floor of 0.16 for close decisions proved itself in small memories.',
  });
  say(
    `  ${styleText('green', '✔')} search:similar  ${styleText('gray', `v${(decision as { version: number }).version}, revised by its topic`)}`,
  );
  await call('mama_save', {
    topic: 'storage:backup-place',
    decision: '백업은 메모리와 다른 디스크에 둔다',
    reasoning: 'builds_on: storage:stream\n디스크가 고장 나면 함께 사라진다',
  });
  await saveObservations(call);
  await recordMessages(call);
}

/** What was seen on the way: knowledge that is not a decision, linked as a sentence reads. */
async function saveObservations(call: Call): Promise<void> {
  title('It also keeps what it saw on the way, and how that hangs together');
  const seen = [
    ['Recursive mkdir hangs on /proc', 'A file system that refuses makes it try for ever.', 'bugfix'],
    ['플랫폼별 데이터 폴더', '첫 실행에는 데이터 폴더가 없으므로 만들어야 한다.', 'architecture'],
    ['Step by step mkdir', 'Each step with mode 0700; a step that fails ends it.', 'pattern'],
  ] as const;
  const numbers = new Map<string, unknown>();
  for (const [heading, content, type] of seen) {
    const { id } = await call('mem_save', { title: heading, content, type });
    numbers.set(type, id);
    say(`  ${styleText('green', '✔')} #${id} ${heading}`);
  }
  const relate = (from: string, relation: string, to: string) =>
    call('mem_relate', { from_id: numbers.get(from), relation_type: relation, to_id: numbers.get(to) });
  await relate('bugfix', 'caused_by', 'architecture');
  await relate('pattern', 'solves', 'bugfix');
}

/** What was talked about, and a memo that a later agent can expand. */
async function recordMessages(call: Call): Promise<void> {
  title('It records what is talked about, and notes what it was asked to remember');
  const messages = [
    'SQLite는 파일 하나에 잠금을 건다',
    'WAL 모드에서는 잠금을 기다리는 시간이 짧다',
    'A checkpoint of the WAL waits for long readers',
  ];
  for (const text of messages) {
    const { keywords } = await call('keywords_record', { text });
    const names = (keywords as { name: string }[]).map(({ name }) => name);
    say(`  ${styleText('green', '✔')} ${text}  ${styleText('gray', names.join(' · '))}`);
  }
  await show(call, 'memo_save', {
    fullText: '여러 에이전트가 파일 하나를 함께 쓴다',
    keywords: ['SQLite', '에이전트'],
  });
}

async function useDecisions(call: Call): Promise<void> {
  title('Another process, another agent: what matters before it touches the data folder, in 700 tokens');
  await show(call, 'recall', {
    task: 'make the data folder of a new memory',
    domain: 'storage',
    token_budget: 700,
  });
  title('"How do I make the folder?"');
  await show(call, 'mama_search', { query: 'make folder of a new memory with mkdir', limit: 2 });
  title('In Korean: "백업을 어디에 두나"');
  await show(call, 'mama_search', { query: '백업을 어디에 두나', limit: 1 });
  title('The whole chain, with its outcome, as a tree');
  await show(call, 'show', { ref: 'storage:folders' });
  title('What was seen around it: observations, two relations away');
  const { results } = await call('mem_search', { query: '데이터 폴더', limit: 1 });
  const [found] = results as { id: number }[];
  await show(call, 'mem_build_context', { observation_id: found?.id, depth: 2 });
  title('"더 찾아줘": the memo of the last session, one step further');
  await show(call, 'memo_expand', {});
  const { memos } = await call('memo_list', { keyword: 'sqlite' });
  const [memo] = memos as { infoId: string }[];
  await show(call, 'memo_list', { infoId: memo?.infoId });
  title('What binds work on the search, by tiers');
  await show(call, 'decision_retrieve', { domain: 'search' });
}

/** Calls a tool and prints what the command line would print: a model reads a shorter form of what is found. */
async function show(call: Call, name: string, input: object): Promise<void> {
  const operation = findOperation(name);
  if (!operation) throw new Error(`${name} is no operation.`);
  const result = operation.access === 'read' ? await read(name, input) : await call(name, input);
  const terminal = { width: process.stdout.columns ?? 110, color: process.stdout.isTTY, now: new Date() };
  const printed = render(operation.view?.(result) ?? [], terminal);
  if (/\bundefined\b/.test(printed)) throw new Error(`${name} lacks something: ${printed}`);
  say(printed);
}

/** The memory of the tour, as a program reads it. */
async function read(name: string, input: object): Promise<Record<string, unknown>> {
  const memory = await openMemory({ db: DB, workspace: 'tour', create: false });
  try {
    return await memory.call(name, { ...input });
  } finally {
    await memory.close();
  }
}

/** Starts the built server as an agent's client does, and stops it afterwards. */
async function agent<T>(name: string, work: (call: Call) => Promise<T>): Promise<T> {
  const client = new Client({ name: `tour, ${name}`, version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: ['dist/precedent.cjs', 'mcp', '--tools', 'all', '--db', DB, '--workspace', 'tour'],
      stderr: 'ignore',
    }),
  );
  try {
    return await work(async (tool, input) => {
      const result = await client.callTool({ name: tool, arguments: { ...input } });
      if (result.isError) throw new Error(`${tool}: ${JSON.stringify(result.content)}`);
      const [said] = result.content;
      return JSON.parse(said?.type === 'text' ? said.text : '') as Record<string, unknown>;
    });
  } finally {
    await client.close();
  }
}

function title(text: string): void {
  say('', styleText(['bold', 'cyan'], text), '');
}

function say(...lines: string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}
