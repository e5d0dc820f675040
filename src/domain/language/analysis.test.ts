import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { stemmer } from '@orama/stemmers/english';
import fc from 'fast-check';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { ANALYSIS_VERSION, analyse, queryTerms } from './analysis.ts';

const anyText = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }), fc.lorem());
const hangul = fc.integer({ min: 0xac00, max: 0xd7a3 }).map((code) => String.fromCodePoint(code));

describe('analyse', () => {
  const cases: [text: string, tokens: string[]][] = [
    ['Walls WALL wall', ['wall', 'wall', 'wall']],
    ['building builds', ['build', 'build']],
    ['foo_bar-baz.qux', ['foo', 'bar', 'baz', 'qux']],
    ['"a" OR b* NEAR(c)', ['a', 'or', 'b', 'near', 'c']],
    ['Users logged in', ['user', 'login', 'log', 'in']],
    ['a log in RAM', ['a', 'log', 'in', 'ram']],
    ['v2 mp3s', ['v2', 'mp3s']],
    ['getUserById', ['getuserbyid', 'get', 'user', 'by', 'id']],
    ['SvelteKit를', ['sveltekit', 'svelt', 'kit', '를']],
    ['외벽을 200mm로', ['외벽', '벽을', '200mm', '200', 'mm', '로']],
    ['벽', ['벽']],
    ['한국어ABC', ['한국', '국어', 'abc']],
    ['漢字かなカナ', ['漢字', '字か', 'かな', 'なカ', 'カナ']],
    ['人々 サーバー', ['人々', 'サー', 'ーバ', 'バー']],
    ['стены Στοά', ['стены', 'στοά']],
    ['café नमस्ते', ['café', 'नमस्ते']],
    ['①x² ㎜', ['1x2', 'mm']],
    ['😀 -- !?', []],
    ['', []],
  ];
  for (const [text, tokens] of cases) {
    it(`splits "${text}"`, () => assert.deepEqual(analyse(text), tokens));
  }

  it('has not changed since ANALYSIS_VERSION 8: raise the version with any change here', () => {
    assert.equal(ANALYSIS_VERSION, 8);
    const sample = 'Generalizations running quickly: 데이터베이스를 SQLite3로 옮긴다, 東京タワー ﬁnal';
    assert.equal(
      analyse(sample).join(' '),
      'gener run quickli 데이 이터 터베 베이 이스 스를 sqlite3 sq lite 로 옮긴 긴다 東京 京タ タワ ワー final',
    );
  });

  it('[A-3] gives the same for plain text, which it splits by shorter patterns', () => {
    const signs = [
      ...'abcxyzABZ059 .,:_-\'"(/\n',
      ...'가나다한국쀍',
      ...'‘’“”–—…·→×',
      'running',
      'x'.repeat(70),
    ];
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...signs), maxLength: 20 }), (text) => {
        // Another sign makes the whole text other than plain; a mark makes each word so, and is cut off again.
        const marked = text.replace(/[A-Za-z0-9가-힣]+/g, (word) => `\u0301${word}`);
        assert.deepEqual(analyse(`${marked} é`), [...analyse(text), stemmer('é')]);
      }),
      { numRuns: 5_000 },
    );
  });

  it('gives tokens of letters, digits and marks only, 64 at most, for any text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const token of analyse(text)) assert.match(token, /^[\p{L}\p{N}\p{M}]{1,64}$/u);
      }),
      { numRuns: 1_000 },
    );
  });

  it('gives the same for composed and decomposed text (NFC, NFD), also half and full width', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD']) {
          assert.deepEqual(analyse(text.normalize(form)), analyse(text), form);
        }
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        assert.deepEqual(analyse(fullWidth(text)), analyse(text));
      }),
    );
    assert.deepEqual(analyse('ｶﾞｷﾞ'), analyse('ガギ'));
  });

  it('gives the same for upper and lower case', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        assert.deepEqual(analyse(text.toUpperCase()), analyse(text.toLowerCase()));
      }),
    );
    assert.deepEqual(analyse('J\u030cT\u0308'), analyse('\u01f0\u1e97'), 'composed only in lower case');
  });

  it('gives the tokens of words joined by spaces as those of each word, in order', () => {
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[A-Za-z0-9]{1,80}$/)), (words) => {
        assert.deepEqual(analyse(words.join(' ')), words.flatMap(analyse));
        assert.equal(analyse(words.join(' ').toLowerCase().replace(/\d/g, 'a')).length, words.length);
      }),
    );
  });

  it('shortens a long word to 64 characters, never half of one', () => {
    assert.deepEqual(analyse('7'.repeat(100)), ['7'.repeat(64)]);
    assert.deepEqual(analyse('𐐨'.repeat(100)), ['𐐨'.repeat(64)]);
  });

  it('takes a moment of the processor for 200,000 characters, however they were chosen', async () => {
    for (const part of [
      'a',
      'y',
      'ational',
      'sses',
      'a ',
      'e\u0301',
      '한',
      '漢a',
      '!',
      '\u0301',
      'ab1',
      'aB',
      'aB ',
      `aB\u0301`,
      `aB${'\u0301'.repeat(20)}`,
    ]) {
      const text = part.repeat(200_000).slice(0, 200_000);
      await withinProcessorTime(2_000, () => analyse(text), part);
    }
  });
});

