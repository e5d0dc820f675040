import { frontMatter } from '../front-matter.ts';
import { withoutComments } from '../markdown.ts';
import { withoutEnding } from '../markdown-files.ts';
import { readText } from '../source-text.ts';
import { dateOf, dateOfName } from './dates.ts';
import { toldIn } from './decision-text.ts';
import { fieldsOf, filled, namesIn, plainLines, UNFILLED } from './fields.ts';
import { type Outline, outlineOf } from './outline.ts';
import { type OwnRecord, ownRecord } from './own.ts';
import { statusIn } from './state.ts';
import { isGround, isOfLinks, nameOf } from './words.ts';

/** A decision record as it stands in its file. */
export interface AdrRecord {
  /** From the folder of all records on, with `/`. */
  file: string;
  /** The file's name without its ending. */
  stem: string;
  number: number;
  title: string;
  /** Milliseconds UTC; undefined where the file has none that can be read. */
  date: number | undefined;
  /** Each line of what it says of its state, the first being the state itself. */
  status: string[];
  decision: string;
  sections: { heading: string; body: string }[];
  /** Lines about other records: above its sections, of "Links", and of its front matter. */
  links: string[];
  values: Record<string, unknown>;
  text: string;
  changedAt: number;
  warnings: string[];
  /** Set for one that was exported from here. */
  own: OwnRecord | undefined;
}

/** A title that a template has. */
const OF_TEMPLATE = /^(?:ADR[-_ #]*)?(?:X{2,}|N{2,}|0+n)\b/i;
/** How front matter names other records, and what it says of them in words. */
const LINKING: Record<string, string> = {
  supersedes: 'supersedes',
  replaces: 'supersedes',
  obsoletes: 'supersedes',
  'superseded by': 'superseded by',
  supersededby: 'superseded by',
  'replaced by': 'superseded by',
  'obsoleted by': 'superseded by',
  amends: 'amends',
  'amended by': 'amended by',
  extends: 'extends',
  'extended by': 'extended by',
  refines: 'refines',
  'builds on': 'refines',
  'depends on': 'refines',
  debates: 'debates',
  synthesizes: 'synthesizes',
};
/** As the front matter may spell them. */
const plainKey = (key: string) => key.toLowerCase().replace(/[-_\s]+/g, ' ');

/**
 * Reads a file.
 * @param folder what was handed over, which no link may lead out of
 * @returns undefined where it is no decision record
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
  const { date, problem: wrong } = datedBy(values.date, stem);
  const warnings = [
    ...(isDamaged ? ['bytes that are no UTF-8 became U+FFFD'] : []),
    ...(problem === undefined
      ? []
      : [/\{\s*(proposed|YYYY)/.test(text) ? 'front matter is the unfilled template' : problem]),
    ...(wrong === undefined ? [] : [wrong]),
  ];
  const told = toldIn(plainBody(section?.body ?? inlineDecision(body) ?? filled(values.decision) ?? ''));
  const rest =
    section === undefined || told.more === '' ? [] : [{ heading: section.heading, body: told.more }];
  return {
    file,
    stem,
    number: Number(/^(?:adr[-_ ]?)?(\d+)/i.exec(stem)?.[1] ?? Number.MAX_SAFE_INTEGER),
    title,
    date,
    status,
    decision: told.decision,
    sections: reasonsOf(sections, section, rest),
    links: linesOf(outline, front),
    values,
    text,
    changedAt,
    warnings,
    own,
  };
}

/** Fields of the front matter by the names that they have here, whatever language and letters they are written in. */
function named(front: Record<string, unknown>): Record<string, unknown> {
  const known = Object.entries(front).map(([key, value]) => [nameOf(key), value] as const);
  return Object.fromEntries(known.filter(([key]) => key !== undefined));
}

/** The day that a record has; one that begins with it in the name of its file need not repeat it. */
function datedBy(written: unknown, stem: string): { date: number | undefined; problem?: string } {
  const date = dateOf(written);
  if (date !== undefined || filled(written) === undefined) return { date: date ?? dateOfName(stem) };
  return { date: dateOfName(stem), problem: `its date "${filled(written)}" is no ISO date` };
}

/** Sections that say why, with what that of the decision says besides, in the order of the file. */
function reasonsOf(
  sections: Outline['sections'],
  decision: Outline['sections'][number] | undefined,
  rest: Outline['sections'],
): Outline['sections'] {
  return sections.flatMap((each) => {
    if (each === decision) return rest;
    return isGround(each.heading) ? [{ heading: each.heading, body: plainBody(each.body) }] : [];
  });
}

/** Without comments, and lines of a template that nobody filled in. */
const plainBody = (body: string): string =>
  withoutComments(
    body
      .split('\n')
      .filter(
        (line) =>
          !UNFILLED.test(
            withoutComments(line)
              .replace(/^[-*\s]+/, '')
              .trim() || ' ',
          ),
      )
      .join('\n'),
  ).trim();

/** Without its number: `1. `, `0001 - `, `ADR-0001: `, `ADR 1 `. */
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

/** The word for a link that a heading or a key is; somebody may call one "constructor". */
function linkingWord(name: string): string | undefined {
  const key = plainKey(name);
  return Object.hasOwn(LINKING, key) ? LINKING[key] : undefined;
}

/** All lines that may speak of other records. */
function linesOf({ top, sections }: Outline, front: Record<string, unknown>): string[] {
  const isOwn = front.precedent !== undefined;
  const listed = sections.flatMap(({ heading, body }) => {
    const lines = plainLines(body).filter((line) => line !== '');
    const word = linkingWord(heading);
    if (word !== undefined) return lines.map((line) => `${word} ${line}`);
    // What was exported from here says it in its front matter, and there for people.
    return isOfLinks(heading) && !isOwn ? lines : [];
  });
  const told = Object.entries(front).flatMap(([key, value]) => {
    const word = linkingWord(key);
    return word === undefined ? [] : namesIn(value).map((each) => `${word} ${each}`);
  });
  return [...plainLines(top), ...listed, ...told];
}

/** The decision in its own paragraph, behind a bold word. */
function inlineDecision(body: string): string | undefined {
  return /^\*\*(?:Decision|결정)(?:[.:：]\*\*|\*\*[:：])\s+([\s\S]*?)(?:\n\n|$(?![\s\S]))/m.exec(body)?.[1];
}
