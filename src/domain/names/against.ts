import { type Key, keysOf, MOST_WORDS } from './keys.ts';
import { isProduct, nameKeys, PROGRAM, packageKeys, STOP } from './name.ts';

/** The texts of a record that can be against a name. */
export interface Said {
  decision: string;
  reasoning?: string | undefined;
  /** Whether it was tried and failed: then it is against what it says itself. */
  hasFailed: boolean;
  /** Whether it holds as a rule all the same: it is also against what it forbids. */
  isRule?: boolean;
}

/** The most that is read of a text. */
const LOOKED_AT = 8_000;
const SENTENCE = /(?<=[.!?。])\s+|\n+/;
/** A longer sentence is data. */
const LONGEST_SENTENCE = 1_000;

const sentencesOf = (text: string) =>
  text.split(SENTENCE).map((sentence) => sentence.slice(0, LONGEST_SENTENCE));

/** The names of a record. */
export interface Names {
  /** Those that it is against: it rejects or forbids them, or they are the thing that failed. */
  against: Key[];
  /** Those that may be in its own text and that it is not against: it may use them. None for what failed. */
  uses: Key[];
}

/** The names of a record, and whether it is against them (RE-6). */
export function namesOf({ decision, reasoning = '', hasFailed, isRule = false }: Said): Names {
  if (hasFailed) {
    const forbidden = isRule ? namesOf({ decision, reasoning, hasFailed: false }).against : [];
    return {
      against: [...new Set([...namesOfFailure(decision.slice(0, LOOKED_AT)), ...forbidden])],
      uses: [],
    };
  }
  const [said, why] = [decision.slice(0, LOOKED_AT), reasoning.slice(0, LOOKED_AT)];
  const own = keysOf(said);
  const against = new Set<Key>();
  for (const sentence of [...sentencesOf(said), ...sentencesOf(why)])
    for (const found of [english(sentence), korean(sentence), statements(sentence)])
      for (const key of found) against.add(key);
  for (const key of alternatives(why)) if (!own.has(key)) against.add(key);
  return { against: [...against], uses: [...own].filter((key) => !against.has(key)) };
}

