import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getTriggerType } from '../../src/index.ts';
import { workbench } from '../support/program.ts';

/** The words of the two lists, and what the function beside them looks for. */
const MEMO = '메모 기억 저장 기록 노트 memo remember save note 잊지마 기억해 메모해 저장해'.split(' ');
const EXPAND = ['더 찾아', '더 탐색', '관련된 거', 'expand', 'more'];
const MEMO_TRIGGERS = ['메모', '기억', '저장', '기록', '노트', 'memo', 'remember', 'save', 'note'];
const EXPAND_TRIGGERS = ['더 찾아', '더 탐색', '관련', 'expand', 'more'];

/** `get_trigger_type` line by line. */
function triggerAsWritten(message: string): 'memo' | 'expand' | null {
  const msg = message.toLowerCase();
  if (MEMO_TRIGGERS.some((t) => msg.includes(t))) return 'memo';
  if (EXPAND_TRIGGERS.some((t) => msg.includes(t))) return 'expand';
  return null;
}

/** Memo: what a message asks for. No engine has a part in it. */
export function memoTriggers(): void {
  describe('Memo: How to update, 트리거', () => {
    for (const [words, trigger] of [
      [MEMO, 'memo'],
      [EXPAND, 'expand'],
    ] as const) {
      for (const word of words) {
        it(`[M-1] 트리거 키워드: ${word}, ${trigger === 'memo' ? '메모 생성' : '추가 탐색'}`, () => {
          for (const message of [word, `이거 ${word} 줘`, `please ${word.toUpperCase()}!`]) {
            assert.equal(getTriggerType(message), trigger, message);
          }
        });
      }
    }

    it('[M-1] [M-15] 트리거 감지 로직: answers as get_trigger_type does', () => {
      const messages = [
        ...[...MEMO_TRIGGERS, ...EXPAND_TRIGGERS].flatMap((word) => [
          word,
          `이거 ${word}해줘`,
          `Please, ${word}.`,
        ]),
        ...[
          '이거 메모해줘',
          '관련된 거 더 찾아줘',
          '관련 메모를 더 찾아줘',
          'Save more',
          'Mirror 설정이 뭐야?',
          '',
        ],
      ];
      for (const message of messages)
        assert.equal(getTriggerType(message), triggerAsWritten(message), message);
    });

    it('[M-15] Quick command: 메모 트리거 확인, the exit code says it as that of rg', async (test) => {
      const bench = workbench(test, 'here');
      for (const word of ['메모', '기억', '저장', 'memo', 'remember']) {
        assert.equal((await bench.run(['tool', 'trigger', `이것을 ${word} 해`])).code, 0, word);
      }
      assert.equal((await bench.run(['tool', 'trigger', 'Mirror 설정이 뭐야?'])).code, 1);
    });
  });
}
