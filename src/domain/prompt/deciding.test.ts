import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withinProcessorTime } from '../../../test/support/clock.ts';
import { decidingIn } from './deciding.ts';

describe('moments of deciding', () => {
  it('[RE-11] a person lays something down, or rejects it', () => {
    for (const prompt of [
      'From now on all services log in JSON.',
      'No, don’t use Moment, we go with date-fns.',
      'Never commit to main directly.',
      'New rule: every endpoint has a rate limit.',
      'We have chosen Stripe only; PayPal is off the table.',
      'We will never sell this data to third parties.',
      'Starting today, pull requests need two approvals.',
      'MongoDB is out. We keep Postgres.',
      'Let’s settle it: branches go away once merged.',
      'All new code must be in TypeScript.',
      '앞으로 테스트는 vitest만 쓰자',
      'MongoDB는 안 쓰기로 했습니다',
      'Redis는 쓰지 말자. 운영 부담이 크다',
      'pnpm으로 가자',
      '로그에 개인정보는 절대 남기면 안 돼',
      '모든 금액은 정수로 저장한다. 예외 없음.',
      '말풍선은 최대 세 개까지. 이건 확정이야.',
      '가로 모드는 지원하지 않는 걸로 최종 결정했습니다',
      '차트 라이브러리는 uPlot으로 통일',
      '알림 소리는 없애기로 확정.',
      'No default exports please, named ones only.',
      'The dry run is good. Make it the default.',
      'I asked around: Jenkins stays for this year.',
      'We don’t host that ourselves.',
      'Legal said no to storing passport scans.',
      'One rule for everybody: no direct writes to the ledger tables.',
      'Upgrading the server is not up for debate until spring.',
      'Names of events are in the past tense, not in the present. Agreed with the mobile team.',
      'CTO가 우리 규모에 과하다고 반려했어',
      '휴대폰 번호는 어떤 화면에도 그대로 보여주지 않는다',
      '외부 라이브러리는 라이선스 확인 후에만 넣는 걸로',
    ])
      assert.equal(decidingIn(prompt), 'decides', prompt);
  });

  it('[RE-11] a person tells how something went', () => {
    for (const prompt of [
      'We tried Kafka, it was too slow.',
      'The replica experiment is over, the lag was 40 s.',
      'GraphQL was a mistake, back to REST.',
      'We are back on the plain load balancer.',
      'I ran HTTP/3 for two weeks: no gain, so it stays off.',
      'Biome으로 대체해 봤는데 규칙이 없어서 포기',
      '새 지도 타일 롤백했습니다. 구형 폰에서 안 떠요',
      'Moving the reports to plain CSV worked out, nobody complains any more.',
      'The pilot went well, three weeks without a page.',
      'Rewriting was not worth the month it took.',
      'Redis 스트림 써봤는데 유실이 있어서 다시 테이블 큐로 돌아왔다',
      'The new retry policy cut failed deliveries from 4% to 0.3%.',
      'The SDK crashed on older phones, so we removed it.',
      '캐시 TTL을 늘린 뒤로 DB 부하가 절반으로 줄었습니다',
    ])
      assert.equal(decidingIn(prompt), 'reports', prompt);
  });

  it('[RE-11] work is no decision, nor is a question, or what holds in one place', () => {
    for (const prompt of [
      'Use const instead of let here.',
      'Don’t change the test, change the code.',
      'Let’s go with the second suggestion for the name.',
      'From here on the log gets hard to read, explain the last part.',
      'I tried to start the console and got a white page. What is missing?',
      'That did not work, same error. Try again.',
      'It never reaches line 40, does it?',
      'Is it always the same site?',
      'Why did we choose dbmate in the first place?',
      'Always use const in this file.',
      '왜 여기서는 uPlot을 쓰기로 했던 거야?',
      '다시 해봤는데 똑같이 실패하네. 로그 좀 봐줘',
      '변수명 카멜케이스로 통일해줘',
      '롤백했는데 왜 그대로지?',
      'The dialog stays open after saving.',
      '두 번째 방법으로 해줘',
      'The legend must stay on top, and the toast never closes. Fix both.',
      'The table has no index on user_id.',
      'I tried your fix and the page got slower.',
      'Cancelled orders should be hidden from the list.',
      '새로 배포한 뒤로 로그인이 느려졌어 원인 찾아줘',
      '이 값은 반드시 숫자여야 해, 검증 추가해줘',
      '어제 바꾼 코드 때문에 테스트 실패했어',
      'Explain how the cursor works and why we do not use offsets.',
      'The test opens the wrong tab since we renamed it.',
    ])
      assert.equal(decidingIn(prompt), undefined, prompt);
  });

  it('[Z-12] no prompt takes longer than its length', async () => {
    for (const prompt of [
      '모든 은 '.repeat(1_000),
      'we tried a '.repeat(400),
      '앞으로 자 '.repeat(800),
      'never '.repeat(800),
    ])
      await withinProcessorTime(200, () => decidingIn(prompt));
  });
});
