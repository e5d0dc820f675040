import { jpn, kor, zho } from 'stopword';
import { keywordName } from '../keyword.ts';
import { withoutMarks } from '../text/masking.ts';
import { REDACTED } from '../text/redaction.ts';
import { wordsIn } from '../text/segments.ts';
import { isParticle, isShortNoun, nounOf } from './particle.ts';
import { remembering } from './remembering.ts';
import { ENGLISH } from './stop-words.ts';

/** Keywords taken from a message at most: the number of their relations grows with the square. */
export const KEYWORDS_TAKEN = 10;
/** Longer words are data: hashes, keys, lines of base64. */
const LONGEST_WORD = 40;

const STOP_WORDS = new Set([...ENGLISH, ...kor, ...jpn, ...zho]);
/** Frequent Korean words that name no subject, missing in the list because it holds dictionary forms. */
const SPOKEN = new Set(
  (
    '다시 이거 그거 저거 이것 그것 요거 뭐 여기 거기 저기 이런 그런 저런 이렇게 그렇게 어떻게 같은 같이 있는 없는 있어 없어 많은 새로운 모든 ' +
    '그건 이건 저건 그래 아니고 해야 해줘 안녕 고마워 하나요 매우 아주 너무 정말 그냥 지금 오늘 어제 내일 나중 나중에 먼저 이미 아직 항상 자주 계속 것 것은 것이 것도 것의 수 때 등 줄 바 데 점 중 전 후 뿐 만 더 잘 못 안 ' +
    '위해 위한 대한 대해 통해 통한 따른 의한 관한 관련 관련된 때문 경우 정도 부분 내용 사용 잊지마 알려줘 찾아줘 ' +
    '나는 내가 저는 제가 나의 내 제 우리가 우리는 그대로 스스로 서로 최대한 최소한 http https www'
  ).split(' '),
);
/** English words of talk, and words that ask a memory for something. */
const TALK = new Set(
  (
    'ok okay yes yeah yep sure please thanks thank hi hello hey let lets like want use used using new get got make made ' +
    'one two see say says tell know think need remember memo note save expand via per etc ever dont cant'
  ).split(' '),
);
/** Requests to a memory, which name no subject: 메모해줘, 기억해. */
const ASKED = /^(?:메모|기억|기록|저장|노트)(?:해|하|좀)/u;
/** Hiragana alone is grammar in Japanese, where subjects are in Han or Katakana; single jamo are laughter (ㅋㅋ). */
const GRAMMAR = /^(?:[\p{Script=Hiragana}ー]+|[\u1100-\u11ff\u3130-\u318f]+)$/u;
/** Endings attached to an English word: user's, they've, could've. */
const ATTACHED = /['’](?:s|re|ve|ll|m|d|t)$/u;

/**
 * The keywords of a text, in the order of their first mention (M-9): words, without stop words, numbers and single
 * letters; Korean nouns without their particles. Of more than `limit`, the most frequent stay, then the first. The marks
 * of what was redacted or masked are not keywords.
 */
export function keywordsIn(text: string, limit = KEYWORDS_TAKEN): string[] {
  const counts = new Map<string, number>();
  for (const each of wordsIn(keywordName(withoutMarks(text.replaceAll(REDACTED, ' '))))) {
    const keyword = keywordOf(each);
    if (keyword !== undefined) counts.set(keyword, (counts.get(keyword) ?? 0) + 1);
  }
  const mentioned = [...counts.keys()];
  const kept = new Set(
    mentioned.toSorted((a, b) => (counts.get(b) as number) - (counts.get(a) as number)).slice(0, limit),
  );
  return mentioned.filter((keyword) => kept.has(keyword));
}

/** The keyword that a word of a text is; undefined where it names no subject. */
const keywordOf = remembering((found: string): string | undefined => {
  const straight = found.replace('’', "'");
  const word = straight.replace(ATTACHED, '');
  if (word.length > LONGEST_WORD || isIdle(straight) || isIdle(word)) return undefined;
  if (ASKED.test(word) || GRAMMAR.test(word)) return undefined;
  const noun = nounOf(word);
  if (noun === undefined || isIdle(noun)) return undefined;
  // One letter says too little, and most single syllables are counters (3초에).
  if (noun.length === 1 && !isShortNoun(noun)) return undefined;
  return noun;
});

function isIdle(word: string): boolean {
  return [STOP_WORDS, SPOKEN, TALK].some((words) => words.has(word)) || isParticle(word);
}
