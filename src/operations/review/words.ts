import type { Side } from '../../domain/chain.ts';
import { decidedTwice, type SideWords } from '../../domain/decided-twice.ts';
import type { Decision, Override } from '../../domain/decision.ts';
import { GLOBAL_SCOPE } from '../../domain/decision.ts';
import { type EarlierFailure, quotedEarlier } from '../../domain/language/failures.ts';
import { type Failure, failedBefore, quotedBasis, quotedReason } from '../../domain/outcome.ts';
import { type Vanished, vanishedNote } from '../../domain/place.ts';
import { quoted } from '../../domain/text/text.ts';
import type { Copy, Outdated } from '../../store/search/copies.ts';
import { notesOf } from '../results/copies.ts';
import { closeTo } from '../results/similar-decisions.ts';
import { counted } from '../view.ts';

export const LANGUAGES = ['en', 'ko'] as const;

/** Kinds of groups, in the order in which they are shown: first what does harm (TR-2). */
export const GROUPS = [
  'twice',
  'replacedThere',
  'harm',
  'everywhere',
  'imported',
  'copies',
  'files',
  'replaced',
  'binds',
  'close',
  'alike',
  'session',
  'revisit',
  'outcome',
  'grounds',
  'places',
  'hints',
] as const;
export type GroupKind = (typeof GROUPS)[number];

type Overriding = Record<Exclude<Override, 'rename'>, string>;
type Bound = Pick<Decision, 'strength' | 'scope'>;
interface Changed {
  was: Decision;
  now: Bound;
  /** Patterns that it names no longer. */
  gone: string[];
}

/** A rule or a failure, of whose hints a save has some. */
export interface Hint {
  rule: Decision;
  hints: string[];
  ref: string;
}

/** The words of a model on a save, and the record or the scope that it named. */
export interface Marked {
  how: 'contradicts' | 'repeats' | 'wide' | 'strong';
  other?: Pick<Decision, 'id' | 'topic' | 'text' | 'strength'> & { ref: string };
  scope?: string;
}

/** What a review says in the language of its reader. */
export interface Words {
  titles: Record<GroupKind, string>;
  session(id: string, via: string | undefined): string;
  /** @param ref the beginning of the other one's id */
  contradicts(other: Decision, ref: string): string;
  /** It has the words by which a rule or a failure is to be recalled. */
  hinted(by: Hint): string;
  marked(by: Marked): string;
  repeatsOther(failed: Decision): string;
  repeats(earlier: EarlierFailure): string;
  buildsOn(basis: Failure, name: string | undefined): string;
  overriding(of: Changed): Overriding;
  facts: Record<'axis' | 'lock' | 'worked' | 'person', string>;
  close(other: Decision, ref: string): string;
  binds(of: Bound): string;
  /** It is of this scope by its topic, and holds everywhere. */
  widened(scope: string): string;
  personSaid(outcome: string, reason: string | null): string;
  rewrites: string;
  /** It was given an earlier date than that of its save. */
  dated(day: string): string;
  /** @param rest how many others there are, if more than none */
  copies(named: Copy[], rest: number): string;
  outdated(each: Outdated): string;
  /** The sides of what was decided twice, and the command that settles it. */
  twice(sides: Side[]): string;
  replacedElsewhere(by: { author: string }, was: Decision): string;
  /** A sentence of a file. @param says what it still says, in English */
  stale(at: string, says: string, of: Outdated | undefined): string;
  failed(reason: string): string;
  due(day: string): string;
  noted(id: number, title: string): string;
  vanished(each: Vanished): string;
  more(count: number): string;
  /** Waiting ones that are not shown, and how many to ask for. */
  left(count: number, all: number): string;
  uncompared(count: number, all: number): string;
  nothing(workspace: string): string;
  older(count: number): string;
}

const named = (topic: string | null) => (topic === null ? '' : ` ${quoted(topic, LONGEST_TOPIC)}`);
const LONGEST_TOPIC = 60;
const ruleOf = ({ strength, topic }: Pick<Decision, 'strength' | 'topic'>) =>
  `${strength === 'normal' ? '' : `the ${strength} `}${topic === null ? '' : `${quoted(topic, LONGEST_TOPIC)}: `}`;
