import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { forModel, openMemory, PrecedentError } from '../src/index.ts';
import { operations } from '../src/operations/index.ts';
import type { Operation } from '../src/operations/operation.ts';
import { fixed, scratch } from './support/engines.ts';
import { type Name, type Result, resultOf, workbench } from './support/program.ts';
import { serving } from './support/serving.ts';

type Input = Record<string, unknown>;
type Refusal = { code: string; message: string; workspace: string | undefined };
/** One way to reach a memory. A refusal is a result here, so that the faces can be compared in it too. */
type Face = (name: Name, input: Input) => Promise<object>;

const SESSION = '5e551015-0000-4000-8000-000000000000';
const AUTHOR = '김민수 <minsu@example.com>';

/** As `operation.ts` documents it: `a_b_c` is the command `a b-c` and the method `a.bC`. */
const pathOf = (name: string) =>
  name
    .replace('_', '.')
    .replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
    .split('.');

const FACES: Record<string, (test: TestContext) => Promise<Face>> = {
  async library(test) {
    const writer = { author: AUTHOR, session: SESSION, client: 'faces 1.0' };
    const memory = await openMemory({
      db: ':memory:',
      workspace: 'bench',
      writer,
      ...fixed(),
      newId: () => crypto.randomUUID(),
    });
    test.after(() => memory.close());
    return (name, input) => {
      const method = pathOf(name).reduce<unknown>((value, key) => (value as Input)[key], memory);
      return (method as (input: Input) => Promise<object>)(input).catch((error: unknown) => {
        assert(error instanceof PrecedentError);
        const { code, message, workspace } = error;
        return { code, message, workspace } satisfies Refusal;
      });
    };
  },
  async 'command line'(test) {
    const bench = workbench(test, 'here');
    return async (name, input) => {
      const args = [...commandLine(name, input), '--json'];
      const { code, stdout, stderr } = await bench.run(args, {
        env: { PRECEDENT_SESSION: SESSION, PRECEDENT_AUTHOR: AUTHOR },
      });
      const { reason, ...answer } = code === 0 ? JSON.parse(stdout) : JSON.parse(stderr).error;
      assert.equal(typeof reason, code === 0 ? 'undefined' : 'string', name);
      const isExact = operations.find((operation) => operation.name === name)?.exact;
      assert.equal(answer.workspace, isExact && code === 0 ? undefined : 'bench', `[K-3] ${name}`);
      return answer;
    };
  },
  async 'JSON API'(test) {
    const server = await serving(scratch(), { face: { author: AUTHOR } });
    test.after(() => server.close());
    return async (name, input) => {
      const answer = await server.api(`bench/${name}`, input, server.tokens.face);
      // A server names the session itself.
      const body = JSON.parse(JSON.stringify(answer.body).replaceAll(/http:face:\w+/g, SESSION));
      if (!('error' in body)) return withoutNews(body);
      const { code, message, workspace } = body.error as Refusal;
      return { code, message, workspace } satisfies Refusal;
    };
  },
  async MCP(test) {
    const server = await workbench(test).connect({
      name: 'faces',
      version: '1.0',
      env: { PRECEDENT_AUTHOR: AUTHOR },
    });
    return async (name, input) => {
      const answer = await server.ask(name, input);
      if (!answer.isError) return withoutNews(resultOf(answer) as Input);
      const [said] = answer.content;
      const [, code = '', message = '', workspace] =
        (said?.type === 'text' && said.text.match(/^(\w+): (.*)\nworkspace (\S+)$/s)) || [];
      return { code, message, workspace } satisfies Refusal;
    };
  },
};

/** The first answer of a server says that it made the memory, which the command line says on standard error. */
function withoutNews(result: Input): object {
  if (!Array.isArray(result.warnings)) return result;
  return { ...result, warnings: result.warnings.filter((warning) => warning !== 'New workspace "bench".') };
}

/** An input as a person would type it. */
function commandLine(name: string, input: Input): string[] {
  const { positional = [] } = operations.find((operation) => operation.name === name) as Operation;
  const plain = positional.filter((field) => field in input).map((field) => String(input[field]));
  const options = Object.entries(input)
    .filter(([field]) => !positional.includes(field))
    .flatMap(([field, value]) => [value].flat().map((each) => [kebab(field), each]))
    .flatMap(([flag, value]) => (value === true ? [`--${flag}`] : [`--${flag}`, String(value)]));
  return ['tool', name, ...plain, ...options];
}

function kebab(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
}

