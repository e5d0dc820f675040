import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type Content,
  contentOf,
  type Decision,
  type Draft,
  FIELD_NAMES,
  type Field,
  isUnchanged,
  nextVersion,
  STRENGTHS,
} from './decision.ts';

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const anyDraft: fc.Arbitrary<Draft> = fc.record({
  text: fc.string(),
  topic: maybe(fc.string()),
  reasoning: maybe(fc.string()),
  strength: maybe(fc.constantFrom(...STRENGTHS)),
  scope: maybe(fc.string({ minLength: 1 })),
  confidence: maybe(fc.double({ min: 0, max: 1, noNaN: true })),
  revisit: maybe(fc.constantFrom('2027-03-01', '2028-01-01')),
  files: maybe(fc.constantFrom('src/**', 'a.ts\nb.ts')),
  branch: maybe(fc.constantFrom('fix/wall', 'main')),
} satisfies { [Name in Field | 'topic']: fc.Arbitrary<unknown> });

/** Two versions: a first one with everything said, and what the second draft makes of it. */
function second(draft: Draft): { first: Decision; next: Decision } {
  const said = {
    strength: 'lock',
    scope: 'site',
    confidence: 0.9,
    topic: 'cad:wall',
    reasoning: 'r',
  } as const;
  const first = nextVersion(null, { text: 'a', ...said }, 'id1', 1);
  return {
    first,
    next: nextVersion({ ...first, outcome: 'failed', outcomeReason: 'cold' }, draft, 'id2', 2),
  };
}

describe('contentOf', () => {
  it('[B-1] [Y-8] has null for a field that an older program did not know', () => {
    const [name = 'files', ...known] = [...FIELD_NAMES].reverse();
    const said = Object.fromEntries(known.map((each) => [each, 'said'])) as unknown as Content;
    assert.equal(contentOf(said)[name], null);
  });
});

describe('FIELDS', () => {
  it('[CO-1] the name of a field is one word, the same in snake and in camel case', () => {
    for (const name of FIELD_NAMES)
      assert.match(name, /^[a-z]+$/, `name ${name} of src/domain/decision.ts with one word`);
  });
});

describe('nextVersion', () => {
  it('[D-2] a first version is its own root, [D-3] number 1, with nothing before it', () => {
    assert.deepEqual(nextVersion(null, { text: 'Walls are 200 mm' }, 'id1', 7), {
      id: 'id1',
      rootId: 'id1',
      version: 1,
      previousVersionId: null,
      tidies: null,
      topic: null,
      text: 'Walls are 200 mm',
      reasoning: null,
      strength: 'normal',
      scope: 'global',
      confidence: 0.5,
      revisit: null,
      files: null,
      branch: null,
      isActive: true,
      withdrawn: false,
      outcome: null,
      outcomeReason: null,
      createdAt: 7,
      updatedAt: 7,
    });
  });

  it('[D-2] rootId never changes, [D-3] versions count up and [D-4] each names the one before it', () => {
    const drafts = fc.array(fc.tuple(anyDraft, fc.boolean()), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(drafts, (list) => {
        let newest: Decision | null = null;
        for (const [at, [draft, withdrawn]] of list.entries()) {
          const next: Decision = nextVersion(newest, { ...draft, withdrawn }, `id${at + 1}`, at);
          assert.equal(next.id, `id${at + 1}`);
          assert.equal(next.rootId, 'id1');
          assert.equal(next.version, at + 1);
          assert.equal(next.previousVersionId, at === 0 ? null : `id${at}`);
          assert.equal(next.topic, list[0]?.[0].topic ?? null, 'the topic is that of the chain');
          newest = next;
        }
      }),
    );
  });

  it('[D-3] strength, scope and confidence carry over; text and reasoning do not, the outcome is pending', () => {
    const { first, next } = second({ text: 'b' });
    assert.deepEqual(next, {
      ...first,
      id: 'id2',
      version: 2,
      previousVersionId: 'id1',
      text: 'b',
      reasoning: null,
      createdAt: 2,
      updatedAt: 2,
    });
  });

  it('[D-3] what the draft says wins over what stood', () => {
    const said = { text: 'b', reasoning: 's', strength: 'axis', scope: 'ui', confidence: 0 } as const;
    assert.deepEqual({ ...second(said).next, ...said }, second(said).next);
  });

  it('[V-5] the day to look again carries over until it is there', () => {
    const first = nextVersion(null, { text: 'a', revisit: '2027-03-01' }, 'id1', 1);
    const then = (now: string, draft: Partial<Draft> = {}) =>
      nextVersion(first, { text: 'b', ...draft }, 'id2', Date.parse(now)).revisit;
    assert.equal(then('2027-02-27T12:00'), '2027-03-01');
    assert.equal(then('2027-03-01T12:00'), null);
    assert.equal(then('2027-03-01T12:00', { revisit: '2028-03-01' }), '2028-03-01');
  });

  it('[D-15] a withdrawn version is not active, and the next one continues the chain', () => {
    const withdrawn = nextVersion(second({ text: 'b' }).next, { text: 'b', withdrawn: true }, 'id3', 3);
    assert.deepEqual([withdrawn.withdrawn, withdrawn.isActive, withdrawn.version], [true, false, 3]);
    const after = nextVersion(withdrawn, { text: 'c' }, 'id4', 4);
    assert.deepEqual([after.withdrawn, after.isActive, after.version], [false, true, 4]);
    assert.deepEqual([after.rootId, after.previousVersionId], ['id1', 'id3']);
  });

  it('takes the scope from the first part of the topic when none is given, else it is global', () => {
    const scopes: [topic: string | undefined, scope: string][] = [
      ['cad:wall:thickness', 'cad'],
      ['cad', 'cad'],
      [' cad : wall', 'cad'],
      [':wall', 'global'],
      ['', 'global'],
      [undefined, 'global'],
    ];
    for (const [topic, scope] of scopes) {
      assert.equal(nextVersion(null, { text: 'a', topic }, 'id', 1).scope, scope, String(topic));
    }
    assert.equal(nextVersion(null, { text: 'a', topic: 'cad:wall', scope: 'ui' }, 'id', 1).scope, 'ui');
  });
});

describe('isUnchanged', () => {
  it('is true for the draft that made what stands, and for its text alone', () => {
    fc.assert(
      fc.property(anyDraft, anyDraft, (draft, later) => {
        const first = nextVersion(null, draft, 'id1', 1);
        assert.ok(isUnchanged(first, draft));
        assert.ok(isUnchanged(first, { text: draft.text }));
        assert.ok(isUnchanged(nextVersion(first, later, 'id2', 2), later));
      }),
    );
  });

  it('is false when any one field would change', () => {
    const { first } = second({ text: 'b' });
    const changes: Partial<Draft>[] = [
      { text: 'A' },
      { reasoning: 'other' },
      { strength: 'axis' },
      { scope: 'ui' },
      { confidence: 0 },
    ];
    for (const change of changes) {
      assert.ok(!isUnchanged(first, { text: 'a', ...change }), JSON.stringify(change));
    }
    const bare = nextVersion(null, { text: 'a' }, 'id', 1);
    assert.ok(!isUnchanged(bare, { text: 'a', reasoning: 'now there is one' }));
  });

  it('is false for a version that does not stand: [D-15] withdrawn, or superseded', () => {
    const { first } = second({ text: 'b' });
    assert.ok(!isUnchanged({ ...first, isActive: false }, { text: 'a' }));
    const withdrawn = nextVersion(first, { text: 'a', withdrawn: true }, 'id2', 2);
    assert.ok(!isUnchanged(withdrawn, { text: 'a' }));
  });
});
