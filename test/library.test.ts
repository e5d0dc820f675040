import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it, type TestContext } from 'node:test';
import { forModel, type Memory, type MemoryOptions, openMemory, PrecedentError } from '../src/index.ts';
import { engines, optionsOf } from './support/engines.ts';
import { refuses } from './support/expect.ts';
import { NO_LINKS } from './support/no-links.ts';
import { workbench } from './support/program.ts';

/** Options as plain JavaScript may give them. */
const given = (options: unknown) => options as MemoryOptions;
const save = { topic: 'auth:token', decision: 'Use cookies' };

async function opened(test: TestContext, options: Partial<MemoryOptions> = {}): Promise<Memory> {
  const memory = await openMemory({ db: ':memory:', ...options });
  test.after(() => memory.close());
  return memory;
}

describe('what a program does wrong', () => {
  it('[LB-1] an option of openMemory that is unknown or of another type is refused', async () => {
    for (const [options, reason] of [
      [undefined, 'wrong_type'],
      [{}, 'missing'],
      [{ db: 5 }, 'wrong_type'],
      [{ db: new URL('file:///tmp/a.db') }, 'wrong_type'],
      [{ db: '~/a.db' }, 'wrong_address'],
      [{ db: ':memory:', embeder: {} }, 'unknown_field'],
      [{ db: ':memory:', create: 'no' }, 'wrong_type'],
      [{ db: ':memory:', clock: 5 }, 'wrong_type'],
      [{ db: ':memory:', writer: { author: 5 } }, 'wrong_type'],
      [{ db: ':memory:', writer: { name: 'Kim' } }, 'unknown_field'],
      [{ db: ':memory:', embedder: { embed: async () => [] } }, 'missing'],
      [{ db: ':memory:', embedder: { model: 'm', embed: 5 } }, 'wrong_type'],
    ] as const)
      await assert.rejects(openMemory(given(options)), { name: 'PrecedentError', code: 'invalid', reason });
  });

  it('[LB-1] an argument of another type is refused, never with a TypeError', async (test) => {
    const memory = (await opened(test)) as unknown as Record<
      string,
      (...given: unknown[]) => Promise<unknown>
    >;
    for (const [method, ...args] of [
      ['export', 'jsonl'],
      ['batch', 5],
      ['import', undefined],
      ['redact', 5],
      ['merge', null],
      ['embed', 'now'],
      ['call', 'mama_save', save, { author: 5 }],
      ['recall', 5],
    ] as const)
      await assert.rejects(memory[method]?.(...args) ?? assert.fail(), { code: 'invalid' }, method);
  });

  it('[LB-1] a clock and ids that cannot be are refused', async (test) => {
    await refuses(openMemory({ db: ':memory:', clock: () => Number.NaN }), 'invalid', 'clock');
    const same = await opened(test, { newId: () => '00000000-0000-4000-8000-000000000001' });
    await same.mama.save(save);
    await refuses(same.mama.save({ topic: 'auth:other', decision: 'Another' }), 'invalid', 'again');
  });

  it('[LB-1] a name of no operation, a time above its limit and what is no error are refused', async (test) => {
    const memory = await opened(test);
    assert.throws(() => forModel('recal', {}), { reason: 'not_one_of', message: /"recal"/ });
    for (const error of [{}, { code: 'nope', reason: 'nope' }])
      assert.throws(() => PrecedentError.fromJSON(error), { reason: 'wrong_form' });
    for (const [timeout, reason] of [
      [60_001, 'out_of_range'],
      ['5s', 'wrong_type'],
    ] as const)
      await assert.rejects(
        memory.transaction(async () => {}, { timeout } as never),
        { reason },
      );
  });

  it('[LB-1] a memory that was opened read-only refuses saves and answers', async (test) => {
    const memory = await opened(test, { readOnly: true });
    await assert.rejects(memory.mama.save(save), { code: 'unavailable', reason: 'read_only' });
    assert.equal((await memory.recall({ task: 'cookies' })).entries.length, 0);
  });
});

/** A toy model: how often each of eight classes of letters is in a text. */
function counts(text: string): number[] {
  const vector = new Array<number>(8).fill(0);
  for (const letter of text)
    vector[(letter.codePointAt(0) ?? 0) % 8] = (vector[(letter.codePointAt(0) ?? 0) % 8] ?? 0) + 1;
  return vector;
}

