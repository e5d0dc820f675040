import { both } from './both.ts';

/** What is around the views: places, keys, tokens, troubles, time. */
export const shell = {
  // Places
  overview: both('Over time', '시간순'),
  decisions: both('Decisions', '결정'),
  rules: both('What binds', '지켜야 할 것'),
  observations: both('Observations', '관찰'),
  memos: both('Memos', '메모'),
  changes: both('What changed', '바뀐 것'),
  health: both('Health', '상태'),
  views: both('Views', '화면'),
  skip: both('Skip to the content', '본문으로 건너뛰기'),
  // Shell
  search: both('Search everything', '전체 검색'),
  searchHint: both('Search  (/)', '검색  (/)'),
  workspace: both('Memory', '기억'),
  theme: both('Colours', '색상'),
  system: both('System', '시스템'),
  light: both('Light', '밝게'),
  dark: both('Dark', '어둡게'),
  help: both('Help', '도움말'),
  helpTitle: both('Keys', '단축키'),
  close: both('Close', '닫기'),
  keySearch: both('search', '검색'),
  keyHelp: both('this help', '이 도움말'),
  keyGo: both('views, in their order', '화면 이동(순서대로)'),
  keyMove: both('next and previous in a list; marks in a picture', '목록의 다음과 이전, 그림의 표시'),
  keyOpen: both('open', '열기'),
  keyBack: both('back to the page, out of a field or a dialog', '입력란이나 창에서 나오기'),
  keyZoom: both('zoom the picture', '그림 확대와 축소'),
  loading: both('Loading…', '불러오는 중…'),
  trouble: {
    0: both(
      'The server does not answer. What you see may be old; the page goes on by itself when it is back.',
      '서버가 응답하지 않습니다. 보이는 내용이 오래되었을 수 있습니다. 서버가 돌아오면 저절로 이어집니다.',
    ),
    403: both(
      'The server refuses to answer here. Open the page by the link that the server prints, or ask who runs it for a token that may read this.',
      '서버가 이 주소에서는 응답하지 않습니다. 서버가 보여 준 링크로 열거나, 읽을 수 있는 토큰을 운영자에게 요청하세요.',
    ),
    404: both(
      'There is no such memory here, or this address leads to another program. Check the address.',
      '여기에는 그런 기억이 없거나, 다른 프로그램의 주소입니다. 주소를 확인하세요.',
    ),
    429: both(
      'The server was asked too often. The page asks again by itself.',
      '요청이 너무 많았습니다. 잠시 뒤 저절로 다시 시도합니다.',
    ),
    500: both(
      'The server met an error of its own; its log says more. The page asks again by itself.',
      '서버 안에서 오류가 났습니다. 자세한 것은 서버 로그에 있습니다. 저절로 다시 시도합니다.',
    ),
    503: both(
      'The server is there, but its memory cannot be reached. The page goes on by itself when it can.',
      '서버는 있지만 기억에 닿을 수 없습니다. 닿으면 저절로 이어집니다.',
    ),
  },
  inSeconds: both(
    (n: string) => `Next try in ${n} s.`,
    (n) => `${n}초 뒤에 다시 시도합니다.`,
  ),
  settings: both('Settings', '설정'),
  tryAgain: both('Try again', '다시 시도'),
  failedToLoad: both('This could not be read:', '읽을 수 없습니다:'),
  noPage: both('There is no such view.', '그런 화면은 없습니다.'),
  toOverview: both('Go to the overview', '처음 화면으로'),
  readOnly: both('read only', '읽기 전용'),
  signedInAs: both(
    (name: string) => `Token of ${name}`,
    (name) => `${name}의 토큰`,
  ),
  forget: both('Forget the token', '토큰 지우기'),
  // Tokens
  tokenTitle: both('A token is needed', '토큰이 필요합니다'),
  tokenWhy: both(
    'Paste the token that the server printed when it started, or that you were given. It stays in this tab.',
    '서버가 시작할 때 보여 준 토큰이나 받은 토큰을 붙여 넣으세요. 이 탭에만 남습니다.',
  ),
  tokenWrong: both(
    'This token is unknown to the server, or has expired.',
    '서버가 모르는 토큰이거나 기한이 지났습니다.',
  ),
  tokenLabel: both('Token', '토큰'),
  tokenGo: both('Open', '열기'),
  tokenOther: both('Another token?', '다른 토큰입니까?'),
  tokenOtherWhy: both(
    'The link you followed brought a token, and this tab holds another. Use the new one only if you trust the link: what you write would be written as its owner.',
    '따라온 링크에 토큰이 들어 있고, 이 탭에는 다른 토큰이 있습니다. 믿는 링크일 때만 새 토큰을 쓰세요. 쓰는 내용은 그 토큰의 주인 이름으로 남습니다.',
  ),
  tokenKeep: both('Keep mine', '내 토큰 유지'),
  tokenTake: both('Use the new one', '새 토큰 사용'),
  noMemory: both(
    'There is no memory yet. The first save makes one.',
    '아직 기억이 없습니다. 처음 저장할 때 만들어집니다.',
  ),
  // Time
  asItStood: both('As it stood on', '이 날의 모습'),
  today: both('Today', '오늘'),
  lookBack: both('Look back', '돌아보기'),
  notInPast: both('Always as of today.', '늘 오늘의 것입니다.'),
};
