import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { sha256 } from '../src/domain/text/digest.ts';
import type { Memory } from '../src/index.ts';
import { sqlite } from './support/engines.ts';
import { serving } from './support/serving.ts';
import { exported, withRows } from './support/stream.ts';
import { rowsOf } from './support/synced.ts';
import { factsIn } from './support/wrong-facts.ts';

/** Those who try something to a memory, as the columns of the table in SECURITY.md. */
const WHO = ['peer', 'token', 'import'] as const;

/** The memory that it is done to. */
async function target() {
  const memory = await sqlite.open();
  const lock = await memory.mama.save({ topic: 'db', decision: 'One file', strength: 'lock' });
  const web = await memory.mama.save({ topic: 'web', decision: 'No framework' });
  const note = await memory.mem.save({ title: 'plan', content: 'the plan' });
  return { memory, lock: lock.id, web: web.id, note: note.id };
}
type Target = Awaited<ReturnType<typeof target>>;

interface Deed {
  /** A deed to a copy of the memory, to send or to export it then. */
  here?: (copy: Memory, target: Target) => Promise<unknown>;
  /** The same by a token, as an operation and its input. */
  call: (target: Target) => [operation: string, input: object];
  /** Writes lines of a segment or an export by hand. */
  forge?: (line: Record<string, unknown>) => void;
  isDone: (rows: Record<string, unknown>[], target: Target) => boolean;
}

const of = (rows: Record<string, unknown>[], table: string) => rows.filter((row) => row.table === table);
const overriding = { topic: 'db', decision: 'Many files', reasoning: 'One is slow' };

const DEEDS: Record<string, Deed> = {
  'write in the name of somebody else': {
    here: (copy) => copy.mama.save({ topic: 'x', decision: 'Said by the boss' }),
    call: () => ['mama_save', { topic: 'x', decision: 'Said by the boss', author: 'Boss' }],
    isDone: (rows) => of(rows, 'writers').some(({ author }) => author === 'Boss'),
  },
  'add a lock or an axis': {
    here: (copy) => copy.mama.save({ topic: 'y', decision: 'It binds', strength: 'lock' }),
    call: () => ['mama_save', { topic: 'y', decision: 'It binds', strength: 'lock' }],
    isDone: (rows) => rows.some(({ text, strength }) => text === 'It binds' && strength === 'lock'),
  },
  'replace a lock or an axis': {
    here: (copy, { lock }) => copy.mama.save({ ...overriding, replaces: lock } as never),
    call: ({ lock }) => ['mama_save', { ...overriding, replaces: lock }],
    isDone: (rows) => rows.some(({ text, isActive }) => text === 'Many files' && isActive === 1),
  },
  'undo a record': {
    here: (copy) => copy.undo({ what: ['web'] }),
    call: () => ['undo', { what: ['web'] }],
    isDone: (rows, { web }) => of(rows, 'decisions').some(({ id, isActive }) => id === web && isActive === 0),
  },
  'rename a topic': {
    here: (copy) => copy.rename({ from: 'web', to: 'page' }),
    call: () => ['rename', { from: 'web', to: 'page' }],
    isDone: (rows, { web }) => rows.some(({ id, topic }) => id === web && topic === 'page'),
  },
  'correct, move or delete a note, with its history kept': {
    here: (copy, { note }) => copy.mem.update({ id: note, content: 'another plan', project: 'p' }),
    call: ({ note }) => ['mem_update', { id: note, content: 'another plan', project: 'p' }],
    isDone: (rows) =>
      of(rows, 'observations').some(
        ({ content, project }) => content === 'another plan' && project === 'p',
      ) && of(rows, 'observationRevisions').some(({ content }) => content === 'the plan'),
  },
  'delete a note for good': {
    here: (copy, { note }) => copy.delete({ ref: note, hard_delete: true }),
    call: ({ note }) => ['delete', { ref: note, hard_delete: true }],
    isDone: (rows) => of(rows, 'observations').length === 0,
  },
  'redact a text': {
    here: (copy, { web }) => copy.redact(web),
    call: ({ web }) => ['redact', { id: web }],
    isDone: (rows, { web }) => rows.some(({ id, text }) => id === web && text === '[REDACTED]'),
  },
  'change a text without leaving a version': {
    call: ({ web }) => ['mama_update', { id: web, text: 'All frameworks' }],
    forge: (line) => {
      if (line.text === 'No framework') line.text = 'All frameworks';
    },
    isDone: (rows, { web }) => rows.some(({ id, text }) => id === web && text === 'All frameworks'),
  },
  'add a memo': {
    here: (copy) => copy.memo.save({ fullText: 'remember the milk' }),
    call: () => ['memo_save', { fullText: 'remember the milk' }],
    isDone: (rows) => of(rows, 'memos').length > 0,
  },
};

