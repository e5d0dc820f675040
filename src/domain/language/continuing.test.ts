import assert from 'node:assert/strict';
import { it } from 'node:test';
import { isContinuing } from './continuing.ts';

it('[T-18] a task that goes on where work stopped is told from one that has the word', () => {
  for (const task of [
    'continue',
    'Continue where we stopped',
    'please go on',
    "OK, let's carry on with the import",
    'go on.',
    'where did we stop?',
    'where we left off',
    '이어서',
    '이어서 하자',
    '계속',
    '계속해줘',
    '그럼 계속 진행해',
    '어디까지 했지',
    '어디서 멈췄지?',
  ])
    assert(isContinuing(task), task);
  for (const task of [
    'let guests continue without an account',
    'a button to stop the export',
    'continued fractions',
    'the goon squad',
    '로그인 상태를 계속 유지한다',
    '문자열을 이어 붙인다',
    '어디서나 쓰는 함수',
  ])
    assert(!isContinuing(task), task);
});