const copyNamed = ({ kind, id, title, text }: Copy) =>
  `${kind === 'observation' ? `#${id}` : (title ?? id)}: ${quoted(text, SAID)}`;
const SAID = 80;

const EN: Words = {
  titles: {
    twice: 'Decided twice: which holds?',
    replacedThere: 'Replaced on another machine: does the new one hold?',
    harm: 'Look at these first',
    everywhere: 'These hold everywhere',
    imported: 'An import brought these rules',
    copies: 'These may still say what was replaced',
    files: 'Files still say what these replaced',
    replaced: 'These replaced or changed active decisions',
    binds: 'These bind one scope',
    close: 'These are close to other decisions',
    alike: 'These say nearly the same',
    session: 'Session',
    revisit: 'Due for review',
    outcome: 'How did these turn out?',
    grounds: 'These build on what failed',
    places: 'These name files that are gone',
    hints: 'These bind, and no hints recall them',
  },
  session: (id, via) => `Session ${id}${via === undefined ? '' : ` via ${via}`}`,
  contradicts: (other, ref) =>
    other.strength === 'normal'
      ? `may contradict or repeat${named(other.topic)}: ${quoted(other.text)} (${ref})`
      : closeTo(other, ref),
  hinted: ({ rule: other, hints, ref }) =>
    `“${hints.join('”, “')}” is what the ${other.outcome === 'failed' ? 'failed decision' : other.strength}${named(other.topic)} is about: ${quoted(other.text)} (${ref})`,
  marked: ({ how, other, scope = '' }) => {
    const named = other && `${ruleOf(other)}${quoted(other.text)} (${other.ref})`;
    return `a model says that it ${
      {
        contradicts: `contradicts ${named}`,
        repeats: `repeats ${named}`,
        wide: `is too wide, and belongs to ${scope}`,
        strong: 'binds more than it should',
      }[how]
    }`;
  },
  repeatsOther: ({ id, text, outcomeReason }) => failedBefore({ id, decision: text, outcomeReason }),
  repeats: (earlier) => `repeats what failed: ${quotedEarlier(earlier)}`,
  buildsOn: (basis, name) => `builds on what failed: ${quotedBasis(basis, name)}`,
  overriding: ({ was, now, gone }) => ({
    withdraw: `withdraws ${quoted(was.text)}`,
    replace: `replaces ${quoted(was.text)}`,
    lower: `lowers it from ${was.strength} to ${now.strength}`,
    rescope: `moves it from ${was.scope} to ${now.scope}`,
    unbind: `no longer binds ${quoted(gone.join(', '))}`,
  }),
  facts: { axis: 'axis', lock: 'lock', worked: 'which worked', person: 'a person’s' },
  binds: ({ scope, strength }) =>
    `binds ${scope === GLOBAL_SCOPE ? 'everything' : scope}, as ${strength === 'axis' ? 'an axis' : 'a lock'}`,
  close: (other, ref) => `close to${named(other.topic)}: ${quoted(other.text)} (${ref})`,
  widened: (scope) => `holds everywhere, though its topic is of ${scope}`,
  personSaid: (outcome, reason) => `a person said ${outcome}${reason === null ? '' : `: ${quoted(reason)}`}`,
  rewrites: 'rewrites what a person wrote',
  dated: (day) => `dated ${day}, before it was saved`,
  copies: (found, rest) =>
    `still said elsewhere: ${found.map(copyNamed).join('; ')}${rest > 0 ? ` ${EN.more(rest)}` : ''}`,
  outdated: (each) => notesOf([each]).join(),
  twice: (sides) => decidedTwice(sides),
  stale: (at, says) => `${at} still says ${says}`,
  replacedElsewhere: (by, was) =>
    `${by.author || 'another machine'} replaced the ${was.strength} ${quoted(was.text)}`,
  failed: (reason) => `failed: ${reason}`,
  due: (day) => `due for review since ${day}`,
  noted: (id, title) => `noted since: #${id} ${quoted(title)}`,
  vanished: vanishedNote,
  more: (count) => `and ${count} more`,
  left: (count, all) => `${count} more wait: "precedent review --list --limit ${all}"`,
  uncompared: (count, all) =>
    `${counted(count, 'older decision')} of agents ${count === 1 ? 'was' : 'were'} not compared with the others yet: "precedent review --list --limit ${all}"`,
  nothing: (workspace) => `Nothing waits for review in workspace ${workspace}.`,
  older: (count) =>
    `${counted(count, 'older save')} of agents that you have not looked at: "precedent review --since 6w"`,
};

