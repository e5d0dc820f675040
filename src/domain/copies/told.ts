/** Signs that a sentence tells of the past: a rule that stands is in the present. */
const PAST = new RegExp(
  [
    String.raw`\b(?:was|were|had|did|used to|no longer|any ?more|formerly|previously|originally|historical(?:ly)?|legacy|deprecated|superseded)\b|\b(?:the|our|an) old\b`,
    String.raw`\b(?:at|in) (?:that|those|the) (?:time|days)\b|\bthen [a-z]{3,}ed\b|\bback then\b|\blast (?:week|month|year|spring|summer|autumn|fall|winter)\b|\b(?:years|months|weeks) ago\b|(?<=[a-z] )once [a-z]+ed (?:an?|the|its|their)\b`,
    String.raw`\b(?:moved|switched|migrated|changed|went)\b.{0,60}?\b(?:from|off|to|through)\b|\b(?:replaced|dropped|retired|removed|abandoned|gave up|got rid)\b|\b(?:instead of|rather than|in place of)\b`,
    String.raw`\b(?:until|since|before|in|by) (?:january|february|march|april|may|june|july|august|september|october|november|december|20\d\d)\b|\buntil (?:the|we|v?\d)`,
    // Korean: adverbs, "from X to Y", and verbs in the past, but for 하기로 했다, which decides.
    '예전|이전에는|과거|당시|그때|초기에|원래|한때|더\\s?이상|지난|작년|올해|폐기|폐지|대신|에서.{1,20}(?:바꾸|바꿨|옮기|옮겼|전환|교체|변경)',
    '(?<!기로 |기로)(?:[었았였했됐갔왔났봤줬썼렸꿨겼졌혔쳤켰뀌](?:[다던으는지음]|습니다|고\\s)|던\\s)',
  ].join('|'),
  'iu',
);

/** Signs that a sentence says no, and of these, those that forbid. */
const FORBIDS =
  /\b(?:never|not|(?:do|must|should|may|shall|is|are)n['’]t|don['’]t|avoid|stop|forbid\w*|prohibit\w*|ban(?:s|ned)?|disallow\w*|sends? (?:it |them )?back)\b|지\s?(?:않|마|말)|면 안|금지|불허|막는다|막습니다|막아야|반려|^no\b/iu;
const NO =
  /\b(?:no|none|without|cannot|nobody|nothing|neither|nor|refuse\w*|reject\w*|(?:switched|turned) off|disabled|[a-z]+n['’]t)\b|못|불가|없(?!애)|(?:^|\s)안\s/iu;
/** A no that stresses what it stands with. */
const STRESS =
  /\bwithout (?:exceptions?|fail)\b|\bno (?:exceptions?|need|matter)\b|\bnot only\b|\bno \w+ (?:may|must|should|can) \w+ without\b|(?:상관|관계|예외|문제|필요|따로)(?:는|가|도)?\s?없/giu;

/** Signs that a sentence sets something apart from what others do. */
const APART =
  /\b(?:unlike|apart from|separate(?:ly)? from|independent(?:ly)? of|except (?:for|that)|(?:in|of|with|on) (?:its|their) own)\b|\b(?:too|as well)(?=[,.:;!]|$)|마찬가지|별개|무관|과 달리|와 달리/iu;

/** Whether a sentence speaks of something that is an exception: "unlike the API", 대시보드와는 별개로. */
export const setsApart = (sentence: string): boolean => APART.test(sentence);

/** The places and things that a sentence names with a preposition: "of the tablet app", "in the warehouse". */
export const placesIn = (sentence: string): [preposition: string, place: string][] =>
  [...sentence.matchAll(PLACE)].map(([, preposition = '', place = '']) => [preposition.toLowerCase(), place]);
const PLACE =
  /\b(of|in|for|on|from) (?!question|general|order|addition|advance|practice|parallel|fact|case)((?:(?:the|an?|our|its|each|every|all) )?[a-z][\w./-]*)/giu;

/** Whether a sentence tells what was once so: "we moved from X", 예전에는. */
export const tellsPast = (sentence: string): boolean => PAST.test(sentence);

/** Words of a rule that has no exception, and of one that has been narrowed. */
const UNIVERSAL =
  /\b(?:every|all|any|always|each|regardless|(?:no|without) exceptions?)\b|모든|전체|항상|모두|상관\s?없|관계\s?없|예외(?:는|가)?\s?없|마다/iu;

/** Whether a sentence holds for everything that it speaks of: "every table", 모든. */
export const isUniversal = (sentence: string): boolean => UNIVERSAL.test(sentence);

/** Parts of a sentence that are read: more are a list, and each costs as much as a sentence (Z-6). */
const PARTS = 40;

/** Where a sentence may turn: a no holds for its own part alone. */
export const partsOf = (sentence: string): string[] =>
  sentence.split(
    /[;:—]\s|,\s|\s(?:but|because|since|so|whereas)\s|(?<=[가-힣](?:고|며|지만|는데|니|면|서))\s(?!안\s)/u,
    PARTS,
  );

/** Whether a sentence forbids, or says no in any way: "never X", X 금지. */
export function saysNo(sentence: string): { forbids: boolean; some: boolean } {
  const plain = sentence.replace(STRESS, ' ');
  const forbids = FORBIDS.test(plain);
  return { forbids, some: forbids || NO.test(plain) };
}
