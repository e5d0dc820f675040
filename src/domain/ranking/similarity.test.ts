import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { OUTCOMES } from '../outcome.ts';
import { arrange, type Frequencies, type Match, rarestTerms, similarity } from './similarity.ts';

/** A memory of some documents, with terms of which each stands in none to all of them. */
const memory = fc.integer({ min: 1, max: 10_000 }).chain((documents) =>
  fc
    .uniqueArray(fc.tuple(fc.string(), fc.nat({ max: documents })), {
      minLength: 1,
      maxLength: 12,
      selector: ([term]) => term,
    })
    .map((counts) => ({
      terms: counts.map(([term]) => term),
      frequencies: frequencies(documents, Object.fromEntries(counts)),
    })),
);

describe('similarity', () => {
  it('is 1 when every term matched, 0 when none did, and between them for any part', () => {
    fc.assert(
      fc.property(memory, fc.func(fc.boolean()), ({ terms, frequencies }, isMatched) => {
        assert.equal(similarity(terms, new Set(terms), frequencies), 1);
        assert.equal(similarity(terms, new Set(['no such term asked']), frequencies), 0);
        const share = similarity(terms, new Set(terms.filter(isMatched)), frequencies);
        assert.ok(share >= 0 && share <= 1, String(share));
      }),
    );
  });

  it('never falls when one more term matches', () => {
    fc.assert(
      fc.property(memory, ({ terms, frequencies }) => {
        const shares = terms.map((_, count) =>
          similarity(terms, new Set(terms.slice(0, count)), frequencies),
        );
        assert.deepEqual(
          shares,
          [...shares].sort((a, b) => a - b),
        );
      }),
    );
  });

  it('counts a rare term for more than a common one', () => {
    const known = frequencies(100, { rare: 1, common: 90 });
    const rare = similarity(['rare', 'common'], new Set(['rare']), known);
    const common = similarity(['rare', 'common'], new Set(['common']), known);
    assert.ok(rare > 0.9 && common < 0.1, `${rare} ${common}`);
  });

  it('counts a term that stands nowhere as missed, to three decimal places', () => {
    const wall = Math.log(1 + 9.5 / 1.5);
    const unheard = Math.log(1 + 10.5 / 0.5);
    const share = similarity(['wall', 'unheard'], new Set(['wall']), frequencies(10, { wall: 1 }));
    assert.equal(share, Number((wall / (wall + unheard)).toFixed(3)));
  });

  it('tells something also in a memory of one record, and is 0 for no terms', () => {
    assert.equal(similarity(['a', 'b'], new Set(['a']), frequencies(1, { a: 1, b: 1 })), 0.5);
    assert.equal(similarity([], new Set(['a']), frequencies(1, { a: 1 })), 0);
  });
});

describe('rarestTerms', () => {
  const known = frequencies(100, { b: 3, a: 3, common: 90, rare: 1, gone: 0 });

  it('takes the rarest first, equally rare ones by name, none that stands nowhere', () => {
    const terms = ['common', 'b', 'gone', 'rare', 'unheard', 'a'];
    assert.deepEqual(rarestTerms(terms, known, 10), ['rare', 'a', 'b', 'common']);
    assert.deepEqual(rarestTerms(terms.toReversed(), known, 3), ['rare', 'a', 'b']);
    assert.deepEqual(terms, ['common', 'b', 'gone', 'rare', 'unheard', 'a'], 'what was given is not changed');
  });

  it('keeps the limit, and of two terms always the rarer', () => {
    fc.assert(
      fc.property(memory, fc.nat({ max: 15 }), ({ terms, frequencies }, limit) => {
        const found = (term: string) => frequencies.of.get(term) as number;
        const kept = rarestTerms(terms, frequencies, limit);
        assert.equal(kept.length, Math.min(limit, terms.filter((term) => found(term) > 0).length));
        const left = terms.filter((term) => found(term) > 0 && !kept.includes(term));
        for (const term of left) for (const each of kept) assert.ok(found(each) <= found(term));
      }),
    );
  });
});