/** A deed that somebody tries, each to a memory of its own. @returns whether it is done */
async function tried(test: TestContext, who: (typeof WHO)[number], deed: Deed): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-powers-'));
  test.after(() => rmSync(folder, { recursive: true, force: true }));
  const to = await target();
  if (who === 'token') {
    const shared = new Proxy(to.memory, {
      get: (memory, name) => (name === 'close' ? async () => {} : Reflect.get(memory, name)),
    });
    const source = { main: 'shop', list: async () => ['shop'], open: async () => shared };
    const server = await serving(folder, { agent: { access: 'write' } }, { source });
    const [operation, input] = deed.call(to);
    const { status } = await server.api(`shop/${operation}`, input, server.tokens.agent);
    await server.close();
    // No operation answers with a fault of the server.
    assert(status < 500);
  } else {
    const copy = await sqlite.openFast({ writer: { author: 'Boss' } });
    // They have met before: a note has an id that travels.
    await to.memory.sync(folder);
    rmSync(folder, { recursive: true });
    await copy.import(await exported(to.memory));
    await deed.here?.(copy, to);
    const { forge = () => {} } = deed;
    if (who === 'import') {
      const lines = withRows(await exported(copy), (rows) => rows.forEach(forge));
      await to.memory.import(lines, undefined, { merge: true, isOthers: true });
    } else {
      mkdirSync(folder);
      await copy.sync(folder);
      const facts = factsIn(folder);
      facts.forEach(forge);
      rmSync(folder, { recursive: true });
      const text = facts.map((fact) => `${JSON.stringify(fact)}\n`).join('');
      mkdirSync(join(folder, 'm-boss'), { recursive: true });
      writeFileSync(join(folder, 'm-boss', `${sha256(text).slice(0, 32)}.jsonl`), text);
      await to.memory.sync(folder);
    }
    await copy.close();
  }
  assert.deepEqual((await to.memory.inspect()).problems, []);
  const isDone = deed.isDone(await rowsOf(to.memory), to);
  await to.memory.close();
  return isDone;
}

describe('the table of powers in SECURITY.md', () => {
  const rows = readFileSync('SECURITY.md', 'utf8')
    .split('\n### Who may do what to a memory\n')[1]
    ?.split('\n#')[0]
    ?.match(/^\| .*/gm)
    ?.slice(1)
    .map((row) => row.split('|').map((cell) => cell.trim()))
    .filter(([, deed]) => !deed?.startsWith('---'));

  it('[J-6] names what is tried here, and nothing else', () => {
    assert.deepEqual(
      rows?.map(([, deed]) => deed),
      Object.keys(DEEDS),
    );
  });

  for (const [, name = '', ...cells] of rows ?? [])
    it(`[J-6] is true of who may ${name}`, async (test) => {
      for (const [at, who] of WHO.entries()) {
        const may = /^yes\b/.test(cells[at] ?? '');
        assert(may || /^no\b/.test(cells[at] ?? ''), cells[at]);
        assert.equal(await tried(test, who, DEEDS[name] as Deed), may, `${who}: ${cells[at]}`);
      }
    });
});
