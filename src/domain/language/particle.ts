/**
 * Korean particles and endings that are attached to nouns. Particles are a closed class, all of them listed here;
 * libraries that remove them need a dictionary of tens of megabytes. Where a particle and the end of a noun look alike,
 * the rules prefer the reading that is more common in technical text.
 */

type Final = 'consonant' | 'vowel' | 'any';

/** A particle or an ending, and the sound that it follows. */
interface Ending {
  text: string;
  after: Final;
}

/** Two syllables and more. When at least one syllable is left (two before 이), these are never part of a noun. */
const LONG: Ending[] = [
  ...endings(
    'any',
    '에서 에서는 에서도 에서의 에서만 에게 에게서 에게는 에는 에도 까지 까지는 까지도 부터 부터는',
  ),
  ...endings('any', '처럼 보다 보다는 보다도 마다 조차 밖에 하고 입니다'),
  // Also after a vowel: 인덱스이다.
  ...endings('any', '이다'),
  ...endings('vowel', '로서 로써 라는 라고 라도 란'),
  ...endings(
    'consonant',
    '으로 으로는 으로도 으로의 으로서 으로써 이라는 이라고 이라도 이란 이나 이지만 이므로 이고 이며 인데',
  ),
].sort((a, b) => b.text.length - a.text.length);

/** One syllable; the noun before it has two, or is one of {@link SHORT_NOUNS}. */
const SHORT = new Map<string, Final>([
  ...['을', '은', '이', '과'].map((text) => [text, 'consonant'] as const),
  ...['를', '는', '가', '와', '로', '나'].map((text) => [text, 'vowel'] as const),
  ...['의', '에', '도', '만'].map((text) => [text, 'any'] as const),
]);
/** Particles that may come before another one (서버로는, 의존성과의), and those that may follow. */
const INNER = new Set(['로', '와', '과', '만', '에']);
const OUTER = new Set(['는', '은', '도', '의', '만', '을', '이']);

/** No noun ends with these after such a sound, not even a short one. */
const TELLING = new Set(['을', '를', '에']);

/** Nouns of one syllable that engineers write; most other words of that length are counters and particles. */
const SHORT_NOUNS = new Set('앱값키팀웹폼탭훅락큐맵툴팁뷰벽창층핀봇룰콜풀칩씬답책법표줄칸색빛힘물');

/** Nouns whose end looks like a particle or a verb's ending; below them, such ends of compounds. */
const NOUNS = new Set(
  (
    '재시도 재정의 정확도 난이도 신뢰도 복잡도 해상도 유사도 완성도 우선도 만족도 관심도 결합도 응집도 의존도 중요도 이해도 ' +
    '숙련도 선호도 참여도 연관도 민감도 투명도 심각도 긴급도 성숙도 진행도 밀집도 우회로 스키마 인프라 카메라 매크로 마이크로 안테나 코로나'
  ).split(' '),
);
const COMPOUND =
  /.{2}(?:속도|온도|밀도|강도|빈도|결과|회의|회로|기한|효과)$|.(?:효과|초과|추가|허가|휴가|권한|제한|상한|하한|무한|역할|분할)$/u;

/** 이미지만 and 느리지만 end alike: a word that ends so is a verb, unless it is one of these. */
const NOUN_IN_JI = /(?:이미지|메[시세]지|페이지|패키지|스토리지|브리지)만$/u;
/** Endings that make a verb of a noun (설정하다, 배포되다), in their most frequent forms. */
const VERB =
  /(?:하|되|시키)(?:다|는|고|며|면|지|게|기|던|여|니|는지|는데|도록|려고|세요|자)$|(?:합니다|됩니다|해주세요|해줘|되어야|해서|해야|해요|한다|된다|시킨다|시켜|돼서|돼야|되어|한|할|해|된|될|돼|됨|함)$/u;
/** Past tenses of verbs made of nouns: 설정했다, 배포됐더니, 캐시였는데. */
const PAST_OF_NOUN = /(?:했|됐|되었|이었|였|시켰)/u;
/** Endings that only verbs and adjectives have. */
const PREDICATE =
  /(?:니다|세요|..다|^[^람판소바]다|[려져겨쳐켜여워아어]서|으면|지만|는데|는지|네요|어요|아요|군요|다고)$/u;

