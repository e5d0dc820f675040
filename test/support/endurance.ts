import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { type Memory, openMemory } from '../../src/index.ts';
import { tools } from '../../src/operations/index.ts';
import { givesNothingAway, HELLO, type Name, resultOf, type workbench } from './program.ts';
import { generator } from './random.ts';
import { until } from './until.ts';

type Bench = ReturnType<typeof workbench>;
/** A memory: a file, or a workspace of a server. */
type Place = { db: string; workspace?: string };
const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);

const settingsOf = ({ db, workspace }: Place) => ({
  PRECEDENT_DB: db,
  ...(workspace && { PRECEDENT_WORKSPACE: workspace }),
});

/** A server that is spoken to without a client library: it may be killed at any moment. */
async function serverOf(bench: Bench, place: Place, options?: string) {
  const server = bench.serve({ env: { ...settingsOf(place), NODE_OPTIONS: options } });
  let id = 0;
  await server.ask(id++, 'initialize', HELLO);
  server.write('{"jsonrpc":"2.0","method":"notifications/initialized"}');
  return {
    ...server,
    /** @returns the result, or what the server refused with */
    async call(name: string, input: unknown): Promise<{ isError: boolean; said: Record<string, unknown> }> {
      const { result, error } = await server.answer(id++, 'tools/call', { name, arguments: input });
      if (error) return { isError: true, said: { text: error.message } };
      const { isError = false, content } = result;
      return { isError, said: isError ? { text: content?.[0]?.text } : resultOf(result) };
    },
  };
}

/** Something that a server said it had saved. */
type Acknowledged = { kind: 'decision' | 'observation' | 'memo'; id: string | number; text: string };

/** Saves one thing after the other until the server is gone, and remembers what was acknowledged. */
async function saveUntilKilled(
  server: Awaited<ReturnType<typeof serverOf>>,
  writer: string,
  acknowledged: Acknowledged[],
): Promise<void> {
  try {
    for (let n = 0; ; n++) {
      const text = `${writer} wrote ${n}`;
      const decided = await server.call('mama_save', {
        topic: `topic ${n % 5}`,
        decision: text,
        evidence: [`seen in ${text}`],
      });
      acknowledged.push({ kind: 'decision', id: decided.said.id as string, text });
      const observed = await server.call('mem_save', {
        title: text,
        content: text,
        topic_key: `key ${n % 7}`,
      });
      acknowledged.push({ kind: 'observation', id: observed.said.id as number, text });
      await server.call('mama_update', { id: decided.said.id, outcome: 'failed', reason: text });
      const noted = await server.call('memo_save', { fullText: text, keywords: [`word ${n % 9}`, 'shared'] });
      acknowledged.push({ kind: 'memo', id: noted.said.infoId as string, text });
    }
  } catch {
    // It was killed, as it was meant to be.
  }
}

async function isThere(memory: Memory, { kind, id, text }: Acknowledged): Promise<void> {
  if (kind === 'decision') {
    const { decision, evidence } = await memory.decision.get({ id: String(id) });
    assert.equal(decision.text, text);
    assert(
      evidence.some(({ content }) => content === `seen in ${text}`),
      `the evidence of ${text}`,
    );
  } else if (kind === 'observation') {
    const { content, revisions = [] } = await memory.mem.getObservation({ id: Number(id), revisions: true });
    assert([content, ...revisions.map((each) => each.content)].includes(text), text);
  } else {
    const { memos } = await memory.memo.list({ infoId: String(id) });
    assert(
      memos.some((memo) => memo.fullText === text),
      text,
    );
  }
}

const placeOf = (bench: Bench, name: string, database: string): Place =>
  database === ''
    ? { db: join(bench.folder, `${name}.db`) }
    : { db: database, workspace: `${name}-${randomUUID()}` };

/**
 * Kills servers with SIGKILL at random moments, three writers at work on two servers, from the first look at a new file
 * on; after each round every acknowledged write is looked for, and the memory examined.
 * @param database a server that holds the memories, else files do
 * @returns how many writes were acknowledged
 */
