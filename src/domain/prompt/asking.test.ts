import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { askedOfMemory } from './asking.ts';

describe('what a prompt asks of the memory', () => {
  it('[T-11] words of a program are words of work', () => {
    for (const prompt of [
      'the save button is broken, fix it',
      'save the form on blur',
      'update the file and save it',
      'add a note field to the order form',
      'add a note to the invoice form',
      'note that the API returns 404 here',
      'remember me checkbox does not work',
      'what is saved in slot_holds?',
      'allow a few standing tickets more than the hall has',
      'find more than ten results',
      'one more test for the parser',
      '메모 앱 화면을 고쳐줘',
      '저장 버튼을 누르면 폼이 두 번 저장돼',
      '주민등록번호 전체를 저장하는 칼럼을 추가해줘',
      '로그인 상태를 기억해주는 체크박스가 안 돼',
      '기록 화면에서 관련 상품을 두 줄로 보여줘',
    ])
      assert.equal(askedOfMemory(prompt), undefined, prompt);
  });

  it('[T-11] [M-1] a person who asks for a memo, or for more, is understood', () => {
    for (const prompt of [
      'remember this',
      'Please remember: we use bun now',
      'remember that staging is frozen on Fridays',
      'ok, note this down',
      'could you make a note of that?',
      'save this for later as a memo',
      '이거 메모해줘',
      '방금 NetworkManager 답변 메모해줘',
      '방금 답변 저장해 줘',
      '이 설정 기억해 둬',
      '금요일에는 배포 안 하는 거 잊지 마',
      '노트에 적어줘',
    ])
      assert.equal(askedOfMemory(prompt), 'memo', prompt);
    for (const prompt of ['more', 'Tell me more', 'expand on that', '관련된 거 더 찾아줘', '더 탐색해봐'])
      assert.equal(askedOfMemory(prompt), 'expand', prompt);
  });

  it('[T-11] takes time that grows with the length of the prompt', async () => {
    const long = `${'save this '.repeat(8_000)}${'관련 더 '.repeat(8_000)}note `;
    await withinProcessorTime(1_000, () => askedOfMemory(long));
  });
});
