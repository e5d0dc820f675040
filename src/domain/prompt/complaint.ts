import { analyse, queryTerms } from '../language/analysis.ts';
import type { Frequencies } from '../ranking/similarity.ts';
import { mask } from '../text/masking.ts';
import { redact } from '../text/redaction.ts';
import { sentencesIn } from '../text/segments.ts';
import { cutSequences } from '../text/terminal.ts';

/** How many of the last lines of an output are read, and how many characters of each. */
const LINES = 200;
const LONGEST = 400;
/** The maximum number of error lines kept: the first, which usually cause the others, and the last four. */
const TELLING = 12;
/** A line that says what went wrong, in words or by a code. */
const COMPLAINS =
  /error|exception|fatal|panic|fail|cannot|can['’]t|could ?n[o'’]t|does ?n[o'’]t|did ?n[o'’]t|unable|not (?:found|allowed|supported|permitted)|denied|refused|invalid|missing|unexpected|unknown|undefined|conflict|duplicate|mismatch|violat|malformed|already|locked|overflow|kill|evict|crash|reject|not enough|hang|time[d ]?-?out|no such|must (?:be|not)|expected|오류|에러|실패/i;
const CODED = /ERR!|\b[A-Z]{3,}_[A-Z]{3,}|\bE[A-Z]{4,}\b/;
/** Where a line comes from, before its words: a file with its line, a time, a level. */
const ORIGIN =
  /^\s*(?:(?:[\w.@~/\\-]+[(:]\d+(?:[:,]\d+)*\)?:?|\[[^\]]{1,40}\]|\d{2,4}[-:/.]\d{2}\S*)\s*[-–:|]?\s*){0,3}/;

/** The lines of a tool's output that say what went wrong, without secrets, each once. */
export function complaintsIn(output: string): string[] {
  const lines = cutSequences(mask(redact(output.slice(-LINES * LONGEST))))
    .text.split(/\r?\n/)
    .slice(-LINES)
    .filter((line) => COMPLAINS.test(line) || CODED.test(line))
    .map((line) => line.replace(ORIGIN, '').trim().slice(0, LONGEST));
  const each = [...new Set(lines)].filter((line) => line !== '');
  return each.length <= TELLING ? each : [...each.slice(0, TELLING - 4), ...each.slice(-4)];
}

/** Words that are common in error messages, in lower case; they do not identify an error. */
const STOCK = new Set(
  (
    'error errors err exception fatal panic panicked fail fails failed failing failure cannot can not could unable found find no such file ' +
    'files directory module modules package packages type types typeerror referenceerror syntaxerror rangeerror assertionerror assert ' +
    'assertion assignable argument arguments parameter property properties value values object string number boolean undefined null ' +
    'nil none read reading write writing open opening access permission denied refused connection connect server client socket host port ' +
    'address timeout timed out exit exited code status signal command commands line lines column expected received actual unexpected token ' +
    'tokens invalid missing unknown unsupported already exists exist must be is are was were has have does did do the a an of to in on ' +
    'at for from with by and or but this that it its use using used try trying resolve resolved import imports export exported require ' +
    'required name names function method call called calling returned return class interface declared declare test tests suite suites ' +
    'process thread main at aborted abort warning note help see more information run running build compile compilation compiling could ' +
    'request response http https url get post node npm npx run script lifecycle elifecycle dependency dependencies tree version versions ' +
    'replace old new match matches matched option options input output stack trace traceback recent last most usr bin home var tmp src lib ' +
    'maximum minimum exceed exceeded limit limits size stack heap memory reached allocation close closed closing end ended start started defined ' +
    'select insert update delete where create alter drop table column into join ' +
    'dist node_modules index js ts tsx jsx mjs cjs py rs go java rb'
  ).split(' '),
);
/** Error codes that are too common to identify a cause. */
const EVERYDAY =
  /^(?:TS\d+|ENOENT|EACCES|EPERM|EEXIST|EISDIR|ENOTDIR|ENOTEMPTY|ECONNREFUSED|ECONNRESET|ENOTFOUND|ETIMEDOUT|EPIPE|EADDRINUSE|EINVAL|ELIFECYCLE|E404|ERR_ASSERTION|ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND|ERR_TEST_FAILURE)$/;
const CODE =
  /\b(?:[A-Z]{1,8}-?\d{3,6}|E(?!RRORS?\b|XCEPTION|XPECTED|XISTS|MPTY|XIT|XEC|XPORT|NV\b|ND\b|LSE\b)[A-Z]{3,}|[A-Z]{2,}(?:_[A-Z0-9]+)+)\b/g;