/** Words before the names of what must not be. */
const BEFORE =
  /\b(?:rejected(?::|\s+alternatives?:)|(?:instead|in place|in lieu) of|rather than|repla(?:ces|cing|ced(?! by))|(?:moved?|moving|migrated?|switched|migrating)(?: away)? (?:from|off)|stop(?:ped)? using|no longer (?:use|run)|(?:no more|removed|ditched|retired)(?=\s)|(?:ban(?:s|ned)?|forbids?|avoids?|drop(?:s|ped)?|neither|tried)(?=\s)|no(?! (?:longer|need|more|one|matter|way)\b)(?=\s)|nothing (?:under|from)|not (?:on|with|via|through|by)(?=\s)|(?:not|never)(?! (?:be|on|with|via|through|by|use|uses|add|install|call|run|import|introduce|adopt|try)\b)(?=\s)|(?:never|(?:do|does|must|may|can|should)(?: ?not|n['’]t)) (?:be|use|uses|add|install|call|run|import|introduce|adopt|try)|(?:chose|chosen|choose|picked|prefer|preferred|favou?r)\b[^.;]{0,60}? over)(?:\s+(?:the|a|an|any|our|both|plain|headless|self-hosted|hosted|another|use of|using)\b)*/gi;
/** With these, their object is a thing that is used. */
const USE = /\b(?:use|uses|add|install|call|run|import|introduce|adopt|ban(?:s|ned)?|forbids?|avoids?)\b/i;
/** Something must not be kept there. */
const PLACED =
  /^(?:.* )?(?:not|never) (?:be )?(?:store[sd]?|ke(?:ep|pt)|put|saved?|persist(?:ed)?|cached?|writ(?:e|ten)|log(?:ged)?|sen[dt]|h[eo]ld)\b[^.;:]{0,60}? (?:in|into|to) ([^.;:]+)/i;
/** The end of their object. */
const OBJECT_ENDS =
  /[—–;]|:\s|\s-\s|\s(?:because|since|as|for|in|into|to|so|that|which|who|when|while|where|after|before|until|unless|with|but|is|are|was|were|would|could|can|cannot|due|by|on|at|from|than|if|via|through|between|per|inside|without|needs?|has|have|had|yet|alone|only|during|of|under|knew|did|does)\s/i;
/** Words after such a name. */
const AFTER =
  /\s(?:(?:is|are|was|were|(?:has|have) been) (?:not (?:used|done|allowed|permitted|an option)|never used|no longer used|banned|forbidden|prohibited|gone|out|legacy|obsolete|off|rejected|ruled out|deprecated|archived|removed|retired|dropped|given up|taken out|abandoned|replaced)|(?:was|were) (?:proposed|considered|tried) and (?:rejected|dropped)|(?:all )?(?:made|gave) way|(?:must|may) (?:not|never) (?:come back|return|be (?:used|added)))\b/i;
/** Words about an alternative, in a sentence that begins with its name. */
const LACKS =
  /^(?:'s? [a-z]+)?\s+(?:cannot|can't|could not|couldn't|does not|doesn't|did not|has no|had no|lacks?|lost|forbids?|would|needs?|hid|added|costs?|took|knew|is too|was too|sends?)\b/;

/** `거절: MongoDB` and `기각한 대안: MongoDB` are "Rejected: MongoDB", where a clause begins with them. */
const KOREAN_REJECTED = /(^|[.;,(—–]\s*)(?:거절|기각|탈락|배제|제외)(?:한|된)?(?:\s?(?:대안|안))?\s?[:：]/g;

function* english(written: string): Generator<Key> {
  const sentence = written.replace(KOREAN_REJECTED, '$1Rejected:');
  for (const found of sentence.matchAll(BEFORE)) {
    // SQL: the column of DROP COLUMN is no name.
    if (/^(?:DROP|NOT)$/.test(found[0])) continue;
    const rest = sentence.slice(found.index + found[0].length).trimStart();
    // After "Rejected:" each part of a list of alternatives has its own reason.
    const parts = /^rejected/i.test(found[0]) ? rest.split(';') : [rest];
    for (const part of parts) yield* namesInList(part.trim(), false, USE.test(found[0]));
    const place = PLACED.exec(`${found[0]} ${rest}`)?.[1];
    if (place !== undefined) yield* codeAmong(namesInList(place, false));
    // "no framework (Flutter, React Native)": examples of it.
    const [, examples] = (/^(?:no|never)/i.test(found[0]) && /^[^().;:]*\(([^()]+)\)/.exec(rest)) || [];
    if (examples !== undefined) yield* namesInList(examples, false);
  }
  if (ONLY.test(sentence)) yield* namesInList(sentence.split(ONLY)[0] ?? '', true);
  const after = AFTER.exec(sentence);
  const subject = after && sentence.slice(0, after.index).split(CLAUSE).at(-1)?.trim();
  if (subject && itemsOf(subject).every((item) => item.split(/\s+/).length <= SUBJECT))
    yield* namesInList(subject, true);
  for (const { 1: means = '' } of sentence.matchAll(MEANS)) yield* codeAmong(namesInList(means, false));
}
/** Something must not be done with it. */
const MEANS = /\b(?:never|not|\w+n['’]t)\b[^.;:]{1,60}? (?:with|using|via|through) ([^.;:]+)/gi;
const itemsOf = (list: string) => list.split(/,\s*|\s+(?:and|or|nor)\s+|(?<=\p{L})\/(?=\p{L})/u);
const CLAUSE = /[;:]\s|,\s(?:and|but)\s|\s(?:because|since|so that)\s/;
/** A command that only one place may give. */
const ONLY =
  /(?<=^(?:terraform|tofu|kubectl|helm|docker|git|npm|aws|gcloud) [a-z][^.;:]{0,60})\b(?:only (?:in|by|through|from|via|on)|never|not)\b/;
/** Words of a subject at most: a longer one has names of other things. */
const SUBJECT = 4;

/** The names that a list begins with, in each of its items. @param isSure whether they are used things */
function* namesInList(text: string, isFirst: boolean, isSure = isFirst): Generator<Key> {
  const end = ` ${text} `.search(OBJECT_ENDS);
  const list = text.slice(0, end < 0 ? undefined : Math.max(0, end)).replace(/(?<=\s)\([^)]*\)?/g, ' ');
  let program: string | undefined;
  for (const [at, item] of itemsOf(list).entries()) {
    const words = item
      .replace(/^(?:and|or|nor|a|an|the|any|no|also|(?:runn|us|call|add|install|import)ing)\s+/i, '')
      .trim()
      .split(/\s+/)
      .map((word) => latinOf(word.replace(/=\S*$|[.,:;!?]+$/, '')));
    // "Don't run make any more".
    if (PROGRAM.test(words[0] ?? '') && STOP.has(words[1] ?? '')) words.length = 1;
    // "No recursive aws s3 rm".
    if (PROGRAM.test(words[1] ?? '') && /^[a-z]/.test(words[2] ?? '')) words.shift();
    const [first = '', second = ''] = words;
    if (PROGRAM.test(first) && /^[a-z][a-z0-9-]+\b/.test(second)) program = first;
    else if (program === undefined || !/^[a-z][a-z-]*$/.test(first)) {
      program = undefined;
      const isName = yield* nameOfItem(words, isFirst && at === 0, isSure);
      // A list ends at an item that is no name: the rest says more of that item.
      if (!isName && at > 0) return;
      continue;
    }
    const told = [program, ...(program === first ? words.slice(1) : words)];
    yield told
      .slice(0, depthOf(told))
      .join(' ')
      .replace(/[^\w*]+$/, '');
  }
}

/** How many words say what a program does: `git add -A`, `aws s3 rm`, `git add`. */
function depthOf([program = '', verb = '', next = '']: string[]): number {
  const isGroup = /^(?:aws|gcloud|az|gh)$/.test(program) || /^(?:compose|run|migrate)$/.test(verb);
  return /^-[A-Za-z]$/.test(next) || (isGroup && /^[a-z]/.test(next)) ? 3 : 2;
}

/** The name of an item, which is one of its first two words, or of several with capitals. @returns whether it has any */
function* nameOfItem(words: string[], isFirst: boolean, isSure: boolean): Generator<Key, boolean> {
  const run = runOf(words);
  if (run.length > 1) {
    yield* namesOfRun(run);
    return true;
  }
  const [first = '', second = ''] = words;
  if ((/^[A-Z][A-Z0-9]{1,2}$/.test(first) || PROGRAM.test(first.toLowerCase())) && /^[a-z]+$/.test(second)) {
    // "No Terraform changes by hand" is not against Terraform, "an S3 export" not against S3.
    yield `${first} ${second}`.toLowerCase();
    return true;
  }
  for (const [at, word] of words.slice(0, 2).entries()) {
    const keys = nameKeys(word, { isFirst: isFirst && at === 0, isAmongHangul: false });
    yield* keys;
    if (keys.length > 0) return true;
  }
  if (words.length > 1) return false;
  const keys = packageKeys(isFirst || /^[A-Z]\w$/.test(first) ? first.toLowerCase() : first, isSure);
  yield* keys;
  return isSure && keys.length > 0;
}

/** Words with a capital that stand in a row: `React Native`. */
function runOf(words: readonly string[]): string[] {
  const end = words.findIndex((word) => !/^[A-Z0-9]/.test(word));
  const run = words.slice(0, end < 0 ? undefined : end).slice(0, MOST_WORDS);
  return /^[A-Z]/.test(run[0] ?? '') && /[a-z]/.test(run.join(''))
    ? run.map((word) => word.replace(/\W+$/, ''))
    : [];
}

/** The forms of a name of several words: all of them, the last two (`Google ML Kit`), or a product among them. */
function* namesOfRun(run: string[]): Generator<Key> {
  yield run.join(' ').toLowerCase();
  if (run.length > 2) yield run.slice(-2).join(' ').toLowerCase();
  for (const word of run)
    if (isProduct(word)) yield* nameKeys(word, { isFirst: false, isAmongHangul: false });
}

/** Forms of SQL and options of commands, and rows of a table that must stay as they are. */
function* statements(sentence: string): Generator<Key> {
  for (const clause of sentence.split(/[;,]\s/).filter((each) => NO.test(each))) {
    for (const [form] of clause.matchAll(FORM))
      yield form.toLowerCase().split(' ').slice(0, MOST_WORDS).join(' ');
    for (const [said, key] of SAID) if (said.test(clause)) yield key;
  }
  if (!KEPT.test(sentence)) return;
  for (const [table] of sentence.matchAll(/\b[a-z]+(?:_[a-z]+)+\b/g)) {
    yield `update ${table}`;
    yield `delete from ${table}`;
    yield `truncate ${table}`;
  }
}
const NO =
  /\b(?:no|never|not|nobody|rejected|forbidden|banned|avoid)\b|n['’]t\b|금지|않|말\s?것|말자|마라|기각|거절:/i;
const FORM =
  /\b(?:DROP|ALTER|ADD|RENAME|TRUNCATE|DELETE|SELECT|INSERT|UPDATE|LOCK|CASCADE|ON DELETE)(?: (?:[A-Z]{2,}|\*))+|(?<![\w-])--[a-z][\w-]+/g;
/** Options of git and others, as they are said. */
const SAID: readonly [RegExp, Key][] = [
  [/\bforce[- ]?push/i, '--force'],
  [/\bamend/i, '--amend'],
  [/\brm -(?:rf|fr)\b/, 'rm -rf'],
];
const KEPT = /\bnever (?:(?:be )?\w+,? (?:or |nor )?)?(?:updated|edited|changed|deleted)/;

/** The names with which sentences of the reasons begin that say what it lacks. */
function* alternatives(reasoning: string): Generator<Key> {
  for (const sentence of sentencesOf(reasoning).flatMap((each) => each.split(/;\s+/))) {
    const [, word = '', rest = ''] = /^([A-Z][\w.+-]*(?: [A-Z][\w.+-]*)?)(.*)$/s.exec(sentence) ?? [];
    if (word === '' || !LACKS.test(rest)) continue;
    if (word.includes(' ')) yield word.toLowerCase();
    else yield* nameKeys(word, { isFirst: true, isAmongHangul: false });
  }
}

/** The tried thing, up to where it was put and what it was for. */
const TRIED_ENDS =
  /\s(?:for|between|so that|because|since|instead of|rather than|when|while|during|inside)\s/i;

function* namesOfFailure(decision: string): Generator<Key> {
  const [sentence = ''] = sentencesOf(decision);
  const after = /대신에?\s(.*)/s.exec(sentence);
  const tried = (after?.[1] ?? sentence).split(TRIED_ENDS)[0] ?? '';
  const isAmongHangul = /[가-힣]/.test(tried);
  yield* namesAmong(tried, isAmongHangul);
}

/** All names of a text. */
function* namesAmong(text: string, isAmongHangul: boolean): Generator<Key> {
  let isFirst = !isAmongHangul;
  for (const segment of text.split(/[,()·+]|(?<=\p{L})\/(?=\p{L})/u)) {
    const words = segment
      .trim()
      .split(/\s+/)
      .map((piece) => (isAmongHangul ? latinOf(piece) : piece));
    for (let at = 0; at < words.length; ) {
      const run = isFirst ? [] : runOf(words.slice(at));
      const [word = '', next = ''] = words.slice(at);
      if (run.length > 1) yield* namesOfRun(run);
      else if (PROGRAM.test(word) && /^[a-z]/.test(next)) yield `${word} ${next.replace(/\W+$/, '')}`;
      else yield* nameKeys(word, { isFirst, isAmongHangul, isSure: WITH.test(words[at - 1] ?? '') });
      at += Math.max(1, run.length);
      isFirst = false;
    }
  }
}

/** Words before a thing that is used. */
const WITH = /^(?:by|with|using|use)$/i;

/** `Redis를` is Redis, with a particle. */
const latinOf = (piece: string) => piece.replace(/(?<=[A-Za-z0-9)])[가-힣]+$/u, '');

/** Korean puts what is refused before the verb or the noun that refuses it. */
const KOREAN_NO =
  /(?:쓰지|사용하지|두지|넣지|저장하지|보관하지|남기지|기록하지|보내지|올리지|도입하지|추가하지|호출하지|만들지|섞지|실행하지|설치하지|허용하지|붙이지)(?:도|는)? ?(?:않|말|마|못)|(?:안|못) (?:쓴|쓰|씁|씀)|금지|금한다|배제|기각|탈락|걷어|없앴|제거했|보류|폐기|[을를로] [가-힣]+지(?:는|도)? ?(?:말|마)|면 안 ?(?:되|됨|된|돼)/;
/** Of these the place is refused, too: `토큰을 localStorage에 저장하지 않는다`. */
const KEPT_IN = /^(?:두|넣|저장하|보관하|남기|기록하|보내|올리)지/;
const KOREAN_CLAUSE = /(?:고|며|지만|는데|므로|아서|어서|해서|니까|라서)[,\s]|[;,]\s(?=[^,;]*[은는]\s)/;
const PLACE = /[A-Za-z0-9)](?:에|에서|에는|에도|까지|부터|에게)(?=$|[\s,.])/;

function* korean(sentence: string): Generator<Key> {
  if (!/[가-힣]/.test(sentence)) return;
  if (/대신|말고/.test(sentence))
    for (const { 1: before = '' } of sentence.matchAll(
      /((?:[^\s]+[,과와나]?\s+){1,3})(?:대신(?=[에\s])|말고\s)/g,
    ))
      yield* koreanObject(before.replace(/^.*[가-힣]\s+(?=\S+\s*$)/s, ''));
  for (const { 1: from = '' } of sentence.matchAll(
    /(\S+)(?:에서|을|를)\s+\S+?(?:으로|로)\s+(?:옮|바꾸|바꿨|바꿔|전환|이전|교체|대체)/g,
  ))
    yield* namesAmong(from, true);
  const no = KOREAN_NO.exec(sentence);
  if (!no) return;
  const isRejected = /기각|탈락|배제|보류|폐기/.test(no[0]);
  const before = sentence.slice(0, no.index);
  const clause = before.split(KOREAN_CLAUSE).at(-1) ?? '';
  // A rejected name begins its sentence or clause, and the reason follows it; the object of a verb is right before the verb.
  const part = isRejected
    ? [before, clause].map((each) => each.split(/(?<=[가-힣](?:은|는|도))\s/)[0] ?? '').join(' ')
    : clause;
  for (const word of part.split(/\s+/))
    if (!PLACE.test(word)) yield* koreanObject(word);
    else if (KEPT_IN.test(no[0])) yield* codeAmong(namesAmong(word, true));
}

/** Only what code calls by a name of its own, as `localStorage`: a product may well be used for something else. */
function* codeAmong(keys: Iterable<Key>): Generator<Key> {
  for (const key of keys) if (!isProduct(key) && !/^pkg:|[가-힣]/.test(key)) yield key;
}

/** The names of what is refused; a package may be called by any word. */
function* koreanObject(text: string): Generator<Key> {
  yield* namesAmong(text, true);
  for (const word of text.split(/[\s,]+/)) yield* packageKeys(latinOf(word).replace(/\(\)$/, ''), true);
}
