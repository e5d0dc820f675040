import { dirname, posix } from 'node:path';
import { append } from '../../../domain/append.ts';
import { REFERENCES, type Relationship, spoken } from '../../../domain/edge.ts';
import { withoutCode } from '../markdown.ts';
import { OF_RECORDS, plainly, withoutEnding } from '../markdown-files.ts';
import { inOrder, isDatedBefore, pairOf } from './order.ts';
import { type AdrRecord, titleOf } from './record.ts';
import { folded, isOver, stateOf } from './words.ts';

/** A link between two records. */
export interface AdrLink {
  kind: Relationship;
  from: AdrRecord;
  to: AdrRecord;
}

/** A link to a record that does not exist. */
export interface Missing {
  record: AdrRecord;
  kind: Relationship | 'relates';
  isReversed: boolean;
  /** The link as written. */
  written: string;
  /** Why no link was made although the record exists. */
  why?: string | undefined;
}

/** The meaning of a word that links. */
type Word = Pick<Missing, 'kind' | 'isReversed'>;

/** A link in a line. */
interface Said extends Word {
  /** The linked records as written: after the word, or before it in Korean. */
  others: string;
  /** Whether the line certainly states a link. */
  isSure: boolean;
  /** Whether it replaces only a part. */
  isPart?: boolean;
}

const REPLACED =
  'supers?c?[es]?eeded|superseded|supersceded|superceded|superseeded|replaced|obsoleted|reverted|overruled';
const REPLACES = 'supersedes|supercedes|supersceds|replaces|obsoletes|reverts|overrules';
const AMENDED = 'amended|refined|clarified|extended|updated|modified|revised';
const AMENDS =
  'amends|refines|clarifies|extends|expands(?: (?:up)?on)?(?: parts? of)?|updates|modifies|revises|implements|builds (?:up)?on|depends on|based on';
/** The endings of files of records. */
const ENDING = String.raw`\.(?:mdx?|markdown|rst|a(?:scii)?doc)\b`;
/**
 * A reference to a record: a link, a file, `ADR-12`, an RFC number with leading zeros (IETF numbers have
 * none), a number that is not part of a date.
 */
