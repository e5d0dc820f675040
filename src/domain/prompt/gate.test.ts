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
  return (shown: string, { behind = '', topic = '', isBinding = false, rank = 0 } = {}) =>
    relevanceOf(words, { topic, shown, behind, isBinding, rank });
}

describe('the gate of prompts', () => {
  it('[A-3] [T-10] two words that hardly any record has are telling, and one is not, however rare', () => {
    const verdict = asked('porter checklist', { porter: 2, checklist: 3 });
    assert.equal(verdict('The checklist of the porter').is, 'high');
    const common = asked('porter checklist', { porter: 20, checklist: 8 });
    assert.equal(common('The checklist of the porter').is, 'medium');
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

  it('[A-3] a bot that updates dependencies, and a revert, say nothing of a record', () => {
    const of = { dep: 4, depend: 4, revert: 4, mismatch: 4 };
    const bot = asked('chore(deps): update dependency porter to v2', of);
    const rule = 'deps:licences Add only dependencies under MIT';
    assert.equal(bot(rule, { topic: 'deps:licences', isBinding: true }).is, 'none');
    const failed = asked('chore: revert "chore: fix build mismatch"', of);
    assert.equal(failed('Reverted after a mismatch', { isBinding: true }).is, 'medium');
  });

  it('[A-3] a prompt about what lies before the one who writes must be told more', () => {
    const is = (manner: number) =>
      asked('porter checklist', { porter: 2, checklist: 2 }, { manner })('The checklist of the porter').is;
    assert.deepEqual([is(-1), is(0)], ['medium', 'high']);
  });

  it('[A-3] [T-10] of what binds or failed, less is enough', () => {
    const verdict = asked('porter checklist', { porter: 6, checklist: 7 });
    const record = 'The checklist of the porter';
    assert.deepEqual([verdict(record).is, verdict(record, { isBinding: true }).is], ['medium', 'high']);
  });

  it('[T-10] what the search ranks later must tell more', () => {
    const verdict = asked('porter checklist', { porter: 2, checklist: 3 });
    const record = 'The checklist of the porter';
    assert.deepEqual([verdict(record).is, verdict(record, { rank: 3 }).is], ['high', 'medium']);
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

  it('[A-3] what only the reasons say tells less, and two words of it are not enough', () => {
    const verdict = asked('porter checklist', { porter: 1, checklist: 1 });
    assert.equal(verdict('porter checklist').is, 'high');
    const behind = verdict('Of something else', { behind: 'porter checklist' });
    assert.equal(behind.is, 'medium');
    assert(behind.matched < verdict('porter', { behind: 'checklist' }).matched);
  });
});
