import { nounOf } from '../language/particle.ts';
import { remembering } from '../language/remembering.ts';
import { ENGLISH } from '../language/stop-words.ts';
import { HANGUL } from '../language/tables/hangul.ts';
import { KINDS } from '../language/tables/kinds.ts';
import { KNOWN_WORDS } from '../prompt/english-words.ts';
import type { Key } from './keys.ts';

/** Products that are called as something else is, too: of these only one with a capital, or a package, is meant. */
const AMBIGUOUS = new Set(
  (
    'airflow angular babel beam caddy chef consul dagster dart echo electron envoy express fiber flow go helm hive jest koa ' +
    'nomad parcel phoenix play prefect puppet rails react remix ring rocket room rust salt solid spark spring storm svelte ' +
    'swarm swift temporal vault vue'
  ).split(' '),
);
/** Capitalised words that are no products: languages, places, days; and short forms that every project has. */
const NO_NAME = new Set(
  (
    'korean japanese chinese german french spanish asian european american korea seoul germany europe japan china ' +
    'tuesday wednesday thursday saturday january february march april june july august september ' +
    'october november december christmas mb gb kb tb ms kw kwh mwh krw usd eur kst utc pdf ' +
    'ui ux ci cd ok os gpu ram qa vat pin sms tv pc io sdk sso faq pm utf-8 utf-16'
  ).split(' '),
);
export const STOP: ReadonlySet<string> = new Set(ENGLISH);

/** Whether a word, in lower case, is in a dictionary in any of its forms: `retries`, `cached`. */
const isWord = remembering((small: string): boolean => {
  const verb = small.replace(/(?:e[sd]|ing)$/, '');
  const forms = [small, small.replace(/(?:s|ly|er)$/, ''), verb, `${verb}e`, small.replace(/ies$/, 'y')];
  return (
    NO_NAME.has(small) ||
    STOP.has(small) ||
    KNOWN_WORDS.some((words) => forms.some((form) => words.has(form)))
  );
});

const linesOf = (table: string) =>
  table.split('\n').flatMap((line) => (line.startsWith('#') ? [] : line.split(' ; ')));

/** Products by their names in lower case, and what they are called in Hangul. */
function readTables() {
  const products = new Set(linesOf(KINDS).map((line) => line.split(':')[0] as string));
  const hangul = new Map<string, string[]>();
  const latin = new Map<string, string>();
  for (const line of linesOf(HANGUL)) {
    const [korean = '', english = ''] = line.split(': ');
    const name = english.split(', ')[0] as string;
    if (!products.has(name)) continue;
    hangul.set(name, [...(hangul.get(name) ?? []), korean]);
    latin.set(korean, name);
  }
  return { products, hangul, latin };
}
let read: ReturnType<typeof readTables> | undefined;
function tables() {
  read ??= readTables();
  return read;
}

/** Words of code that a rule is often against. */
const TYPES: Readonly<Record<string, Key[]>> = {
  float: ['float'],
  double: ['double precision'],
  enum: ['enum'],
};

/** Programs whose second word says what they do: alone they are everyday. */
export const PROGRAM =
  /^(?:terraform|tofu|kubectl|git|helm|docker|npm|pnpm|yarn|bun|cargo|aws|gcloud|flyway|alembic|prisma|make|systemctl|gh)$/;

/** Programs that install what others wrote, whose names are words. */
const INSTALLER = /^(?:pip[3x]?|uv|poetry|apt(?:-get)?|brew|gem|bundle|sudo|npx)$/;

const MARKED =
  /^(?:--[a-z][\w-]+|@[\w-]+(?:\/[\w.-]+)?|[\w$]+(?:[.:]{1,2}[\w$]+)+\(?\)?|[a-z_$][\w$]*\(\)?|\w+_\w+|[a-z]+[A-Z]\w*|[A-Z]\w*[a-z][A-Z]\w*)$/;