describe('an embedder of a program', () => {
  it('[LB-1] plain lists of any length are made vectors of unit length', async (test) => {
    const memory = await opened(test, {
      embedder: { model: 'm', embed: async (texts) => texts.map(counts) as unknown as Float32Array[] },
    });
    await memory.mama.save(save);
    assert.deepEqual(await memory.embed(), { missing: 0 });
    const [found] = (await memory.search({ query: 'browser login' })).results;
    assert(found && Number(found.nearness) <= 1, JSON.stringify(found));
  });

  it('[LB-1] another answer is refused before anything is kept, and searches go on by words', async (test) => {
    for (const answer of [[], [[]], [[Number.NaN]], ['text'], 5, [[1, 2], [1]]]) {
      const memory = await opened(test, { embedder: { model: 'm', embed: async () => answer as never } });
      await memory.mama.save(save);
      await refuses(memory.embed(), 'invalid', 'Expected');
      const { results, degraded } = await memory.search({ query: 'cookies' });
      assert.deepEqual([results.length, degraded !== undefined], [1, true], JSON.stringify(answer));
    }
  });

  it('[LB-1] an error that it throws at once is one that the model failed with', async (test) => {
    const embed = () => {
      throw new TypeError('boom');
    };
    const memory = await opened(test, { embedder: { model: 'm', embed } });
    await memory.mama.save(save);
    await refuses(memory.embed(), 'unavailable', 'boom');
  });
});

describe('a call from inside a callback', () => {
  it('[LB-2] is refused at once, and the memory goes on', async (test) => {
    const lines = [JSON.stringify({ operation: 'mama_save', ...save })];
    const within: Record<string, (memory: Memory, call: () => Promise<unknown>) => Promise<unknown>> = {
      export: (memory, call) => memory.export('jsonl', call),
      batch: (memory, call) =>
        memory.batch(
          (async function* () {
            await call();
            yield* lines;
          })(),
        ),
      import: (memory, call) =>
        memory.import(
          (async function* () {
            await call();
            yield* lines;
          })(),
        ),
    };
    for (const [name, run] of Object.entries(within))
      for (const call of ['recall', 'save', 'close'] as const) {
        const memory = await opened(test);
        const calls = {
          recall: () => memory.recall({ task: 'cookies' }),
          save: () => memory.mama.save(save),
          close: () => memory.close(),
        };
        await refuses(run(memory, calls[call]), 'invalid', 'inside one of its callbacks');
        assert.equal((await memory.mama.save(save)).version, 1, `${call} in ${name}`);
      }
  });

  it('[LB-2] one that a callback began and that runs after it is a call like any other', async (test) => {
    const memory = await opened(test);
    let later: Promise<unknown> | undefined;
    let go = () => {};
    const ended = new Promise<void>((resolve) => {
      go = resolve;
    });
    await memory.export('jsonl', () => {
      later ??= ended.then(() => memory.mama.save(save));
    });
    go();
    await later;
    assert.equal((await memory.timeline()).entries.length, 1);
  });

  it('[LB-2] an embedder that asks its own memory is refused, and found by words', async (test) => {
    const memory: Memory = await opened(test, {
      embedder: { model: 'm', embed: async () => [await memory.recall({ task: 'x' })] as never },
    });
    await memory.mama.save(save);
    await refuses(memory.embed(), 'invalid', 'inside one of its callbacks');
  });
});

