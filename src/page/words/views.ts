import { both } from './both.ts';

/** Lists and the views of everything else. */
export const views = {
  // Lists
  nOfM: both(
    (n: string, m: string) => `${n} of ${m}`,
    (n, m) => `${m}개 중 ${n}개`,
  ),
  nMore: both(
    (n: string) => `${n} shown; there is more`,
    (n) => `${n}개 표시, 더 있습니다`,
  ),
  nAll: both(
    (n: string) => `${n} found`,
    (n) => `${n}개 찾음`,
  ),
  more: both('Show more', '더 보기'),
  nothing: both('Nothing here.', '아무것도 없습니다.'),
  nothingFound: both('Nothing was found.', '찾지 못했습니다.'),
  filters: both('Filters', '거르기'),
  clearFilters: both('Clear filters', '조건 지우기'),
  scope: both('Scope', '범위'),
  outcome: both('Outcome', '결과'),
  author: both('Author', '작성자'),
  state: both('State', '상태'),
  since: both('From', '부터'),
  until: both('To', '까지'),
  when: both('When', '언제'),
  spans: {
    '7d': both('the last week', '지난 한 주'),
    '30d': both('the last month', '지난 한 달'),
    '90d': both('the last three months', '지난 석 달'),
  },
  look: both('Look for', '살펴볼 것'),
  all: both('all', '모두'),
  kind: both('Kind', '종류'),
  project: both('Project', '프로젝트'),
  contains: both('Contains', '포함한 말'),
  foundBy: both('The best answers first, of every kind.', '모든 종류에서 가장 알맞은 것부터.'),
  answers: both(
    (percent: string) => `holds ${percent} % of what you asked`,
    (percent) => `물은 것의 ${percent} %가 들어 있음`,
  ),
  narrowed: both(
    'Decisions that contain these words, the newest first.',
    '이 말을 담은 결정, 새로운 것부터.',
  ),
  // Overview
  overviewOf: both(
    (n: string, m: string) => `${n} of ${m} topics`,
    (n, m) => `주제 ${m}개 중 ${n}개`,
  ),
  standing: both('decisions that stand', '유효한 결정'),
  withdrawals: both('withdrawn', '철회'),
  failures: both('versions that failed', '실패한 버전'),
  versionsAll: both('versions', '버전'),
  lately: both('Lately', '최근'),
  lastWeek: both('What changed in the last week', '지난 한 주에 바뀐 것'),
  lastActive: both(
    (from: string, to: string) => `What changed from ${from} to ${to}`,
    (from, to) => `${from}부터 ${to}까지 바뀐 것`,
  ),
  hollow: both('replaced or withdrawn', '대체되었거나 철회됨'),
  overviewIntro: both(
    'Each line is one decision, from its first version on the left to the one that stands. Choose a mark to read it.',
    '한 줄은 결정 하나이고, 왼쪽 첫 버전에서 지금 유효한 버전까지입니다. 표시를 고르면 내용을 보여 줍니다.',
  ),
  overviewHelp: both(
    'Curves lead to what the chosen decision is linked with; dashed: only a replaced version was. Arrow keys move, Enter opens, + and − zoom, 0 shows all.',
    '곡선은 고른 결정과 이어진 결정으로 갑니다. 점선은 대체된 버전만 이어져 있었다는 뜻입니다. 화살표로 이동, Enter로 열기, + − 확대와 축소, 0 전체.',
  ),
  lanes: both('Decisions over time, by scope', '범위별 결정의 시간'),
  asList: both(
    (n: string, m: string) => `As a list: ${n} of ${m} in view`,
    (n, m) => `목록으로 보기: 보이는 ${m}개 중 ${n}개`,
  ),
  zoomIn: both('Zoom in', '확대'),
  zoomOut: both('Zoom out', '축소'),
  zoomAll: both('Show all', '전체 보기'),
  failedBefore: both(
    (n: number) => (n === 1 ? 'An earlier version failed.' : `${n} earlier versions failed.`),
    (n) => `이전 버전 ${n}개가 실패했습니다.`,
  ),
  nothingChosen: both('Nothing is chosen yet.', '아직 고른 것이 없습니다.'),
  // What changed
  ofKind: both(
    (n: number, kinds: string) => (n === 1 ? kinds.replace(/s$/, '') : kinds),
    (_, kinds) => kinds,
  ),
  otherChanges: both('Everything else', '그 밖의 것'),
  quietThen: both(
    (day: string) => `Nothing changed then. The last change was on ${day}.`,
    (day) => `그동안 바뀐 것이 없습니다. 마지막 변화는 ${day}입니다.`,
  ),
  seeAll: both('Show all changes', '모든 변화 보기'),
  /** What the log shows, each kind with its plural. */
  kindsLogged: {
    decision: both('decisions', '결정'),
    outcome: both('outcomes', '결과'),
    evidence: both('evidence', '증거'),
    anchor: both('reminders', '알림'),
    checkpoint: both('checkpoints', '체크포인트'),
    observation: both('observations', '관찰'),
    memo: both('memos', '메모'),
    change: both('other changes', '그 밖의 변화'),
    redaction: both('redactions', '지운 글'),
  },
  /** As the log names what happened; what it does not know is shown as the server says it. */
  happened: both({} as Record<string, string>, {
    decided: '결정',
    revised: '개정',
    withdrawn: '철회',
    worked: '성공',
    failed: '실패',
    'partly worked': '부분 성공',
    outcome: '결과',
    evidence: '증거',
    anchored: '알림',
    checkpoint: '체크포인트',
    noted: '기록',
    rewritten: '고쳐 씀',
    memo: '메모',
    redacted: '글을 지움',
    moved: '옮김',
    'noted again': '다시 기록',
    deleted: '삭제',
    restored: '복원',
    'taken back': '되돌림',
    'brought back': '되살림',
    erased: '완전히 삭제',
    related: '이음',
    unrelated: '이음을 끊음',
    joined: '합침',
    renamed: '이름을 바꿈',
    explored: '넓힘',
  }),
  checkpoint: both('Checkpoint', '체크포인트'),
  nextSteps: both('What was to come next', '다음에 할 일'),
  openFiles: both('Open files', '열려 있던 파일'),
  // What binds
  tiers: {
    'global+axis': both('Guiding, everywhere', '어디서나 큰 방향'),
    'domain+axis': both('Guiding in this scope', '이 범위의 큰 방향'),
    'domain+lock': both('Binding in this scope', '이 범위에서 꼭 지킬 것'),
    'domain+normal': both('Other decisions of this scope', '이 범위의 다른 결정'),
  },
  everywhere: both('everywhere', '어디서나'),
  leftOut: both('Not among these', '여기에 없는 것'),
  leftGlobalLock: both(
    (n: number) => `${n} binding everywhere`,
    (n) => `어디서나 꼭 지킬 것 ${n}개`,
  ),
  leftGlobalNormal: both(
    (n: number) => `${n} others that hold everywhere`,
    (n) => `어디서나 유효한 다른 결정 ${n}개`,
  ),
  leftOther: both(
    (n: number) => `${n} decisions of other scopes`,
    (n) => `다른 범위의 결정 ${n}개`,
  ),
  scopes: both('Scopes', '범위'),
  // Observations and memos
  deleted: both('deleted', '삭제됨'),
  earlierTexts: both('Earlier texts', '이전 글'),
  untilDay: both(
    (day: string) => `until ${day}`,
    (day) => `${day}까지`,
  ),
  around: both('Around it', '둘레'),
  aroundNone: both('It is related with no other observation.', '이어진 관찰이 없습니다.'),
  relationsAmong: both(
    (n: string, m: string) => `Also related among these: ${n} of ${m}`,
    (n, m) => `이들 사이의 다른 관계: ${m}개 중 ${n}개`,
  ),
  usedBy: both('Decisions that rest on it', '여기에 기대는 결정'),
  keywords: both('Keywords', '키워드'),
  keywordsAround: both('Keywords around it', '둘레의 키워드'),
  keywordPicture: both(
    (n: string, m: string) => `${n} of ${m} keywords, the strongest connections as lines`,
    (n, m) => `키워드 ${m}개 중 ${n}개, 강한 연결을 선으로`,
  ),
  visits: both(
    (n: number) => (n === 1 ? '1 message' : `${n} messages`),
    (n) => `메시지 ${n}개`,
  ),
  memosN: both(
    (n: number) => (n === 1 ? '1 memo' : `${n} memos`),
    (n) => `메모 ${n}개`,
  ),
  aboutKeyword: both(
    (keyword: string) => `About “${keyword}”`,
    (keyword) => `“${keyword}”에 대하여`,
  ),
  foundAt: both(
    (n: number) => `found in step ${n}`,
    (n) => `${n}단계에서 찾음`,
  ),
  source: both('Source', '출처'),
  // Health
  records: both(
    {
      decision: 'versions',
      keyword: 'keywords',
      relation: 'relations',
    } as Record<string, string>,
    {
      decision: '버전',
      keyword: '키워드',
      relation: '관계',
    },
  ),
  relationsN: both(
    (n: number) => (n === 1 ? '1 relation' : `${n} relations`),
    (n) => `관계 ${n}개`,
  ),
  attention: both('Worth a look', '살펴볼 만한 것'),
  holds: both('What it holds', '담긴 것'),
  whoWrote: both('Who wrote', '누가 썼나'),
  connected: both('Best connected observations', '가장 많이 이어진 관찰'),
};
