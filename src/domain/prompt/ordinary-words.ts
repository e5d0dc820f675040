/**
 * Words that prompts of any project have now and then: of screens and programs, of time and amount. What
 * decisions are made on, as `cache` or `login`, is not among them. Next to a word of the project they help to tell what a
 * prompt is about; alone they tell little. They are compared as those of {@link GENERIC_WORDS}.
 */
export const ORDINARY_WORDS: ReadonlySet<string> = new Set(
  (
    'able accept according active actual advice afternoon afterwards agent agents alias allow allows almost alone ' +
    'along also alternative although always among amount animation annoying anybody anyone anyway apart api apis ' +
    'appear appears apply approach appropriate area around arrow aside assert assertion assertions assign assume ' +
    'async attach attempt attribute attributes auto automatic automatically available avoid await aware away backend ' +
    'background badge bar bare base bash basic basically batch become behave behaves behavior behaviour behind belong ' +
    'benchmark benefit big binary black blocks blue body boilerplate bold book bookmark boolean border both ' +
    'bottleneck box bracket brackets brief bring broke brown bundle bundler business button buttons caller callers ' +
    'camelcase capital card cards care carefully carousel case cases cast cause causes cell center centre certain ' +
    'chance character characters chart charts chat checkbox choose chosen chunk circle circular clarify cli click ' +
    'clicked clicks client clients close closed closes closing cloud coffee collapse colleague color colors colour ' +
    'colours column columns combine combined come comes comma common compare compared complain complains complete ' +
    'completely complex complexity concept concise condition conditions configuration confirm confused confusing ' +
    'connect connected connection connections consider consistent constant constants contain contains content ' +
    'contents context contract control convert converted converts cool copied copy core corner correctness cost could ' +
    'count counter counting counts couple course cover coverage cpu crud css csv current currently cursor custom cut ' +
    'cycle daemon daily dark dashboard data date dates day days db deadline deal debugger decide declared deep ' +
    'defaults define defined definition delay depend dependency depends deprecated depth descending description ' +
    'design desktop destroy detect determine devtools diagram dialog dialogs difference differences dig digit direct ' +
    'direction directly directory disable disabled disappear display displayed div docstring docstrings domain dot ' +
    'double doubled dozen dozens draft draw drop dropdown drops dry dummy duplicate duplicated duplicates duplication ' +
    'during dynamic each earlier early easier easy editor effect effort eight eighty either element elements eleven ' +
    'else emoji empty enable enabled encoding ended ends engine english enough enter entire entirely entries entry ' +
    'enum env environment equal equals eslint especially evaluate even evening event events eventually ever every ' +
    'everybody everyone everywhere exact example examples exclude execute executed exist existing exists exit expect ' +
    'expected expects expensive experience expert export exported exports expose expression extend extra extract face ' +
    'fact factor fallback false familiar far fast favorite feature features feedback feel fetch few field fields ' +
    'fifty figure fill filter filtered filters final finally fine finish finished fits five flag flags flaky flat ' +
    'flatten float flow focus folders follow following font footer force forget forgot fork form format formats ' +
    'formatted formatter formatting forms forty forward forwards found four frame framework free fresh friday friend ' +
    'front frontend full fully fun further future garbage generate generated generator generic get getter getting git ' +
    'github gitignore global glue gone google got gradient grammar graph gray grep grid group groups grow guess guide ' +
    'half handle handled handler handlers handles handling hang hangs hard harder hash head header headers heading ' +
    'headings heavy height hello helper helpers hidden hide hierarchy high higher highlight hint hints hit home ' +
    'honest hook hooks hope hot hotfix hour hours hover however html http huge human hundred hundreds icon icons id ' +
    'ideas idiomatic ids ignore ignored image images imagine immediately important imported improved improvement ' +
    'include included includes incoming increase increment indent indentation infinite info information inherit ' +
    'initial initialize initially inline inner input inputs insert inspect installed installing instance instances ' +
    'int integer integration integrations intellij interesting interface interfaces intermediate internal internet ' +
    'introduce invalid invoke isolated item items iterate iteration iterator java javascript join joined journal json ' +
    'jump junior junk just justify kebab key keys kill knew know known label labels lambda language languages laptop ' +
    'large late later latest layer layers layout lead leak learn leave legacy length letter letters level levels ' +
    'libraries lifecycle light like limit limits linear linked links linux literal little live load loaded loader ' +
    'loading loads local locally logged logic logical longest lookup loose lose lots lower lowercase lunch mac ' +
    'machine macos magic maintain major makefile manage manager manual manually map mapped maps margin mark markdown ' +
    'markup match matches matching math matter max maximum mean meaning meant memory mention menu mess messy meta ' +
    'middleware million millions mind mini minimal minimum minor minus minute minutes miss missing misspelled mistake ' +
    'mix mixed mock mocked mocks modal mode model models modified modify moment monday monitor month months more ' +
    'morning mouse moves multiple mutable mutate mutation named namespace naming native navbar navigate navigation ' +
    'nearly necessary negative nest nested network never newest newline night nine ninety nobody node noise none nope ' +
    'normal normally notation note notebook notice npm null nullable numbers numeric objects obvious odd off often ' +
    'oldest once online only onto opened opens operation operations operator opinion optimal optimise optimize order ' +
    'original others otherwise ought outcome outdated outer outline outside over overall override overview overwrite ' +
    'own package packages padding page pages paid pain pane panel paper paragraph parse parsed parser parses parsing ' +
    'partial particular party past paste pasted path paths pattern patterns pause pending people percent performance ' +
    'perhaps period person phase phone photo php phrase pick picture piece pieces pip pipe pixel pixels placeholder ' +
    'plain play playground plugins plural plus pocket pointer points polish poll poor popup port position positive ' +
    'possible possibly post postfix power practice prefer prefix prepare present preserve press prettier pretty ' +
    'prevent preview previous price primary prior priority private proceed process processes produce product ' +
    'production profile profiler program programs progress promise promises prompt prompts proof prop proper ' +
    'properties property propose props protected prototype prove provide provided public pure purpose putting python ' +
    'quality queries query quick quicker quit quite quote quoted quotes radius raise raises random range rare rate ' +
    'rather raw reach react readability readable reading reads ready real realise realize rebase reboot rebuild ' +
    'receive recent recently record records red reduce redundant refactored refer reference references refresh ' +
    'regardless regex regexp register regression regular related relation relative relevant reload remaining remember ' +
    'remote removed removes rendered renders repeat repeated replace replaced replaces reply report reports represent ' +
    'reproduce requests required requirement requirements reset resize resolved resource resources respect respond ' +
    'responses responsive rest restart restore restructure results retrieve reuse revert reverted reviewed rewritten ' +
    'rid risk rollback root rough round route router routes routing row rows rule rules rust safari safe safely safer ' +
    'sake sample sane sanity sass save saved saves scale scan scenario scheme scope score scratch screen screens ' +
    'scripts scroll second seconds section secure security seed seem seems select selected selection selector self ' +
    'semantic semicolon semicolons send sends senior sent sentence separate separated separately separator sequence ' +
    'series serious server servers service services setting settings settle setup seven seventy several severe shadow ' +
    'shadowed shape share shared sharing shell shift ship shortcut shortest should shown shows shrink shut sidebar ' +
    'sign signature silent simplest simplify since single sit site situation six sixteen sixty size sizes skeleton ' +
    'sketch skip skips sleep slice slide slider slightly slot smart smell snake snippet snippets social software ' +
    'solution solutions solve solved somebody someone sometimes somewhat somewhere soon sort sorted sorting sorts ' +
    'sound source sources space spaces spacing span spec specific specs speed spell spelling spend spinner sql squash ' +
    'stable stage staged staging standard standards standup star starts stash state statements static statically ' +
    'status stderr stdin stdout steps sticky still stopped store stored str strange strategy stream strict strings ' +
    'strip strong struct structure structures stub stuck style styled styles stylesheet subject submit subset success ' +
    'successful such sudden suddenly suffix suggest suggested suggestion suggestions suit suite suites sum super ' +
    'suppose supposed suspect svg swap switch switches synchronous system systems tab table tables tabs tag tags tail ' +
    'tailwind talk talked target targets teach team teammates tech technical temp template templates temporary ten ' +
    'tend terminal terms ternary terrible text texts thank theme themes theory therefore they thinking third thirteen ' +
    'thirty though thought thoughts thousand thousands thread threads three threshold throughout throw thrown throws ' +
    'tick ticket ticks tidy tight till timed timer timestamp tiny tips title titles todos together toggle tomorrow ' +
    'tonight tool tooling tools tooltip total totals touch toward traceback track trailing transform transition ' +
    'translate translation tree trick trigger triggered trim trivial trouble true truncate trust truth turn turned ' +
    'turns tutorial twelve twenty twice two typed typing typo typos ubuntu ugly unclear undefined under underscore ' +
    'understand understandable unfortunately unicode union unique unit units unknown unless unnecessary unread ' +
    'unreadable unsafe until unusual upper uppercase url urls usage usages useful useless username usual usually util ' +
    'utilities utility utils valid validate validation valueerror var variables variant various verbose verify ' +
    'versions vertical via video view views vim visible vite void volume vscode vue waiting waits walk wall warn ' +
    'warnings wasted watch web webpack website week weekend weeks weird welcome went what whatever wherever whichever ' +
    'while white whitespace who whoever why wide wider widget width will window windows wire wise wish within wonder ' +
    'wondering word words worker workers workflow world worry worth would wrap wrapped wrapper writes wrongly wrote ' +
    'xml yaml yarn year years yellow yes yesterday young yours zero zip zone zoom ' +
    '가끔 각각 갑자기 값이 강제 같다 같아 같은데 개념 개발 개발서버 개수 객체 거라 거면 거의 걸려 걸리 걸림 검색 결국 경고 경로 계산 고정 고쳐줘 공백 공통 과정 관리 괄호 구분 구조 구체 규칙 그룹 ' +
    '그림 글자 금방 급한 기능 기다려 기본값 기존 깔끔 깔끔하게 깨져 깨지 꺼줘 끊겨 끊기 나눔 나쁜 나오 나오게 나오는데 나옴 나와 날려 날짜 남아 남은 내려 내부 내일 너가 넣자 네이밍 네트워크 노드 ' +
    '누르면 눌러 느려 느려졌 느려졌어 느리 느린 늘려 다듬 다루 다음주 단계 단순 단순하게 단위테스트 단축키 닫기 답변 당장 대문자 대신 대체 대충 더블 덮어 데스크톱 데이터 도구 도움 돌아가 돌아가게 되게 ' +
    '되나 되는 되는데 되어 되있 되지 뒤로 드롭다운 들어 들여쓰기 디렉터리 디렉토리 디버그 디버깅 디비 디자인 디폴트 따라 따로 때문에 떠요 뜨는데 라우터 라이브러리 라인 랜덤 런타임 레이아웃 레퍼런스 렌더링 ' +
    '로그 로딩 로직 로컬 롤백 루프 리베이스 리스트 리턴 리포 리포지토리 링크 마무리 마우스 마이너 막혀 막힘 만들어줘 맞게 맞는지 맞춰 매개변수 매번 매핑 먼저 멈춤 멈춰 메뉴 메모리 메서드 메소드 메인 ' +
    '명령어 모달 모델 모양 모의 목록 목업 목적 무한 무한루프 묶어줘 묶음 문구 문자 문자열 문장 뭐가 미리 미리보기 미사용 바꿔줘 반복 반복문 반영 반응형 반환값 발생 밝게 방식 배경 배열 백엔드 뱃지 버려 ' +
    '버튼 번역 범위 베이스 변경사항 변수명 변환 별도 보기 보내 보이게 복구 복붙 복사 복잡 복잡도 복잡해 본문 볼드 봐줄래 부모 분기 분리 분석 불필요 붙여 블록 비교 비동기 빠르게 빠른 빠져 빠졌 빨간 ' +
    '빨간색 빼고 빼줘 뺄까 사람 사용자 사이 사이드바 사이즈 사전 살펴 살펴봐 상단 상세 상수 상위 상태 상태코드 상황 새로 새로고침 색깔 생겨 생기 생성 생성자 서버 서비스 서식 선언 선택 설명서 설정 설치 ' +
    '성공 성능 세미콜론 세번 세부 소문자 소스 속도 속성 손으로 수동 수식 수정본 순서 숨겨 숫자 스크롤 스크립트 스타일 스타일링 스택 스텁 스토리북 스페이스 슬라이드 시간 시작점 시켜 시키 식별자 신경 실제 ' +
    '실제로 실행해 심볼 싱글 써봐 아까 아래쪽 아무 아무거 아무것 아이콘 아침 안나와 안내 안돼서 안되 안되는데 안먹 알겠 알려줄래 알림창 앞에 어디서 어때 어떤 어떤지 어색 없애 없애줘 에디터 에러메시지 ' +
    '에이피아이 여기서 여백 역할 연결 열어 영어 예외 예외처리 예전 옛날 오늘 오른쪽 오타 올려줘 옮겨줘 완료 완성 왼쪽 요구사항 용도 우선순위 원래 원본 원인이 원하는 위로 위쪽 위치 유닛 유닛테스트 유지 ' +
    '유틸 유효성 응답 의미 의존 의존성 이동 이따 이모지 이미지 이벤트 이상 이상해 이슈 이제부터 이쪽 익숙 인라인 인코딩 인터넷 인터페이스 일괄 일단은 일부 일치 일회성 임시 임포트 입력 입력값 자꾸만 자동 ' +
    '자동완성 자료형 자리 자식 자잘 작게 작은 잔소리 잘못 잘못된 잠깐만 재귀 재사용 재현 저기 저녁 저번 저장 적당 적어줘 적용 전달 전부다 전체 전체적 절대 절차 접근 정규식 정렬 정리해 정보 정보창 정상 ' +
    '정의 정확 제목 제외 조각 조금 조심 조합 조회 존재 종료 종류 좋은 좌표 주는 주말 주소 주의 주입 줄바꿈 줄여 줄임 중간 중괄호 중단 중복 중복된 중앙 중요 즉시 지금은 지난 지난번 지난주 지시 지워도 ' +
    '지원 직접 진짜 집중 짧게 쪼개 찍어 차례 차이 차트 참고 참조 채워 처리 처리해 천천히 체크 체크박스 초기 초기값 초기화 최대 최소 최신 최적화 추가해 추적 추천 추출 축약 출처 충돌 취소 치환 캐스팅 ' +
    '캡처 커버리지 커서 커스텀 컨벤션 컨트롤러 컬럼 콘솔 콜백 콤마 쿼리 크게 크기 클라이언트 클래스명 클릭 키보드 타이머 타이틀 타이핑 탐색 터미널 터져 테두리 테마 테스트코드 테이블 텍스트 템플릿 통일 ' +
    '통합 툴팁 튜토리얼 트랜잭션 트리 특수 특정 틀려 틀렸 틀린 팀원 파라미터 파란 파란색 파싱 파이썬 파트 팝업 패딩 패키지 패턴 퍼블리싱 페이지 편집 편하게 평균 평소 포맷 포맷팅 포인터 포트 폰트 폴더 ' +
    '표시 표현식 푸터 풀리퀘 풀어 품질 프레임워크 프로그램 프로세스 프로젝트 프로퍼티 프론트 프론트엔드 프롬프트 플래그 플러그인 플로우 필드 필터 하나씩 하는거 하단 하던 하드코딩 하려고 하루 하면 하위 한글 ' +
    '한꺼번에 한번 한번만 한번에 한줄 함수명 합계 해결책 해당 헤더 헬퍼 현상 현재 형변환 형태 호환 혹은 화살표 확실 확장 환경변수 활성 활성화 회색 횟수 효율 효율적 후보 훨씬 흐려 흐름 흐름도 흰색 ' +
    'marketing market phone phones call calling called company companies friendly fit fits hand hands rotate rotates rotated ' +
    'invisible visible sentence sentences colours pixels site employee preview pictures apostrophe guess plausible slide slides demo ' +
    'person someone hero stretch stretched monitor avatar 애니메이션 고객'
  ).split(' '),
);