describe('the operations for a model', () => {
  it('[LB-5] are what a server of MCP offers, and run as its tools do', async (test) => {
    const memory = await opened(test);
    const bench = workbench(test, 'here');
    const { client } = await bench.connect({ era: 'legacy' });
    const served = (await client.listTools()).tools;
    const tools = memory.tools('all');
    assert.deepEqual(
      tools.map(({ name, description, inputSchema, readOnly }) => [name, description, inputSchema, readOnly]),
      served.map((tool) => [
        tool.name,
        tool.description,
        tool.inputSchema,
        tool.annotations?.readOnlyHint ?? false,
      ]),
    );
    const named = (name: string) => tools.find((tool) => tool.name === name) ?? assert.fail(name);
    const saved = await named('mama_save').run({ ...save, confidence: '0.5' }, { writer: { author: 'Kim' } });
    assert.equal(saved.topic, save.topic);
    const { entries } = (await named('recall').run('{ "task": "cookies" }')) as {
      entries: { ref?: string }[];
    };
    assert.equal(entries.length, 1);
    assert.equal((await memory.decision.get({ id: String(saved.id) })).decision.author, 'Kim');
    await refuses(named('mama_save').run({ topic: 'a' }), 'invalid', 'decision');
    await refuses(named('mama_save').run(save, { sign: 5 } as never), 'invalid', 'signal');
  });

  it('[LB-5] take arguments as models and providers write them, and say that a text was cut', async (test) => {
    const memory = await opened(test);
    const run = async (name: string, given: string) =>
      memory
        .tools('all')
        .find((each) => each.name === name)
        ?.run(given);
    assert.equal(typeof (await run('mama_load_checkpoint', '')), 'object');
    const json = JSON.stringify(save);
    for (const [at, given] of [json, JSON.stringify(json), `\`\`\`json\n${json}\n\`\`\``].entries())
      assert.equal((await run('mama_save', given))?.version ?? 1, 1, `form ${at}`);
    await assert.rejects(run('mama_save', '{"topic":"a:b","decision":"x'), {
      reason: 'wrong_form',
      message: /incomplete.* after 28 characters/,
    });
    await refuses(run('mama_save', 'cookies'), 'invalid', 'found "cookies"');
  });

  it('[LB-5] are those of the families that are asked for', async (test) => {
    const memory = await opened(test);
    assert(memory.tools('memos').every(({ name }) => /^(memo|keyword)/.test(name)));
    assert(memory.tools('all').length > memory.tools().length);
    assert.throws(() => memory.tools('memoirs'), {
      reason: 'not_one_of',
      message: /^Expected the tools to be/,
    });
  });
});