/** A working day: what each operation answers, and what some refuse. */
async function day(face: Face): Promise<[Name, object][]> {
  const log: [Name, object][] = [];
  const step = async <N extends Name>(name: N, input: Input = {}): Promise<Result<N>> => {
    const result = await face(name, input);
    log.push([name, result]);
    return result as Result<N>;
  };
  const jwt = await step('mama_save', {
    topic: 'auth:token',
    decision: 'JWT로 인증한다',
    reasoning: 'builds_on: decision_that_never_was',
    confidence: 0.8,
    evidence: ['12.5 ms\na request', '두 번째 근거'],
  });
  await step('mama_update', { id: jwt.id, outcome: 'failed', reason: 'Cannot be revoked' });
  const axis = await step('decision_save', { text: 'Errors fail fast', strength: 'axis', scope: 'global' });
  const next = await step('mama_save', {
    topic: 'auth:token',
    decision: 'Opaque session tokens',
    reasoning: `debates: ${jwt.id} builds_on: ${axis.decision.id}`,
  });
  await step('mama_save', { topic: 'auth:token', decision: 'Opaque session tokens' });
  const { evidence } = await step('evidence_save', {
    decisionRef: next.id,
    content: '<private>key</private> 0 ms',
  });
  await step('anchor_save', { hint: 'read the numbers', targetRef: evidence.id, type: 'evidence_link' });
  await step('anchor_save', { hint: 'not of this kind', targetRef: evidence.id, type: 'decision_link' });
  await step('mama_search', { query: 'session tokens 인증', limit: 5, history: true });
  await step('mama_search', { outcome_filter: 'failed' });
  await step('decision_retrieve', { domain: 'auth' });
  await step('decision_revise', { id: jwt.id, text: 'Too late' });
  const ended = await step('decision_revise', {
    id: next.id,
    withdrawn: true,
    reasoning: 'No more accounts',
  });
  await step('decision_get', { id: ended.decision.id, evidenceCharacters: 4 });
  await step('decision_get', { id: 'nobody' });
  const checkpoint = await step('mama_save', {
    type: 'checkpoint',
    summary: '절반',
    next_steps: 'rest',
    open_files: ['a.ts', 'b c.ts'],
  });
  await step('mama_load_checkpoint');
  await step('mama_save', { topic: 'a', summary: 'no decision' });
  await step('mama_search', { limit: 51 });
  await step('mama_load_checkpoint', { id: checkpoint.id.slice(0, 8) });
  await step('mama_load_checkpoint', { id: 'nope' });
  const note = await step('mem_save', { title: '시계', content: 'The clock drifts' });
  await step('mem_get_observation', { id: `#${note.id}` });
  await step('mem_get_observation', { id: String(note.id) });
  await step('mem_get_observation', { id: '#1st' });
  await step('evidence_save', { decisionRef: next.id, observationId: ` #${note.id}` });
  await step('memo_expand');
  const memo = await step('memo_save', { fullText: '토큰은 쿠키에 둔다', keywords: ['토큰'] });
  await step('memo_expand');
  await step('memo_list', { infoId: memo.infoId.slice(0, 8) });
  // [T-6] A lock is replaced by a call that names it, and the answer says what was replaced.
  const topic = 'pay:amounts';
  const whole = 'Amounts are whole won. Never floats';
  const lock = await step('mama_save', { topic, decision: whole, strength: 'lock', scope: 'global' });
  await step('mama_save', { topic, decision: 'Amounts are floats', reasoning: 'Simpler' });
  await step('decision_revise', { id: topic, strength: 'normal', reasoning: 'Simpler' });
  await step('mama_save', { topic, decision: 'Whole cents', reasoning: 'Two currencies', replaces: lock.id });
  // Asked, saved and remembered.
  const task = 'where do tokens go\n토큰은 어디에 두나';
  await step('recall', { task });
  await step('mama_search', { query: task, limit: 2 });
  for (const name of ['mama_search', 'mem_search'] as const) await step(name, { query: 'zebra okapi' });
  await step('mama_search', { query: 'whole won', domain: 'payy' });
  await step('mem_search', { query: 'whole cents' });
  await step('memo_list', { keyword: 'zebra' });
  const rule = { topic: 'auth:session', decision: '세션은 데이터베이스에 저장하고 캐시에는 두지 않는다' };
  await step('mama_save', { ...rule, strength: 'lock' });
  for (const topic of ['web:login', 'web:again'])
    await step('mama_save', { topic, decision: 'Keep each session in a cache', scope: 'auth' });
  await step('memo_save', { fullText: '토큰은 쿠키에 둔다', keywords: ['토큰'] });
  await step('memo_save', { fullText: '토큰은 서랍에 둔다', keywords: ['토큰'], replaces: memo.infoId });
  await step('memo_list');
  // What has no part in the story is at least reached, and answers or refuses alike.
  const used = new Set(log.map(([name]) => name));
  for (const { name, tool } of operations)
    if (!used.has(name as Name) && tool !== false) await step(name as Name);
  return log;
}

