import { inSmall } from '../text/text.ts';

/** Words that point at what lies before the one who writes, or ask to have it explained: "what does this do here?" */
const HERE = new Set(
  (
    "this that these those my me i i'm im you your it its here there what what's which does do did explain tell show give how why " +
    'where mean means'
  ).split(' '),
);
/** What every code is made of, and what is done with it in an editor and a terminal. */
const CODE = new Set(
  (
    'file files function functions method class variable variables parameter argument type types interface enum import imports ' +
    'module line lines snippet code comment comments docstring test tests spec mock mocks lint eslint prettier format formatter ' +
    'refactor rename typo git commit commits push rebase merge branch stash cherry diff pr changelog readme regex command ' +
    'terminal shell bash console trace exception error errors compile compiler build npm yarn pip script syntax warning warnings'
  ).split(' '),
);
/** How a screen looks: what is done to that is least of all about a decision, and each word counts as much as this. */
const LOOKS_COUNT = 2.5;
const LOOKS = new Set(
  (
    'css hover hovers hovering color colour colors colours pixel pixels px padding margin margins typo typos align aligned ' +
    'alignment animation animations animate icon icons chevron arrow tooltip dropdown modal placeholder label labels spacing ' +
    'shadow border borders rounded scrollbar font fonts picture pictures image images alt wide width height blurry darker ' +
    'lighter gray grey bold spinner favicon avatar overflow truncated'
  ).split(' '),
);
const KOREAN_LOOKS = /오타|애니메이션|색깔|색상|여백|글씨|글자|아이콘|문구|툴팁|픽셀|정렬|줄바꿈|깜빡/gu;
/** Words of those who propose something, and of those in whose name they do: "should we let customers …?" */
const TEAM = new Set(
  (
    "we our us let's lets should shall could can can't cannot instead every each all any everyone everybody somebody someone nobody " +
    'people customers customer users clients wants want asks asked ask complains complain request requests requested'
  ).split(' '),
);
/** The same in Korean, where they stand within words: nouns before their particles, and endings. */
const KOREAN_HERE =
  /^[이그저]$|[이저그]거|이것|여기|설명|요약|알려|뭐|무슨|뭔|어떻게|어디|왜|차이|방법|의미|보여/gu;
const KOREAN_CODE =
  /파일|함수|코드|변수|타입|클래스|메[서소]드|파라미터|주석|리팩|커밋|푸시|머지|리베이스|브랜치|스택|에러|예외|컴파일|빌드|린트|포맷|정규식|명령어|터미널|콘솔|테스트|오류|경고/gu;
const KOREAN_TEAM =
  /우리|요청|달[라래]|해달|[대래]요|답니다|민원|문의|원해|하자|까요|될까|어때|어떨까|으면|려[고는]|좋겠|겠지|되나|해도/gu;
const WORD = /[a-z']+|[가-힣]+/g;

/**
 * How a prompt speaks: below zero of the code that lies before the one who writes, above zero of what the team does; 0 of
 * neither. Those of the first kind are seldom about a decision, whatever words they have. It falls with the length of the
 * prompt, since a long one has some words of each kind.
 * @param said as `saidIn` finds it
 */
export function mannerOf(said: string): number {
  const words = inSmall(said).match(WORD) ?? [];
  const count = (known: ReadonlySet<string>, korean: RegExp) =>
    words.reduce((sum, word) => sum + (known.has(word) ? 1 : (word.match(korean)?.length ?? 0)), 0);
  const length = said.split(/\s+/).filter((each) => each !== '').length;
  const looks = LOOKS_COUNT * count(LOOKS, KOREAN_LOOKS);
  const before = count(HERE, KOREAN_HERE) + count(CODE, KOREAN_CODE) + looks;
  const leaning = count(TEAM, KOREAN_TEAM) - before;
  return leaning / Math.sqrt(Math.max(1, length));
}
