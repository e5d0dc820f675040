import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isParticle, nounOf } from './particle.ts';

/** Words and the noun in each: `토큰을 토큰`. */
const table = (rows: string) =>
  rows
    .trim()
    .split('\n')
    .flatMap((line) => line.trim().split(' · '))
    .map((row) => row.split(' ') as [word: string, noun: string]);

const PARTICLES = table(`
  토큰을 토큰 · 데이터를 데이터 · 버튼은 버튼 · 서버는 서버 · 의존성이 의존성 · 전문가가 전문가
  인증과 인증 · 쿠버네티스와 쿠버네티스 · 서버로 서버 · 파일로 파일 · 배열의 배열 · 코드에 코드 · 로그도 로그 · 사용자만 사용자
  회의에서 회의 · 로컬에서 로컬 · 미들웨어에서도 미들웨어 · 에이전트에게 에이전트 · 클라이언트에게서 클라이언트
  데이터베이스에는 데이터베이스 · 코드에도 코드 · 타임아웃으로 타임아웃 · 맵으로 맵 · 인증서로서 인증서
  로그까지 로그 · 마이그레이션부터 마이그레이션 · 스키마처럼 스키마 · 모델이나 모델 · 정책이란 정책 · 결정이라고 결정
  정책이고 정책 · 정책이며 정책 · 정책인데 정책 · 인덱스이다 인덱스 · 헤더만의 헤더 · 보고서를 보고서 · 개발자가 개발자
`);
/** Nouns of which a part only looks like a particle or an ending. */
const ALIKE = table(`
  재시도 재시도 · 재시도를 재시도 · 검색결과를 검색결과 · 검색결과 검색결과 · 속도 속도 · 속도가 속도 · 정확도 정확도
  난이도 난이도 · 신뢰도 신뢰도 · 정의 정의 · 정의를 정의 · 회의 회의 · 접근권한 접근권한 · 권한이 권한 · 역할을 역할
  분할 분할 · 이해 이해 · 추가 추가 · 평가 평가 · 회로 회로 · 우회로 우회로 · 경로 경로 · 경로로 경로 · 상한을 상한
  길이 길이 · 차이를 차이 · 도구를 도구 · 가이드 가이드 · 아이디 아이디 · 이미지 이미지 · 이벤트를 이벤트 · 문서 문서
  문서에 문서 · 보고 보고 · 경고가 경고 · 로고 로고 · 바다 바다 · 람다를 람다 · 로그인은 로그인 · 브라우저 브라우저
  디스플레이 디스플레이 · 노드가 노드 · 방해 방해 · 견해 견해 · 하한 하한 · 의사결정 의사결정 · 최적화 최적화 · 대한민국 대한민국 · 프로세서 프로세서
`);
const VERBS = table(`
  배포했다 배포 · 배포했습니다 배포 · 배포한다 배포 · 배포합니다 배포 · 배포하고 배포 · 배포하면 배포 · 배포할 배포
  배포된 배포 · 복구되었다 복구 · 복구됩니다 복구 · 복구해야 복구 · 복구시킨다 복구 · 설정하다 설정 · 설정됐다 설정
  업데이트했더니 업데이트 · 업데이트하세요 업데이트 · 디버깅하는데 디버깅 · 보관하도록 보관 · 저장하려고 저장
  저장되지 저장 · 전송해서 전송 · 전송하던 전송 · 만료되면 만료 · 안전하게 안전 · 캐시였는데 캐시
`);
const SHORT = table(
  '앱을 앱 · 값을 값 · 키를 키 · 큐에 큐 · 웹에서 웹 · 팀에게 팀 · 락을 락 · 앱 앱 · 키 키',
);
const PLURALS = table('프로젝트들 프로젝트 · 사용자들이 사용자 · 버그들을 버그 · 노드들의 노드 · 들 들');

