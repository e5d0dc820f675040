import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mannerOf } from './manner.ts';

describe('how a prompt speaks', () => {
  it('[A-3] is below zero for the code that lies before the one who writes', () => {
    for (const prompt of [
      'what does this function do?',
      'Fix the lint errors in that file',
      'explain how the compiler reads my types',
      '이 함수가 뭐 하는 건지 설명해줘',
      '방금 고친 파일 커밋해줘',
      '여기 에러가 왜 나는지 봐줘',
    ])
      assert(mannerOf(prompt) < 0, prompt);
  });

  it('[A-3] is above zero for what the team does', () => {
    for (const prompt of [
      'Should we let customers cancel every order?',
      "sales asks whether everybody can see all prices, let's allow that",
      '우리도 예약을 하루 전까지 받으면 어떨까',
      '고객이 환불을 바로 해달라고 요청했어요',
    ])
      assert(mannerOf(prompt) > 0, prompt);
  });

  it('[A-3] is nothing for bare subjects, and less for a long prompt than for a short one', () => {
    assert.equal(mannerOf(''), 0);
    assert.equal(mannerOf('retry of failed payments'), 0);
    const long = mannerOf(`explain ${'payment '.repeat(24)}`);
    assert(long < 0 && long > mannerOf('explain payment'));
  });

  it('[A-3] reads words, not parts of them, in English', () => {
    assert.equal(mannerOf('profile filed wetland ushers'), 0);
  });
});
