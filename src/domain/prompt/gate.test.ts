import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { promptQueryOf, relevanceOf } from './gate.ts';
import { readPrompt } from './reading.ts';

const DOCUMENTS = 500;
/** What the gate says of a record. @param of how many of the documents have a term; none has another one */
function asked(prompt: string, of: Record<string, number>, { documents = DOCUMENTS, manner = 0 } = {}) {
  const words = promptQueryOf(
    { ...readPrompt(prompt), manner },
    { documents, of: new Map(Object.entries(of)) },
  );
  return (shown: string, { behind = '', topic = '', isBinding = false } = {}) =>
    relevanceOf(words, { topic, shown, behind, isBinding });
}

describe('the gate of prompts', () => {
  it('[A-3] two words that few records have are telling, one is not, however rare', () => {
    const verdict = asked('porter checklist', { porter: 20, checklist: 8 });
    assert.equal(verdict('The checklist of the porter').is, 'high');
    const one = asked('checklist test message', { checklist: 1, test: 1, messag: 1 });
    assert.notEqual(one('The checklist of the test messages').is, 'high');
  });

  it('[A-3] of a word in parts, each part that a record has tells something', () => {
    const verdict = asked('비밀번호재설정 checklist', { 비밀: 4, 번호: 4, 재설: 4, 설정: 9, checklist: 8 });
    const [none, one, some] = ['', ' 설정', ' 비밀번호'].map((parts) => verdict(`checklist${parts}`).matched);
    assert((none as number) < (one as number) && (one as number) < (some as number));
  });

  it('[A-3] words that every prompt has add to what others tell, and carry nothing', () => {
    const of = { test: 10, messag: 10, file: 10, list: 10, load: 2, porter: 8, ward: 60 };
    assert.equal(asked('test message file list', of)('test message file list').is, 'none');
    const near = asked('ward porter', of)('ward porter').matched;
    const added = asked('ward porter test message', of)('ward porter test message').matched;
    assert(added > near && added < near + 0.4, String(added));
  });

  it('[A-3] words that no record has weigh less among all that is asked', () => {
    const of = { porter: 20, checklist: 8 };
    const long = 'porter checklist zebra giraffe walrus lemur ocelot marmot badger';
    const unheard = asked(long, of)('porter checklist');
    const heard = asked(
      long,
      Object.fromEntries([...readPrompt(long).words.map((word) => [word, 50]), ...Object.entries(of)]),
    )('porter checklist');
    assert.equal(unheard.matched, heard.matched);
    assert.deepEqual([unheard.is, heard.is], ['high', 'medium']);
  });

  it('[A-3] [T-10] a long record, which has some words of any prompt, must have more of them', () => {
    const verdict = asked('porter checklist', { porter: 20, checklist: 8 });
    const behind = (words: number) => Array.from({ length: words }, (_, at) => `word${at}`).join(' ');
    const is = (words: number) => verdict('The checklist of the porter', { behind: behind(words) });
    assert.deepEqual([is(0).is, is(30).is, is(400).is], ['high', 'high', 'medium']);
  });

  it('[A-3] another form of a word tells less than the word itself, and none of an ordinary one', () => {
    const of = { vacuum: 8, porter: 20, 닫히: 8, 히게: 8 };
    const verdict = asked('vacuum porter', of);
    const [word, kin, none] = ['vacuum', 'autovacuum', 'broom'].map(
      (each) => verdict(`porter ${each}`).matched,
    );
    assert((none as number) < (kin as number) && (kin as number) < (word as number));
    assert(asked('알림 닫히게', of)('닫힌').matched > 0);
    const ordinary = asked('backend porter', { backend: 8, porter: 20 });
    assert.equal(ordinary('porter backends-of').matched > ordinary('porter').matched, true);
    assert.equal(ordinary('porter backendless').matched, ordinary('porter').matched);
  });

  it('[A-3] a prompt about what lies before the one who writes must be told more', () => {
    const is = (manner: number) =>
      asked('porter checklist', { porter: 20, checklist: 8 }, { manner })('The checklist of the porter').is;
    assert.deepEqual([is(-1), is(0)], ['medium', 'high']);
  });

  it('[A-3] [T-10] of what binds or failed, less is enough', () => {
    const verdict = asked('porter checklist', { porter: 30, checklist: 30 });
    const record = 'The checklist of the porter';
    assert.deepEqual([verdict(record).is, verdict(record, { isBinding: true }).is], ['medium', 'high']);
  });

  it('[A-3] a word that one in twenty-five records has tells less in a large memory, but not by half', () => {
    const matched = (documents: number) =>
      asked('porter checklist', { porter: documents / 25, checklist: 1 }, { documents })('porter').matched;
    const share = matched(5_000) / matched(500);
    assert(share > 0.75 && share < 0.95, String(share));
  });

  it('[A-3] two words of one record are telling in a memory of four, too', () => {
    const verdict = asked('porter checklist', { porter: 1, checklist: 1 }, { documents: 4 });
    assert.equal(verdict('The checklist of the porter').is, 'high');
  });

  it('[T-10] in a memory of few records one word is enough for what binds or failed, and for nothing else', () => {
    const is = (documents: number, isBinding: boolean) =>
      asked('delete the checklist', { checklist: 1 }, { documents })('The checklist stays', { isBinding }).is;
    assert.deepEqual([is(10, true), is(10, false), is(500, true)], ['high', 'medium', 'medium']);
  });

  it('[T-10] an ordinary word tells more of a record whose topic it is', () => {
    const verdict = asked('dark mode', { dark: 8, mode: 8 });
    const record = 'ux:dark-mode Nobody needs a dark mode';
    assert(verdict(record, { topic: 'ux:dark-mode' }).matched > verdict(record).matched);
  });

  it('[A-3] what only the reasons say tells less, and is not enough alone', () => {
    const of = { porter: 8, checklist: 8 };
    const verdict = asked('porter checklist', of);
    assert.notEqual(verdict('Of something else', { behind: 'porter checklist' }).is, 'high');
    const rare = asked('porter checklist zebra', { porter: 1, checklist: 1, zebra: 1 });
    assert.notEqual(rare('Of something else', { behind: 'porter checklist zebra' }).is, 'high');
    assert(verdict('porter', { behind: 'checklist' }).matched < verdict('porter checklist').matched);
  });
});
