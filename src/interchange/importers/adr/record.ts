import type { DecisionFact } from '../../../domain/import/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { takenOut } from '../embedded.ts';
import { frontMatter } from '../front-matter.ts';
import { sectionsIn, withoutComments } from '../markdown.ts';
import { withoutEnding } from '../markdown-files.ts';
import { readText } from '../source-text.ts';
import { isObject } from '../values.ts';
import { decisionIn } from './decision-text.ts';
import { fieldsOf, filled, namesIn, plainLines, UNFILLED } from './fields.ts';
import { type Outline, outlineOf } from './outline.ts';
import { folded, isGround, isOfLinks, nameOf, stateOf } from './words.ts';

/** A parsed decision record. */
export interface AdrRecord {
  /** The path from the folder of all records, with `/`. */
  file: string;
  /** The file's name without its ending. */
  stem: string;
  number: number;
  title: string;
  /** Milliseconds UTC; undefined if the file has no readable date. */
  date: number | undefined;
  /** The lines of the status, the first being the state itself. */
  status: string[];
  decision: string;
  /** Those with reasons, and the rest of the section of the decision, in the order of the file. */
  sections: Outline['sections'];
  /** Lines that may link to other records: above the sections, under "Links", and of the front matter. */
  links: string[];
  values: Record<string, unknown>;
  text: string;
  changedAt: number;
  warnings: string[];
  /** Set for a record that Precedent exported. */
  own: OwnRecord | undefined;
}