describe('queryTerms', () => {
  it('leaves English stop words out unless nothing else remains', () => {
    assert.deepEqual(queryTerms('What is the wall?'), ['wall']);
    assert.deepEqual(queryTerms('THE of'), ['the', 'of']);
  });

  it('asks for a verb with its particle as for their noun, and for neither alone', () => {
    for (const [asked, noun] of [
      ['how do users log in?', 'login'],
      ['signing in', 'signin'],
      ['set up', 'setup'],
      ['rolled back', 'rollback'],
      ['timed out', 'timeout'],
    ] as const)
      assert.deepEqual(queryTerms(asked).slice(-1), queryTerms(noun), asked);
    assert.deepEqual(queryTerms('rolled back'), queryTerms('rollback'));
    for (const noun of ['the log in RAM', 'logs in RAM']) assert.deepEqual(queryTerms(noun), ['log', 'ram']);
  });

  it('asks for a noun of Hangul without its particle or ending', () => {
    assert.deepEqual(queryTerms('결제를 취소했다면'), queryTerms('결제 취소'));
    // A short one is left whole, as is one that another script begins.
    assert.deepEqual(queryTerms('벽을 JWT를'), ['벽을', 'jwt', '를']);
  });

  it('asks each term once', () => {
    assert.deepEqual(queryTerms('wall walls WALL 외벽 외벽'), ['wall', '외벽']);
  });

  it('is empty for text without a letter or digit, and only for that', () => {
    for (const text of ['', ' \n\t', '!?', '—…«»', '(* " ^ : -)', '👍🎉'])
      assert.deepEqual(queryTerms(text), []);
    fc.assert(
      fc.property(anyText, fc.constantFrom('x', '7', '벽', 'é'), (text, word) => {
        assert.notDeepEqual(queryTerms(`${text} ${word}`), []);
      }),
    );
  });

  it('asks for nothing that the same text does not hold', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const held = new Set(analyse(text));
        const asked = queryTerms(text);
        assert.deepEqual(
          asked.filter((term) => !held.has(term)),
          [],
        );
        assert.equal(new Set(asked).size, asked.length);
      }),
    );
  });

  it('finds a Korean word of two syllables or more in the same word with a particle', () => {
    const word = fc.array(hangul, { minLength: 2, maxLength: 6 }).map((syllables) => syllables.join(''));
    const particle = fc.constantFrom(
      '을',
      '를',
      '은',
      '는',
      '이',
      '가',
      '에서',
      '으로',
      '과',
      '와',
      '부터는',
    );
    assert.ok(analyse('외벽을').includes('외벽'));
    fc.assert(
      fc.property(word, particle, (noun, suffix) => {
        const held = new Set(analyse(`${noun}${suffix}`));
        for (const term of queryTerms(noun.normalize('NFD'))) assert.ok(held.has(term), term);
      }),
    );
  });
});

function fullWidth(text: string): string {
  const wide = (character: string) => String.fromCodePoint((character.codePointAt(0) as number) + 0xfee0);
  return text.replace(/[!-~]/g, wide).replaceAll(' ', '\u3000');
}

describe('analyse: very long words', () => {
  it('[Z-5] takes a word of 200,000 characters, in any script, to its end, in pieces', () => {
    const [long, piece] = [200_000, 2_048];
    const bigrams = analyse(`${'결'.repeat(long - 1)}끝`);
    // No pair reaches from one piece to the next.
    assert.deepEqual([bigrams.length, bigrams.at(-1)], [long - Math.ceil(long / piece), '결끝']);
    assert.deepEqual([...new Set(analyse('ж'.repeat(5 * long)))], ['ж'.repeat(64)]);
    assert.equal(analyse(`${'결'.repeat(500)}abc${'정'.repeat(500)}`).length, 499 + 1 + 499);
    assert.deepEqual(analyse('\u0301'.repeat(long)), []);
  });

  it('[Z-5] spells a sign out, and leaves a long text as it is that would become many times as long', () => {
    const [one, many] = ['\ufdfa', '\ufdfa'.repeat(100_000)];
    assert.deepEqual(analyse(one), ['صلى', 'الله', 'عليه', 'وسلم']);
    for (const text of [many, `${one} `.repeat(50_000)])
      assert(analyse(text).join(' ').length <= 3 * text.length);
    assert.deepEqual(analyse(`${'말 '.repeat(1_000)}㎜ ½`).slice(-3), ['mm', '1', '2']);
  });
});