/** A name that somebody gave: of several parts, as `SlotCalculatorTest`, `frame-src` and `libsign.so` are. */
const NAME =
  /(?<![\w/@-])(?:[A-Za-z]\w*(?:[.-][A-Za-z0-9]\w*)+|(?=[A-Za-z]\w*_[A-Za-z0-9]|[A-Za-z]*[a-z][A-Z]|[A-Z]{2,}[a-z])\w+)(?![\w-])/g;
/** The minimum length of an identifying name, and the maximum number of records with its rarest part. */
const SHORTEST_NAME = 8;
const NAMED_BY = 2;
/** Names of files that every project has, of settings and data, which errors of many causes name, and of classes of a language. */
const ANYWHERE =
  /^(?:docker-compose|node_modules|(?:index|main)\.\w+|__init__\.py|.*\.(?:json|ya?ml|toml|md|lock|xml|cfg|ini|env)|java\.lang\.\w+)$/i;
/** Korean words for failure and negation. */
const FAILS_IN_KOREAN =
  /실패|오류|에러|죽[는은었]|깨[지진졌]|막[히힌혔]|멈[추춘췄]|거[부절]|안\s?[되돼된]|않/;

/** Words that a record quotes, such as those of an error. */
const QUOTED = /["“`‘']([^"“”`‘’'\n]{8,200})["”`’']/g;
const QUOTED_WORDS = 3;
/** The number of consecutive shared words that cannot be a coincidence. */
const RUN = 5;

/** A common code such as ECONNREFUSED is specific if the port is the same. */
const PORT = /(?<=:|\bport )\d{4,5}\b/gi;

/**
 * Counts how a text tells the cause of an error: it says a line of it, quotes it, shares a run of words or a code with it, or
 * says of a name in it that it fails. Words alone tell nothing: any two errors of a project share some.
 * @param lines as {@link complaintsIn}
 * @param failure the part of the text that explains why something failed
 * @returns the signs in the line that has most; 0 for none
 */
export function causeIn(text: string, lines: string[], { of }: Frequencies, failure = ''): number {
  const codes = new Set(text.match(CODE));
  const ports = new Set(text.match(PORT));
  const whole = ` ${spoken(text)} `;
  const quotes = [...text.matchAll(QUOTED)]
    .map(([, words = '']) => spoken(words))
    .filter((words) => words.split(' ').length >= QUOTED_WORDS && isTelling(words));
  const isRare = (name: string) =>
    Math.min(...queryTerms(name).map((term) => of.get(term) ?? Number.POSITIVE_INFINITY)) <= NAMED_BY;
  const failing = text
    .split('\n')
    .flatMap(sentencesIn)
    .filter((each) => COMPLAINS.test(each) || FAILS_IN_KOREAN.test(each) || failure.includes(each))
    .flatMap((each) => each.match(NAME) ?? [])
    .filter(
      (name) =>
        name.length >= SHORTEST_NAME && !ANYWHERE.test(name) && !isStock(name.toLowerCase()) && isRare(name),
    )
    .map((name) => new RegExp(`(?<![\\w-])${name.replace(/[.]/g, '\\.')}(?![\\w-])`));
  const signs = lines.map((line) => {
    const inWords = ` ${spoken(line)} `;
    const said = spoken(line.replace(/^(?:\w*(?:error|exception)\w*:\s*)+/i, ''));
    const isSaid = said.split(' ').length >= QUOTED_WORDS && isTelling(said) && whole.includes(` ${said} `);
    const isQuoted =
      quotes.some((quote) => inWords.includes(` ${quote} `)) ||
      runsOf(inWords).some((run) => whole.includes(` ${run} `) && isTelling(run));
    const isNamed = failing.some((name) => name.test(line));
    const isSamePort = (line.match(PORT) ?? []).some((port) => ports.has(port));
    const isCoded = (line.match(CODE) ?? []).some(
      (code) => codes.has(code) && (isSamePort || !EVERYDAY.test(code)),
    );
    return [isSaid, isQuoted, isNamed, isCoded].filter(Boolean).length;
  });
  return Math.max(0, ...signs);
}
const STOCK_STEMS = new Set([...STOCK].flatMap((word) => analyse(word)));
const isStock = (term: string) => STOCK.has(term) || STOCK_STEMS.has(term);

/** Whether words have one that not any error may have. */
const isTelling = (words: string) => !queryTerms(words).every(isStock);

/** The runs of words in a line, each long enough to be no accident. */
function runsOf(line: string): string[] {
  const words = line
    .trim()
    .split(' ')
    .filter((word) => !EVERYDAY.test(word.toUpperCase()));
  return words.slice(RUN - 1).map((_, at) => words.slice(at, at + RUN).join(' '));
}

/** A text as its words alone, without numbers and names with one: these differ from time to time. */
const spoken = (text: string) =>
  text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => /^\D+$/.test(word))
    .join(' ');
