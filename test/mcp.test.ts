import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it, type TestContext } from 'node:test';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { INSTRUCTIONS } from '../src/mcp/instructions.ts';
import { tools as TOOLS } from '../src/operations/index.ts';
import { optionsOf, postgres } from './support/engines.ts';
import { inTurn } from './support/part.ts';
import { newWorkspace, SERVER } from './support/postgres.ts';
import { ERAS, givesNothingAway, HELLO, resultOf, workbench } from './support/program.ts';
import { until } from './support/until.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const NAMES = TOOLS.map((operation) => operation.name);
const UNKNOWN_ID = '00000000-0000-4000-8000-000000000000';

for (const [eraName, era] of Object.entries(ERAS)) {
  describe(`MCP ${eraName}`, { concurrency: 4 }, () => {
    const shared = workbench({ after });
    const { succeed } = workbench({ after }, 'here');
    let server: Awaited<ReturnType<typeof shared.connect>>;

    /** A test that each era repeats: of some the one, of others the other, and the other way round with the next commit. */
    const repeated = (index: number, name: string, work: (test: TestContext) => Promise<void>) => {
      if (inTurn(Object.keys(ERAS), index).includes(eraName)) it(name, work);
    };

    before(async () => {
      server = await shared.connect({ era, name: 'codex-cli', version: '0.169.0' });
    });

    it('speaks that era, and tells the model how to use it', () => {
      const version = server.client.getNegotiatedProtocolVersion() ?? '';
      assert.equal(version === '2026-07-28', era !== 'legacy', version);
      assert.equal(server.client.getInstructions(), INSTRUCTIONS, 'every line, when every tool is offered');
    });

    it('[RE-14] lists every operation in order, with the annotations that differ from the default, and schemas model APIs take', async () => {
      const { tools } = await server.client.listTools();
      const names = tools.map((tool) => tool.name);
      assert.deepEqual(names, NAMES);
      for (const { name, description, annotations = {}, inputSchema, outputSchema } of tools) {
        // Rules of clients match whether a tool destroys, and some ask a person where it may reach anything.
        const { destructiveHint, openWorldHint, ...others } = annotations;
        assert.deepEqual([typeof destructiveHint, openWorldHint], ['boolean', false], name);
        assert(Object.keys(others).length <= 1 && Object.values(others).every(Boolean), name);
        assert(description, name);
        assert.equal(outputSchema, undefined, `[A-4] ${name}`);
        assert.equal(inputSchema.type, 'object', name);
        for (const union of ['oneOf', 'anyOf', 'allOf']) assert(!(union in inputSchema), `${name} ${union}`);
      }
    });

    it('[TR-6] lists input schemas that a strict validator accepts', async () => {
      const { tools } = await server.client.listTools();
      const ajv = new Ajv2020({ strict: true });
      for (const { inputSchema } of tools) ajv.compile(inputSchema);
    });

    it('[A-4] answers once, with JSON as text, a save and the search that finds it', async () => {
      const decision = 'Write-ahead log 사용';
      const saved = await server.ask('mama_save', { topic: 'db:journal', decision });
      const found = await server.ask('mama_search', { query: 'write-ahead' });
      for (const answer of [saved, found]) {
        assert.equal(answer.content.length, 1);
        assert(!('structuredContent' in answer), 'what is said twice takes twice the room');
        assert(Object.keys(resultOf(answer)).length > 1);
      }
      const { results } = await server.call('mama_search', { query: 'write-ahead' });
      assert.equal(results[0]?.decision, decision);
    });

    repeated(
      0,
      'refuses with a result that says why; an unknown tool is an error of the protocol',
      async () => {
        const { id } = await server.call('mama_save', { topic: 'a:b', decision: 'one' });
        await server.call('mama_save', { topic: 'a:b', decision: 'two' });
        assert.match(
          await server.refusal('mama_save', { topic: 7, decision: 'x' }),
          /^invalid: .*"topic".*7/,
        );
        assert.match(await server.refusal('mama_save', { rootId: id }), /^invalid: .*"rootId"/);
        assert.match(await server.refusal('decision_get', { id: UNKNOWN_ID }), /^not_found: .*0000/);
        assert.match(await server.refusal('decision_revise', { id, text: 'x' }), /^conflict: .*superseded/);
        for (const input of [
          { topic: 'a:b' },
          { type: 'memo' },
          { topic: "'; drop table x --", decision: '\0' },
        ]) {
          assert.match(await server.refusal('mama_save', input), /^invalid: /);
        }
        type RpcError = { code: number; message: string };
        await assert.rejects(server.ask('mama_forget', {}), ({ code, message }: RpcError) => {
          givesNothingAway(message);
          return code === -32602;
        });
      },
    );

    repeated(
      1,
      '[D-9] what one server has saved another finds at once, while the first still runs',
      async () => {
        const { id } = await server.call('mama_save', { topic: 'cache:ttl', decision: 'Five minutes' });
        const second = await shared.connect({ era });
        const { results } = await second.call('mama_search', { query: 'five minutes' });
        assert.equal(results[0]?.id, id.slice(0, 8));
      },
    );

    repeated(
      0,
      '[D-14] keeps which client and session wrote a record, and shows it to every other',
      async () => {
        const other = await shared.connect({ era, name: 'gemini 한글', version: '9' });
        const saved = [
          await server.call('decision_save', { text: 'by one session' }),
          await server.call('decision_save', { text: 'by the same session' }),
          await other.call('decision_save', { text: 'by another session' }),
        ];
        const clients = [];
        const sessions = [];
        for (const { id } of saved.map(({ decision }) => decision)) {
          const asTold = (await other.call('decision_get', { id })) as unknown as { client: string };
          clients.push(asTold.client);
          const { decision } = JSON.parse(
            await succeed(['tool', 'decision_get', id, '--json'], { env: { PRECEDENT_DB: shared.db } }),
          );
          sessions.push(decision.session);
        }
        assert.deepEqual(clients, ['codex-cli 0.169.0', 'codex-cli 0.169.0', 'gemini 한글 9']);
        for (const session of sessions) assert.match(session, UUID);
        assert.equal(sessions[0], sessions[1]);
        assert.notEqual(sessions[0], sessions[2]);
      },
    );

    repeated(
      1,
      '[D-12] an unforeseen error fails at once as internal, its detail in the log alone',
      async (test) => {
        const bench = workbench(test, 'here');
        const broken = await bench.connect({ era });
        await broken.call('decision_save', { text: 'one' });
        const database = new DatabaseSync(bench.db);
        database.exec(
          "create trigger strange before insert on decisions begin select raise(abort, 'strange'); end",
        );
        database.close();
        assert.match(await broken.refusal('mama_save', { topic: 't', decision: 'two' }), /^internal: /);
        await broken.logs(/strange/);
        assert.match(await broken.refusal('decision_get', { id: UNKNOWN_ID }), /^not_found: /);
      },
    );

    for (const [index, [what, ruin]] of Object.entries({
      'a text file': (db: string) => writeFileSync(db, 'my notes, and no database at all\n'.repeat(40)),
      'a folder': (db: string) => mkdirSync(db),
    }).entries()) {
      repeated(
        index,
        `[R-17] where the memory should be is ${what}: it answers, says why, recovers`,
        async (test) => {
          const { db, connect } = workbench(test, 'here');
          ruin(db);
          const content = () => statSync(db).isFile() && readFileSync(db, 'utf8');
          const before = content();
          const crippled = await connect({ era });
          assert.equal((await crippled.client.listTools()).tools.length, NAMES.length);
          for (const query of ['first', 'again']) {
            const said = await crippled.refusal('mama_search', { query });
            assert.match(said, /^unavailable: .*(not a database|cannot be opened)/);
          }
          assert.equal(content(), before);
          rmSync(db, { recursive: true });
          await crippled.call('mama_save', { topic: 'a:b', decision: 'It works again' });
        },
      );
    }
  });
}