const NAME = String.raw`\[\[[^\[\]]{1,200}\]\]|\[[^\[\]]{0,200}\]\([^()]{0,300}\)|(?<![^\s"'()<>\[\],;])[^\s"'()<>\[\],;]{1,200}${ENDING}|\b(?:ADR[-_ #]*|(?:MADR|AD|DR)[-_#]+|RFC[-_ #]*(?=0)|D[-_]?)\d+(?!\d|\.[\da-z])|(?<!\d[-.])#?\b\d+\b(?!-\d)`;
const NAMES = new RegExp(NAME, 'gi');
const FIRST = new RegExp(`^(?:${NAME})`, 'i');
/** A reference that is not a bare number, which any sentence may contain. */
const CERTAIN = new RegExp(String.raw`^\[|^\W*(?:M?ADR|AD|DR|RFC|D)[-_ #]*\d|${ENDING}$`, 'i');
const ADDRESS = new RegExp(String.raw`\]\([^()]{0,300}\)|[^\s"'()<>\[\],;]{1,200}${ENDING}`, 'gi');
/** The target of a Markdown or wiki link. */
const LED_TO = /^\[(?:[^\]]*\]\(|\[)([^)\]|#]+)/;
const FILE = new RegExp(String.raw`^([^\s"']+${ENDING})`, 'i');

/** Words before or behind the name that say that only a part is replaced. */
const PARTLY = '(?:partial(?:ly)?|partly|(?:in )?parts?(?: of)?)';
const A_PART_IS = String.raw`parts? of (?:this|the|it)(?: \w+)? (?:is|are|was|were|has been|have been)`;
const REPLACING = '(?:置き換え|置換|差し替え|廃止)';

type Phrase = readonly [words: string, kind: Missing['kind'], isReversed: boolean];
const compiled = (words: Phrase[], around: string, flags: string) =>
  words.map(([said, kind, isReversed]) => {
    const pattern = `${around}(?:${said.replace('@', () => `(${NAME})`)})${around}`;
    return { pattern: RegExp(pattern, flags), kind, isReversed };
  });
/** The words of links; adr-tools writes "Supercedes". */
const WORDS = compiled(
  [
    [`(?:(?:${PARTLY}|${A_PART_IS}) )?(?:${REPLACED}) (?:${PARTLY} )?(?:by|with)`, 'supersedes', true],
    [`(?:${PARTLY} )?(?:${REPLACES})(?: ${PARTLY})?`, 'supersedes', false],
    ['partial (?:supersede|superseding|supersession|replacement)(?: of)?', 'supersedes', false],
    [`(?:${AMENDED}) by`, 'builds_on', true],
    [AMENDS, 'builds_on', false],
    ...REFERENCES.map((kind): Phrase => [`^${spoken(kind)}`, kind, false]),
    ['^relates to', 'relates', false],
  ],
  String.raw`\b`,
  'gi',
);
/** In Korean, Japanese and Chinese the other record, `@`, comes before the word, and a particle tells the direction. */
const BEHIND = compiled(
  [
    ['@ ?번?(?:으로|로|에 의해|에 의하여|에) ?대체', 'supersedes', true],
    ['@ ?번?[을를] ?대체', 'supersedes', false],
    ['@ ?번?[을를] ?(?:보완|개정|확장|구체화)', 'builds_on', false],
    [`@ ?(?:に|により|によって|へ) ?(?:よって)?${REPLACING}`, 'supersedes', true],
    [`@ ?を ?${REPLACING}`, 'supersedes', false],
    ['[被由] ?@ ?所?(?:取代|替代|替换|替換)', 'supersedes', true],
    ['(?<![被由已])(?:取代|替代|替换|替換)了? ?@', 'supersedes', false],
  ],
  '',
  'i',
);

/** Names of a replaced part: `the engine choice of ADR-3`, `two clauses of ADR-3`, `ADR-3 decision #2`, `ADR-3 (basis only)`. */
const PART = new RegExp(
  String.raw`^(?:[*_]*the\s[^[;]{1,120}\b(?:of|in)\s+|(?!${NAME})[^;[]{0,200}\b(?:clause|part|section|decision|aspect|portion|point)s?\s+(?:of|in|from)\s+)(?:${NAME})|^(?:${NAME})[^;.]{0,60}(?:\bonly\b|\bdecision #\d)`,
  'i',
);
/** A statement that a part, not the record, is replaced: `the cache format is`, `clauses 2 and 3 were`. */
const OF_PART =
  /^\W*(?!the (?:above |whole )?(?:adr|madr|decision|record|document)(?: above| itself)? (?:is|was|has)\b)(?:the|its|clauses?|parts?|sections?|decisions?)\b.*\b(?:is|are|was|were|been|be)\s+(?:now\s+|since\s+)?$/i;
/** `the rest is unchanged`, `all else remains in force`. */
const REMAINS =
  /\b(?:rest|remainder|else|remaining|others?)\b[^.;]{0,80}\b(?:stand(?:s)?|remains?|stays?|holds?|applies|unchanged|unaffected)\b|\bremains? (?:in (?:force|effect)|valid|unchanged|accepted|active)\b/i;

/** The first sentence, with whatever is in its links. */
const SENTENCE = /^(?:\[[^\]]{0,200}\]\([^()]{0,300}\)|\.(?!\s)|[^.;])*/;

