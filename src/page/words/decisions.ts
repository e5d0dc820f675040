import type { Attribute } from '../../domain/decision.ts';
import { type Both, both } from './both.ts';

/** What a version says next to its text; its scope is in the head of the view. */
const attributes: Record<Exclude<Attribute, 'scope'>, Both<string>> = {
  strength: both('Strength', '강도'),
  confidence: both('Confidence', '확신'),
};
export const ATTRIBUTES = Object.keys(attributes) as (keyof typeof attributes)[];

/** What is said of decisions, and what is written there. */
export const decisions = {
  // Decisions
  kinds: {
    decision: both('decision', '결정'),
    observation: both('observation', '관찰'),
    memo: both('memo', '메모'),
    checkpoint: both('checkpoint', '체크포인트'),
  },
  looks: {
    failedBasis: both('Rests on what failed', '실패한 것에 기댐'),
    debated: both('Debated', '논쟁 중'),
    unsure: both('Unsure', '확신이 낮음'),
    noEvidence: both('Without evidence', '증거 없음'),
    stale: both('Untouched for 90 days', '90일 동안 그대로'),
  },
  axis: both('guiding', '큰 방향'),
  lock: both('binding', '꼭 지킬 것'),
  normal: both('normal', '일반'),
  attributes,
  strengths: {
    axis: both('guiding (axis): everything else follows it', '큰 방향(axis): 다른 결정이 모두 따름'),
    lock: both('binding (lock): must not be broken', '꼭 지킬 것(lock): 어기면 안 됨'),
    normal: both('normal: may be revised', '일반: 고칠 수 있음'),
  },
  stands: both('stands', '유효'),
  failedStanding: both('of these, failed', '그중 실패'),
  withdrawn: both('withdrawn', '철회됨'),
  superseded: both('replaced', '대체됨'),
  everyState: both('every version', '모든 버전'),
  mistaken: both('taken back', '되돌림'),
  success: both('success', '성공'),
  failed: both('failed', '실패'),
  partial: both('partial', '부분 성공'),
  pending: both('none yet', '아직 없음'),
  noTopic: both('(no topic)', '(주제 없음)'),
  version: both(
    (n: number) => `version ${n}`,
    (n) => `버전 ${n}`,
  ),
  sinceVersion: both(
    (n: number) => `since version ${n}`,
    (n) => `버전 ${n}부터`,
  ),
  onlyVersions: both(
    (n: number, m: number) => (n === m ? `version ${n} only` : `versions ${n} to ${m} only`),
    (n, m) => (n === m ? `버전 ${n}에서만` : `버전 ${n}–${m}에서만`),
  ),
  versionsN: both(
    (n: number) => (n === 1 ? '1 version' : `${n} versions`),
    (n) => `버전 ${n}개`,
  ),
  versionsWhy: both(
    (n: number) => `${n} versions: why it changed`,
    (n) => `버전 ${n}개: 왜 바뀌었나`,
  ),
  versionsInAll: both(
    (n: number) => `${n} versions in all`,
    (n) => `모두 ${n}개 버전`,
  ),
  beware: both('Beware', '조심할 것'),
  thisFailed: both('This failed:', '이 결정은 실패했습니다:'),
  noReasonGiven: both('no reason was given', '이유를 적지 않았습니다'),
  earlierFailed: both('An earlier version failed:', '이전 버전이 실패했습니다:'),
  earlierPartial: both('An earlier version held only in part:', '이전 버전은 일부만 성공했습니다:'),
  basisFailed: both('It rests on what failed:', '실패한 결정에 기대고 있습니다:'),
  isDebated: both('Debated by', '반론:'),
  isUnsure: both(
    (confidence: string) => `Its author was not sure: confidence ${confidence}.`,
    (confidence) => `작성자의 확신이 낮았습니다: ${confidence}.`,
  ),
  isWithdrawn: both('This was withdrawn; nothing stands in its place.', '철회되었고 대신하는 것이 없습니다.'),
  isOld: both('This is an older version.', '이전 버전입니다.'),
  toNewest: both('Read the one that stands', '유효한 버전 읽기'),
  why: both('Why', '이유'),
  whyChanged: both('Why, and why it was changed', '이유, 그리고 왜 바뀌었나'),
  changedBecause: both('Changed because', '바뀐 이유'),
  changedSince: {
    failed: both(
      (n: number) => `Changed because version ${n} failed:`,
      (n) => `버전 ${n} 실패로 바뀜:`,
    ),
    partial: both(
      (n: number) => `Changed because version ${n} held only in part:`,
      (n) => `버전 ${n} 부분 성공으로 바뀜:`,
    ),
  },
  was: both('Was:', '이전:'),
  noWhy: both('No reason was given.', '이유를 적지 않았습니다.'),
  sinceWhen: both('Since when, and by whom', '언제부터, 누가'),
  standsSince: both('Since', '시작'),
  firstMade: both('First decided', '처음 결정'),
  by: both('By', '작성자'),
  nobody: both('nobody said', '이름 없음'),
  became: both('What became of it', '그 뒤 결과'),
  retracted: both('taken back', '되돌림'),
  replaced: both('How it changed, and why', '어떻게, 왜 바뀌었나'),
  replacedNone: both('It did not: this is its first version.', '바뀌지 않았습니다. 첫 버전입니다.'),
  restN: both(
    (n: number) => (n === 1 ? '1 rests on it' : `${n} rest on it`),
    (n) => `${n}개가 여기에 기댐`,
  ),
  restsOnN: both(
    (n: number) => `rests on ${n}`,
    (n) => `${n}개에 기댐`,
  ),
  evidenceN: both(
    (n: number) => (n === 1 ? '1 piece of evidence' : `${n} pieces of evidence`),
    (n) => `증거 ${n}개`,
  ),
  evidence: both('Evidence', '증거'),
  evidenceFrom: both('As it stood in', '당시의 관찰'),
  anchors: both('Reminders', '알림'),
  rests: both('What it rests on, and what rests on it', '무엇에 기대고, 무엇이 여기에 기대는가'),
  restsOn: both('Rests on', '기대는 결정'),
  restOnIt: both('Rests on it', '여기에 기대는 결정'),
  earlierOnly: both('Dashed: only replaced versions had this link.', '점선: 대체된 버전에만 있던 연결.'),
  restsNone: both('It is linked with no other decision.', '이어진 결정이 없습니다.'),
  steps: both('Steps', '단계'),
  moreN: both(
    (n: number) => `+ ${n} more`,
    (n) => `+ ${n}개 더`,
  ),
  picture: both(
    (topic: string, on: number, of: number) =>
      `${topic}: rests on ${on}, ${of} rest on it. The same stands in the lists below.`,
    (topic, on, of) => `${topic}: ${on}개에 기대고, ${of}개가 여기에 기댑니다. 아래 목록과 같습니다.`,
  ),
  links: {
    builds_on: both('builds on', '기반'),
    debates: both('debates', '논쟁'),
    synthesizes: both('synthesizes', '종합'),
    supersedes: both('supersedes', '대체'),
  },
  copyLink: both('Copy link', '링크 복사'),
  copied: both('Copied', '복사됨'),
  // Writing
  recordOutcome: both('Record an outcome', '결과 기록'),
  withdraw: both('Withdraw', '철회'),
  addEvidence: both('Add evidence', '증거 추가'),
  reasonOutcome: both(
    'What happened; for a failure, what to know before trying again',
    '어떻게 되었는지. 실패라면 다시 하기 전에 알아야 할 것',
  ),
  reasonWithdraw: both('Why it no longer holds', '왜 더는 유효하지 않은지'),
  evidenceText: both('The ground, word for word', '근거를 있는 그대로'),
  cancel: both('Cancel', '취소'),
  sureOutcome: both(
    (outcome: string, topic: string) => `Record “${outcome}” for ${topic}?`,
    (outcome, topic) => `${topic}의 결과를 “${outcome}”(으)로 기록할까요?`,
  ),
  sureWithdraw: both(
    (topic: string) => `Withdraw ${topic}? Nothing replaces it; its history stays.`,
    (topic) => `${topic} 결정을 철회할까요? 대신하는 것은 없고 역사는 남습니다.`,
  ),
  sureEvidence: both(
    (topic: string) => `Attach this evidence to ${topic}? It belongs to this version for ever.`,
    (topic) => `${topic}에 이 증거를 붙일까요? 이 버전에 계속 남습니다.`,
  ),
  yes: both('Yes', '예'),
  done: both('Saved.', '저장했습니다.'),
  undo: both('Undo', '되돌리기'),
  undone: both('Taken back.', '되돌렸습니다.'),
};
