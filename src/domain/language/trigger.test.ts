import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findTrigger, getTriggerType } from './trigger.ts';

const MEMO = '메모 기억 저장 기록 노트 memo remember save note 잊지마 기억해 메모해 저장해'.split(' ');
const EXPAND = ['더 찾아', '더 탐색', '관련된 거', '관련', 'expand', 'more'];
const isLatin = (word: string) => /^[a-z]+$/.test(word);
const LATIN = [...MEMO, ...EXPAND].filter(isLatin);

const triggerOf = (message: string) => findTrigger(message)?.trigger;

describe('findTrigger', () => {
  for (const [trigger, words] of [
    ['memo', MEMO],
    ['expand', EXPAND],
  ] as const) {
    for (const word of words) {
      it(`[M-1] takes "${word}" for ${trigger}, alone and in a sentence`, () => {
        for (const message of [
          word,
          `${word}.`,
          `아까 본 것 ${word} 응`,
          `(${word})`,
          `please\n${word}\nnow`,
        ]) {
          assert.equal(triggerOf(message), trigger, message);
        }
      });
    }
  }

  it('[M-1] Korean words fire with anything attached, also without the blank', () => {
    const requests = '이거 메모해줘|기억해둬|저장해 주세요|기록으로 남겨|노트에 적어|잊지마라|잊지 마'.split(
      '|',
    );
    for (const message of requests) assert.equal(triggerOf(message), 'memo', message);
    for (const message of ['더찾아줘', '더 탐색해봐', '더탐색', '관련된 것도']) {
      assert.equal(triggerOf(message), 'expand', message);
    }
  });

  it('[M-1] Latin words fire in any letter case and width, also with a Korean particle', () => {
    for (const word of LATIN) {
      const expected = MEMO.includes(word) ? 'memo' : 'expand';
      const wide = word.replace(/./g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
      for (const typed of [word.toUpperCase(), wide, `${word}를`, `이것을${word}해줘`]) {
        assert.equal(triggerOf(typed), expected, typed);
      }
    }
  });

  it('[M-1] Latin words fire as whole words only', () => {
    for (const word of LATIN) {
      for (const other of [
        `${word}x`,
        `x${word}`,
        `é${word}`,
        `${word}2`,
        `2${word}`,
        `my_${word}`,
        `${word}_1`,
      ]) {
        assert.equal(triggerOf(other), undefined, other);
      }
    }
    for (const other of ['notebook', 'anymore', 'furthermore', 'noteworthy', 'memoir', 'note\u0301']) {
      assert.equal(triggerOf(other), undefined, other);
    }
  });

  it('[M-14] English words fire in their inflections, and with signs of markdown around them', () => {
    const memos =
      'notes|Notes:|memos|saved|saving|remembered|remembering|noted|_note_|**save**|__memo__|`note`';
    for (const message of memos.split('|')) assert.equal(triggerOf(message), 'memo', message);
    for (const message of ['expanded', 'expanding', '_more_'])
      assert.equal(triggerOf(message), 'expand', message);
    for (const message of [
      'notebooks',
      'anymore',
      'my_notes',
      'notes_2',
      'saver',
      'nothing',
      'notional',
      'expander',
    ]) {
      assert.equal(triggerOf(message), undefined, message);
    }
  });

  it('[M-1] 메모리, 노트북 and 저장소 are other words, and hide no request beside them', () => {
    for (const word of ['메모리', '노트북', '저장소']) {
      assert.equal(triggerOf(`${word}가 느리다`), undefined, word);
      assert.equal(triggerOf(word.normalize('NFD')), undefined, word);
    }
    assert.equal(triggerOf('메모리 누수를 메모해'), 'memo');
    assert.equal(triggerOf('노트북과 관련된 거'), 'expand');
  });

  it('[M-1] a request for a memo goes before one for more, in either order', () => {
    for (const memo of MEMO) {
      for (const expand of EXPAND) {
        assert.equal(triggerOf(`${expand}, ${memo}`), 'memo', `${expand}, ${memo}`);
        assert.equal(triggerOf(`${memo}, ${expand}`), 'memo', `${memo}, ${expand}`);
      }
    }
  });

  it('[M-1] finds the same in decomposed text, and says which word asks', () => {
    assert.deepEqual(findTrigger('이 설정을 기억해'.normalize('NFD')), { trigger: 'memo', word: '기억' });
    assert.deepEqual(findTrigger('더 찾아줘'.normalize('NFD')), { trigger: 'expand', word: '더 찾아' });
    assert.deepEqual(findTrigger('Show me MORE'), { trigger: 'expand', word: 'more' });
  });

  it('[M-15] a program is told what a message asks for, or null', () => {
    assert.deepEqual(['이거 메모해줘', 'more', 'how does it work?'].map(getTriggerType), [
      'memo',
      'expand',
      null,
    ]);
  });

  it('[M-1] is silent otherwise', () => {
    for (const message of ['', ' ', '더', '찾아', '탐색', '잊지', '서버가 느리다', 'how does it work?', '🙂'])
      assert.equal(findTrigger(message), undefined, message);
  });

  it('answers the same each time it is asked', () => {
    for (let time = 0; time < 3; time++) {
      assert.equal(triggerOf('note more'), 'memo');
      assert.equal(triggerOf('more'), 'expand');
    }
  });
});