/** `moment.js` is installed and imported as `moment`. */
const LIBRARY = /^(?!node\.)[a-z]\w*(?=\.js$)/;
const UNIT = /^[\d.,:%~-]+[a-z%]{0,4}$/i;
const CAPITALS = /^[A-Z][A-Z0-9]{2,}s?$/;
const CAPITAL = /^[A-Z][A-Za-z0-9.+#-]+$/;
/** As long as that, a word in no dictionary is a name though its capital is missing. */
const TELLING = 6;

/** Signs around a word in its text. */
export interface Standing {
  /** A sentence begins with it: its capital says nothing. */
  isFirst: boolean;
  /** The text around it is Korean, in which an English word is a name. */
  isAmongHangul: boolean;
  /** The word is a used thing, as in "made by semantic-release". */
  isSure?: boolean;
}

/** Whether a word has the form of a product's name. */
export function isProduct(word: string): boolean {
  return tables().products.has(word.toLowerCase());
}

/**
 * Whether a record may be against what has this key: nearly all words of a text are in a dictionary. Of several words one is a
 * name or a program, or they are SQL.
 */
function mayBeName(key: Key): boolean {
  if (key.startsWith('pkg:')) return true;
  const words = key.split(' ');
  if (words.length > 1)
    return PROGRAM.test(key.slice(0, words[0]?.length)) || SQL.test(key) || words.some(mayBeName);
  if (key >= '가') return tables().latin.has(key);
  const small = key.toLowerCase();
  return !UNIT.test(key) && (isProduct(small) || small in TYPES || !isWord(small));
}
/** The names that are asked for of a text. */
export const namesAmong = (keys: Iterable<Key>): Key[] => [...keys].filter(mayBeName).slice(0, ASKED);
/** More than any text is about. */
const ASKED = 500;
const SQL = /^(?:drop|alter|add|rename|truncate|delete|select|insert|update|lock|cascade|on) /;

/** How a name is spelled in texts: a product also in Hangul. */
export function spellingsOf(key: Key): string[] {
  const name = key.replace(/^pkg:/, '');
  const latin = tables().latin.get(name) ?? name;
  return [latin, ...(tables().hangul.get(latin.toLowerCase()) ?? [])];
}

/**
 * The key of a package whose name may be any word: only an import or an install means it.
 * @param isSure whether the record says that it is not used
 */
export function packageKeys(word: string, isSure: boolean): Key[] {
  const isTool = PROGRAM.test(word) || INSTALLER.test(word);
  if (!/^[a-z][a-z0-9-]+$/.test(word) || (!isTool && (isSure ? STOP.has(word) : isWord(word)))) return [];
  return [
    ...(!isWord(word) && (isTool || isStrange(word)) ? [word] : []),
    `pkg:${word}`,
    ...(isSure && !word.endsWith('s') ? [`${word}()`] : []),
  ];
}

/** The keys of the name that a word is; none where it is no name. */
export function nameKeys(written: string, { isFirst, isAmongHangul, isSure }: Standing): Key[] {
  const word = written
    .replace(/^[("'`“‘[{]+|[)"'`”’\]},;:!?]+$|[.]$|'s$/g, '')
    .replace(/^(\w[\w$.]*\()$/, '$1)');
  const bare = word.replace(/\(\)?$/, '');
  const small = bare.toLowerCase();
  if (bare.length < 2 || UNIT.test(bare)) return [];
  const known = tables();
  const inLatin = known.latin.get(nounOf(bare) ?? bare);
  if (inLatin !== undefined) return [inLatin, ...(known.hangul.get(inLatin) ?? [])];
  if (known.products.has(small) && !AMBIGUOUS.has(small)) return [small, ...(known.hangul.get(small) ?? [])];
  if (/\($|\(\)$/.test(word)) return [`${small}()`];
  if (MARKED.test(bare) && !/^\d/.test(bare))
    return [small, ...(small.match(LIBRARY)?.map((name) => `pkg:${name}`) ?? [])];
  if (isWord(small) || NO_NAME.has(small.replace(/s$/, ''))) return TYPES[small] ?? [];
  if (/^[a-z][a-z0-9]*(?:-[a-z0-9]+)+$/.test(bare))
    return !isSure && small.split('-').every((part) => isWord(part))
      ? []
      : [small, small.replaceAll('-', ' ')];
  if (/^[A-Z]+-\d{2,}$/.test(bare)) return [small, small.replace('-', '')];
  if (CAPITALS.test(bare)) return [bare.replace(/s$/, '').toLowerCase()];
  // Two letters are the beginning of too much else.
  if (bare.length < 3) return [];
  if (CAPITAL.test(bare)) {
    if (isFirst && !AMBIGUOUS.has(small)) return /.[A-Z]/.test(bare) || isStrange(small) ? [small] : [];
    return AMBIGUOUS.has(small) || small.length < TELLING ? [bare, `pkg:${small}`] : [small];
  }
  if (isAmongHangul && /^[a-z][a-z0-9.]+$/.test(bare))
    return AMBIGUOUS.has(small) ? [`pkg:${small}`] : [small];
  return [];
}

/** Whether a word that is in no dictionary is a name: most others are plurals and forms of verbs. */
const isStrange = (small: string) =>
  small.length >= TELLING && !/(?:s|ed|ing|ly|ion|ment|ness|er|or|ity|able|al)$/.test(small);
