import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { cut, firstTelling } from './sentence.ts';

const first = (text: string, limit = 160) => firstTelling(text, limit);

describe('firstTelling', () => {
  it('[W-3] is the first sentence that says something, on one line', () => {
    assert.equal(first('Tokens leak. More follows.'), 'Tokens leak.');
    assert.equal(first('Yes. No! Because scripts can read them.'), 'Because scripts can read them.');
    assert.equal(first('전자상거래법 17조. 그 뒤로는 수수료.'), '전자상거래법 17조.');
    assert.equal(first('We use e.g. the TTL of Redis v7.2. It works.'), 'We use e.g. the TTL of Redis v7.2.');
    assert.equal(first('a long\n  line break'), 'a long line break');
  });

  it('[TR-8] keeps the title and the initials of a person with the sentence', () => {
    for (const text of [
      'Dr. Kwon: no dark patterns.',
      'Prof. J. Kim asked for it.',
      'So said Mrs. Lee of legal.',
    ])
      assert.equal(first(`${text} More follows.`), text);
  });

  it('[W-3] leaves out markdown, and what a link leaves behind', () => {
    assert.equal(first('## Context\n\n- **Tokens** leak here. So.'), '**Tokens** leak here.');
    assert.equal(first('1) The first reason counts'), 'The first reason counts');
    assert.equal(first(' . 이전 결정에서 단일 표준을 정했다.'), '이전 결정에서 단일 표준을 정했다.');
  });

  it('[W-3] passes over headings, addresses and what a link leaves; an abbreviation ends no sentence', () => {
    assert.equal(
      first('## Background of it\n- Postgres e.g. RDS is cheap. It scales.'),
      'Postgres e.g. RDS is cheap.',
    );
    assert.equal(first('See https://example.com/a/b. The team knows Go well.'), 'The team knows Go well.');
    assert.equal(
      first('We decided this ( after the outage in May.'),
      'We decided this after the outage in May.',
    );
    assert.equal(first('We decided this (  ) after the outage.'), 'We decided this after the outage.');
    assert.equal(first('— since it failed we avoid it'), 'since it failed we avoid it');
    assert.equal(first('Cheaper than two pools;'), 'Cheaper than two pools');
  });

  it('[T-17] is a sentence: no heading without its sign, no code, no remains of a link', () => {
    assert.equal(first('Context\nSupersedes 0010, which failed.'), 'Supersedes 0010, which failed.');
    assert.equal(first('배경\n세션이 자꾸 끊겼다.'), '세션이 자꾸 끊겼다.');
    assert.equal(first('Decision drivers\n\nThe team is small.'), 'The team is small.');
    assert.equal(first('Tokens leak\nout of the browser.'), 'Tokens leak out of the browser.');
    assert.equal(first('```ts\nconst a = 1;\n```\nBecause a is one.'), 'Because a is one.');
    assert.equal(first('The fence is short: ```f(){ return a; }```'), 'The fence is short');
    assert.equal(first('and'), undefined);
    assert.equal(first('We call f() at the start.'), 'We call f() at the start.');
  });

  it('has nothing to say of a text without words, and the little there is of a short one', () => {
    assert.equal(first('… — 🙂'), undefined);
    assert.equal(first(''), undefined);
    assert.equal(first('Yes.'), 'Yes.');
  });

  it('is never longer than its limit, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 2, max: 40 }), (text, limit) => {
        const found = first(text, limit);
        assert(found === undefined || ([...found].length <= limit && !found.includes('\n')));
      }),
    );
  });
});

describe('cut', () => {
  it('ends at a blank where one is near, and never inside a character', () => {
    assert.equal(cut('one two three four', 12), 'one two…');
    assert.equal(cut('abcdefghijkl', 6), 'abcde…');
    assert.equal(cut('🙂🙂🙂🙂', 3), '🙂🙂…');
    assert.equal(cut('short', 5), 'short');
  });
});