export async function crash(
  bench: Bench,
  rounds: number,
  tell = (_: string) => {},
  database = '',
): Promise<number> {
  const random = generator(rounds);
  let count = 0;
  for (const round of numbers(rounds)) {
    // A new memory now and then: it is made under fire too.
    const place = placeOf(bench, `crash-${Math.floor(round / 5)}`, database);
    const acknowledged: Acknowledged[] = [];
    const writing = numbers(2).map(async (which) => {
      const [writes, pause] = [Math.floor(random() * 40), random() * 20];
      const server = await serverOf(bench, place);
      const own: Acknowledged[] = [];
      const writers = numbers(which + 1).map((n) => saveUntilKilled(server, `${round}.${which}.${n}`, own));
      // After so many writes, not after so long: else a slow machine would kill servers that have written nothing.
      await until(() => own.length >= writes || server.child.exitCode !== null);
      await sleep(pause);
      assert.equal(server.child.exitCode, null, 'a server ended by itself');
      server.child.kill('SIGKILL');
      await Promise.all([...writers, server.exited]);
      acknowledged.push(...own);
    });
    if (random() < 0.2) {
      const early = bench.serve({ env: settingsOf(place) });
      early.write(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: HELLO }));
      await sleep(random() * 150);
      early.child.kill('SIGKILL');
    }
    await Promise.all(writing);
    const memory = await openMemory(place);
    for (const each of acknowledged) await isThere(memory, each);
    assert.deepEqual((await memory.inspect()).problems, [], `round ${round}`);
    await memory.close();
    count += acknowledged.length;
    if ((round + 1) % 25 === 0) tell(`${round + 1} rounds, ${count} writes acknowledged, none lost`);
  }
  return count;
}

/**
 * As many processes as given write to one memory at once: the same topics, the same observations, the same keywords.
 * Nothing may be lost or doubled, and no call may fail.
 * @param writes calls of each process
 * @param database a server that holds the memory, else a file does
 */
export async function contend(bench: Bench, processes: number, writes: number, database = ''): Promise<void> {
  const place = placeOf(bench, 'contend', database);
  const servers = await Promise.all(numbers(processes).map(() => serverOf(bench, place)));
  const done = async (server: (typeof servers)[number], name: Name, input: object) => {
    const { isError, said } = await server.call(name, input);
    assert(!isError, `${name}: ${JSON.stringify(said)}`);
    return said;
  };
  const hub = (
    await done(servers[0] as (typeof servers)[number], 'mem_save', { title: 'hub', content: 'hub' })
  ).id;
  const saved = await Promise.all(
    servers.map(async (server, which) => {
      const ids: { decisions: string[]; own: number[] } = { decisions: [], own: [] };
      for (const n of numbers(writes / 5)) {
        const decided = await done(server, 'mama_save', {
          topic: `shared ${n % 4}`,
          decision: `${which} says ${n}`,
        });
        ids.decisions.push(String(decided.id));
        const { id } = await done(server, 'mem_save', {
          title: `own ${which}`,
          content: `own ${which} ${n}`,
        });
        ids.own.push(Number(id));
        await done(server, 'mem_save', { title: 'same', content: `the same in all ${n}` });
        await done(server, 'mem_relate', { from_id: id, to_id: hub, relation_type: 'about' });
        await done(server, 'keywords_record', {
          keywords: ['shared', `word ${n % 6}`],
          sessionId: `s${which}`,
        });
      }
      return ids;
    }),
  );
  const memory = await openMemory(place);
  const rounds = writes / 5;
  const decisions = saved.flatMap((ids) => ids.decisions);
  assert.equal(new Set(decisions).size, processes * rounds, 'each save made a version of its own');
  const seen = new Set<string>();
  for (const id of decisions) {
    if (seen.has(id)) continue;
    const { versions } = await memory.decision.get({ id });
    assert.deepEqual(
      versions.map(({ version }) => version),
      numbers(versions.length).map((n) => n + 1),
    );
    assert.equal(versions.filter(({ isActive }) => isActive).length, 1);
    for (const version of versions) seen.add(version.id);
  }
  assert.equal(seen.size, decisions.length, 'no version but those that were acknowledged');
  const own = saved.flatMap((ids) => ids.own);
  assert.equal(new Set(own).size, processes * rounds);
  const { relations, records } = await memory.mem.stats();
  assert.equal(relations, own.length);
  assert.equal(
    records.observation,
    1 + own.length + rounds,
    'the same text is one observation, whoever saved it',
  );
  assert.deepEqual((await memory.inspect()).problems, []);
  await memory.close();
}

/** Text that has broken programs before. */
const nasty = fc.constantFrom(
  '\u0000',
  '\ud800',
  '\udfff',
  '\u202e',
  '\ufeff',
  "'; drop table decisions; --",
  '" OR 1=1 --',
  'NEAR(a b)',
  '*',
  '__proto__',
  'constructor',
  'toString',
  '<private>',
  '</private>',
  '%s%n',
  '$1 $& \\1',
  '9'.repeat(400),
  'ㄱ'.repeat(3_000),
  'e\u0301'.repeat(500),
  '[['.repeat(2_000),
  'builds_on: '.repeat(200),
);
const text = fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme' }));
const number = fc.oneof(fc.integer(), fc.double(), fc.constantFrom(0, -1, 1, 2 ** 53, 1e308, -0));
const json = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    number,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(fc.oneof(text, fc.constantFrom('__proto__', 'id', 'constructor')), tie('value'), {
      maxKeys: 5,
    }),
  ),
})).value;

