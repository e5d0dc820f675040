/**
 * Words of every prompt to a coding agent, which say nothing of what it is about: what is done with code, and what every
 * code has. They are compared as the keywords of a are (in lower case, Korean nouns without particles).
 */
export const GENERIC_WORDS: ReadonlySet<string> = new Set(
  (
    'add adds added adding build builds building broken break breaks bug bugs call calls change changes changed check checks ' +
    'clean clear clearer code comment comments commit commits component components config continue create debug delete ' +
    'describe diff document documentation docs edit error errors explain fail fails failed failing failure faster file files ' +
    'find fix fixed fixes folder function functions green help implement implementation import imports improve inside ' +
    'install issue issues job lint linter list lists line lines log logging logs long look looks loop main merge message method ' +
    'module modules move name names next now open output pass patch place plan please pr print problem project pull push ' +
    'put read readme refactor remove rename repo repository request resolve result return returns review rewrite ' +
    'right run running runs script set show simple small smaller split start step stop summarise summarize summary ' +
    'task tell test tests thing things time todo try type types typescript undo unused update updates upgrade use used user users ' +
    'value variable version warning way work works working write written wrong branch dev conflicts dependencies dependency deps chore revert reverts reverted ' +
    'first last new old other another above below again already back done go going good idea keep left less many might ' +
    'value values return passes crash crashes stack trace exception command option options argument arguments parameter parameters ' +
    'class classes object array string number loops statement block syntax compile question answer detail details quickly slow slower ' +
    'better best worse simpler shorter longer bigger nicer correct correctly incorrect properly exactly actually really maybe ' +
    'probably sorry great nice perfect wait cancel redo same similar different anything something nothing everything kind bit lot ' +
    'stuff spot top bottom beginning end middle sense stay hold give gives take takes taken happen happens happened need needs part point really side sure task today whole without yet instead asked ask library app version default ' +
    '테스트 코드 함수 파일 오류 에러 버그 수정 추가 삭제 제거 변경 확인 실행 빌드 커밋 푸시 머지 병합 리뷰 설명 정리 요약 ' +
    '작성 구현 개선 이름 변수 주석 타입 린트 실패 방법 방금 진행 이유 문제 작업 부분 다음 계속 시작 화면 버전 문서 브랜치 ' +
    '정도 쪽 안 밖 위 아래 앞 뒤 옆 이전 끝 어디 언제 무엇 누구 왜 그럼 그러면 근데 그런데 혹시 일단 우선 잠깐 빨리 제대로 똑같이 비슷 ' +
    '간단 간단히 자세히 예시 예제 질문 의견 생각 필요 가능 실수 원인 해결 부탁 통과 동작 작동 명령 옵션 인자 값 형식 문법 컴파일 호출 반환 ' +
    '조건 요청 보여줘 읽고 읽어 찾아 찾아봐 지워 지워줘 나눠 나눠줘 합쳐 옮겨 봐 봐줘 줘 해봐 안돼 됐어 뭘 뭐야 거야 거지 건데 하는데 ' +
    '다른 말 말고 바꾼 바꿔 바꾸 바꿨 되돌려 되돌리 고쳐 고치 돌려 돌리 만들 만들어 넣어 올려 써도 하자 할까 어떨까 맞아 될까 가도 자꾸 보자 메시지 결과 출력 함수 모듈 클래스 컴포넌트 리팩터링 리팩토링 배포해 처음 나중 마지막 명확 하나 전부 모두 좀 pr 이제 기본 기준'
  ).split(' '),
);
