import { inSmall } from '../text/text.ts';

/** Words that point at what the writer sees, or ask to have it explained: "what does this do here?" */
const HERE = new Set(
  (
    "this that these those my me i i'm im you your it its here there what what's which does do did explain tell show give how why " +
    'where mean means'
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
/** The same in Korean, where they are within words: nouns before their particles, and endings. */
const KOREAN_HERE =
  /^[이그저]$|[이저그]거|이것|여기|설명|요약|알려|뭐|무슨|뭔|어떻게|어디|왜|차이|방법|의미|보여/gu;
const WORD = /[a-z']+|[가-힣]+/g;

/**
 * The manner of a prompt: the further below zero, the more it is about the open file or the look of a screen; 0 for
 * neither. Such a prompt is seldom about a decision, whatever words it has. A long one has some of these words, too, so that they
 * count less there.
 * @param said as `saidIn` finds it
 */
export function mannerOf(said: string): number {
  const words = inSmall(said).match(WORD) ?? [];
  const count = (known: ReadonlySet<string>, korean: RegExp) =>
    words.reduce((sum, word) => sum + (known.has(word) ? 1 : (word.match(korean)?.length ?? 0)), 0);
  const length = said.split(/\s+/).filter((each) => each !== '').length;
  const looks = LOOKS_COUNT * count(LOOKS, KOREAN_LOOKS);
  return (0 - count(HERE, KOREAN_HERE) - looks) / Math.sqrt(Math.max(1, length));
}
