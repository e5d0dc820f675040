import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askedWords, verdictOn } from './gate.ts';
import { readPrompt } from './reading.ts';

const DOCUMENTS = 500;
/** What the gate says of a record. @param of how many of the documents have a term; none has another one */
function asked(prompt: string, of: Record<string, number>) {
  const known = new Map(Object.entries(of));
  const words = askedWords(readPrompt(prompt).words, { documents: DOCUMENTS, of: known });
  return (shown: string, { behind = '', similarity = 0 } = {}) =>
    verdictOn(words, { shown, behind, similarity });
}

describe('the gate of prompts', () => {
  it('[A-3] two words that few records have are telling, one is not, however rare', () => {
    const verdict = asked('porter checklist', { porter: 20, checklist: 8 });
    assert.equal(verdict('The checklist of the porter').is, 'telling');
    const one = asked('checklist test message', { checklist: 1, test: 1, messag: 1 });
    assert.notEqual(one('The checklist of the test messages').is, 'telling');
  });

  it('[A-3] a part of a word is not that word, most of its parts are', () => {
    const verdict = asked('비밀번호재설정 checklist', { 비밀: 4, 번호: 4, 재설: 4, 설정: 9, checklist: 8 });
    assert.equal(verdict('checklist 설정').told, verdict('checklist').told);
    assert(verdict('checklist 비밀번호').told > verdict('checklist').told);
  });

  it('[A-3] words that every prompt has add to what others tell, and carry nothing', () => {
    const of = { test: 10, messag: 10, file: 10, list: 10, load: 2, porter: 8, ward: 60 };
    assert.equal(asked('test message file list', of)('test message file list').is, 'silent');
    const near = asked('ward porter', of)('ward porter').told;
    const added = asked('ward porter test message', of)('ward porter test message').told;
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
    assert.equal(unheard.told, heard.told);
    assert.deepEqual([unheard.is, heard.is], ['telling', 'near']);
  });

  it('[A-3] most of all that is asked, in three words that are shown, is telling however ordinary each is', () => {
    const of = { run: 60, load: 40, test: 80, pull: 30, request: 50 };
    const verdict = asked('run the load test on every pull request', of);
    const text = 'The load test runs at night; in pull requests it is skipped';
    assert.equal(verdict(text, { similarity: 0.7 }).is, 'telling');
    assert.notEqual(verdict(text, { similarity: 0.5 }).is, 'telling');
    assert.notEqual(verdict('load test', { behind: text, similarity: 0.7 }).is, 'telling');
  });

  it('[A-3] what only the reasons say tells less, and is not enough alone', () => {
    const of = { porter: 8, checklist: 8 };
    const verdict = asked('porter checklist', of);
    assert.notEqual(verdict('Of something else', { behind: 'porter checklist' }).is, 'telling');
    const rare = asked('porter checklist zebra', { porter: 1, checklist: 1, zebra: 1 });
    assert.notEqual(rare('Of something else', { behind: 'porter checklist zebra' }).is, 'telling');
    assert(verdict('porter', { behind: 'checklist' }).told < verdict('porter checklist').told);
  });
});