/** The title of a template. */
const OF_TEMPLATE = /^(?:ADR[-_ #]*)?(?:X{2,}|N{2,}|0+n)\b/i;
/** Keys of the front matter that link to other records: the words of a sentence do so too. */
const LINKING =
  /^(supersedes|replaces|obsoletes|(superseded ?|replaced |obsoleted |amended |extended )by|amends|extends|refines|builds on|depends on|debates|synthesizes)$/;

/**
 * Reads a file.
 * @param folder the given folder, which no symbolic link may lead out of
 * @returns undefined if it is not a decision record
 */
export function readRecord(path: string, file: string, folder: string): AdrRecord | undefined {
  const { text, changedAt, isDamaged } = readText(path, folder);
  const { values: front, body, problem } = frontMatter(text);
  const outline = outlineOf(body);
  const { sections } = outline;
  const fields = fieldsOf(outline);
  const values = { ...Object.fromEntries(fields), ...named(front), ...front };
  const state = Array.isArray(values.status) ? values.status : filled(values.status);
  const status = statusIn(
    state ?? fields.get('status'),
    sections.find(({ heading }) => nameOf(heading) === 'status')?.body,
  );
  const section = sections.find(({ heading }) => nameOf(heading) === 'decision');
  const stem = withoutEnding(file.split('/').at(-1) ?? file);
  const written = outline.title ?? filled(values.title);
  const isRecord = status.length > 0 || section !== undefined || values.topic;
  const title = titleOf(written ?? stem.replaceAll(/[-_]+/g, ' '));
  const own = ownRecord(front, body);
  const isTemplate = !own && (OF_TEMPLATE.test(written ?? '') || UNFILLED.test(title));
  if (!isRecord || isTemplate) return undefined;
  const date = dateOf(values.date);
  const unread = date === undefined ? filled(values.date) : undefined;
  const warnings = [
    isDamaged && 'bytes that are no UTF-8 became U+FFFD',
    problem && (/\{\s*(proposed|YYYY)/.test(text) ? 'front matter is the unfilled template' : problem),
    unread && `its date "${unread}" is no ISO date`,
  ].filter((each) => typeof each === 'string');
  const stated = decisionIn(
    plainBody(section?.body ?? inlineDecision(body) ?? filled(values.decision) ?? ''),
  );
  return {
    file,
    stem,
    number: Number(/^(?:adr[-_ ]?)?(\d+)/i.exec(stem)?.[1] ?? Number.MAX_SAFE_INTEGER),
    title,
    date: date ?? dateOfName(stem),
    status,
    decision: stated.decision,
    sections: sections.flatMap((each) => {
      if (each === section) return { ...each, body: stated.more };
      return isGround(each.heading) ? { ...each, body: plainBody(each.body) } : [];
    }),
    links: linesOf(outline, front),
    values,
    text,
    changedAt,
    warnings,
    own,
  };
}

/** The fields of the front matter under their English names, in whatever language they are written. */
function named(front: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(front).map(([key, value]) => [nameOf(key), value] as const);
  return Object.fromEntries(known.filter(([key]) => key !== undefined));
}

/** A text without comments and unfilled lines of a template. */
function plainBody(body: string): string {
  const textOf = (line: string) =>
    withoutComments(line)
      .replace(/^[-*\s]+/, '')
      .trim();
  const lines = body.split('\n').filter((line) => !UNFILLED.test(textOf(line)));
  return withoutComments(lines.join('\n')).trim();
}

/** A title without its number: `1. `, `0001 - `, `ADR-0001: `, `ADR 1 `. */
function titleOf(heading: string): string {
  const plain = withoutComments(heading)
    .replace(/^(\*\*|__)(.*)\1$/, '$2')
    .trim();
  const rest = plain
    .replace(/^(?:architecture |architectural )?decision record\s*(?=[:#\d–—-])/i, 'ADR ')
    .replace(
      /^(?:\[?(?:M?ADR|DR)[-_ #]*\d+\]?\s*(?:[.:：)|]|[-–—]\s|(?=\s))|(?:M?ADR|DR)\s*[:：]|#?\d+(?:[.:：)](?!\d)|\s+[-–—|]\s))\s*/i,
      '',
    );
  return rest === '' ? plain : rest;
}

/** The link words of a heading or a key, if it is one. */
function linkingWord(name: string): string | undefined {
  const key = name.toLowerCase().replace(/[-_\s]+/g, ' ');
  return LINKING.test(key) ? key.replace('supersededby', 'superseded by') : undefined;
}

/** All lines that may link to other records. */
function linesOf({ top, sections }: Outline, front: Record<string, unknown>): string[] {
  const isOwn = front.precedent !== undefined;
  const listed = sections.flatMap(({ heading, body }) => {
    const lines = plainLines(body).filter((line) => line !== '');
    const word = linkingWord(heading);
    if (word !== undefined) return lines.map((line) => `${word} ${line}`);
    // Records that Precedent exported have their links in the front matter; the section is for people.
    return isOfLinks(heading) && !isOwn ? lines : [];
  });
  const stated = Object.entries(front).flatMap(([key, value]) => {
    const word = linkingWord(key);
    return word === undefined ? [] : namesIn(value).map((each) => `${word} ${each}`);
  });
  return [...plainLines(top), ...listed, ...stated];
}

/** The decision in a paragraph of its own, after a bold word. */
function inlineDecision(body: string): string | undefined {
  return /^\*\*(?:Decision|결정)(?:[.:：]\*\*|\*\*[:：])\s+([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(body)?.[1];
}

/** Year, month and day: with hyphens, slashes, dots, or in Korean, Japanese or Chinese. */
const DAY =
  /^(\d{4})(?:[-/]|\. ?|[년年] ?)(\d{1,2})(?:[-/]|\. ?|[월月] ?)(\d{1,2})(?=$|[T .일日,;(])[.일日]?/;
/** `22.06.2020`: with dots the day is always first. */
const GERMAN = /^(\d{1,2})\. ?(\d{1,2})\. ?(\d{4})\b/;
/** `22 June 2020`, `June 22nd, 2020`, `June 2020`. */
const WORDS =
  /^(?:[a-z]+day,? )?(?:(\d{1,2})(?:st|nd|rd|th)?\.?(?: of)?[ -])?([a-z]{3,9})\.?[ -](?:(\d{1,2})(?:st|nd|rd|th)?,? )?(\d{4})\b/;
const TIMED = /^[\d-]+[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)? ?(?:Z|[+-]\d\d:?\d\d)?$/;
/** The maximum length of a date with any text after it. */
const LONGEST_DATE = 200;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** The date of a record in milliseconds UTC; undefined if it is ambiguous or unreadable. */
function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  const text = (filled(value) ?? '').slice(0, LONGEST_DATE).replace(/^[`*_"']+|[`*_"']+$/g, '');
  const [, year, month, day] = DAY.exec(text) ?? inWords(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  const plain = [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-');
  const whole = text.replace(DAY, plain);
  // The text after the day may be something other than a time.
  return isoDay(plain) === undefined || !TIMED.test(whole) ? isoDay(plain) : Date.parse(whole);
}

/** The date at the beginning of a file name, as in log4brains: `20260131-use-redis`. */
const dateOfName = (stem: string): number | undefined =>
  isoDay(stem.replace(/^(\d{4})-?([01]\d)-?([0-3]\d)(?!\d).*$/, '$1-$2-$3'));

function inWords(text: string): string[] | undefined {
  const [, day, month, year] = GERMAN.exec(text) ?? [];
  if (year !== undefined) return ['', year, month ?? '', day ?? ''];
  const [, before, name = '', behind, inYear] = WORDS.exec(folded(text)) ?? [];
  const index = MONTHS.indexOf(name.slice(0, 3));
  return index < 0 || inYear === undefined
    ? undefined
    : ['', inYear, String(index + 1), before ?? behind ?? '1'];
}

/** A date that exists: not the 31st of a month of 30 days. */
function isoDay(text: string): number | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? undefined : at;
}

/** Marks before a state: emoji, bold, code, brackets of a checked box. */
const BEFORE = /^(?:[\s*_`"'“>]|\p{Extended_Pictographic}|\ufe0f|:[a-z_]+:|\[x\])+/iu;
const PICTURE = /\[?!\[([^[\]]{0,300})\]\(([^()\s]{0,500})(?:\s[^()]{0,300})?\)(?:\]\([^()]{0,500}\))?/g;
/** The maximum length of a line of the status. */
const LONGEST_STATE_LINE = 1_000;

/**
 * The lines of the status, the first being the state itself.
 * @param written a field or front matter; without it the section is used
 */
function statusIn(written: string | unknown[] | undefined, section: string | undefined): string[] {
  const said = [written ?? []].flat().map((line) => withoutComments(String(line)).trim());
  const stated = plainLines(section ?? '').filter((line) => line !== '' && !/^-{3,}$/.test(line));
  const lines = said.some((line) => line !== '') ? said : stated;
  const isChosen = (line: string) => /^\[x\]/i.test(line);
  const chosen = lines.some(isChosen)
    ? lines.filter((line) => isChosen(line) || !/^\[ ?\]/.test(line))
    : lines;
  return chosen.map((line) => stateIn(line.slice(0, LONGEST_STATE_LINE))).filter((each) => each !== '');
}

/** The state in a line. A template without a chosen state is a draft, as in log4brains. */
function stateIn(line: string): string {
  if (UNFILLED.test(line) && !/\]\(|^\[\[/.test(line)) return 'draft';
  const plain = line.replace(PICTURE, (_, words: string, address: string) => badge(words, address));
  const options = plain.split(/\s+[|/]\s+/);
  const marked = options.filter((each) => /^(\*\*|__|\[x\]).+/i.test(each.trim()));
  const one = options.length > 2 ? (marked.length === 1 ? (marked[0] as string) : 'draft') : plain;
  return one
    .replace(BEFORE, '')
    .replace(/^([^*_`]*)(?:\*\*|__|`)/, '$1')
    .trim();
}

/** The state of a badge, from its text or its address. */
function badge(words: string, address: string): string {
  const stated = `${words} ${decoded(address)}`.split(/[\s:/_.-]+/);
  return stated.find((each) => stateOf(each) !== undefined) ?? words;
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address.replace(/%(?![\da-f]{2})/gi, ''));
  } catch {
    // Percent-encoded bytes that are not UTF-8.
    return address;
  }
}

/** The fields of a record that Precedent exported (I-5), word for word. */
interface OwnRecord
  extends Pick<
    DecisionFact,
    'id' | 'at' | 'text' | 'reasoning' | 'evidence' | 'outcome' | 'earlierOutcomes' | 'withdrawn'
  > {
  author: string | undefined;
  topic: string | undefined;
}

/** Reads a record that Precedent exported. @returns undefined for any other */
function ownRecord(values: Record<string, unknown>, body: string): OwnRecord | undefined {
  const own = values.precedent;
  if (!isObject(own)) return undefined;
  const { sections } = sectionsIn(body);
  const under = (heading: string) => sections.find((each) => each.heading === heading)?.body;
  const text = under('Decision Outcome');
  const at = moment(own.at);
  if (typeof own.id !== 'string' || text === undefined || at === undefined) return undefined;
  const grounds = sectionsIn(under('Evidence') ?? '', 3).sections;
  const context = under('Context and Problem Statement');
  const outcomes = (Array.isArray(own.outcomes) ? own.outcomes : []).flatMap(outcomeOf);
  return {
    id: own.id,
    at,
    text: takenOut(text),
    reasoning: context === undefined ? null : takenOut(context),
    evidence: grounds.map(({ heading, body: ground }) => ({
      text: takenOut(ground),
      at: moment(heading) ?? at,
    })),
    outcome: outcomes.at(-1),
    earlierOutcomes: outcomes.slice(0, -1),
    withdrawn: isObject(own.withdrawn)
      ? { at: moment(own.withdrawn.at) ?? at, reason: String(own.withdrawn.reason ?? '') }
      : undefined,
    author: typeof own.author === 'string' ? own.author : undefined,
    topic: typeof values.topic === 'string' ? values.topic : undefined,
  };
}

function outcomeOf(value: unknown): NonNullable<DecisionFact['outcome']>[] {
  if (!isObject(value)) return [];
  const outcome = OUTCOMES.find((each) => each === value.outcome);
  const at = moment(value.at);
  if (outcome === undefined || at === undefined) return [];
  return [{ outcome, reason: typeof value.reason === 'string' ? value.reason : null, at }];
}

function moment(value: unknown): number | undefined {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}
