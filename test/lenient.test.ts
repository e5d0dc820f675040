import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { resultOf, workbench } from './support/program.ts';

describe('lenient inputs', () => {
  it('[T-16] over MCP and on the command line a field that is filled with nothing counts as left out', async (test) => {
    const bench = workbench(test, 'here');
    const server = await bench.connect();
    const { tools } = await server.client.listTools();
    const search = tools.find(({ name }) => name === 'mama_search')?.inputSchema.properties ?? {};
    assert.deepEqual(Object(search.limit).type, 'integer', 'schemas are not widened');
    const empty = { scope: '', reasoning: null, confidence: '', summary: '', next_steps: null };
    const save = { topic: 'auth:token', decision: '토큰은 쿠키에 둔다', ...empty };
    assert(!(await server.ask('mama_save', save)).isError);
    const asked = { query: '토큰', domain: '', outcome_filter: null, limit: '5', history: 'false' };
    const { total } = resultOf(await server.ask('mama_search', asked)) as { total: number };
    assert.equal(total, 1);
    const blank = await server.ask('mama_save', { ...save, decision: ' ' });
    assert(blank.isError && JSON.stringify(blank.content).includes('decision'));

    const typed = ['tool', 'mama_save', 'a', 'B', '--reasoning', '', '--scope', '', '--confidence', ''];
    assert.equal((await bench.run(typed)).code, 0);
    assert.equal((await bench.run(['search', '토큰', '--limit', ''])).code, 0);
    const refused = await bench.run(['tool', 'mama_save', 'a', '']);
    assert.deepEqual([refused.code, refused.stderr.includes('decision')], [2, true]);
  });
});
