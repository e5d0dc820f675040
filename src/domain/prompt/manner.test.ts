import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mannerOf } from './manner.ts';

describe('how a prompt speaks', () => {
  it('[A-3] is below zero for what lies before the one who writes, and for how a screen looks', () => {
    for (const prompt of [
      'what does this function do?',
      'Fix the lint errors in that file',
      'explain how the compiler reads my types',
      '이 함수가 뭐 하는 건지 설명해줘',
      '여기 에러가 왜 나는지 봐줘',
      'move the tooltip of a payment left',
      '결제 버튼 색깔 진하게',
    ])
      assert(mannerOf(prompt) < 0, prompt);
  });

  it('[A-3] is nothing for bare subjects, and less for a long prompt than for a short one', () => {
    assert.equal(mannerOf(''), 0);
    assert.equal(mannerOf('retry of failed payments'), 0);
    const long = mannerOf(`explain ${'payment '.repeat(24)}`);
    assert(long < 0 && long > mannerOf('explain payment'));
  });

  it('[A-3] reads words, not parts of them, in English', () => {
    assert.equal(mannerOf('thistle hereby shadowy mythical'), 0);
  });
});