describe('a call of a program', () => {
  it('[LB-7] ends with the reason of its signal, and is not made where that came first', async (test) => {
    const memory = await opened(test);
    const reason = new Error('enough');
    const aborted = { signal: AbortSignal.abort(reason) };
    await assert.rejects(memory.mama.save(save, aborted), reason);
    assert.equal((await memory.timeline()).entries.length, 0);
    const stop = new AbortController();
    const answer = memory.recall({ task: 'cookies' }, { signal: stop.signal });
    stop.abort(reason);
    await assert.rejects(answer, reason);
    assert.equal((await memory.mama.save(save, { signal: new AbortController().signal })).version, 1);
  });

  it('[LB-3] a transaction may do without a promise, and throws what its function throws', async (test) => {
    const memory = await opened(test);
    assert.equal(await memory.transaction((() => 5) as never), 5);
    const throws = () => {
      throw new RangeError('no');
    };
    await assert.rejects(memory.transaction(throws as never), RangeError);
  });

  it('[LB-3] [LB-7] a refusal in a transaction ends it, and no process, whoever awaits or catches it', async (test) => {
    const memory = await opened(test);
    const unheard: unknown[] = [];
    const hear = (error: unknown) => unheard.push(error);
    process.on('unhandledRejection', hear);
    test.after(() => process.off('unhandledRejection', hear));
    await assert.rejects(
      memory.transaction(async (tx) => {
        const running = tx.decision.revise({ id: 'no:no', text: 'x' });
        await tx.mama.save(save);
        await running;
      }),
      { reason: 'no_record' },
    );
    const caught = memory.transaction(async (tx) => {
      await tx.mama.save(save);
      await tx.decision.revise({ id: 'no:no', text: 'x' }).catch(() => {});
    });
    await assert.rejects(caught, {
      reason: 'no_record',
      message: /It ends the transaction, also where it is caught/,
    });
    assert.deepEqual([unheard, (await memory.decision.list({})).total], [[], 0]);
  });

  it('[LB-7] what code of the program throws is thrown as it is, nothing is saved, and nothing is logged', async (test) => {
    const throws = (): never => {
      throw new RangeError('theirs');
    };
    async function* failing(...lines: string[]) {
      yield* lines;
      throws();
    }
    const line = { operation: 'mama_save', ...save };
    const lines: string[] = [];
    await (await opened(test)).export('jsonl', (each) => lines.push(each));
    const runs: Record<string, (memory: Memory) => Promise<unknown>> = {
      'lines of a batch': (memory) => memory.batch(failing(JSON.stringify(line))),
      'progress of a batch': (memory) => memory.batch([line], throws),
      'lines of an import': (memory) => memory.import(failing(...lines.slice(0, 1))),
      'progress of an import': (memory) => memory.import(lines, throws),
      'lines of a merge': (memory) =>
        memory.import(failing(...lines.slice(0, 1)), undefined, { merge: true }),
      'write of an export': (memory) => memory.export('jsonl', throws),
      transaction: (memory) => memory.transaction(throws),
    };
    const said: string[] = [];
    const log = (each: string) => said.push(each);
    for (const [name, run] of Object.entries(runs)) {
      const memory = await opened(test, { log });
      await assert.rejects(run(memory), RangeError, name);
      assert.deepEqual([said, (await memory.decision.list()).total], [[], 0], name);
    }
    let isThrowing = false;
    for (const [name, options] of Object.entries({
      clock: { clock: () => (isThrowing ? throws() : 1_764_000_000_000) },
      newId: { newId: () => (isThrowing ? throws() : randomUUID()) },
    })) {
      const memory = await opened(test, { ...options, log });
      isThrowing = true;
      await assert.rejects(memory.mama.save(save), RangeError, name);
      await assert.rejects(memory.batch([line]), RangeError, name);
      await assert.rejects(
        memory.transaction((tx) => assert.rejects(tx.mama.save(save), RangeError, name)),
        RangeError,
        name,
      );
      isThrowing = false;
      assert.deepEqual([said, (await memory.decision.list()).total], [[], 0], name);
    }
  });

  it('[LB-7] a log or a tell that throws makes no save fail', async (test) => {
    const throws = () => {
      throw new RangeError('theirs');
    };
    const memory = await opened(test, { log: throws });
    const { warnings } = await memory.mama.save({ ...save, reasoning: 'builds_on: nothing:here' });
    assert.equal(warnings.length, 1);
    const memo = { fullText: 'Cookies are kept for an hour' };
    const { infoId } = await memory.memo.save(memo);
    let notes = 0;
    const tell = () => {
      notes++;
      throws();
    };
    const replaced = { fullText: 'Cookies are kept for two hours', replaces: infoId };
    assert.notEqual((await memory.memo.save(replaced, { tell })).infoId, infoId);
    assert(notes > 0);
  });

  it('[LB-4] a line of a batch that none before it is, is refused as a link', async (test) => {
    const memory = await opened(test);
    const links = { operation: 'mama_save', ...save, builds_on: ['line 2'] };
    await refuses(memory.batch([links, { ...links, builds_on: [] }]), 'not_found', 'Line 1', '"line 2"');
    const second = { operation: 'mama_save', topic: 'auth:age', decision: 'An hour', builds_on: ['line 1'] };
    const { results } = await memory.batch([{ ...links, builds_on: [] }, second]);
    assert.deepEqual((results[1]?.edges as { builds_on?: string[] } | undefined)?.builds_on, [
      results[0]?.id,
    ]);
  });

  it('[LB-4] a line of a batch that saved an observation is refused as a decision', async (test) => {
    const memory = await opened(test);
    const note = { operation: 'mem_save', title: 'Lifetime', content: 'An hour' };
    for (const referring of [
      { operation: 'mama_save', ...save, builds_on: ['line 1'] },
      { operation: 'evidence_save', decisionRef: 'line 1', content: 'measured' },
    ])
      await refuses(
        memory.batch([note, referring] as never),
        'invalid',
        '"line 1": that saved an observation',
      );
    const reasoned = { operation: 'mama_save', ...save, reasoning: 'builds_on: line 1' };
    assert.match((await memory.batch([note, reasoned])).warnings.join(), /found "line 1"/);
  });

  it('[LB-7] lets the program go on between many calls that were made at once', async (test) => {
    const memory = await opened(test);
    await memory.mama.save(save);
    let turns = 0;
    const turn = () => {
      turns++;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    test.after(() => clearImmediate(next));
    // Timers that are due run in every turn of the loop.
    await Promise.all(Array.from({ length: 100 }, () => memory.recall({ task: 'cookies' })));
    assert(turns >= 100, `${turns} turns`);
  });

  it('[LB-7] has an error that survives JSON and a structured clone', async (test) => {
    const memory = await opened(test);
    const error: PrecedentError = await memory.decision.get({ id: 'nobody' }).then(
      () => assert.fail(),
      (it) => it,
    );
    for (const written of [JSON.parse(JSON.stringify(error)), structuredClone(error.toJSON())]) {
      assert.deepEqual(
        [written.name, written.code, written.reason, written.message, written.workspace],
        ['PrecedentError', 'not_found', 'no_record', error.message, memory.workspace],
      );
      const again = PrecedentError.fromJSON(written);
      assert(again instanceof PrecedentError);
      assert.deepEqual(again.toJSON(), error.toJSON());
    }
  });

  it('[LB-7] is named by its line in the stack of its error', async (test) => {
    const memory = await opened(test);
    async function whoCalls(call: () => Promise<unknown>) {
      const { stack = '' } = await call().then(
        () => assert.fail(),
        (error: Error) => error,
      );
      return stack.split('\n')[1];
    }
    for (const call of [
      () => memory.decision.get({ id: 'nobody' }),
      () => memory.recall(5 as never),
      () => memory.call('nope', {}),
      () => memory.embed(),
      () => openMemory(given({ db: 5 })),
      () => memory.tools()[0]?.run({ nope: 1 }) ?? assert.fail(),
    ])
      assert.match((await whoCalls(call)) ?? '', /library\.test\.ts/);
  });
});

for (const engine of engines)
  describe(`links of a program, ${engine.name}`, optionsOf(engine), () => {
    it('[LB-4] are fields next to those of the reasoning, and a quotation holds none', async () => {
      const memory = await engine.open();
      const [queue, db, old] = await Promise.all(
        ['infra:queue', 'infra:db', 'a:d'].map((topic) =>
          memory.mama.save({ topic, decision: `Use ${topic}` }),
        ),
      );
      const saved = await memory.mama.save({
        topic: 'infra:retry',
        decision: 'Retry three times',
        reasoning: 'It keeps what failed. debates: a:d',
        builds_on: [String(queue?.id), 'infra:db'],
        quoted: 'The user wrote:\n"synthesizes: a:d" in a quote\nbuilds_on decision_a',
      });
      assert.deepEqual(saved.edges, { ...NO_LINKS, builds_on: [queue?.id, db?.id], debates: [old?.id] });
      assert.deepEqual(
        saved.warnings.filter((each) => /link|ignored/.test(each)),
        [],
      );
      const { decision } = await memory.decision.get({ id: 'infra:retry' });
      assert.match(decision.reasoning ?? '', /^> "synthesizes: a:d" in a quote$/m);
      const other = await memory.decision.save({ text: 'Both', synthesizes: ['infra:queue', 'infra:db'] });
      assert.equal(other.edges.synthesizes.length, 2);
      await refuses(memory.decision.save({ text: 'Odd', debates: ['a, b'] }), 'invalid', 'without brackets');
    });

    it('[LB-4] are added by a revision to the reasoning that it keeps, and the same one only once', async () => {
      const memory = await engine.open();
      const [one, two] = await Promise.all(
        ['a:one', 'a:two'].map((topic) => memory.mama.save({ topic, decision: `Use ${topic}` })),
      );
      const first = { topic: 'b:c', decision: 'Both', reasoning: 'Short.', builds_on: ['a:one'] };
      await memory.mama.save(first);
      const revision = { id: 'b:c', debates: ['a:two'], quoted: 'synthesizes: a:two' };
      const { decision, edges } = await memory.decision.revise(revision);
      assert.deepEqual([edges.buildsOn, edges.debates, edges.synthesizes], [[one?.id], [two?.id], []]);
      const lines = ['Short.', 'builds_on: [a:one]', 'debates: [a:two]', '> synthesizes: a:two'];
      assert.equal(decision.reasoning, lines.join('\n\n'));
      assert.equal((await memory.decision.revise({ id: 'b:c', debates: ['a:two'] })).unchanged, true);
      const other = await memory.decision.revise({ id: 'b:c', reasoning: 'Anew.', buildsOn: ['a:two'] });
      assert.deepEqual([other.edges.buildsOn, other.edges.debates], [[two?.id], []]);
      await refuses(
        memory.decision.revise({ id: 'b:c', withdrawn: true, debates: ['a:two'] }),
        'invalid',
        'why',
      );
      // A link is no reason for another text of what binds (D-20).
      await memory.mama.save({ topic: 'd:axis', decision: 'One way', reasoning: 'r', strength: 'axis' });
      await refuses(
        memory.decision.revise({ id: 'd:axis', text: 'Two ways', debates: ['a:two'] }),
        'conflict',
        'reason',
      );
    });
  });