/** An input for an operation: its own fields, some of them with what they take, some with anything. */
function inputFor(shape: Record<string, { isOptional(): boolean }>, ids: string[]): fc.Arbitrary<unknown> {
  const fields = Object.keys(shape);
  const plausible = fc.oneof(
    fc.constantFrom(
      'auth',
      'failed',
      'axis',
      'decision',
      'checkpoint',
      'global',
      'memos',
      'links',
      'evidence_link',
    ),
    fc.constantFrom(...ids),
    fc.integer({ min: 0, max: 60 }),
    fc.string({ maxLength: 30 }),
    fc.array(fc.string({ maxLength: 12 }), { maxLength: 4 }),
    fc.boolean(),
  );
  const field = fc.oneof({ weight: 12, arbitrary: plausible }, { weight: 1, arbitrary: json });
  const known: Record<string, fc.Arbitrary<unknown>> = {
    id: fc.constantFrom(...ids, 1, 2, 3, 7),
    type: fc.constantFrom('decision', 'checkpoint', 'decision_link', 'evidence_link', 'note'),
    outcome: fc.constantFrom('success', 'failed', 'partial'),
    limit: fc.integer({ min: 1, max: 50 }),
  };
  const of = (name: string) => {
    const key = /(^|_)id$|Ref$/.test(name) ? 'id' : name;
    const likely = known[key] ?? fc.string({ minLength: 1, maxLength: 30 });
    return fc.oneof({ weight: 8, arbitrary: likely }, { weight: 3, arbitrary: field });
  };
  const shaped = fc
    .tuple(
      ...fields.map((name) =>
        fc.option(of(name), { nil: undefined, freq: shape[name]?.isOptional() ? 1 : 30 }),
      ),
    )
    .map((values) =>
      Object.fromEntries(
        fields.map((name, n) => [name, values[n]]).filter(([, value]) => value !== undefined),
      ),
    );
  return fc.oneof({ weight: 9, arbitrary: shaped }, { weight: 1, arbitrary: json });
}

/** Megabytes for the server's objects: half of them are the table of the tokenizer. */
const HEAP = 160;
const CODES = ['invalid', 'not_found', 'conflict', 'unauthorized', 'unavailable'];

/**
 * Sends rubbish, and what is nearly right, to every tool of a server. Each answer is a result or one of five refusals
 * (never `internal`), gives nothing away, and the server lives on; in the end the memory is sound.
 * @returns resident kilobytes of the server, after a tenth of the calls and in the end
 */
export async function fuzz(
  bench: Bench,
  calls: number,
  seed = 1,
  tell = (_: string) => {},
): Promise<{ early: number; late: number; refused: number }> {
  // What a call leaves behind would sooner or later be more than this.
  const server = await serverOf(bench, { db: bench.db }, `--max-old-space-size=${HEAP}`);
  const first = await server.call('mama_save', { topic: 'auth', decision: 'first', evidence: ['one'] });
  const ids = [String(first.said.id), String((first.said.evidence as string[])[0]), '1', '2', 'none'];
  const inputs = tools.map((operation) => ({
    name: operation.name,
    input: inputFor(operation.input.shape as never, ids),
  }));
  const memoryOf = () =>
    Number(readFileSync(`/proc/${server.child.pid}/status`, 'utf8').match(/VmRSS:\s+(\d+)/)?.[1]);
  const random = generator(seed);
  let early = 0;
  let refused = 0;
  const generated = inputs.map(({ input }, n) =>
    fc.sample(input, { numRuns: Math.ceil(calls / 25), seed: seed + n }),
  );
  for (const n of numbers(calls)) {
    const which = Math.floor(random() * inputs.length);
    const { name } = inputs[which] as (typeof inputs)[number];
    const samples = generated[which] as unknown[];
    const { isError, said } = await server.call(name, samples[n % samples.length]);
    if (isError) {
      refused++;
      const message = JSON.stringify(said);
      givesNothingAway(message);
      assert(
        CODES.some((code) => message.includes(code)) || /Expected|Invalid|must/.test(message),
        `${name}: ${message.slice(0, 300)}`,
      );
      assert.doesNotMatch(
        message,
        /unforeseen/,
        `${name} ${JSON.stringify(samples[n % samples.length])?.slice(0, 300)}`,
      );
    }
    if (n === Math.floor(calls / 10)) early = memoryOf();
    if ((n + 1) % 10_000 === 0) tell(`${n + 1} calls, ${refused} refused, ${memoryOf()} kB resident`);
  }
  const late = memoryOf();
  server.child.stdin.end();
  await server.exited;
  const memory = await openMemory({ db: bench.db });
  assert.deepEqual((await memory.inspect()).problems, []);
  await memory.close();
  return { early, late, refused };
}