/** Ids in the order of their first appearance, without dates, names of clients and tokens, which depend on the ids. */
function masked(log: unknown): unknown {
  const ids = new Map<string, string>();
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id ${ids.size + 1}`);
    return ids.get(id) as string;
  };
  const text = JSON.stringify(log)
    // Of ids that are counted a long beginning is needed.
    .replace(/(replaces: \\")[^"\\]+/g, '$1REF')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, numbered)
    .replace(/\b[0-9a-f]{8}\b/g, (short) => {
      const index = [...ids.keys()].findIndex((id) => id.startsWith(short));
      return index === -1 ? short : `id ${index + 1}`;
    })
    .replace(/\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?/g, 'a date');
  return JSON.parse(text, (key, value) =>
    key === 'client' ? 'a client' : key === 'via' || key === 'tokens' ? undefined : value,
  );
}

describe('[face agreement]', () => {
  it('[RE-7] [RE-8] [RE-9] [RE-10] the library, the command line, the JSON API and MCP give the same results, refusals and all', async (test) => {
    const days = Object.entries(FACES).map(
      async ([name, open]) => [name, await day(await open(test))] as const,
    );
    const { library = [], ...others } = Object.fromEntries(await Promise.all(days));
    // A model reads a shorter form of some results (W-3).
    const brief = library.map(([name, result]) => [
      name,
      'code' in result ? result : forModel(name, { ...result }),
    ]);
    assert.deepEqual(masked(others.MCP), masked(brief));
    // The command line names the workspace in each answer, the others where it may not be the one that is meant. It is a person's:
    // what a person makes binding everywhere is not said to be unreviewed.
    const unnamed = (log: [Name, object][] = []) =>
      log.map(([name, result]) => [name, { ...result, workspace: undefined }]);
    const unreviewed = 'everywhere: it is read at the start of every session; nobody has reviewed it yet';
    const said = JSON.parse(JSON.stringify(unnamed(library)).replaceAll(unreviewed, 'everywhere'));
    assert.deepEqual(masked(unnamed(others['command line'])), masked(said));
    assert.deepEqual(masked(unnamed(others['JSON API'])), masked(unnamed(library)));
    const told = brief.map(([name, result]) => `${name} ${JSON.stringify(result)}`).join('\n');
    for (const promise of [
      /^mama_search .*No decision shares enough of these words .*Not compared, in another language: auth:/m,
      /^mama_search .*No decision passes domain \\"payy\\" .*there are .*Left out by .*pay:amounts/m,
      /^mem_search .*No note shares enough of these words .* 1 decision does: recall\./m,
      /^memo_list .*No memo passes keyword \\"zebra\\" \(1 without it; there are 토큰 1\)/m,
      /^mama_save .*"topic":"web:login".*"check_against":\["Check the decision against these/m,
      /^mama_save (?!.*check_against).*"topic":"web:again"/m,
      /^memo_save .*"action":"memo_created"/m,
    ])
      assert.match(told, promise);
    const codes = library.flatMap(([, result]) => ('code' in result ? [result.code] : []));
    const ofLock = library.slice(
      library.findIndex(([, { topic }]: [Name, { topic?: string }]) => topic === 'pay:amounts'),
    );
    const [, unnamedSave, lowered, named] = ofLock.map(([, result]) => JSON.stringify(result));
    for (const refused of [unnamedSave, lowered])
      assert.match(refused ?? '', /"conflict".*“Amounts are whole won. Never floats”/);
    assert.match(named ?? '', /"replaced":\{[^}]*"text":"Amounts are whole won. Never floats"/);
    assert.deepEqual(codes.slice(0, 5), ['invalid', 'conflict', 'not_found', 'invalid', 'invalid']);
  });

  it('names a method as documented', () => {
    const names = ['mama_load_checkpoint', 'decision_get'];
    assert.deepEqual(names.map(pathOf), [
      ['mama', 'loadCheckpoint'],
      ['decision', 'get'],
    ]);
  });
});
