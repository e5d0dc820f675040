import { isInstruction } from '../../../agents/agents.ts';
import type { DecisionFact } from '../../../domain/import/facts.ts';
import { OUTCOMES } from '../../../domain/outcome.ts';
import { takenOut } from '../embedded.ts';
import { frontMatter } from '../front-matter.ts';
import { sectionsIn, unresolved, withoutBlocks, withoutComments } from '../markdown.ts';
import { OF_RECORDS, withoutEnding } from '../markdown-files.ts';
import type { SourceText } from '../source-text.ts';
import { isObject } from '../values.ts';
import { dateOf, dateOfName } from './dates.ts';
import { decisionIn } from './decision-text.ts';
import { fieldsOf, filled, namesIn, plainLines, plainSentences, UNFILLED } from './fields.ts';
import { type Outline, outlineOf } from './outline.ts';
import { isGround, isOfLinks, nameOf, stateOf } from './words.ts';

/** A parsed decision record. */
export interface AdrRecord {
  /** The path from the folder of all records, with `/`. */
  file: string;
  /** The file's name without its ending. */
  stem: string;
  number: number;
  title: string;
  /** What links of reStructuredText call it. */
  labels: string[];
  /** Milliseconds UTC; undefined if the file has no readable date. */
  date: number | undefined;
  /** What it has in its place. */
  unread: string | undefined;
  /** The lines of the status, the first being the state itself. */
  status: string[];
  decision: string;
  /** Those with reasons, and the rest of the section of the decision, in the order of the file. */
  sections: Outline['sections'];
  /** Lines that may link to other records: above the sections, under "Links", and of the front matter. */
  links: string[];
  /** All that a reader sees outside of code, and what its front matter lists: it may name other records. */
  prose: string;
  values: Record<string, unknown>;
  text: string;
  changedAt: number;
  warnings: string[];
  /** Set for a record that Precedent exported. */
  own: OwnRecord | undefined;
}

/** Files that are not records; those that instruct agents, which may list decisions, are not either. */
const NO_RECORD = /^(readme|index|indice|toc|목차|glossary)$/i;
/** The file of a record that has a folder of its own. */
const OF_FOLDER = /^(readme|index)$/i;
/** Names of templates: a word for template, and words that occur next to it. */
const TEMPLATE =
  /template|plantilla|vorlage|mod[eè]le|modelo|szablon|템플릿|양식|서식|テンプレート|雛形|模板/iu;
const OF_TEMPLATES =
  /^(?:adr|madr|drx*|nygard|decision|record|architecture|minimal|bare|short|long|full|example|simple|basic|de|del|the|file|결정|기록|[-_. 0])*$/iu;
