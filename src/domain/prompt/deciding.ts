import { normalized } from '../text/text-pieces.ts';

/** The ways in which a person decides: lays down or rejects something, or reports how a try went. */
export type Deciding = 'decides' | 'reports';

/** A sentence that asks, or that speaks of one place alone, lays nothing down. */
const ASKS =
  /\?|^\s*(?:(?:and|but|ok|so|hm+),? )?(?:why|how|what|when|where|who|which|do|does|did|is|are|can|could|should|would|any)\b|\b(?:can|could) you\b|(?:^|\s)(?:왜|뭐|뭘|무슨|어디|어떻게|누가)(?:\s|가|를)|[가-힣](?:까요?|나요|거야|는지|는가|던데|래요?)\s*$|뭐(?:였)?지/i;
const LOCAL =
  /\bhere(?=\W*$|,)|\b(?:this (?:file|function|loop|run|time|test|branch|pr|commit|line|component|class|method|one|query|page)|(?:the|your) (?:second|first)|for now|just once)\b|여기|이번 (?!분기)|일단|지금은|(?:이|그|두 번째|첫 번째) (?:파일|함수|테스트|줄|커밋|브랜치|컴포넌트|쿼리|안으로)/i;

/** Where an order begins, and its verb. */
const BEGINS =
  /(?<=(?:^|[.!:;,–]|\b(?:and|then|so|please|just|also|only|now|i['’]d|(?:can|could) you|let me|you))\s*)\b[a-z]+/gi;
const VERBS = new Set(
  (
    'add adjust align analyse apply ask build bump bring cap change charge check clean clear commit compare configure convert ' +
    'copy count cover create cut debug dedupe delete deploy describe display document download draft draw edit enable explain ' +
    'export extract fetch figure fill filter find fix flag flip format generate give go grab group guard hand handle help hide ' +
    'highlight implement import improve increase inline insert install integrate invoice leave limit link lint list load lock ' +
    'log look lower make mark measure merge migrate mock move name open parse paste patch persist pick ping place point prefix ' +
    'prepare print profile publish pull push put raise read rebase rebuild recreate redo reduce refactor reformat remind remove ' +
    'rename render reorder repeat replace reproduce request rerun reset resize resolve restart restore retry return review ' +
    'rewrite rotate round run save scan search send set ship shorten show simplify skip sort speed split squash start stop ' +
    'store summarise swap switch tag take tell test tidy toggle track translate trim try turn undo update upgrade upload use ' +
    'validate verify wait walk wire wrap write'
  ).split(' '),
);
/** Orders, and words of the work at hand. */
const ORDERS = [
  String.raw`\b(?:let['’]?s|i (?:want|need)|i(?:['’]d| would) (?:like|love)|have a look|should)\b`,
  String.raw`(?:줘요?|줄래|주라|주세요|[가-힣]봐|보자|볼래|달라|부탁|싶[어은]\S*|(?:하|되|가|나오|뜨)게|시켜|바꿔|고쳐|정리해|추가|수정|삭제|필터|(?:넣|바꾸|두|머지하|저장하|지원하)자)\s*[.!~]*\s*$`,
  String.raw`해주|줘[\s,]|알려|원인| 좀 |ㄱㄱ|(?:하|지원하)자\.|려고 해|요청(?:이)? (?:왔|들어)|것 같`,
  String.raw`\b(?:my|your?|thanks|still (?:the|not|get|\w+s)|that(?:['’]s)? (?:already|not))\b|방금|여전히|(?:테스트|빌드|린트)(?:가|는)? 실패`,
];
/** Words of a fault. */
const FAULTS =
  /\b(?:errors?|undefined|null|nil|typo|wrong|missing|empty|blank|cannot|can['’]t|(?:does|did)n['’]t (?!pay|work out|want)|does not|it (?:never|always)|stays open|panic|exception|denied|[45]\d\d|line \d+|since yesterday|stops?)\b|오류|에러|(?<!면 )안 (?:돼|되|됩|떠|먹|보[여이임]|맞|나|열)|깨[져졌지]|지지 않|(?:누르|클릭하|열|켜)면 |(?:이|가) \S*지 않/i;

/** Those who may lay down. */
const WHO =
  '(?:we|i|they|every(?:body|one)|(?:the )?(?:team|board|client|customers?|auditors?|lawyers?|cto|management|legal|security|product|marketing|finance|compliance|ops|support|sales|pricing|regulator|contract|law|dpa))';
/** Words that close a matter, whatever else a prompt asks for. */
const CLOSES = [
  String.raw`\b(?:from now on|going forward|henceforth|once and for all|as a (?:matter of )?rule|no exceptions|off the table|for the record|made up (?:my|our) minds?)\b|\b(?:starting|as of|from) (?:today|tomorrow|monday|(?:next|version) \w+)(?:,| on\b| we\b|\W*$)|\bfor good\W*$`,
  String.raw`\b(?:that|this|it)(?:['’]?s| is) (?:final|decided|settled|agreed|(?:how|what) we|(?:a|the|our) (?:\w+ )?(?:rule|policy))\b|\b(?:final|made the) (?:call|decision|answer)\b|^\s*(?:\w+ )?(?:rule|policy|decision)(?: for \w+| from .{3,40})?:`,
  String.raw`\b${WHO}(?:['’]ve| have| has)? (?:\w+ )?(?:decided|agreed|voted|settled|chosen|chose|ruled out|opted|signed off|approved|vetoed|rejected|said no|standardi[sz]ed)\b(?! (?:to (?:try|test|wait|look|check)|it\b))`,
  String.raw`\bwe(?:['’]re| are|['’]ll| will| shall)? (?:always|never|only|no longer|won['’]t|(?:go|going|go ahead|stick|sticking|stay|staying) with|dropping|retiring|abandoning|not going to|standardi[sz]ing) (?!have|had|got|get|need|know|saw|see)|\b(?<!\bwhy )we (?:do not|don['’]t) (?:support|use|allow|ship|store|log|accept|do|take|buy|host)\b`,
  String.raw`^\s*(?:please,? )?(?:always|never|no more) (?!mind\b|had\b|seen\b|been\b|worked\b|got\b|saw\b|returns?\b|fails?\b)[a-z]+\b|\bstop (?:using|adding|writing|building|creating) new\b|\blet['’]?s (?:always|never|only|standardi[sz]e|stop using|agree|drop the idea|settle (?:it|this|that|on))\b|\bmake (?!sure).{2,40} (?:mandatory|(?:the|our) (?:\w+ )?(?:standard|default|rule|norm|way))\b`,
  String.raw`^\s*(?:all|every|each|any)(?: new)? [\w-]+(?: [\w-]+){0,5} (?:must|has to|have to)\b(?! pass| have a)|\bno [^.!?,\n]{2,60}(?:, ?please)?, [^.!?,\n]{2,40} only\W*$|(?:don['’]t (?!under)|do not |never |stop )[^.!?\n]{1,60}\b(?:again|any ?more|any longer|anywhere|in this (?:project|repo(?:sitory)?|codebase))\b|\b[A-Z]\w+ stays for\b`,
  String.raw`(?:앞으로(?:는|도)?|(?:이제|오늘|내일|이번\s?\S+|다음\s?\S+)부터(?:는)?)\s.*(?:자|기로|다|것|하세요|해\s?(?:주세요|줘)|마|금지|안\s?써)\s*[.!]*\s*$|(?<!정하)기로\s?(?:\S+\s)?(?:했(?!던|었)|하자|하죠|합니다|함|결정|한다|정했|정리|합의|결론|\s*[.!]*\s*$)`,
  String.raw`[가-힣](?:는|은|던)\s?[걸것거]으?로\s?(?:\S+\s)?(?:갑시다|최종|결정|확정|합의|정리)|(?:결정|합의|결론|승인|확정)(?:이|을)?\s?(?:났|했(?!던|었)|됐|봤|되었|합니다|입니다|하자|이야|이다|이에요|임)|(?:으로|로) (?:정했|못박)|없던 (?:일|걸)로`,
  String.raw`(?:절대|더\s?이상|다시는|어떤 경우에도)(?:로)?\s.*(?:말자|마라|말\s?것|않는다|않습니다|않기로|금지|안\s?(?:쓴|써|한|돼|된|됨))|(?:항상|무조건|반드시|모든\s.*[은는])\s(?!.*려고).*(?:하자|(?:한|된|쓴|간|둔)다|합니다|할 것|하기로)\s*[.!]*\s*$`,
  String.raw`만\s(?:쓰자|쓴다|씁니다|쓰고|받는다|[가-힣]{0,2}(?:한다|합니다))|(?:규칙|원칙|룰)(?:으로|이다|입니다|이야)|예외(?:는|를)? ?(?:없[음이다습]|두지)|지 않겠(?:습니다|다|어)|(?:쓰|하|넣|두)지\s?(?:말자|맙시다)|[은는건] (?:이제 )?금지(?:다|야|입니다|[\s.!]*$)`,
  String.raw`[A-Za-z가-힣](?:으로|로)\s(?:갑니다|가기로|고정|통일)\s*[.!]*\s*$|(?:으로|로) (?:간다|통일(?:하자|한다|합니다|합시다|하겠))|[A-Za-z](?:으로|로) 가자|(?:^|\s)안 (?:씁니다|쓴다|씀|받습니다|받는다)`,
];
/** Words that lay down in a prompt that neither asks for work nor tells of a fault. */
const LEANS = [
  String.raw`\b(?:never (?!mind)|always|mandatory|forbidden|banned|prohibited|not (?:allowed|acceptable|an option)|red line|no[- ]go|any ?more|any longer|everywhere|nowhere|permanently|convention|(?:our|the|a|hard) (?:policy|rule|principle|law)(?! (?:page|file|table|above|for the))|requirement|answer is|proposal|approved|agreed|decided|rejecting|refused|discussed|cancell?ed|retired|discontinued|deprecated|dropped|maintained|strict|(?:isn['’]t|not) possible|(?:up|open) (?:for|to) (?:debate|discussion)|on board|read[- ]only|enough with|shut(?:ting)? down|the last word|needs? a (?:ticket|human)|through \w+ first|because the (?:contract|law|licen[cs]e)|keeping|rather not|going with|in the future)\b|, full stop\W*$`,
  String.raw`\b(?:(?:is|are) (?:out|gone|dead|off|history)|it is)(?=[.,;!]|\s*$)|\b(?:is|are) (?:per|a no|(?:what|how) we)\b|(?:,| and) not (?!that|this|the|what)\w+|^not \w+ing\b|(?<!(?:has|have|is|are|with) )\bno (?!need)[\w-]+ (?:on|in|for|from|at|to) |\bwe(?:['’]re closing| (?:keep(?! \w+ing)|buy|run|own|ship|use|want|generate|call|support|go ahead))\b|\b(?:was|were|got) (?:removed|rejected)\b|\b(?!i |we |they )${WHO} (?:asked for|forbids?|requires?|demands?|insist\w*|said|told|wants? (?:one|no|it|all|every)\w*)`,
  String.raw`금지|원칙|방침|지침|요건|약관|지시로|룰로|뺐[다어습]|후에만|한테만|맞다고|탈락|맞췄|끊는다|말래|예외|항상|무조건|절대|반드시|이제 .*[안않못말]|앞으로|끝났|반려|확정|합의|결론|결정|정했|그만|유지|고정[한하]|동결|취소|폐기|필수|통일|까지만|로만 |없던|접자|맙시다|말자|말 것|마세요|(?:[걸것거기쪽]으?로)\s?(?:[하했가갑함정].*)?[\s.]*$`,
  `에만? 둔다|않을 거(?:야|예요)|면 충분|안 (?:[쓴써씁씀해받넣둔주]|하신|하기|한다|합니|보내|만들|남긴)|지 (?:않는다|않습니다|않고|않기|말고 .*[쓰하])|면 안 [돼됨됩된]|(?:저장|계산|사용|관리|처리|보관|허용|지원)(?:한다|합니다|함|은 )|(?:그대로|계속) (?:간다|갑니다|쓴|유지)`,
];
/** How something went that was tried. */
const WENT = [
  String.raw`\b(?:reverted|rolled (?:it |us )?back|(?:back|returned) (?:to|on|at|with)|gave up|given up|(?:pay|paid|paying) off|worked out|went (?:well|fine|smoothly|badly)|successful|a success|failure|mistake|disaster|worse|slower|faster|overkill|useless|unusable|halved|doubled|stays off|hated|hindsight|the right call|rely on|let us down|bit us|saved us|live since|annoyed|happy with|learned (?:that|it|our)|rock solid|a bust|without a hitch|no (?:gain|effect|benefit)|disabled|(?:have|has) been (?:\w+ )?(?:stable|fine|great|solid)|gave \w.{2,40} a (?:fair )?chance|taking it out|won clearly|sweet spot|worth it|(?:is|was)(?:n['’]t| not) worth|turned (?:it )?off|took it out|removed it|abandon\w*|did(?:n['’]t| not) (?:work out|pay off)|turn(?:s|ed) out)\b`,
  String.raw`\b(?:cut|reduced|dropped|shaved|fixed|saved|lost|broke|crashed|grew|fell|went) .{2,60}(?:\bfrom \S+ to\b|\bby (?:half|\d)|\bseconds?\b|\b(?:months?|weeks?|days?|times|places)\b|%)|\b(?:experiment|trial|pilot|a/b test|rollout|migration|canary)\b.*\b(?:is (?:over|done)|ended|failed|worked|went)\b|\bevery(?:one|body) wants\b|\b(?:users|customers) (?:want|love|like|prefer)\b|[+-]\d[\d.]* ?%`,
  String.raw`\bwe(?:['’]ve| have| had)?(?: also| already)? (?:tried|tested|evaluated|benchmarked|piloted|looked into|spent|had) (?!to\b|again\b)[^.!\n]{2,80}(?:[:,;]|\bbut\b|\band\b|\bfor\b)|^\s*tried \w+ \w+`,
  String.raw`(?:봤|보니|본\s?결과|써본|[했뺐꿨였]더니|쓰니까|[했꿨렸썼](?:다가|는데)).*(?:포기|느리|느려|빨라|줄|늘|안\s?[되돼맞]|실패|못\s?쓰|별로|되돌|롤백|원복|내렸|접었|걷어|문제|없어서|돌아|꼬여|고생|충분|힘들|이득|이르|낫|좋|심해)`,
  String.raw`(?:뒤로|후로|이후|나서|때문에|덕분에|바꾼|넣은|전환|실험|시도|도입|테스트|파일럿).*(?:줄었|늘었|빨라|느려|떨어|올랐|나아|좋[아네]|없어졌|사라졌|못 쓰|성공|만족|효과|실패|끝났|이겼|없었|접었|접습|났어|별로|잘한)|(?:결국|도로|다시|포기하고)\s[^.!?\n]*(?:포기했|접었|되돌렸|원복했|롤백했|내렸|돌아[왔갔]|갈아)`,
  String.raw`(?:롤백|원복|되돌림|복구)(?:했(?:습니다|어요?|음|다)|함|\s*[.!]*\s*$)|(?:실패|포기|실수)(?:였|했다|했습니다|했음|로 끝났)|걷어냈|[주달월일]째.*(?:없이|잘)|(?:문제|장애|사고) ?없이 .*(?:돌|운영|쓰)|아주 만족|못\s?쓰겠더라|되돌(?:리는 중|려놨)|껐[어다습]|잘한 (?:선택|일|결정)|\d ?%\s?(?:감소|증가|줄|늘|개선)`,
];

const made = new Map<string[], RegExp>();

/** Whether a sentence has one of these words. Few prompts need all of them: they are compiled on use. */
function has(words: string[], sentence: string): boolean {
  const pattern = made.get(words) ?? new RegExp(words.join('|'), 'i');
  made.set(words, pattern);
  return pattern.test(sentence);
}

const ordersWork = (sentence: string) =>
  has(ORDERS, sentence) || (sentence.match(BEGINS) ?? []).some((verb) => VERBS.has(verb.toLowerCase()));

/** Ends of a sentence; a question is one with its sign. */
const SENTENCE = /(?<=[.!?。])\s+|\n+/;
/** The part of a sentence that is read: a longer one is a paste. */
const LONGEST = 300;
/** Two words lay nothing down, unless they close a matter. */
const WORDS = /\S\s+\S+\s+\S/;

/**
 * Whether somebody decides with a prompt (RE-11): "from now on", "we go with", 앞으로, 하기로; or tells how something went that
 * was tried. A prompt that asks, orders work or tells of a fault must close the matter in so many words: "use const instead of
 * let" is work.
 * @param said as `saidIn` finds it
 */
export function decidingIn(said: string): Deciding | undefined {
  const sentences = normalized(said, 'NFKC')
    .split(SENTENCE)
    .map((each) => each.slice(0, LONGEST));
  const own = sentences.filter((each) => !ASKS.test(each) && !LOCAL.test(each));
  const isWork = own.length < sentences.length || sentences.some(ordersWork);
  if (!isWork && own.some((each) => has(WENT, each))) return 'reports';
  if (own.some((each) => has(CLOSES, each))) return 'decides';
  if (isWork || sentences.some((each) => FAULTS.test(each))) return undefined;
  return own.some((each) => WORDS.test(each) && has(LEANS, each)) ? 'decides' : undefined;
}