/** Chains as a search finds them: some versions of each, in any order, the newest of them perhaps its head. */
const chains = fc
  .array(
    fc.record({
      versions: fc.uniqueArray(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 }),
      hasHead: fc.boolean(),
      outcomes: fc.array(fc.option(fc.constantFrom(...OUTCOMES)), { minLength: 6, maxLength: 6 }),
      scores: fc.array(fc.nat({ max: 3 }), { minLength: 6, maxLength: 6 }),
    }),
    { maxLength: 5 },
  )
  .map((list) =>
    list.map(({ versions, hasHead, outcomes, scores }, chain) =>
      versions.map((version, at) =>
        match(`c${chain}`, version, {
          isHead: hasHead && version === Math.max(...versions),
          outcome: outcomes[at] ?? null,
          score: scores[at] ?? 0,
        }),
      ),
    ),
  );

describe('arrange', () => {
  it('[O-8] shows the head, then at most one superseded version, chains in their order', () => {
    fc.assert(
      fc.property(chains, (given) => {
        const rows = arrange(given, false, Number.POSITIVE_INFINITY);
        const shown = given.map((chain) => rows.filter((row) => row.rootId === chain[0]?.rootId));
        assert.deepEqual(rows, shown.flat(), 'the rows of a chain stand together');
        given.forEach((chain, at) => {
          const heads = chain.filter((each) => each.isHead);
          const superseded = chain.length > heads.length ? 1 : 0;
          assert.deepEqual(
            shown[at]?.map((row) => row.isHead),
            [...heads.map(() => true), ...Array(superseded).fill(false)],
          );
        });
      }),
    );
  });

  it('[O-8] prefers a failed version, then the best match, then the newest, as the superseded one', () => {
    const head = match('c', 9, { isHead: true, score: 9 });
    const failed = match('c', 1, { outcome: 'failed' });
    const laterFailed = match('c', 2, { outcome: 'failed' });
    const partial = match('c', 6, { outcome: 'partial', score: 5 });
    const best = match('c', 3, { score: 7 });
    const newest = match('c', 8, { score: 5 });
    const shown = (...others: Match[]) => arrange([[...others, head]], false, 10);
    assert.deepEqual(shown(best, partial, newest, failed), [head, failed]);
    assert.deepEqual(shown(failed, laterFailed), [head, laterFailed]);
    assert.deepEqual(shown(newest, best, partial), [head, best]);
    assert.deepEqual(shown(partial, newest), [head, newest]);
  });

  it('[K-6] shows no superseded version that the newest repeats, unless it turned out otherwise', () => {
    const head = match('c', 9, { isHead: true, text: 'again' });
    const repeated = match('c', 3, { text: 'again', score: 7 });
    const failed = match('c', 2, { text: 'again', outcome: 'failed' });
    const other = match('c', 1, {});
    const shown = (...others: Match[]) => arrange([[...others, head]], false, 10);
    assert.deepEqual(shown(repeated, other), [head, other]);
    assert.deepEqual(shown(repeated), [head]);
    assert.deepEqual(shown(repeated, failed, other), [head, failed]);
    assert.deepEqual(arrange([[repeated, head]], true, 10), [head, repeated]);
  });

  it('[O-8] never leaves a failed version out for one that did not fail', () => {
    fc.assert(
      fc.property(chains, (given) => {
        const shown = new Set(arrange(given, false, Number.POSITIVE_INFINITY));
        for (const chain of given) {
          const superseded = chain.filter((each) => !each.isHead);
          if (!superseded.some((each) => each.outcome === 'failed')) continue;
          assert.equal(superseded.find((each) => shown.has(each))?.outcome, 'failed');
        }
      }),
    );
  });

  it('gives with all every version, the newest first within its chain', () => {
    fc.assert(
      fc.property(chains, (given) => {
        assert.deepEqual(
          arrange(given, true, Number.POSITIVE_INFINITY),
          given.flatMap((chain) => [...chain].sort((a, b) => b.version - a.version)),
        );
      }),
    );
  });

  it('cuts off after the limit, and changes nothing that was given', () => {
    fc.assert(
      fc.property(chains, fc.boolean(), fc.nat({ max: 8 }), (given, all, limit) => {
        const before = structuredClone(given);
        const everything = arrange(given, all, Number.POSITIVE_INFINITY);
        assert.deepEqual(arrange(given, all, limit), everything.slice(0, limit));
        assert.deepEqual(given, before);
      }),
    );
  });
});

function frequencies(documents: number, counts: Record<string, number>): Frequencies {
  return { documents, of: new Map(Object.entries(counts)) };
}

function match(rootId: string, version: number, rest: Partial<Match>): Match {
  const id = `${rootId}v${version}`;
  return { id, rootId, version, text: id, isHead: false, outcome: null, score: 0, ...rest };
}
