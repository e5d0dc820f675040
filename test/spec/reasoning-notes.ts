import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { EngineUnderTest } from '../support/engines.ts';
import { naming, programOn, withDecisions } from './given.ts';
import { EXAMPLE, edgesIn } from './reasoning-graph.ts';

const WALL = 'decision_cad_wall_123_abc';

/** Story 11.2: the tables and examples of its notes. */
export function reasoningNotes(engine: EngineUnderTest): void {
  describe('Story 11.2, notes', () => {
    for (const [relationship, pattern] of Object.entries({
      supersedes: '이전 결정을 대체한다',
      builds_on: 'builds_on: decision_xxx',
      debates: 'debates: decision_xxx',
      synthesizes: 'synthesizes: [decision_xxx, decision_yyy]',
    })) {
      it(`[G-1] [G-2] [G-3] [G-4] Edge Types: ${relationship} by "${pattern}"`, async () => {
        const memory = await withDecisions(engine, engine.place(), 'decision_xxx', 'decision_yyy');
        const topic = relationship === 'supersedes' ? 'topic of decision_xxx' : 'its own';
        const { id } = await memory.mama.save({ topic, decision: '새 결정', reasoning: pattern });
        const to = relationship === 'synthesizes' ? ['decision_xxx', 'decision_yyy'] : ['decision_xxx'];
        assert.deepEqual(
          await edgesIn(memory),
          to.map((each) => `${id} ${relationship} ${each}`),
        );
      });
    }

    it('[G-2] reasoning 패턴 예시: builds_on: decision_cad_wall_123_abc., saved over MCP', async (test) => {
      const { open, connect } = programOn(engine, test);
      const { newId, next } = naming();
      const memory = await open({ newId });
      next(WALL);
      await memory.mama.save({ topic: EXAMPLE.topic, decision: '150mm 단일 표준' });
      const server = await connect();
      const saved = await server.call('mama_save', EXAMPLE);
      assert.deepEqual([saved.edges?.builds_on, saved.warnings], [[WALL], []]);
      assert.deepEqual(await edgesIn(memory), [
        `${saved.id} builds_on ${WALL}`,
        `${saved.id} supersedes ${WALL}`,
      ]);
      const [found] = (await server.call('mama_search', { query: '외벽 내벽 구분' })).results;
      assert.deepEqual(
        [saved.id.startsWith(found?.id ?? '-'), found?.edges.builds_on],
        [true, [`${EXAMPLE.topic}@1 (${WALL})`]],
      );
      const whole = await server.call('decision_get', { id: found?.id ?? '' });
      assert.equal((whole as unknown as { reasoning: string }).reasoning, EXAMPLE.reasoning);
    });

    it('[G-9] Parsing Logic: what the three patterns of the story read, is read', async () => {
      const ids = ['decision_xxx', 'decision_xxx_abc123', 'decision_1', 'decision_2', 'decision_3'];
      const memory = await withDecisions(engine, engine.place(), ...ids);
      const texts = [
        'builds_on: decision_xxx',
        'builds_on: decision_xxx_abc123',
        'BUILDS_ON:decision_xxx',
        '이유: builds_on:\n decision_xxx을 따른다. 그리고 builds_on: decision_1.',
        'debates: decision_xxx',
        'Debates:    decision_2, 왜냐하면',
        'synthesizes: [decision_1, decision_2]',
        'synthesizes: [decision_1, decision_2, decision_3]',
        'Synthesizes:[decision_1,\n  decision_3]',
      ];
      for (const [n, reasoning] of texts.entries()) {
        const { edges } = await memory.mama.save({ topic: `읽기 ${n}`, decision: 'x', reasoning });
        assert.deepEqual(edges, readByTheStory(reasoning), reasoning);
      }
    });
  });
}

/** The three regular expressions of the story, as they are written there. */
function readByTheStory(reasoning: string) {
  const BUILDS_ON_PATTERN = /builds_on:\s*(decision_[\w]+)/gi;
  const DEBATES_PATTERN = /debates:\s*(decision_[\w]+)/gi;
  const SYNTHESIZES_PATTERN = /synthesizes:\s*\[([\w,\s_]+)\]/gi;
  const read = (pattern: RegExp) => [...reasoning.matchAll(pattern)].map((match) => match[1] ?? '');
  return {
    builds_on: read(BUILDS_ON_PATTERN),
    debates: read(DEBATES_PATTERN),
    synthesizes: read(SYNTHESIZES_PATTERN).flatMap((list) => list.split(',').map((id) => id.trim())),
  };
}
