import { dirname } from 'node:path';
import { isInstruction } from '../../../agents/agents.ts';
import { RELATIONSHIPS, spoken } from '../../../domain/edge.ts';
import { frontMatter } from '../front-matter.ts';
import { linesOf as linesIn, unresolved, withoutBlocks, withoutComments } from '../markdown.ts';
import { OF_RECORDS, withoutEnding } from '../markdown-files.ts';
import type { SourceText } from '../source-text.ts';
import { dateOf, dateOfName, isDay } from './dates.ts';
import { decisionIn, leadIn, listedIn, withOption } from './decision-text.ts';
import { fieldsOf, filled, namesIn, plainLines, plainSentences, UNFILLED } from './fields.ts';
import { type Outline, outlineOf } from './outline.ts';
import { type OwnRecord, ownRecord } from './own.ts';
import { statedIn, statusIn } from './state.ts';
import { isGround, isOfLinks, isOver, nameOf, stateOf } from './words.ts';

/** A parsed decision record. */
export interface AdrRecord {
  /** The path from the folder of all records, with `/`. */
  file: string;
  /** The file itself, also of an entry of a log. */
  source: string;
  /** The log or the folder of records in which its number tells it from others. */
  home: string;
  /** The file's name without its ending. */
  stem: string;
  number: number;
  title: string;
  /** Its names in links of reStructuredText, and the id of an entry of a log. */
  labels: string[];
  /** Milliseconds UTC; undefined if the file has no readable date. */
  date: number | undefined;
  /** The day of its first commit, where nothing else tells its date. */
  committed?: number | undefined;
  /** The text in the place of a date that cannot be read. */
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
/** Names of files that are numbered or dated records, whatever they say. */
const NUMBERED = /^(?:[a-z]{2,6}[-_ ])?\d{2,}[-_. ]/i;
/** Characters of a text without headings that say more than where another record is. */
const TOLD = 60;
/** Words of a status that says more than a state: it is a reason, too. */
const TELLING = 8;
/** Characters of a line that a warning repeats. */
const QUOTED = 80;
/** A day anywhere in a line. */
const LIKE_DATE = /\b(?:\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.]\d{4})\b/;
/** Texts that adr-tools and the npm tool write under the headings of a new record. */
const PLACEHOLDER =
  /^(?:The issue motivating this decision, and any context that|The change that we're proposing or have agreed to|What becomes easier or more difficult to do and any)\b|^(?:context|decision|consequences?|rationale) here\b|^在这里(?:补充|记录|添加|填写)|^(?:アーキテクチャ決定の簡単な説明|この決定を行った状況|決定とその根拠|この決定による影響)$|^(?:\.{3}|…)$/i;
/** Notes above the sections of a record when its time was over. */
const OVER = /\bthis (?:adr|decision|document|record) (?:is|was|has been) (?:now |since )?(\p{L}[^.\n]*)/iu;
/** Texts of a record in which nothing is decided yet. */
const UNDECIDED = /^(?:not (?:yet )?decided|undecided|to be decided|tbd)\b/i;
/** The title of a template. */
const OF_TEMPLATE = /^(?:ADR[-_ #]*)?(?:X{2,}|N{2,}|0+n)\b/i;
/** Headings under which a proposal says what it is for. */
const PROPOSAL = /^(proposal|summary|abstract)$/i;
/** A heading above several decisions. */
const PLURAL =
  /^(?:decisions|decisiones|decis[oõ]es|d[eé]cisions|entscheidungen|decisioni|besluiten|beslissingen|decyzje|решения)$/i;
/** The same in other words: a heading above decisions that have headings of their own. */
const LISTED = /^(?:key|main|major|design|architectur(?:e|al)|technical) decisions$/i;
/** Keys of the front matter that link to other records: the words of a sentence do so too. */
const LINKING = new RegExp(
  `^(${RELATIONSHIPS.map(spoken).join('|')}|replaces|obsoletes|(superseded ?|replaced |obsoleted |amended |extended )by|amends|extends|refines|depends on)$`,
);

/** The reason why a text is a record: its folder, the log that it is an entry of, that somebody named it, or itself alone. */
export interface Form {
  /** Where it is among the folders of its own records. */
  folder?: string;
  /** The name of an entry in its log, and whether its heading for the decision is its own. */
  entry?: string;
  isSaid?: boolean;
  isNamed?: boolean;
  isAlone?: boolean;
  /** Set for a file outside of the folders of records, which may only be a log. */
  isOutside?: boolean;
}

/**
 * Reads a record.
 * @param file from the folder of all records
 * @returns why it is not a decision record, where it is not
 */
export function readRecord(
  { text, changedAt, isDamaged }: SourceText,
  file: string,
  { folder: within = '.', entry, isSaid: isItsOwn = true, isAlone = false }: Form,
): AdrRecord | string {
  const left = unresolved(text);
  if (left !== undefined) return left;
  const { values: front, body, problem } = frontMatter(text);
  const outline = outlineOf(body, file);
  const { sections } = outline;
  const fields = fieldsOf(outline);
  const values = { ...Object.fromEntries(fields), ...inEnglish(front), ...front };
  const [, over = ''] = OVER.exec(outline.top) ?? [];
  const under = (isMeant: (heading: string) => boolean) => sections.find((each) => isMeant(each.heading));
  const named = (name: string) => under((heading) => nameOf(heading) === name);
  const status = [
    ...(isOver(over) ? [over] : []),
    ...statusIn(statedIn(values.status) ?? fields.get('status'), named('status')?.body),
  ];
  const state = stateOf(status[0] ?? '');
  const isTelling = !status.some((line) => isOver(line)) && (status[0] ?? '').split(/\s+/).length >= TELLING;
  const section =
    named('decision') ??
    under((heading) => LISTED.test(heading)) ??
    under((heading) => nameOf(heading.replace(/\s*[:：–—].*/, '')) === 'decision');
  const called = withoutEnding(file.split('/').at(-1) ?? file, OF_RECORDS);
  const folder = within.split('/').at(-1) ?? '';
  const isSaid = section !== undefined || status.length > 0;
  const hasFolder = OF_FOLDER.test(called) && within !== '.' && (isSaid || NUMBERED.test(folder));
  const stem = entry ?? (hasFolder ? folder : called);
  const own = ownRecord(front, body);
  const words = outline.title ?? filled(values.title ?? values.feature) ?? outline.instead;
  const isUnnamed = OF_TEMPLATE.test(words ?? '') || UNFILLED.test(titleOf(words ?? ''));
  const elsewhere = inlineDecision(body) ?? filled(values.decision) ?? optionTaken(sections);
  // An RFC says under these what it is for, a short record what was done.
  const proposal = under((heading) => PROPOSAL.test(heading) || nameOf(heading) === 'what');
  const source = section ?? (elsewhere === undefined ? proposal : undefined);
  // Text above a section of another kind only leads to it.
  const isLead = sections.every(
    ({ heading }) => isGround(heading) || isOfLinks(heading) || nameOf(heading) !== undefined,
  );
  const lead = isAlone ? '' : leadIn(outline.top);
  const said = plainBody(source?.body ?? elsewhere ?? (isLead ? lead : ''));
  const isList = source !== undefined && (PLURAL.test(source.heading) || LISTED.test(source.heading));
  const stated = withOption((isList && listedIn(said)) || decisionIn(said), outline.body);
  // A record whose title was forgotten says what was decided, and that it was.
  const isDecided = stated.decision !== '' && state === 'active' && NUMBERED.test(stem);
  const grounds = sections.filter(({ heading }) => isGround(heading));
  const isEmpty = [said, lead, ...grounds.map(({ body: why }) => why)].every(
    (each) => plainBody(each) === '',
  );
  const isForm = section && !PLURAL.test(section.heading) && state !== undefined && grounds.length > 0;
  const isNumbered = NUMBERED.test(stem) && (grounds.length > 0 || said.length >= TOLD);
  const isFile = !own && entry === undefined;
  if (isFile && isInstruction(`${called}.md`)) return 'no decision record: it instructs agents';
  if (isFile && NO_RECORD.test(stem)) return 'no decision record: an overview';
  if (!own && (isOfTemplate(stem) || (isUnnamed && !isDecided))) return 'a template';
  if (isAlone && !own && !isForm)
    return section && status.length === 0
      ? `it has a section "${section.heading}": name the file to import what is in it`
      : 'no decision record: neither its folder nor its form says so';
  if (isFile && !isSaid && !values.topic && !isNumbered)
    return 'no decision record: neither a state nor a decision in it';
  if (isFile && section && (state ?? 'tentative') === 'tentative' && isEmpty)
    return 'no decision record yet: nothing is written below its title';
  if (isFile && section && section.body.trim() !== '' && said === '' && state !== 'active')
    return 'no decision record yet: its decision is still the text of the template';
  if (isFile && isOfProblems(said)) return 'no decision record yet: its decision names problems alone';
  const title = titleOf(
    (isUnnamed ? undefined : words) ?? stem.replace(NUMBERED, '').replaceAll(/[-_]+/g, ' '),
  );
  const [agreed] = (state === 'active' && /\b\d{4}-\d\d-\d\d\b/.exec(status[0] ?? '')) || [];
  const lines = plainLines(outline.top);
  const days = [values.date, lines.find(isDay), agreed, values.begun].map(dateOf);
  const date = days.find((each) => each !== undefined);
  const unread = date === undefined ? (filled(values.date) ?? filled(values.begun)) : undefined;
  const isLike = (line: string) => LIKE_DATE.test(line) && !status.some((each) => line.endsWith(each));
  const isSet = date !== undefined || unread !== undefined || dateOfName(stem) !== undefined;
  const day = isSet ? undefined : lines.find(isLike);
  const warnings = [
    day && `a date in it was not read: "${day.slice(0, QUOTED)}"`,
    isDamaged && 'bytes that are no UTF-8 became U+FFFD',
    problem && (/\{\s*(proposed|YYYY)/.test(text) ? 'front matter is the unfilled template' : problem),
  ].filter((each) => typeof each === 'string');
  return {
    file,
    source: file,
    home: entry === undefined ? homeOf(file, within) : file.replace(/#[^#]*$/, ''),
    stem,
    number: numberOf(stem) ?? Number.MAX_SAFE_INTEGER,
    title,
    labels: [...text.matchAll(/^\.\. _([^:\n]+):$/gm)].map(([, label = '']) => label),
    date: date ?? dateOfName(stem),
    unread,
    status: status.length === 0 && UNDECIDED.test(stated.decision) ? ['undecided'] : status,
    decision: stated.decision,
    sections: [
      // Text after a decision without a heading is its reasons.
      ...(source === undefined && elsewhere === undefined ? [{ heading: '', body: stated.more }] : []),
      ...(isLead ? [] : [{ heading: '', body: plainBody(lead) }]),
      ...sections,
      ...(isTelling ? [{ heading: '', body: `Status: ${status[0]}` }] : []),
    ].flatMap((each) => {
      if (each.heading === '') return each;
      if (each === source) return { heading: isItsOwn ? each.heading : '', body: stated.more };
      const isWhy = isGround(each.heading) || nameOf(each.heading) === 'what';
      return isWhy ? { ...each, body: plainBody(each.body) } : [];
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

/** The folder of records that a file is in, however deep. */
const homeOf = (file: string, within: string): string =>
  within === '.' ? dirname(file) : dirname(file).slice(0, -within.length);

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

/** The fields of the front matter under their English names, in whatever language they are written. */
function inEnglish(front: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(front).map(([key, value]) => [nameOf(key), value] as const);
  return Object.fromEntries(known.filter(([key]) => key !== undefined));
}

/** Whether a text is a list of problems under the word for them. */
function isOfProblems(text: string): boolean {
  const [first = '', ...items] = text.split('\n').filter((line) => line.trim() !== '');
  const isNamed = /^\W*(?:问题|問題|문제|problems?|issues?|open questions?)\s*[:：]\W*$/iu.test(first);
  return isNamed && items.length > 0 && items.every((line) => /^\s*(?:[-*+]|\d+[.)])\s|^\s{2,}/.test(line));
}

/** A text without comments and unfilled lines of a template. */
function plainBody(body: string): string {
  const textOf = (line: string) =>
    withoutComments(line)
      .replace(/^[-*\s]+/, '')
      .trim();
  const lines = linesIn(body).flatMap(({ text, isCode }) => {
    const isLeft = !isCode && (UNFILLED.test(textOf(text)) || PLACEHOLDER.test(textOf(text)));
    return isLeft ? [] : text;
  });
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
      /^(?:\[?(?:M?ADR[-_ #]*|[A-Z]?DR[-_#])\d+\]?\s*(?:[.:：)|]|[-–—]\s|(?=\s))|(?:M?ADR|DR)\s*[:：]|\\?0\d{3}\s+|#?\d+(?:[.:：)](?!\d)|\s+[-–—|]\s))\s*/i,
      '',
    );
  return rest === '' ? plain : rest;
}

/** The link words of a heading or a key, if it is one. */
export function linkingWord(name: string): string | undefined {
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
  return /^\*\*(?:Decision|결정|채택)(?:[.:：]\*\*|\*\*[:：])\s+([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(
    body,
  )?.[1];
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