describe('nounOf', () => {
  for (const [what, rows] of [
    ['takes particles off', PARTICLES],
    ['leaves what belongs to the noun', ALIKE],
    ['takes off what makes a verb of a noun', VERBS],
    ['finds nouns of one syllable', SHORT],
    ['takes the plural off', PLURALS],
  ] as const) {
    for (const [word, noun] of rows) {
      it(`[M-9] ${what}: ${word} → ${noun}`, () => assert.equal(nounOf(word), noun));
    }
  }

  it('[M-9] a particle is taken off only after the sound that it stands after', () => {
    for (const word of ['서버을', '토큰를', '토큰는', '서버은', '토큰가', '토큰와', '서버과', '토큰로'])
      assert.equal(nounOf(word), word);
  });

  for (const word of [
    ...['있다', '빠르다', '느려졌다', '느려서', '바꿨다', '고쳤다', '만들었다', '만든다', '쓴다', '먹으면'],
    ...['느리지만', '읽는데', '좋네요', '가볍습니다', '써보세요'],
  ]) {
    it(`[M-9] finds no noun in ${word}`, () => assert.equal(nounOf(word), undefined));
  }

  it('leaves words of other scripts, also mixed ones, as they are', () => {
    for (const word of ['api', 'jwt를', 'k8s', '設計', 'サーバー', 'decided', '']) {
      assert.equal(nounOf(word), word);
    }
  });
});

describe('isParticle', () => {
  it('[M-9] a particle that was cut off its word by the change of script', () => {
    for (const word of ['를', '을', '은', '의', '에', '에서', '으로', '까지', '입니다']) {
      assert.equal(isParticle(word), true, word);
    }
  });

  it('is no noun, whole word or part of a particle', () => {
    for (const word of ['토큰', '서버를', '까', '앱', 'the', '']) assert.equal(isParticle(word), false, word);
  });
});

/** Ordinary nouns of the field, with and without a last consonant, also such as look like a noun with a particle. */
const NOUNS = (
  '서버 클라이언트 데이터 데이터베이스 캐시 토큰 세션 쿼리 인덱스 스키마 테이블 트랜잭션 로그 ' +
  '오류 에러 예외 테스트 배포 빌드 설정 환경 변수 함수 모듈 패키지 라이브러리 프레임워크 ' +
  '인터페이스 클래스 객체 배열 문자열 정수 경로 파일 폴더 디렉터리 저장소 브랜치 커밋 리뷰 ' +
  '이슈 버그 기능 성능 보안 인증 인가 권한 사용자 관리자 계정 비밀번호 암호화 키 값 요청 ' +
  '응답 헤더 본문 프로토콜 포트 주소 네트워크 방화벽 프록시 게이트웨이 로드밸런서 컨테이너 ' +
  '이미지 볼륨 클러스터 노드 파드 서비스 메시지 큐 이벤트 스트림 스레드 프로세스 메모리 ' +
  '디스크 코드 문서 주석 규칙 정책 결정 근거 결과 원인 문제 해결 방법 과정 단계 일정 회의 ' +
  '논의 합의 검색 검색결과 추천 순위 점수 가중치 확률 통계 모델 학습 추론 임베딩 벡터 ' +
  '유사도 복잡도 해상도 속도 온도 빈도 지표 그래프 관계 연결 생성 수정 삭제 조회 등록 구성 ' +
  '작성 통합 조합 품질 상태 의미 형식 버전 호환성 가용성 확장성 의존성 일관성 인프라 카메라 ' +
  '화면 버튼 페이지 앱 웹 팀 락 훅 매크로 타임아웃 재시도 백업 복구 롤백 장애 알림 ' +
  '모니터링 이동 연동 질문 주문 비용 내용 중복 필드 컬럼 레코드 길이 깊이 크기 시간 날짜 ' +
  '제한 한도 용량'
).split(' ');

describe('nouns with particles', () => {
  const endsOpen = (noun: string) => (noun.charCodeAt(noun.length - 1) - 0xac00) % 28 === 0;
  const endsInL = (noun: string) => (noun.charCodeAt(noun.length - 1) - 0xac00) % 28 === 8;
  /** Written with a slash: after a vowel, after a consonant. */
  const PARTICLES =
    '를/을 는/은 가/이 와/과 로/으로 나/이나 란/이란 라는/이라는 의 에 도 만 에서 에게 까지 부터 처럼 보다 입니다 에서는 하고';

  for (const particle of PARTICLES.split(' ')) {
    it(`[M-9] ${particle} is taken off each of ${NOUNS.length} nouns`, () => {
      const [open = '', closed = open] = particle.split('/');
      const wrong = NOUNS.map((noun) => {
        const isOpen = endsOpen(noun) || (particle === '로/으로' && endsInL(noun));
        return [noun, noun + (isOpen ? open : closed)] as const;
      }).filter(([noun, word]) => nounOf(word) !== noun);
      assert.deepEqual(wrong, []);
    });
  }
});
