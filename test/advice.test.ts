import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { operations, tools } from '../src/operations/index.ts';
import { workbench } from './support/program.ts';

const OFFERED = tools.filter(({ tool }) => tool === undefined).map(({ name }) => name);
const HIDDEN = operations
  .map(({ name }) => name)
  .filter((name) => name.includes('_') && !OFFERED.includes(name));
const NAMED = new RegExp(`\\b(${HIDDEN.join('|')})\\b`);

/** Texts that name an operation which models do not have, and why none of them reads that. */
const NOT_FOR_MODELS: Record<string, string> = {
  'operations/search.ts': 'the refusal of an operation that no model is offered',
  'operations/results/relations.ts': 'a published output, which MCP does not show',
  'store/lists/meant.ts': 'advice in a refusal, which a server leaves out',
  'store/observations/observation.ts': 'advice to whoever brings one back, which no model can',
  'hook/briefing-there.ts': 'the name of what a hook calls',
  'memory/stale.ts': 'the name of what check calls',
  'operations/hooks/briefing-record.ts': 'the summary of an operation that no model is offered',
};

describe('advice', () => {
  it('[T-14] names no operation that a model is not offered, but where no model reads it', () => {
    const found = new Set<string>();
    for (const file of globSync('src/{operations,store,domain,memory,hook}/**/*.ts', {
      exclude: ['**/*.test.ts'],
    })) {
      const own = file.split('/').at(-1)?.replace('.ts', '').replaceAll('-', '_');
      const code = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|^import .*$/gm, '');
      for (const [, text = ''] of code.matchAll(/((?:'[^'\n]*'|`[^`]*`))/g)) {
        const named = NAMED.exec(text)?.[1];
        // Its own name, alone or at the head of a refusal, and words that only a database reads.
        if (named === undefined || named === own || /\b(select|from|join)\b/.test(text)) continue;
        found.add(file.replace('src/', ''));
      }
    }
    assert.deepEqual([...found].sort(), Object.keys(NOT_FOR_MODELS).sort());
  });

  it('[T-14] the tools that specifications name are offered: relations are removed, anchors left', () => {
    for (const name of ['mem_unrelate', 'anchor_save']) assert(OFFERED.includes(name), name);
  });

  it('[T-14] a refusal over MCP names what its reader has, with the usual tools and with a family of them', async (test) => {
    const bench = workbench(test, 'here');
    const text = async (server: Awaited<ReturnType<typeof bench.connect>>, name: string, input: object) => {
      const answer = await server.ask(name as 'recall', input as never);
      assert(answer.isError, name);
      return JSON.stringify(answer.content);
    };
    const all = await bench.connect({ args: ['--tools', 'all'] });
    await all.ask('mem_save', { title: '시계', content: 'drifts' });
    await all.ask('delete', { ref: '#1' });
    const everyday = await bench.connect();
    const refused: [string, object][] = [
      ['mem_relate', { from_id: 1, to_id: 2, relation_type: 'r' }],
      ['mem_unrelate', { relation_id: 9 }],
      ['mem_get_observation', { id: 9 }],
      ['memo_expand', {}],
      ['memo_expand', { infoId: 'nobody' }],
      ['mama_search', { author: 'nobody' }],
      ['anchor_save', { hint: '힌트', targetRef: 'nobody', type: 'decision_link' }],
      ['decision_get', { id: 'nobody' }],
    ];
    for (const [name, input] of refused) assert.doesNotMatch(await text(everyday, name, input), NAMED, name);
    const observations = await bench.connect({ args: ['--tools', 'observations'] });
    const others = /\b(recall|mama_\w+|decision_\w+|memo_\w+)\b/;
    for (const [name, input] of refused.filter(([name]) => name.startsWith('mem_')))
      assert.doesNotMatch(await text(observations, name, input), others, name);
  });
});