describe('MCP process', () => {
  const save = { name: 'mama_save', arguments: { topic: 'a:b', decision: 'c', reasoning: 'builds_on: zzz' } };

  it('writes nothing but JSON-RPC to standard output, also when it warns', async (test) => {
    const server = workbench(test).serve();
    await server.ask(1, 'initialize', HELLO);
    const { warnings } = resultOf(await server.ask(2, 'tools/call', save)) as { warnings: string[] };
    server.child.stdin.end();
    await server.exited;
    assert.match(warnings.join(), /zzz/);
    // Never its text, which may be that of a record (OP-2).
    assert.match(await server.stderr, /: the answer.* has a warning/);
    assert.deepEqual(
      server.lines.map((line) => JSON.parse(line)).map(({ jsonrpc, id }) => ({ jsonrpc, id })),
      [1, 2].map((id) => ({ jsonrpc: '2.0', id })),
    );
  });

  it('ends by itself when standard input closes', async (test) => {
    const server = workbench(test).serve();
    await server.ask(1, 'initialize', HELLO);
    await server.ask(2, 'tools/call', save);
    server.child.stdin.end();
    assert.equal(await server.exited, 0);
  });

  it('ends on SIGTERM', async (test) => {
    const server = workbench(test).serve();
    await server.ask(1, 'initialize', HELLO);
    await server.ask(2, 'tools/call', save);
    server.child.kill('SIGTERM');
    assert.equal(await server.exited, 0);
  });

  for (const [name, options, db] of [
    ['a file', {}, undefined],
    ['PostgreSQL', optionsOf(postgres), SERVER],
  ] as const) {
    it(
      `[D-9] does and answers all that it was asked before its client hung up, on ${name}`,
      options,
      async (test) => {
        const bench = workbench(test);
        const workspace = newWorkspace();
        const env = db === undefined ? {} : { PRECEDENT_DB: db, PRECEDENT_WORKSPACE: workspace };
        const server = bench.serve({ env });
        await server.ask(1, 'initialize', HELLO);
        const ids = Array.from({ length: 40 }, (_, n) => n + 2);
        for (const id of ids) {
          const input = { title: `note ${id}`, content: `content ${id}` };
          const params = { name: 'mem_save', arguments: input };
          server.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
        }
        server.child.stdin.end();
        assert.equal(await server.exited, 0);
        const answered = () => server.lines.map((line) => JSON.parse(line).id).filter((id) => id > 1);
        await until(() => server.child.stdout.readableEnded);
        assert.deepEqual(
          answered().sort((a, b) => a - b),
          ids,
        );
        const stats = JSON.parse(await bench.succeed(['tool', 'mem_stats', '--json'], { env }));
        assert.equal(stats.records.observation, ids.length);
      },
    );
  }

  it('survives lines that are no messages, and answers an unknown version of the protocol with one that it speaks', async (test) => {
    const server = workbench(test).serve();
    const { protocolVersion } = await server.ask(1, 'initialize', {
      ...HELLO,
      protocolVersion: '1999-12-31',
    });
    assert(SUPPORTED_PROTOCOL_VERSIONS.includes(protocolVersion), protocolVersion);
    for (const line of ['garbage', '{"jsonrpc":', '[]', 'null', '\u0000\ufffd', '{"jsonrpc":"2.0"}', '']) {
      server.write(line);
    }
    assert.equal((await server.ask(2, 'tools/list', {})).tools.length, NAMES.length);
    assert.deepEqual(
      server.lines.filter((line) => JSON.parse(line).jsonrpc !== '2.0'),
      [],
    );
  });

  it('offers the families of tools that --tools names', async (test) => {
    const { client } = await workbench(test, 'here').connect({ args: ['--tools', 'decisions'] });
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map((tool) => tool.name),
      TOOLS.filter(({ family }) => family === 'decisions').map(({ name }) => name),
    );
    const said = client.getInstructions() ?? '';
    assert.match(said, /mama_search/);
    assert.doesNotMatch(said, /memo_save|keywords_record|mem_save/, 'nothing of tools that are not offered');
  });

  it('refuses a family of tools that does not exist, and names those that do', async (test) => {
    const ran = await workbench(test).run(['mcp', '--tools', 'nonsense']);
    assert.equal(ran.code, 2);
    assert.match(ran.stderr, /all.*decisions.*nonsense/);
    assert.equal(ran.stdout, '');
  });
});
