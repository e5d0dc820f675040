import { sentencesIn } from './segments.ts';
import { countCharacters } from './text.ts';

/** The most that is read of a text to find its first sentence: reasons may be long. */
const LOOKED_AT = 2_000;
/** Letters and digits that a sentence needs to tell something: "Yes." does not. A Hangul syllable tells as much as two letters. */
const TELLING = 8;

/** Markdown before the words of a line: bullets, numbers, headings, quotations. */
const MARKDOWN = /^\s*(?:[-*+•>]\s+|\d+[.)]\s+|#{1,6}\s+)+/;
/** Leftovers of a link that was taken out. */
const LEADING = /^[\s.,;:·)\]}—–-]+/;
const TRAILING = /[\s,;:·([{]+$/;
/** Code between fences, closed or not. */
const CODE =
  /^[ \t]*(?:```|~~~)[\s\S]*?(?:^[ \t]*(?:```|~~~)[ \t]*$|$(?![\s\S]))|```[\s\S]*?(?:```|$(?![\s\S]))/gm;
/** A line of up to three words that ends as no sentence does: a heading without its sign. */
const TITLE = /^\s*\p{L}[^\s.!?。:,;]*(?: [^\s.!?。:,;]+){0,2}:?\s*$/u;
/** The beginning of a sentence: the end of a broken line goes on with a small letter. */
const BEGINNING = /^\s*[^\p{Ll}\s]/u;
/** A word that is left of a sentence when its link is gone. */
const REMAINS =
  /^(?:and|or|but|also|as|since|because|see|with|from|to|of|by|the|this|that|it|we|및|그리고)$/i;
/** Between paragraphs, headings and the items of a list. */
const PARAGRAPHS = /\n\s*\n|(?<=^#{1,6}\s[^\n]*)\n|\n(?=\s*(?:[-*+•>#]|\d+[.)])\s)/m;

/**
 * The first sentence that tells something (W-3), without markdown before it, on one line.
 * @param limit characters at most; a longer sentence ends with "…"
 * @returns undefined for a text without words
 */
export function firstTelling(text: string, limit: number): string | undefined {
  const paragraphs = text.slice(0, LOOKED_AT).replace(CODE, '\n\n').split(PARAGRAPHS).map(withoutTitle);
  const bodies = paragraphs.filter((paragraph) => !HEADING.test(paragraph) && !TITLE.test(paragraph));
  const sentences = (bodies.length > 0 ? bodies : paragraphs)
    .flatMap((paragraph) => sentencesOf(withoutRemains(paragraph)))
    .map((sentence) => sentence.replace(LEADING, '').replace(TRAILING, '').trim())
    .filter((sentence) => weight(sentence) > 0 && !REMAINS.test(sentence));
  const longest = sentences.toSorted((a, b) => weight(b) - weight(a))[0];
  const found = sentences.find((sentence) => weight(sentence) >= TELLING) ?? longest;
  return found === undefined ? undefined : cut(found, limit);
}

/**
 * The sentences of a text that tell most, in their order and on one line, as many as have room: first those that reject, forbid,
 * failed or give a reason, then those that are asked for, then the others. "…" stands where some are left out.
 * @param limit characters at most
 * @param asked how many words of a question a sentence has
 * @returns undefined for a text without words
 */
export function telling(
  text: string,
  limit: number,
  asked: (sentence: string) => number = () => 0,
): string | undefined {
  const some = withHeadings(text.slice(0, READ).replace(CODE, '\n\n').split(PARAGRAPHS))
    .map((sentence) => sentence.replace(LEADING, '').trim())
    .filter((sentence) => weight(sentence) > 0 && !REMAINS.test(sentence));
  const long = some.filter((sentence) => weight(sentence) >= TELLING);
  const sentences = long.length > 0 ? long : some;
  const whole = sentences.join(' ');
  if (text.length <= READ && countCharacters(whole) <= limit) return whole || undefined;
  const ranked = sentences
    .map((sentence, at) => ({
      sentence,
      at,
      isDanger: Number(DANGER.test(sentence)),
      shared: asked(sentence),
    }))
    .sort((one, other) => other.isDanger - one.isDanger || other.shared - one.shared || one.at - other.at);
  const chosen = new Set<number>();
  let left = limit;
  for (const { sentence, at } of ranked) {
    const length = countCharacters(sentence) + 1;
    if (length > left + 1) continue;
    left -= length + GAP;
    chosen.add(at);
  }
  if (chosen.size === 0) return ranked[0] && cut(ranked[0].sentence, limit);
  const shown = sentences.map((sentence, at) => (chosen.has(at) ? sentence : '…')).join(' ');
  return (text.length > READ ? `${shown} …` : shown).replace(/…(?: …)+/g, '…');
}

/** The most that is read of a text to choose its sentences. */
const READ = 8_000;
/** Characters of a mark of what is left out, with its blank. */
const GAP = 2;
/** Words of what was rejected, forbidden or failed, and of reasons. */
const DANGER =
  /\b(?:reject\w*|fail\w*|forbid\w*|forbad\w*|prohibit\w*|bann?(?:ed|s)?|never|must not|do not|does not|did not|cannot|not allowed|avoid\w*|ruled out|(?:instead|because) of|rather than|because|broke|lost|danger\w*|unsafe|only)\b|n['’]t\b|기각|탈락|배제|제외|거절|거부|반려|실패|금지|않|못하|못 |말\s?것|말자|마라|때문|대신|위험|장애|안 (?:된|돼|됨)/iu;

/** The sentences of paragraphs; a heading that says that something was rejected stands before the first of what it is above. */
function withHeadings(paragraphs: string[]): string[] {
  const sentences: string[] = [];
  let heading = '';
  for (const paragraph of paragraphs) {
    const line = withoutRemains(paragraph);
    if (HEADING.test(paragraph) || TITLE.test(paragraph)) {
      heading = DANGER.test(line) ? `${line.trim().replace(/:$/, '')}: ` : '';
      continue;
    }
    const [first, ...others] = sentencesOf(line);
    if (first !== undefined) sentences.push(heading + first, ...others);
    heading = '';
  }
  return sentences.length > 0 ? sentences : paragraphs.flatMap((each) => sentencesOf(withoutRemains(each)));
}

/** A text on one line, shortened at a blank where one is near. @param limit characters at most, "…" included */
export function cut(text: string, limit: number): string {
  const characters = [...text];
  if (characters.length <= limit) return text;
  const beginning = characters.slice(0, limit - 1).join('');
  const blank = beginning.lastIndexOf(' ');
  return `${(blank > beginning.length / 2 ? beginning.slice(0, blank) : beginning).trimEnd()}…`;
}

/** A paragraph without the line above it that is its heading, as `Context`. */
function withoutTitle(paragraph: string): string {
  const [first = '', ...rest] = paragraph.split('\n');
  const body = rest.join('\n');
  return TITLE.test(first) && BEGINNING.test(body) ? body : paragraph;
}

/** A paragraph on one line, without markdown before it and without the brackets that a link was in. */
function withoutRemains(paragraph: string): string {
  const line = paragraph.replace(MARKDOWN, '').replace(/\s+/g, ' ');
  return line
    .replace(/(?<![\p{L}\p{N}_])\([\s,;:.]*\) ?|\( (?![^()]*\))|(?<=\s)`(?=\s)/gu, '')
    .replace(/([.!?]) [,;:.]+/g, '$1');
}

/** The sentences of a line. An abbreviation does not end one. */
function sentencesOf(line: string): string[] {
  const sentences: string[] = [];
  for (const sentence of sentencesIn(line)) {
    const before = sentences.at(-1);
    if (before !== undefined && ABBREVIATION.test(before))
      sentences[sentences.length - 1] = before + sentence;
    else sentences.push(sentence);
  }
  return sentences;
}
const HEADING = /^\s*#{1,6}\s/;
const ABBREVIATION =
  /\b(?:e\.g|i\.e|cf|vs|approx|resp|no|dr|mrs?|ms|prof|rev|sr|jr|st|fig|sec|vol|dept)\.\s*$|(?<=\b(?:dr|mrs?|ms|prof)\. )\b[A-Z]\.\s*$/i;
const ADDRESS = /https?:\S+/g;

function weight(text: string): number {
  const sentence = text.replace(ADDRESS, '');
  const count = (pattern: RegExp) => sentence.match(pattern)?.length ?? 0;
  return count(/[\p{L}\p{N}]/gu) + count(/\p{Script=Hangul}/gu);
}
