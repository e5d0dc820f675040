import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { PrecedentError } from '../error.ts';
import { bothFilters, refuseOthers } from './filter.ts';
import { filterOf, parseFilter, partMeant } from './parse.ts';

const NOW = new Date(2026, 10, 22, 12).getTime();
const parsed = (text: string) => parseFilter(text, NOW);
const refusal = (text: string): string => {
  try {
    assert.fail(JSON.stringify(parsed(text)));
  } catch (error) {
    assert(error instanceof PrecedentError && error.code === 'invalid', String(error));
    return error.message;
  }
};

describe('a filter as a person writes it', () => {
  it('[U-4] has keys, quotations and free words in any order', () => {
    assert.deepEqual(
      parsed(
        'scope:auth topic:auth:token by:kim since:2w until:2026-10-01 outcome:failed kind:decision "free words" more',
      ),
      {
        scope: 'auth',
        topic: 'auth:token',
        by: 'kim',
        since: new Date(2026, 10, 8, 12).getTime(),
        until: new Date(2026, 9, 2).getTime(),
        outcome: 'failed',
        kinds: ['decision'],
        words: 'free words more',
      },
    );
    assert.deepEqual(parsed('since:"2 weeks ago" by:"Kim Minsu"'), {
      since: new Date(2026, 10, 8, 12).getTime(),
      by: 'Kim Minsu',
    });
    assert.deepEqual(
      parsed('KIND:outcomes,memo kind:anchor is:debated is:no-evidence is:failed-basis is:unsure is:due'),
      {
        kinds: ['outcome', 'memo', 'anchor'],
        debated: true,
        unsure: true,
        due: true,
        noEvidence: true,
        failedBasis: true,
      },
    );
    assert.deepEqual(parsed('is:pending state:any strength:lock project:app type:bugfix stale:90d'), {
      outcome: 'pending',
      state: 'any',
      strength: 'lock',
      project: 'app',
      type: 'bugfix',
      stale: new Date(2026, 7, 24, 12).getTime(),
    });
    assert.deepEqual(parsed('  '), {});
  });

  it('[U-4] takes for words what has no key of a filter, and what is quoted', () => {
    assert.deepEqual(parsed('auth:token 결제:환불 https://x.test/a'), {
      words: 'auth:token 결제:환불 https://x.test/a',
    });
    assert.deepEqual(parsed('constructor:x'), { words: 'constructor:x' });
    assert.deepEqual(parsed('"scop:auth"'), { words: 'scop:auth' });
    assert.deepEqual(parsed('an "open quotation'), { words: 'an open quotation' });
  });

  it('[U-4] is the same when a shell took its quotation marks', () => {
    const words = ['scope:auth', 'since:2 weeks ago', 'By:Kim Minsu', 'free words', 'auth:a b', 'one'];
    assert.equal(
      filterOf(words),
      'scope:auth since:"2 weeks ago" By:"Kim Minsu" "free words" "auth:a b" one',
    );
    assert.deepEqual(parsed(filterOf(words)), {
      scope: 'auth',
      since: new Date(2026, 10, 8, 12).getTime(),
      by: 'Kim Minsu',
      words: 'free words auth:a b one',
    });
  });

  it('[U-4] is the same when it was quoted as a whole for a shell', () => {
    const whole = 'outcome:failed  since:"2 weeks ago" kim';
    assert.equal(filterOf([whole]), whole);
    assert.equal(filterOf(['free words scope:auth']), 'free words scope:auth');
    assert.equal(
      filterOf(['outcome:failed since:2w', 'By:Kim Minsu']),
      'outcome:failed since:2w By:"Kim Minsu"',
    );
    assert.equal(filterOf(['the toString: of it']), '"the toString: of it"');
  });

  it('[U-4] knows a word that is the value of a part', () => {
    const parts = ['실패', 'failed', 'locks', '철회', 'decisions', '어제', 'last week', 'forked', 'redis'];
    assert.deepEqual(
      parts.map((word) => partMeant(word, NOW)),
      [
        ...['outcome:failed', 'outcome:failed', 'strength:lock', 'state:withdrawn', 'kind:decision'],
        ...['since:어제', 'since:"last week"', 'is:forked', undefined],
      ],
    );
  });

  it('[U-4] says what was probably meant', () => {
    assert.match(refusal('scop:auth'), /found "scop:"\. Did you mean "scope:auth"\?/);
    assert.match(
      refusal('kind:decison'),
      /one of decision, outcome.*found "decison"\. Did you mean "decision"\?/,
    );
    assert.match(refusal('outcome:fail'), /Did you mean "failed"\?/);
    assert.match(refusal('is:failed'), /Did you mean "outcome:failed"\?/);
    assert.deepEqual(parsed('outcome:실패'), parsed('outcome:failed'));
    assert.deepEqual(
      parsed('state:철회 strength:잠금 kind:결정,노트'),
      parsed('state:withdrawn strength:lock kind:decision,observation'),
    );
    assert.match(refusal('since:lastweek'), /Expected "since" as a date.*found "lastweek"/);
    assert.match(refusal('until:2026-02-30'), /found "2026-02-30"/);
    assert.match(refusal('stale:yesterday'), /Expected "stale" as a length of time/);
    assert.match(refusal('scope:a scope:b'), /Expected "scope:" once, found it twice/);
    assert.match(refusal('is:pending outcome:failed'), /Expected "outcome:" once/);
    assert.match(refusal('scope:'), /Expected something after "scope:", found nothing/);
  });

  it('[U-4] is one with the fields of an operation, each part once', () => {
    assert.deepEqual(bothFilters({ scope: 'a' }, { by: 'k', scope: undefined }), { scope: 'a', by: 'k' });
    assert.throws(() => bothFilters({ scope: 'a' }, { scope: 'b' }), /Expected scope once/);
    assert.throws(
      () => refuseOthers({ outcome: 'failed' }, 'memo_list', ['by', 'words']),
      /memo_list: Expected a filter of by:, words; found outcome:/,
    );
  });

  it('[C-6] ends in a filter or in a refusal, whatever is written', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        try {
          parsed(text);
        } catch (error) {
          assert(error instanceof PrecedentError, String(error));
        }
      }),
    );
  });
});