/** What a record is called that is numbered or dated, whatever it says. */
const NUMBERED = /^(?:[a-z]{2,6}[-_ ])?\d{2,}[-_. ]/i;
/** Characters of a line that is nothing but a date. */
const DATE = 24;
/** Characters of a line that a warning repeats. */
const QUOTED = 80;
/** A day anywhere in a line. */
const LIKE_DATE = /\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b/;
/** What adr-tools writes under the headings of a new record. */
const ADR_TOOLS =
  /^(The issue motivating this decision, and any context that|The change that we're proposing or have agreed to|What becomes easier or more difficult to do and any)\b/;
/** What was noted above the sections of a record when its time was over. */
const OVER = /\bthis (?:adr|decision|document|record) (?:is|was|has been) (?:now |since )?(\p{L}[^.\n]*)/iu;
/** What a record says where nothing is decided yet. */
const UNDECIDED = /^(?:not (?:yet )?decided|undecided|to be decided|tbd)\b/i;
/** The title of a template. */
const OF_TEMPLATE = /^(?:ADR[-_ #]*)?(?:X{2,}|N{2,}|0+n)\b/i;
/** Keys of the front matter that link to other records: the words of a sentence do so too. */
const LINKING =
  /^(supersedes|replaces|obsoletes|(superseded ?|replaced |obsoleted |amended |extended )by|amends|extends|refines|builds on|depends on|debates|synthesizes)$/;

/**
 * Reads a record.
 * @param file from the folder of all records
 * @param within the folder among those of its own records that the file is in, `.` for none
 * @returns why it is not a decision record, where it is not
 */
export function readRecord(
  { text, changedAt, isDamaged }: SourceText,
  file: string,
  within: string,
): AdrRecord | string {
  const left = unresolved(text);
  if (left !== undefined) return left;
  const { values: front, body, problem } = frontMatter(text);
  const outline = outlineOf(body, file);
  const { sections } = outline;
  const fields = fieldsOf(outline);
  const values = { ...Object.fromEntries(fields), ...named(front), ...front };
  const [, over = ''] = OVER.exec(outline.top) ?? [];
  const status = [
    ...(['ended', 'replaced'].includes(stateOf(over) ?? '') ? [over] : []),
    ...statusIn(
      statedIn(values.status) ?? fields.get('status'),
      sections.find(({ heading }) => nameOf(heading) === 'status')?.body,
    ),
  ];
  const section =
    sections.find(({ heading }) => nameOf(heading) === 'decision') ??
    sections.find(({ heading }) => nameOf(heading.replace(/\s*[:：–—].*/, '')) === 'decision');
  const called = withoutEnding(file.split('/').at(-1) ?? file, OF_RECORDS);
  const folder = within.split('/').at(-1) ?? '';
  const isSaid = section !== undefined || status.length > 0 || NUMBERED.test(folder);
  const stem = OF_FOLDER.test(called) && within !== '.' && isSaid ? folder : called;
  const own = ownRecord(front, body);
  if (!own && (NO_RECORD.test(stem) || isInstruction(`${called}.md`))) return 'no decision record';
  const words = outline.title ?? filled(values.title ?? values.feature) ?? outline.instead;
  const isUnnamed = OF_TEMPLATE.test(words ?? '') || UNFILLED.test(titleOf(words ?? ''));
  const elsewhere = inlineDecision(body) ?? filled(values.decision) ?? optionTaken(sections);
  // An RFC says under these what it is for.
  const proposal = sections.find(({ heading }) => /^(proposal|summary|abstract)$/i.test(heading));
  const source = section ?? (elsewhere === undefined ? proposal : undefined);
  const stated = decisionIn(plainBody(source?.body ?? elsewhere ?? ''));
  // A record whose title was forgotten says what was decided, and that it was.
  const isDecided = stated.decision !== '' && stateOf(status[0] ?? '') === 'active' && NUMBERED.test(stem);
  if (!own && (isOfTemplate(stem) || (isUnnamed && !isDecided))) return 'a template';
  const isRecord = status.length > 0 || section !== undefined || values.topic;
  const isNumbered =
    /\d{3}/.test(stem) && NUMBERED.test(stem) && sections.some(({ heading }) => isGround(heading));
  if (!isRecord && !isNumbered) return 'no decision record: neither a state nor a decision in it';
  const title = titleOf(
    (isUnnamed ? undefined : words) ?? stem.replace(NUMBERED, '').replaceAll(/[-_]+/g, ' '),
  );
  const [state = ''] = status;
  const [agreed] = (stateOf(state) === 'active' && /\b\d{4}-\d\d-\d\d\b/.exec(state)) || [];
  const alone = plainLines(outline.top).find((line) => line.length <= DATE && dateOf(line) !== undefined);
  const dated = [values.date, alone, agreed, values.begun].filter((each) => dateOf(each) !== undefined);
  const date = dateOf(dated[0]);
  const isSet = dated.length > 0 || filled(values.date ?? values.begun) !== undefined || dateOfName(stem);
  const day = isSet ? undefined : plainLines(outline.top).find((line) => LIKE_DATE.test(line));
  const warnings = [
    day && `a date in it was not read: "${day.slice(0, QUOTED)}"`,
    isDamaged && 'bytes that are no UTF-8 became U+FFFD',
    problem && (/\{\s*(proposed|YYYY)/.test(text) ? 'front matter is the unfilled template' : problem),
  ].filter((each) => typeof each === 'string');
  return {
    file,
    stem,
    number: numberOf(stem) ?? Number.MAX_SAFE_INTEGER,
    title,
    labels: [...text.matchAll(/^\.\. _([^:\n]+):$/gm)].map(([, label = '']) => label),
    date: date ?? dateOfName(stem),
    unread: date === undefined ? (filled(values.date) ?? filled(values.begun)) : undefined,
    status: status.length === 0 && UNDECIDED.test(stated.decision) ? ['undecided'] : status,
    decision: stated.decision,
    sections: sections.flatMap((each) => {
      if (each === source) return { ...each, body: stated.more };
      return isGround(each.heading) ? { ...each, body: plainBody(each.body) } : [];
    }),
    links: linesOf(outline, front),
    prose: own ? '' : withoutBlocks([...Object.values(front).flatMap(namesIn), outline.body].join('\n')),
    values,
    text,
    changedAt,
    warnings,
    own,
  };
}

/** The number in the name of a file, also after a date: `0012-x`, `adr-12`, `2024-05-06_012-x`. */
function numberOf(stem: string): number | undefined {
  const [, digits] =
    /^(?:\d{4}-?\d\d-?\d\d[-_ ]+(?=(?:[a-z]{2,6}[-_ ])?\d+[-_ ]))?(?:[a-z]{2,6}[-_ ]?)?(\d+)/i.exec(stem) ??
    [];
  return digits === undefined ? undefined : Number(digits);
}

/** A template by its name; one that has a number decides something about templates. */
function isOfTemplate(stem: string): boolean {
  const isNamed = TEMPLATE.test(stem) && OF_TEMPLATES.test(stem.replace(TEMPLATE, ''));
  return isNamed || (/[-_ ]template$/i.test(stem) && !/[1-9]/.test(stem));
}

/** What is written as the state: `{proposed}`, which YAML reads as a map, was left as the template has it. */
function statedIn(status: unknown): string | unknown[] | undefined {
  if (Array.isArray(status)) return status;
  const isLeft = isObject(status) || (typeof status === 'string' && UNFILLED.test(status.trim()));
  return isLeft ? 'draft' : filled(status);
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
  const lines = body.split('\n').filter((line) => !UNFILLED.test(textOf(line)) && !ADR_TOOLS.test(line));
  return withoutComments(lines.join('\n')).trim();
}

/** A title without its number: `1. `, `0001 - `, `ADR-0001: `, `ADR 1 `. */
export function titleOf(heading: string): string {
  const plain = withoutComments(heading)
    .replace(/^(\*\*|__|`)((?:(?!\1).)*)\1$/, '$2')
    .trim();
  const rest = plain
    .replace(/^(?:architecture |architectural )?decision record\s*(?=[:#\d–—-])/i, 'ADR ')
    .replace(
      /^(?:\[?(?:M?[A-Z]?DR)[-_ #]*\d+\]?\s*(?:[.:：)|]|[-–—]\s|(?=\s))|(?:M?ADR|DR)\s*[:：]|\\?0\d{3}\s+|#?\d+(?:[.:：)](?!\d)|\s+[-–—|]\s))\s*/i,
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
    // Where the state is in the front matter, its section may still tell what it replaces.
    if (nameOf(heading) === 'status') return isOwn ? [] : plainSentences(body);
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

/** The option whose heading says that it was taken: `Use Redis (accepted)`. */
function optionTaken(sections: Outline['sections']): string | undefined {
  const headings = sections.flatMap(({ heading, body }) => [
    heading,
    ...withoutBlocks(body)
      .split('\n')
      .flatMap((line) => /^#{3,6} (.*)$/.exec(line)?.[1] ?? []),
  ]);
  const taken = headings.filter((each) => TAKEN.test(each)).map((each) => each.replace(TAKEN, '').trim());
  return taken.length === 1 ? taken[0] : undefined;
}

const TAKEN = /\s*\((?:accepted|chosen|selected)\)\s*/i;

/** Marks before a state: emoji, bold, code, brackets of a checked box. */
const BEFORE = /^(?:[\s#*_`"'“>]|\p{Extended_Pictographic}|\ufe0f|:[a-z_]+:|\[x\])+/iu;
const PICTURE = /\[?!\[([^[\]]{0,300})\]\(([^()\s]{0,500})(?:\s[^()]{0,300})?\)(?:\]\([^()]{0,500}\))?/g;
/** The maximum length of a line of the status. */
const LONGEST_STATE_LINE = 1_000;

/**
 * The lines of the status, the first being the state itself.
 * @param written a field or front matter; without it the section is used
 */
function statusIn(written: string | unknown[] | undefined, section: string | undefined): string[] {
  const said = [written ?? []].flat().map((line) => withoutComments(String(line)).trim());
  const stated = plainSentences(section ?? '').filter((line) => line !== '' && !/^-{3,}$/.test(line));
  const lines = said.some((line) => line !== '') ? said : stated;
  const isChosen = (line: string) => /^\[x\]/i.test(line);
  const chosen = lines.some(isChosen)
    ? lines.filter((line) => isChosen(line) || !/^\[ ?\]/.test(line))
    : lines;
  return chosen.map((line) => stateIn(line.slice(0, LONGEST_STATE_LINE))).filter((each) => each !== '');
}

/** The state in a line. A template without a chosen state is a draft, as in log4brains. */
function stateIn(line: string): string {
  const [, inner = ''] = /^\[([^[\]]{1,100})\](?:\(|$)/.exec(line) ?? [];
  if (!/[|,/]/.test(inner) && stateOf(inner) !== undefined) return inner;
  if (UNFILLED.test(line) && !/\]\(|^\[\[/.test(line)) return 'draft';
  const plain = line.replace(PICTURE, (_, words: string, address: string) => badge(words, address));
  const options = plain.split(/\s+[|/]\s+/);
  const marked = options.filter((each) => /^(\*\*|__|\[x\]).+/i.test(each.trim()));
  const one = options.length > 2 ? (marked.length === 1 ? (marked[0] as string) : 'draft') : plain;
  return one
    .replace(/~~[^~]{1,200}~~/g, '')
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
type OwnRecord = Partial<DecisionFact> & Pick<DecisionFact, 'at'> & { id: string };

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
    ...(own.based_on !== undefined && { basedOn: namesIn(own.based_on) }),
    reasoning: context === undefined ? null : takenOut(context),
    evidence: grounds.map(({ heading, body: ground }) => ({
      text: takenOut(ground),
      at: moment(heading) ?? at,
    })),
    outcome: outcomes.at(-1),
    earlierOutcomes: outcomes.slice(0, -1),
    ...(isObject(own.withdrawn) && {
      withdrawn: {
        ...(typeof own.withdrawn.id === 'string' && { id: own.withdrawn.id }),
        at: moment(own.withdrawn.at) ?? at,
        reason: String(own.withdrawn.reason ?? ''),
      },
    }),
    author: typeof own.author === 'string' ? own.author : undefined,
    ...(typeof values.topic === 'string' ? { topic: values.topic } : { isNameless: true }),
    isOwn: true,
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
