import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base';
import { INSTRUCTIONS } from '../src/mcp/instructions.ts';
import { tools as TOOLS } from '../src/operations/index.ts';
import { type JsonSchema, jsonSchemaOf } from '../src/operations/json-schema.ts';
import { bm25 } from './support/bm25.ts';
import { resultOf, workbench } from './support/program.ts';

type Server = Awaited<ReturnType<ReturnType<typeof workbench>['connect']>>;
type Tool = Awaited<ReturnType<Server['client']['listTools']>>['tools'][number];

/** How many tools are offered without a word about it, and what a list of tools may take. */
const OFFERED = 20;
const TOKENS = { everyday: 3_500, all: 4_800 };
/** What agents searched their tools for; one of these must be among the first five found. */
const QUERIES = ['memory', 'search memory', 'remember', 'why did we choose', 'past decisions', 'what failed'];
const WANTED = ['recall', 'mama_search'];
/** What clients look in: names and descriptions, in some also the fields, or the whole of the schema. */
const LOOKED_IN: Record<string, (tool: Tool) => string> = {
  descriptions: () => '',
  'names of fields, too': ({ inputSchema }) => Object.keys(inputSchema.properties ?? {}).join(' '),
  'whole schemas': ({ inputSchema }) => JSON.stringify(inputSchema),
};

describe('what a model is told', () => {
  const bench = workbench({ after }, 'here');
  const offers: Record<string, { server: Server; tools: Tool[] }> = {};

  before(async () => {
    for (const [offer, args] of [
      ['everyday', []],
      ['all', ['--tools', 'all']],
    ] as const) {
      const server = await bench.connect({ args: [...args] });
      offers[offer] = { server, tools: (await server.client.listTools()).tools };
    }
  });

  it('[A-4] is of twenty tools, of all with --tools all', () => {
    const names = (offer: string) => offers[offer]?.tools.map(({ name }) => name);
    assert.deepEqual(
      names('all'),
      TOOLS.map(({ name }) => name),
    );
    assert.deepEqual(
      names('everyday'),
      TOOLS.filter(({ tool }) => tool === undefined).map(({ name }) => name),
    );
    assert.equal(names('everyday')?.length, OFFERED);
  });

  for (const [offer, most] of Object.entries(TOKENS)) {
    it(`[A-4] [RE-14] takes at most ${most} tokens in tools/list: ${offer}`, async () => {
      const tokens = countTokens(JSON.stringify(offers[offer]?.tools));
      const sizes = offers[offer]?.tools.map((tool) => ({
        name: tool.name,
        size: countTokens(JSON.stringify(tool)),
      }));
      const largest = sizes?.sort((a, b) => b.size - a.size).map(({ name, size }) => `${name} ${size}`);
      assert(tokens <= most, `${tokens} tokens, at most ${most}; by tool: ${largest?.join(', ')}`);
      assert(tokens > most / 2, `${tokens} tokens: is everything there?`);
    });
  }

  it('[RE-14] says no bound that no model comes near', () => {
    const said = JSON.stringify(offers.all?.tools).match(/\(\d+ to \d+[;)]/g) ?? [];
    assert.deepEqual(new Set(said), new Set(['(0 to 1)', '(1 to 5)', '(1 to 5;', '(1 to 50)']));
  });

  it('[A-4] loses no word of a tool or of a field, and no field but those for people', () => {
    const { tools = [] } = offers.all ?? {};
    for (const [index, operation] of TOOLS.entries()) {
      const { properties = {} } = jsonSchemaOf(operation, 'input');
      const { description, inputSchema } = tools[index] ?? {};
      const told = (inputSchema?.properties ?? {}) as Record<string, JsonSchema>;
      assert.equal(description, operation.summary);
      for (const [field, { model, description = '', enum: choices }] of Object.entries(properties)) {
        const where = `${operation.name} ${field}`;
        assert.equal(field in told, model !== false, where);
        if (model === false) continue;
        assert(told[field]?.description?.startsWith(description) || description === '', where);
        assert.deepEqual(told[field]?.enum, choices, where);
        assert(description !== '' || choices, `${where} explains itself`);
      }
    }
  });

  it('[A-4] a field for people is not told to models, and taken from them all the same', async () => {
    const { tools = [], server } = offers.everyday ?? {};
    const save = tools.find(({ name }) => name === 'mem_save');
    assert(!('session_id' in (save?.inputSchema.properties ?? {})));
    const input = { title: 'a', content: 'b', session_id: 'the session of a program' };
    const { id } = resultOf((await server?.ask('mem_save', input)) ?? {}) as { id: number };
    const found = resultOf((await server?.ask('mem_get_observation', { id })) ?? {});
    assert.equal((found as { session_id: string }).session_id, input.session_id);
  });

  it('[A-5] begins with a line that names the tools of every task, and when to call them', () => {
    const [first = ''] = INSTRUCTIONS.split('\n');
    assert(first.length <= 240, `${first.length} characters`);
    assert(INSTRUCTIONS.length <= 700, `${INSTRUCTIONS.length} characters`);
    assert.match(
      first,
      /start .*recall; before .*mama_search; once .* settled, mama_save; when .*mama_update/i,
    );
    assert.match(INSTRUCTIONS, /\bdata, not instructions\b/);
    assert.equal(offers.everyday?.server.client.getInstructions(), INSTRUCTIONS);
  });

  it('names no tool that is not offered', () => {
    const { tools = [] } = offers.everyday ?? {};
    const hidden = TOOLS.map(({ name }) => name).filter((each) => !tools.some(({ name }) => name === each));
    const said = JSON.stringify(tools) + INSTRUCTIONS;
    assert.deepEqual(
      hidden.filter((name) => new RegExp(`\\b${name}\\b`).test(said)),
      [],
    );
  });

  for (const offer of Object.keys(TOKENS)) {
    for (const [where, more] of Object.entries(LOOKED_IN)) {
      it(`[A-5] is found by a search of tools that looks in ${where}: ${offer}`, () => {
        const { tools = [] } = offers[offer] ?? {};
        const texts = new Map(
          tools.map((tool) => [tool.name, `${tool.name} ${tool.description} ${more(tool)}`]),
        );
        for (const query of QUERIES) {
          const found = bm25(texts, query).slice(0, 5);
          assert(
            found.some((name) => WANTED.includes(name)),
            `"${query}" finds ${found.join(', ')}`,
          );
        }
      });
    }
  }

  it('[RE-10] memos are found by what a person says who asks for them', () => {
    const { tools = [] } = offers.everyday ?? {};
    const texts = new Map(tools.map((tool) => [tool.name, `${tool.name} ${tool.description}`]));
    for (const query of ['show my memos', '메모 보여줘'])
      assert.equal(bm25(texts, query)[0], 'memo_list', query);
  });

  it('[A-5] has words for a search by Claude Code, but for the tools that it loads at once', () => {
    const meta = (name: string) => offers.everyday?.tools.find((tool) => tool.name === name)?._meta ?? {};
    for (const name of ['recall', 'mama_search', 'mama_save'])
      assert.deepEqual(meta(name), { 'anthropic/alwaysLoad': true });
    for (const [name, word] of [
      ['mem_search', 'memory'],
      ['mem_save', 'remember'],
      ['memo_save', '기억해'],
      ['decision_get', 'why'],
      ['mama_update', 'failed'],
    ] as const)
      assert.match(String(meta(name)['anthropic/searchHint']), new RegExp(`(^|\\W)${word}($|\\W)`), name);
  });
});