const HANGUL = /^[가-힣]+$/u;
const FIRST_SYLLABLE = 0xac00;
const FINALS = 28;
const RIEUL = 8;
const SSANG_SIOT = 20;

/**
 * The noun in a Korean word: without particles, the plural 들, and the endings that make a verb of a noun.
 * @returns the word itself when it is not Hangul; undefined when no noun is left
 */
export function nounOf(word: string): string | undefined {
  if (!HANGUL.test(word) || isNoun(word)) return word;
  const one = withoutOne(word);
  if (one !== undefined && isNoun(one)) return one;
  const bare = withoutLong(word) ?? withoutShort(word);
  if (bare !== undefined && !isVerbal(word)) return singular(bare);
  const verb = stem(word, VERB);
  if (verb !== undefined && verb.length >= 2) return verb;
  if (isPast(word)) return stem(word, PAST_OF_NOUN) || undefined;
  if (PREDICATE.test(word)) return undefined;
  return singular(bare ?? word);
}

/** Whether a whole word is a particle, as in "JWT를", which is split where the script changes. */
export function isParticle(word: string): boolean {
  return SHORT.has(word) || LONG.some(({ text }) => text === word);
}

/** Whether it is a noun of one syllable that may be a keyword. */
export function isShortNoun(word: string): boolean {
  return SHORT_NOUNS.has(word);
}

function isNoun(word: string): boolean {
  return NOUNS.has(word) || COMPOUND.test(word);
}

/** Whether a word ends as only a verb does, even when the end looks like a particle. */
function isVerbal(word: string): boolean {
  if (isPast(word) || (word.endsWith('지만') && !word.endsWith('이지만') && !NOUN_IN_JI.test(word)))
    return true;
  return (stem(word, VERB)?.length ?? 0) >= 2 && withoutLong(word) === undefined;
}

function withoutLong(word: string): string | undefined {
  const found = LONG.find(({ text, after }) => {
    const left = word.length - text.length;
    const noun = word.slice(0, Math.max(0, left));
    const isLongEnough = after === 'any' ? left >= 1 : left >= 2 || SHORT_NOUNS.has(noun);
    return isLongEnough && word.endsWith(text) && fits(text, after, noun);
  });
  return found && word.slice(0, -found.text.length);
}

/** Without one particle of one syllable, or without two that may follow each other. */
function withoutShort(word: string): string | undefined {
  const last = word.slice(-1);
  const noun = withoutOne(word);
  if (noun === undefined || isNoun(noun)) return noun;
  return (OUTER.has(last) && INNER.has(noun.slice(-1)) && withoutOne(noun)) || noun;
}

function withoutOne(word: string): string | undefined {
  const particle = word.slice(-1);
  const after = SHORT.get(particle);
  const noun = word.slice(0, -1);
  if (!after || !fits(particle, after, noun)) return undefined;
  return noun.length >= 2 || SHORT_NOUNS.has(noun) || TELLING.has(particle) ? noun : undefined;
}

function fits(ending: string, after: Final, noun: string): boolean {
  if (noun === '') return false;
  if (after === 'any') return true;
  const final = finalOf(noun.slice(-1));
  if (final === RIEUL && ending.startsWith('로')) return true;
  return (after === 'consonant') === final > 0;
}

function singular(noun: string): string {
  return noun.length > 2 && noun.endsWith('들') ? noun.slice(0, -1) : noun;
}

/** ㅆ closes a syllable in the past tense, in 있다 and in 겠다, and in no noun. */
function isPast(word: string): boolean {
  return [...word].some((syllable) => finalOf(syllable) === SSANG_SIOT);
}

/** The number of a syllable's last consonant, 0 for none. */
function finalOf(syllable: string): number {
  return (syllable.charCodeAt(0) - FIRST_SYLLABLE) % FINALS;
}

function stem(word: string, ending: RegExp): string | undefined {
  const found = word.match(ending);
  return found ? word.slice(0, found.index) : undefined;
}

function endings(after: Final, texts: string): Ending[] {
  return texts.split(' ').map((text) => ({ text, after }));
}