const STRENGTH = { normal: '일반 결정', axis: '큰 방향', lock: '필수 규칙' };
const OUTCOME: Record<string, string> = { success: '성공', failed: '실패', partial: '일부 성공' };

const SIDES: SideWords = {
  between: ' / ',
  more: (count) => ` ${KO.more(count)}`,
  settle: (command, isBinding) =>
    `. 사람이 정합니다: ${command}${isBinding ? ' (그때까지는 모두 유효)' : ''}`,
  state: ({ strength, withdrawn }) =>
    withdrawn ? '철회됨' : strength === 'normal' ? '' : STRENGTH[strength],
  host: (host) => `컴퓨터 ${host}`,
  outcome: (outcome) => OUTCOME[outcome] ?? outcome,
  failedAs: (version, reason) => `v${version} 실패: ${reasonInKorean(reason)}`,
};

const KO: Words = {
  titles: {
    twice: '결정이 둘로 갈림: 어느 것이 유효한가요?',
    replacedThere: '다른 컴퓨터에서 대체됨: 새 결정이 유효한가요?',
    harm: '먼저 확인할 것',
    everywhere: '모든 곳에 적용되는 규칙',
    imported: '가져오기로 추가된 규칙',
    copies: '대체된 내용이 남아 있을 수 있는 것',
    files: '옛 내용이 아직 파일에 남아 있는 결정',
    replaced: '유효하던 결정을 대체하거나 바꾼 것',
    binds: '한 범위에만 적용되는 규칙',
    close: '다른 결정과 비슷한 것',
    alike: '거의 같은 내용',
    session: '세션',
    revisit: '다시 볼 때가 된 결정',
    outcome: '결과가 어땠나요?',
    grounds: '실패한 결정에 의존하는 결정',
    places: '없어진 파일을 가리키는 결정',
    hints: '힌트가 없는 규칙',
  },
  session: (id, via) => `세션 ${id}${via === undefined ? '' : ` (${via})`}`,
  contradicts: (other, ref) =>
    other.strength === 'normal'
      ? `다음 결정과 충돌하거나 중복될 수 있음:${named(other.topic)} ${quoted(other.text)} (${ref})`
      : `${STRENGTH[other.strength]}과 충돌할 수 있음:${named(other.topic)} ${quoted(other.text)} (${ref})`,
  hinted: ({ rule: other, hints, ref }) =>
    `“${hints.join('”, “')}”에 관한 ${other.outcome === 'failed' ? '실패한 결정' : STRENGTH[other.strength]}${named(other.topic)}: ${quoted(other.text)} (${ref})`,
  marked: ({ how, other, scope = '' }) => {
    const rule = other && other.strength !== 'normal' ? `${STRENGTH[other.strength]} ` : '';
    const named =
      other &&
      `${rule}${(other.topic ?? '') && `${quoted(other.topic ?? '', LONGEST_TOPIC)} `}${quoted(other.text)} (${other.ref})`;
    return `모델의 판단: ${
      {
        contradicts: `다음과 충돌: ${named}`,
        repeats: `다음과 중복: ${named}`,
        wide: `범위가 너무 넓음: ${scope}에 두는 것이 적절함`,
        strong: '구속력이 지나침',
      }[how]
    }`;
  },
  repeatsOther: ({ text, outcomeReason }) =>
    `비슷한 결정이 실패했음: ${quoted(text)} — ${reasonInKorean(outcomeReason)}`,
  repeats: ({ version, decision, outcomeReason }) =>
    `실패한 결정을 반복함: v${version} ${quoted(decision)} — ${reasonInKorean(outcomeReason)}`,
  buildsOn: ({ decision, outcomeReason }, name) =>
    `실패한 결정에 의존함: ${name === undefined ? '' : `${name} `}${quoted(decision)} — ${reasonInKorean(outcomeReason)}`,
  overriding: ({ was, now, gone }) => ({
    withdraw: `철회함: ${quoted(was.text)}`,
    replace: `대체함: ${quoted(was.text)}`,
    lower: `${STRENGTH[was.strength]}에서 ${STRENGTH[now.strength]}으로 낮춤`,
    rescope: `범위를 옮김: ${was.scope} → ${now.scope}`,
    unbind: `더는 적용하지 않는 파일: ${quoted(gone.join(', '))}`,
  }),
  facts: { axis: STRENGTH.axis, lock: STRENGTH.lock, worked: '성공한 결정', person: '사람이 한 결정' },
  binds: ({ scope, strength }) =>
    `${scope === GLOBAL_SCOPE ? '모든 곳' : scope}에 적용되는 ${STRENGTH[strength]}`,
  close: (other, ref) => `비슷한 결정:${named(other.topic)} ${quoted(other.text)} (${ref})`,
  widened: (scope) => `주제는 ${scope}에 속하지만 모든 곳에 적용됨`,
  personSaid: (outcome, reason) =>
    `사람이 기록한 결과: ${OUTCOME[outcome] ?? outcome}${reason === null ? '' : ` (${quoted(reason)})`}`,
  rewrites: '사람이 쓴 글을 고쳐 씀',
  dated: (day) => `저장한 날과 다른 날짜: ${day}`,
  copies: (found, rest) =>
    `옛 내용이 남은 곳: ${found.map(copyNamed).join('; ')}${rest > 0 ? ` ${KO.more(rest)}` : ''}`,
  outdated: ({ topic, how, version, newest, old, next = '' }) => {
    const said = `${named(topic)} v${version} ${quoted(old, SAID)}`;
    if (how === 'withdrawn') return `철회된 내용일 수 있음:${said}`;
    if (how === 'failed') return `실패한 내용일 수 있음:${said}`;
    return `대체된 내용일 수 있음:${said} → v${newest} ${quoted(next, SAID)}`;
  },
  twice: (sides) => decidedTwice(sides, SIDES),
  stale: (at, says, of) => `${at}: ${of === undefined ? says : KO.outdated(of)}`,
  replacedElsewhere: (by, was) =>
    `대체함(${by.author || '다른 컴퓨터'}): ${STRENGTH[was.strength]} ${quoted(was.text)}`,
  failed: (reason) => `실패: ${reason}`,
  due: (day) => `다시 볼 날: ${day}`,
  noted: (id, title) => `이후 노트: #${id} ${quoted(title)}`,
  vanished: ({ pattern, heir }) =>
    heir === undefined ? `없어진 파일: ${pattern}` : `옮겨진 파일: ${pattern} → ${heir}`,
  more: (count) => `외 ${count}개`,
  left: (count, all) => `검토할 것이 ${count}개 더 있음: "precedent review --list --limit ${all}"`,
  uncompared: (count, all) =>
    `에이전트가 예전에 한 결정 ${count}개는 아직 비교하지 않음: "precedent review --list --limit ${all}"`,
  nothing: (workspace) => `기억 ${workspace}에 검토할 것이 없음`,
  older: (count) => `에이전트가 예전에 저장한 ${count}개는 아직 검토하지 않음: "precedent review --since 6w"`,
};

const reasonInKorean = (reason: string | null) =>
  reason === null ? '이유를 적지 않음' : quotedReason(reason);

export const WORDS: Readonly<Record<(typeof LANGUAGES)[number], Words>> = { en: EN, ko: KO };