/** Whether a record is only partly replaced. @param before the line's text before the word */
const isOfPart = (line: string, before: string, others: string): boolean =>
  [PART.test(others), REMAINS.test(line), OF_PART.test(before.split(/[.;]\s+|\(/).at(-1) ?? '')].some(
    Boolean,
  );

const ELSEWHERE = /^\[[^\]]*\]\(https?:(?![^()]*\/(?:M?ADR[-_ ]*)?\d)/i;

/** The maximum length of a line that is searched for links. */
const LONGEST = 1_000;

/** All links between these records, each once. */
export function linksBetween(records: AdrRecord[]): { links: AdrLink[]; missing: Missing[] } {
  const links = new Map<string, AdrLink>();
  const missing: Missing[] = [];
  const parts: string[] = [];
  /** Pairs in which a record claims to build on a later one. */
  const apart = new Set<string>();
  const named = namesOf(records);
  const lose = (record: AdrRecord, { kind, isReversed }: Word, written: string, why?: string) =>
    missing.push({ record, kind, isReversed, written, why });
  for (const record of records) {
    const hasEnded = isOver(record.status[0]);
    const said = [
      ...record.status.flatMap((line) => saidIn(line, hasEnded)),
      ...replacedBy(record.status),
      ...record.links.flatMap((line) => saidIn(line, hasEnded).filter(({ isSure }) => isSure)),
    ];
    for (const word of said) {
      const { kind, isReversed, others, isPart } = word;
      // "Based on" a web page is not a link between records.
      if (kind === 'builds_on' && ELSEWHERE.test(others)) continue;
      for (const written of namedIn(others, record, named)) {
        const other = meantBy(written, record, named);
        if (!other) {
          const why = isUnsure(written, record, named) ? UNSURE : undefined;
          lose(record, word, written.replace(/^\[(.*?)\].*$/, '$1'), why);
        } else if (other !== record && kind !== 'relates') {
          const [from, to] = isReversed ? [other, record] : [record, other];
          if (kind === 'builds_on' && !record.own && isDatedBefore(from, to)) {
            lose(record, word, other.file, LATER);
            apart.add(pairOf(from, to));
            continue;
          }
          links.set(`${kind} ${from.file} ${to.file}`, { kind, from, to });
          if (isPart) parts.push(`supersedes ${from.file} ${to.file}`);
        }
      }
    }
  }
  // A line that says that only a part was replaced wins over a line that says "supersedes".
  for (const part of parts) links.delete(part);
  const linked = new Set([...apart, ...[...links.values()].map(({ from, to }) => pairOf(from, to))]);
  for (const record of records) {
    const mentioned = mentionedIn(record);
    const unsure = mentioned.filter((each) => NUMBER.test(each) && isUnsure(each, record, named));
    for (const written of unsure) lose(record, { kind: 'relates', isReversed: false }, written, UNSURE);
    // If a record uses outdated numbers, all its references by number are unreliable.
    for (const written of mentioned.filter((each) => unsure.length === 0 || !NUMBER.test(each))) {
      const other = meantBy(written, record, named, true);
      const [from, to] = (other && inOrder(record, other)) ?? [];
      if (from && to && from !== to && !linked.has(pairOf(from, to)))
        links.set(`builds_on ${from.file} ${to.file}`, { kind: 'builds_on', from, to });
    }
  }
  const once = new Map(missing.map((each) => [`${each.record.file} ${each.kind} ${each.written}`, each]));
  return { links: [...links.values()], missing: [...once.values()] };
}

/**
 * The links of a line, in its order: `Accepted; supersedes ADR-3 (extends ADR-2)`.
 * @param hasEnded whether the record is no longer in force: then only `partially` and the like mean a part
 */
function saidIn(whole: string, hasEnded = false): Said[] {
  const line = whole.slice(0, LONGEST);
  const behind = BEHIND.flatMap(({ pattern, ...word }) => {
    const [, others] = pattern.exec(line) ?? [];
    return others === undefined ? [] : [{ ...word, others, isSure: true }];
  });
  // Mask link targets and file names, because they may contain any of these words.
  const words = line
    .replace(ADDRESS, (address) => '_'.repeat(address.length))
    .replace(/(?<=[a-z])[-_](?=[a-z])/gi, ' ');
  const found = WORDS.flatMap(({ pattern, ...word }) =>
    Array.from(words.matchAll(pattern), ({ 0: { length }, index: from }) => ({
      ...word,
      from,
      to: from + length,
    })),
  ).sort((a, b) => a.from - b.from || b.to - a.to);
  const apart = found.filter((each, index) => !found.slice(0, index).some(({ to }) => each.from < to));
  const before = apart.map(({ kind, isReversed, from, to }, index) => {
    const stated = line.slice(to, apart[index + 1]?.from);
    const others = stated.replace(/^[-\s:：*_`|"'“]+/, '').replace(/[\s;,(*_`|"'”]+$/, '');
    const [first = ''] = FIRST.exec(others) ?? [];
    const isSure = from === 0 || (CERTAIN.test(first) && line.slice(0, from).match(NAMES) === null);
    const isPart =
      kind === 'supersedes' &&
      (/\bpart/i.test(words.slice(from, to)) ||
        (!(isReversed && hasEnded) && isOfPart(line, line.slice(apart[index - 1]?.to ?? 0, from), others)));
    if (!isPart) return { kind, isReversed, others, isSure };
    const [sentence = others] = SENTENCE.exec(others) ?? [];
    return { kind: 'builds_on' as const, isReversed, others: sentence, isSure, isPart };
  });
  return [...behind, ...before];
}

const REPLACEMENT = { kind: 'supersedes', isReversed: true, isSure: true } as const;

/** The replacement in a state such as "Superseded (ADR-7)", in any language. */
function replacedBy(status: string[]): Said[] {
  const [state = ''] = status;
  if (
    stateOf(state) !== 'replaced' ||
    status.some((each) => saidIn(each).some(({ kind }) => kind === 'supersedes'))
  )
    return [];
  // In other lines than the status, a bare number may be anything.
  return status.flatMap((line) =>
    [...line.slice(0, LONGEST).matchAll(NAMES)].flatMap(([others]) =>
      line === state || CERTAIN.test(others) ? { ...REPLACEMENT, others } : [],
    ),
  );
}

/** The text between two references of a list; it may contain the title of the first. */
const GOES_ON = /(?:^|[,;&/+(및、]|\b(?:and|or|und|et|y|as))\W*$/i;

/** The references in a text: one, or several with commas or words between. */
function namedIn(written: string, by: AdrRecord, named: Names): string[] {
  const all = [...written.matchAll(NAMES)];
  const isMeant = (each: string) => meantBy(each, by, named) !== undefined;
  if (all[0]?.index === 0) {
    // In `Supersedes ADR-2 and composes with ADR-5`, "supersedes" applies only to ADR-2.
    const behind = all.map(({ 0: name, index }, at) =>
      written.slice(index + name.length, all[at + 1]?.index),
    );
    const end = behind.findIndex((text) => !GOES_ON.test(text)) + 1;
    const [first = '', ...others] = all.slice(0, end || undefined).map(([name]) => name);
    const isList = behind.every((text) => /^(?:\W|and)*$/i.test(text));
    return [first, ...others.filter((each) => isList || (CERTAIN.test(each) && isMeant(each)))];
  }
  if (isMeant(written)) return [written];
  const stems = written.split(/[\s"'()[\],;`]+/).filter((each) => /\d.*-/.test(each) && named.has(each));
  return [...all.map(([name]) => name).filter((each) => CERTAIN.test(each)), ...stems].filter(isMeant);
}

const UNSURE = 'its number and its title lead to different records';
const LATER = 'that record has a later date';

/** References that certainly name a record. In code, file names count, and numbers are examples. */
function mentionedIn({ prose }: AdrRecord): string[] {
  const text = prose.replace(BADGE, '');
  const files = (text.match(NAMES) ?? []).filter((each) => !NUMBER.test(each));
  const numbers = withoutCode(text).replace(EXAMPLE, '').match(NAMES) ?? [];
  const all = [...files, ...numbers.filter((each) => NUMBER.test(each))];
  return [...new Set(all)].filter((each) => CERTAIN.test(each) && !each.includes('](#'));
}

/** A picture that leads somewhere. */
const BADGE = /\[!\[[^\]\n]{0,300}\]\([^)\n]{0,500}\)\]\([^)\n]{0,500}\)/g;
/** `ADR-12`, and nothing else. */
const NUMBER = /^\W*(?:M?ADR|AD|DR|RFC|D)[-_ #]*\d+$/i;
/** A number inside a longer word, or in a description of the number format. */
const EXAMPLE =
  /(?<=[^\s()[\]"'`])[-/=%_]M?ADR[-_ ]?\d+\S*|\b(?:form(?:at)?|pattern|notation|named|called)\W{1,4}M?ADR[-_ #]*\d+/gi;
/** A number before a title: `ADR-12: Use Redis`, `ADR-12 (Use Redis)`. */
const TITLED =
  /\b(?:M?ADR|AD|DR)[-_ #]*(\d+)(?:\s?[:：(]|\s[-–—])\s?["“*_]{0,2}(\p{L}[^\n[\]()"”*_.;]{3,199})/giu;

/** Records by all that they may be called. */
interface Names extends Map<string | number | undefined, AdrRecord[]> {
  /** Numbers that a record of the folder uses for a different record than the one that has the number now. */
  unsure: Set<string>;
}

function namesOf(records: AdrRecord[]): Names {
  const named: Names = Object.assign(new Map(), { unsure: new Set<string>() });
  for (const each of records) {
    const { stem, title, number, labels } = each;
    const called = labels.map(labelOf);
    for (const name of new Set([stem, number, `words ${wordsIn(stem)}`, `title ${folded(title)}`, ...called]))
      named.set(name, append(named.get(name) ?? [], [each]));
  }
  const unsure = records.flatMap((each) =>
    renumberedIn(each, named).map((number) => `${dirname(each.file)} ${number}`),
  );
  named.unsure = new Set(unsure);
  return named;
}

/** Numbers that a record cites together with the title or file of a record with a different number. */
function renumberedIn(by: AdrRecord, named: Names): number[] {
  const isOther = (number: number | undefined, meant: AdrRecord | undefined, title: string) => {
    const holder = onlyOne(
      (named.get(number) ?? []).filter(({ file }) => dirname(file) === dirname(by.file)),
    );
    return meant ? meant.number !== number : holder !== undefined && tellsOfAnother(title, holder);
  };
  const linked = (by.prose.match(NAMES) ?? []).flatMap((written) => {
    const [, target] = LED_TO.exec(written) ?? [];
    if (target === undefined || !OF_RECORDS.test(target) || /^https?:/.test(target)) return [];
    const stem = posix.basename(withoutEnding(target, OF_RECORDS));
    const meant = meantBy(written, by, named, true);
    return [numberIn(stem), numberIn(written)].flatMap((number) =>
      number !== undefined && isOther(number, meant, wordsIn(stem)) ? number : [],
    );
  });
  const titled = [...by.prose.matchAll(TITLED)].flatMap(([, digits, title = '']) => {
    const meant = onlyOne(named.get(`title ${folded(title)}`) ?? []);
    return meant && isOther(Number(digits), meant, title) ? Number(digits) : [];
  });
  return [...linked, ...titled];
}

const isUnsure = (written: string, by: AdrRecord, named: Names): boolean =>
  named.unsure.has(`${dirname(by.file)} ${numberIn(written)}`);

/**
 * The record of a reference: by its file, its name or its number; of several, the one in the same folder (Q-7).
 * @param isExact whether to ignore links to a file that match by title alone or by number alone
 */
function meantBy(written: string, by: AdrRecord, named: Names, isExact = false): AdrRecord | undefined {
  const [, target] = LED_TO.exec(written) ?? FILE.exec(written) ?? [];
  const path = plainly((target ?? written).trim()).normalize('NFC');
  const folder = dirname(target === undefined ? by.file : posix.join(dirname(by.file), path));
  const pick = (name: string | number | undefined, not?: AdrRecord) => {
    // A number or an id means nothing in another log or folder of records.
    const isAtHome = typeof name === 'number' || name?.startsWith('label ');
    const same = (named.get(name) ?? []).filter(
      (each) => each !== not && !(isAtHome && each.home !== by.home),
    );
    const near = same.filter(({ file }) => dirname(file) === folder || file.endsWith(`/${path}`));
    return onlyOne(near.length > 0 ? near : same);
  };
  const stem = posix.basename(withoutEnding(path, OF_RECORDS).replace(/\.html?$|\/(?:readme|index)$/i, ''));
  const numbered = (number: number | undefined) =>
    named.unsure.has(`${dirname(by.file)} ${number}`) ? undefined : pick(number);
  const found =
    pick(stem) ??
    (OF_RECORDS.test(path) ? undefined : (pick(`title ${folded(path)}`) ?? pick(labelOf(path)))) ??
    (target === undefined ? numbered(numberIn(path)) : undefined);
  if (found || target === undefined) return found;
  // A renumbered record keeps the words of its file name or its title; a renamed one keeps its number.
  const words = wordsIn(stem);
  const moved = words === '' ? undefined : pick(`words ${words}`, by);
  if (isExact) return numberIn(stem) === undefined ? undefined : moved;
  const title = titleOf(/^\[([^\]]*)\]/.exec(written)?.[1] ?? '');
  const near = numbered(numberIn(stem) ?? numberIn(written));
  return (
    moved ??
    (title === '' ? undefined : pick(`title ${folded(title)}`)) ??
    (near && tellsOfAnother(title, near) ? undefined : near)
  );
}

/** Whether two or more words mean another record than this one: none of them is in its title or file name. */
function tellsOfAnother(words: string, { title, stem }: AdrRecord): boolean {
  const said = new Set(folded(words).match(TELLING));
  const own = folded(`${title} ${stem}`).match(TELLING) ?? [];
  return said.size > 1 && !own.some((word) => said.has(word));
}

const onlyOne = <Type>([only, ...others]: Type[]) => (others.length === 0 ? only : undefined);

/** `D-021` and `D21` are one id. */
const labelOf = (id: string) => `label ${folded(id).replace(/[-_ ]?0*(?=\d+$)/, '')}`;

/** Words of a title that tell it from others: no short ones of languages with letters. */
const TELLING = /[a-z]{4,}|\p{Lo}{2,}/gu;

/** The name of a file without its number. */
const wordsIn = (name: string) => name.replace(/^(?:[\d\W_]|M?ADR(?![a-z]))*/i, '');

/** The number at the beginning of a reference, but not that of a date. */
function numberIn(written: string): number | undefined {
  if (/^\[?(?:\d{4}-\d\d-\d\d|(?:19|20)\d\d[01]\d[0-3]\d[-_])/.test(written)) return undefined;
  const [, digits] = /^\[?(?:(?:M?ADR|AD|DR|RFC)[-_ #]*|#)?0*(\d+)/i.exec(written) ?? [];
  return digits === undefined ? undefined : Number(digits);
}
