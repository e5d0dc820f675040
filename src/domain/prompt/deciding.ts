import { normalized } from '../text/text-pieces.ts';

/** The ways in which a person decides: lays down or rejects something, or reports how a try went. */
export type Deciding = 'decides' | 'reports';

/** A sentence that asks, or that speaks of one place alone, lays nothing down. */
const ASKS =
  /\?|^\s*(?:why|how|what|when|where|who|which|did|does|is|are|can|could|should|would)\b|(?:^|\s)왜\s|[가-힣](?:까요?|나요|거야|는지|는가)\s*$/i;
const LOCAL =
  /\b(?:here|this (?:file|function|loop|run|time|test|branch|pr|commit|line|component|class|method|one|query|page)|second|first|for now|just once)\b|여기|이번|일단|지금은|이 (?:파일|함수|테스트|줄|커밋|브랜치|컴포넌트|쿼리)/i;

const LAYS_DOWN = [
  String.raw`\b(?:from now on|going forward|henceforth|(?:starting|as of|from) (?:today|tomorrow|monday|next \w+)(?:,| we| on\b))`,
  String.raw`\b(?:that|this|it)(?:['’]?s| is) (?:final|decided|settled|agreed|(?:a|the|our) (?:\w+ )?(?:rule|policy))\b`,
  String.raw`\b(?:final decision|decision (?:is )?made|off the table|once and for all|no exceptions|made up (?:my|our) minds?)\b|^\s*(?:ok(?:ay)?,? )?[A-Z]\w+ it is\b`,
  String.raw`^\s*(?:\w+ )?(?:rule|policy|decision):|\b(?:don['’]t|not|never) ever\b|\bnever ever\b`,
  String.raw`\b(?:we|the team|everybody|management)(?:['’]ve| have| has)? (?:now |finally |just |all )?(?:decided|agreed|voted|settled on|chosen|chose|ruled out|standardi[sz]ed?)\b(?! to (?:try|test|wait))`,
  String.raw`\bwe(?:['’]ll| will| shall) (?:never|always|only|use|keep|stay|stick|support|not)\b|\bwe (?:won['’]t|no longer|never|only)\b|\bwe(?:['’]re| are) (?:dropping|not going to|no longer|done with|off)\b`,
  String.raw`\bwe (?:do not|don['’]t) (?:support|use|allow|ship|store|log|accept|do|take|buy|host)\b`,
  String.raw`\bwe(?:['’]re| are)? (?:go|going|stick|sticking|stay|staying) with\b|^\s*(?:ok(?:ay)?,? )?going with [A-Z]`,
  String.raw`^\s*(?:please,? )?(?:always|never) (?!mind\b|had\b|seen\b|been\b|worked\b|got\b|saw\b)[a-z]+\b`,
  String.raw`\blet['’]?s (?:always|never|only|standardi[sz]e|stop using|agree|settle (?:it|this|that|on))\b`,
  String.raw`^\s*(?:all|every|each|any)(?: new)? [\w-]+(?: [\w-]+){0,2} (?:must|has to|have to)\b|\b(?:nobody|no one) (?:is allowed|may|shall)\b`,
  String.raw`^\s*[A-Z]\w+(?: \w+)? is (?:out|gone|banned|forbidden|off limits|dead)\b`,
  String.raw`^\s*no [^.!?,\n]{2,60}(?:, ?please)?, [^.!?,\n]{2,40} only\W*$|\bmake (?:it|that|this) (?:our|the) (?:standard|default|rule|norm)\b`,
  String.raw`\b[A-Z]\w+ stays\b(?! (?:in|on|at|open|the same|empty|blank|null)\b)`,
  String.raw`\bno,? (?:we )?(?:don['’]t|do not|never) (?:use|add|introduce)\b`,
  String.raw`\b(?:don['’]t|do not|never|stop) (?:use|using) [^.!\n]{1,60}\b(?:again|any ?more|anywhere|in this (?:project|repo(?:sitory)?|codebase))\b`,
];
const KOREAN_LAYS_DOWN = [
  '(?:앞으로(?:는|도)?|(?:이제|오늘|내일|이번\\s?\\S+|다음\\s?\\S+)부터(?:는)?)\\s.*(?:자|기로|다|것|하세요|해\\s?주세요|해\\s?줘|마|금지)\\s*[.!]*\\s*$',
  '기로\\s?(?:팀에서 )?(?:했(?!던|었)|하자|합니다|함|결정|한다|정했|합의)',
  '(?:최종|걸로|것으로)\\s?(?:결정|확정)|확정(?:했|됐|되었|합니다|입니다|하자|이야|이다|이에요|임)|(?:결정|합의)(?:났|했(?!던|었)|됐|봤)|(?:으로|로) 정했',
  '(?:으로|로)\\s(?:가자|간다|갑니다|가기로|통일(?:하자|한다|합니다))',
  '(?:절대|더\\s?이상)(?:로)?\\s.*(?:말자|마라|말\\s?것|않는다|않습니다|않기로|금지|안\\s?(?:쓴|써|한|돼|된))',
  '(?:항상|무조건|반드시|모든\\s.*[은는])\\s(?!.*려고).*(?:하자|[가-힣]다|할 것|하기로)\\s*[.!]*\\s*$',
  '만\\s(?:쓰자|쓴다|씁니다|쓰고|사용한다|사용합니다|지원한다|지원합니다|허용한다|받는다|한다|합니다)',
  '(?:규칙|원칙)(?:으로|이다|입니다)|예외(?:는)? ?없(?:음|이|다|습)',
  '(?:(?:으로|로|은|는)\\s|기로\\s?)(?:통일|확정|결정|금지|폐기)\\s*[.!]*\\s*$',
  '지 않겠(?:습니다|다|어)|(?:도입|지원|사용)(?:은|는)?\\s(?:이제 )?(?:취소|종료|중단)',
  '(?:쓰|하|넣|두)지\\s?말자|(?:은|는)\\s금지(?:다|야|입니다|한다|합니다)?\\s*[.!]*\\s*$',
];
const REPORTS = [
  String.raw`\bwe(?:['’]ve| have| had)?(?: also| already)? (?:tried|tested|evaluated|benchmarked|piloted) (?!to\b|again\b)[^.!\n]{2,80}(?:[:,;]|\bbut\b|\band\b|\bfor\b)`,
  String.raw`\bi(?:['’]ve)? (?:tried|tested|evaluated|benchmarked) (?!to\b|again\b)[^!\n]{2,80}\b(?:too|overkill|useless|unusable|not (?:usable|worth|good)|segfaults?|slower|worse)\b`,
  String.raw`\b(?:we(?:['’]re| are)|went|moved|moving|switched|switching|rolled) back (?:to|on|at)\b|\bgave up on\b|\bdid(?:n['’]t| not) work out\b|\bwas a mistake\b`,
  String.raw`\b(?:experiment|trial|pilot|rollout|migration) (?:is over|has ended|failed|was a failure)\b`,
  String.raw`\b(?:so|and) (?:it|that|this) stays (?:off|out|disabled|as it was)\b`,
  String.raw`\b(?:switching|moving|migrating|going) (?:\S+ ){1,8}(?:worked out|paid off|was worth|went well)\b`,
  String.raw`\b(?:rollout|deploy(?:ment)?|canary|pilot|trial|experiment|switch|migration) (?:worked out|went (?:well|fine|smoothly)|paid off|was worth)\b`,
  String.raw`\b(?:switch(?:ing)?|migrati(?:on|ng)|mov(?:e|ing)|rewrit(?:e|ing)) (?:is|was)(?:n['’]t| not) worth\b`,
  String.raw`\bturn(?:s|ed) out (?:to be )?(?:too|not|useless|worse|slower|unusable|wrong for)\b|^\s*(?:scrap|abandon) (?:the|our)\b`,
];
const KOREAN_REPORTS = [
  '(?:써|도입해|적용해|대체해|바꿔|옮겨|시도해|돌려)\\s?(?:봤|보았|본\\s?결과)[^.!?\\n]*(?:포기|느리|느려|안\\s?(?:되|돼|맞)|실패|못\\s?쓰|별로|되돌|롤백|원복|접었|문제|없어서|돌아)',
  '(?:결국|도로|다시)\\s[^.!?\\n]*(?:포기했|접었|되돌렸|원복했|롤백했|돌아(?:왔|갔))',
  '(?:롤백|원복)(?:했(?:습니다|어요?|음|다)|함)(?:[\\s.!]|$)',
  '(?:실패|포기|실수)(?:였|했다|했습니다|했음|로 끝났)|걷어냈',
];

let made: [Deciding, RegExp][] | undefined;
const patterns = (): [Deciding, RegExp][] => [
  ['reports', new RegExp([...REPORTS, ...KOREAN_REPORTS].join('|'), 'iu')],
  ['decides', new RegExp([...LAYS_DOWN, ...KOREAN_LAYS_DOWN].join('|'), 'iu')],
];

/** Ends of a sentence; a question is one with its sign. */
const SENTENCE = /(?<=[.!?。])\s+|\n+/;
/** The part of a sentence that is read: a longer one is a paste. */
const LONGEST = 300;

/**
 * Whether somebody decides with a prompt (RE-11): "from now on", "we go with", 앞으로, 하기로; or tells how something went that
 * was tried. "Instead of" alone does not decide: "use const instead of let here" is work.
 * @param said as `saidIn` finds it
 */
export function decidingIn(said: string): Deciding | undefined {
  made ??= patterns();
  for (const whole of normalized(said, 'NFKC').split(SENTENCE)) {
    const sentence = whole.slice(0, LONGEST);
    if (ASKS.test(sentence) || LOCAL.test(sentence)) continue;
    const found = made.find(([, pattern]) => pattern.test(sentence));
    if (found) return found[0];
  }
  return undefined;
}
