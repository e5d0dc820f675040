import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { type Memory, openMemory, PrecedentError } from '../src/index.ts';
import { fixed } from './support/engines.ts';
import { runs } from './support/part.ts';

const TOPICS = ['a', 'b:x', '벽'] as const;
const TEXTS = ['one', 'two', 'three'] as const;
const OUTCOMES = ['success', 'failed', 'partial'] as const;

/** What a user may do, in any order; `at` picks one of the decisions made so far. */
const step = fc.oneof(
  fc.record({
    kind: fc.constant('save' as const),
    topic: fc.option(fc.constantFrom(...TOPICS), { nil: undefined }),
    text: fc.constantFrom(...TEXTS),
    strength: fc.option(fc.constantFrom('axis', 'lock', 'normal'), { nil: undefined }),
    buildsOn: fc.option(fc.nat(), { nil: undefined }),
  }),
  fc.record({ kind: fc.constant('revise' as const), at: fc.nat(), text: fc.constantFrom(...TEXTS) }),
  fc.record({ kind: fc.constant('withdraw' as const), at: fc.nat() }),
  fc.record({ kind: fc.constant('outcome' as const), at: fc.nat(), outcome: fc.constantFrom(...OUTCOMES) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Runs one step. A conflict (revising what is not active) is an answer, too. */
async function take(memory: Memory, taken: Step, made: Map<string, string>): Promise<void> {
  const ids = [...made.keys()];
  const pick = (at: number) => ids[at % ids.length] ?? 'none yet';
  try {
    if (taken.kind === 'outcome') {
      await memory.mama.update({ id: pick(taken.at), outcome: taken.outcome, reason: 'r' });
      return;
    }
    const { decision } =
      taken.kind === 'save'
        ? await memory.decision.save({
            text: taken.text,
            ...(taken.topic && { topic: taken.topic }),
            ...(taken.strength && { strength: taken.strength }),
            ...(taken.buildsOn !== undefined && { reasoning: `builds_on: ${pick(taken.buildsOn)}` }),
          })
        : await memory.decision.revise({
            id: pick(taken.at),
            replaces: pick(taken.at),
            ...(taken.kind === 'revise' ? { text: taken.text } : { withdrawn: true, reasoning: 'no longer' }),
          });
    const known = made.get(decision.id);
    assert(known === undefined || known === decision.text, 'a text never changes');
    made.set(decision.id, decision.text);
  } catch (error) {
    assert(error instanceof PrecedentError && ['conflict', 'not_found'].includes(error.code), String(error));
  }
}

/** Every invariant of chains, read through the product. */
async function check(memory: Memory, made: Map<string, string>): Promise<void> {
  assert.deepEqual((await memory.inspect()).problems, []);
  const rootByTopic = new Map<string, string>();
  for (const [id, text] of made) {
    const { decision, versions, edges } = await memory.decision.get({ id });
    assert.equal(decision.text, text);
    assert.equal(versions[0]?.id, decision.rootId);
    assert.deepEqual(
      versions.map((version) => version.version),
      versions.map((_, index) => index + 1),
    );
    const newest = versions.at(-1);
    const active = versions.filter((version) => version.isActive);
    assert.deepEqual(active, newest?.status === 'withdrawn' ? [] : [newest]);
    const before = versions[decision.version - 2]?.id ?? null;
    assert.equal(decision.previousVersionId, before);
    const superseded = edges.outgoing.filter((edge) => edge.relationship === 'supersedes');
    assert.deepEqual(
      superseded.map((edge) => edge.decision.id),
      before ? [before] : [],
    );
    if (decision.topic !== null) {
      const root = rootByTopic.get(decision.topic) ?? decision.rootId;
      assert.equal(decision.rootId, root, 'one chain a topic');
      rootByTopic.set(decision.topic, root);
    }
    const failed = versions.findLast((each) => each.version < decision.version && each.outcome === 'failed');
    assert.equal(decision.earlierFailure?.id, failed?.id);
  }
}

describe('chain properties', () => {
  it('[D-3] [D-4] [D-13] [G-1] any sequence of saves, revisions, withdrawals and outcomes keeps every invariant', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), async (steps) => {
        const memory = await openMemory({ db: ':memory:', ...fixed() });
        try {
          const made = new Map<string, string>();
          for (const each of steps) await take(memory, each, made);
          await check(memory, made);
        } finally {
          await memory.close();
        }
      }),
      { ...runs(120, 20260101) },
    );
  });
});
