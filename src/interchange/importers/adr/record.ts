import { frontMatter } from '../front-matter.ts';
import { sectionsIn } from '../markdown.ts';
import { withoutEnding } from '../markdown-files.ts';
import { readText } from '../source-text.ts';
import { type OwnRecord, ownRecord } from './own.ts';

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
  /** Lines about other records: of its state, of "Links", and of its front matter. */
  links: string[];
  values: Record<string, unknown>;
  text: string;
  changedAt: number;
  warnings: string[];
  /** Set for one that was exported from here. */
  own: OwnRecord | undefined;
}

/** A value of a template that nobody filled in. */
const UNFILLED = /^[[{<].*[\]}>]$/s;
const COMMENT = /<!--[\s\S]*?-->/g;
const FIELD =
  /^(Status|Date|Deciders|Decision[- ]makers|Tags|Technical Story|상태|날짜|일자|결정자)\s*:\s*(.*)$/i;
/** What fields are called in the front matter of MADR. */
const CALLED: Record<string, string> = {
  상태: 'status',
  날짜: 'date',
  일자: 'date',
  결정자: 'deciders',
  'decision makers': 'decision-makers',
};
const STATUS = /^(status|상태)$/i;
const DECISION = /^(decision( outcome)?|결정( ?(사항|내용))?)$/i;
/** A year, a month and a day as people write them: with hyphens, strokes, points, or in Korean. */
const DAY = /^(\d{4})(?:-|\/|\. ?|년 ?)(\d{1,2})(?:-|\/|\. ?|월 ?)(\d{1,2})(?=$|[T .일])[.일]?/;
const GROUNDS =
  /^(context|decision drivers|considered options|consequences|confirmation|validation|alternatives|rationale|what follows|맥락|배경|근거|이유|대안|결과)/i;

/** Reads a file. @returns undefined where it is no decision record */
export function readRecord(path: string, file: string): AdrRecord | undefined {
  const { text, changedAt, isDamaged } = readText(path);
  const { values, body, problem } = frontMatter(text);
  const [, heading] = /^#\s+(.+)$/m.exec(body) ?? [];
  const sections = sectionsOf(body);
  const top = topOf(body);
  const fields = fieldsOf(top);
  const state = sections.find(({ heading: name }) => STATUS.test(name));
  const status = statusOf(values, fields, state?.body);
  const isRecord =
    status.length > 0 || sections.some(({ heading: name }) => DECISION.test(name)) || values.topic;
  if (heading === undefined || !isRecord) return undefined;
  const warnings = [
    ...(isDamaged ? ['bytes that are no UTF-8 became U+FFFD'] : []),
    ...(problem === undefined
      ? []
      : [/\{\s*(proposed|YYYY)/.test(text) ? 'front matter is the unfilled template' : problem]),
  ];
  const stem = withoutEnding(file.split('/').at(-1) ?? file);
  const written = values.date ?? fields.get('date');
  const date = dateOf(written);
  if (date === undefined && filled(written) !== undefined)
    warnings.push(`its date "${filled(written)}" is no ISO date`);
  return {
    file,
    stem,
    number: Number(/^(?:adr[-_ ]?)?(\d+)/i.exec(stem)?.[1] ?? Number.MAX_SAFE_INTEGER),
    title: titleOf(heading),
    date,
    status,
    decision: decisionOf(body, sections),
    sections: [...sections.filter(({ heading: name }) => GROUNDS.test(name)), ...translated(body)],
    links: [
      ...status,
      ...top,
      ...listed(sections.find(({ heading: name }) => /^links$/i.test(name))?.body ?? ''),
      ...linked(values),
    ],
    values: { ...Object.fromEntries(fields), ...values },
    text,
    changedAt,
    warnings,
    own: ownRecord(values, body),
  };
}

/** A value that says something. */
export function filled(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  const text = String(value).replace(COMMENT, '').trim();
  return text === '' || UNFILLED.test(text) ? undefined : text;
}

/** A list, or names with commas between. */
export function namesIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : (filled(value)?.split(/,\s*/) ?? []);
  return all.map(String).filter((each) => each.trim() !== '');
}

function sectionsOf(body: string): { heading: string; body: string }[] {
  return sectionsIn(body).sections.map((section) => {
    const kept = section.body.split('\n').filter(
      (each) =>
        !UNFILLED.test(
          each
            .replace(COMMENT, '')
            .replace(/^[-*\s]+/, '')
            .trim() || ' ',
        ),
    );
    return { heading: headingOf(section.heading), body: kept.join('\n').replace(COMMENT, '').trim() };
  });
}

/** Without a number before it and a colon behind it. */
const headingOf = (text: string) =>
  text
    .replace(COMMENT, '')
    .trim()
    .replace(/^\d+[.)]\s+/, '')
    .replace(/\s*:$/, '');

/** Without its number: `1. `, `0001 - `, `ADR-0001: `, `ADR 1 `. */
function titleOf(heading: string): string {
  const plain = heading.replace(COMMENT, '').trim();
  const rest = plain.replace(
    /^(?:ADR[-_ #]*\d+\s*(?:[.:)]|[-–—]\s|(?=\s))|\d+(?:[.:)](?!\d)|\s+[-–—]\s))\s*/i,
    '',
  );
  return rest === '' ? plain : rest;
}

/** The lines above the first section, without marks of lists and of bold words. */
const topOf = (body: string): string[] =>
  sectionsIn(body)
    .top.split('\n')
    .map((line) =>
      line
        .replace(COMMENT, '')
        .replace(/^\s*(?:[-*]\s+)?/, '')
        .replace(/^(\*\*|__)([^*_:]+)(:?)\1(:?)/, '$2$3$4')
        .trim(),
    );

/** What stands as `Name: value` above the first section. */
function fieldsOf(top: string[]): Map<string, string> {
  const fields = top.flatMap((each) => {
    const [, written, value = ''] = FIELD.exec(each) ?? [];
    const name = written?.toLowerCase();
    return name === undefined ? [] : [[CALLED[name] ?? name, value.trim()] as const];
  });
  return new Map(fields);
}

/** A template of log4brains whose state nobody chose is a draft, as it says itself. */
function statusOf(
  values: Record<string, unknown>,
  fields: Map<string, string>,
  section: string | undefined,
): string[] {
  const written = filled(values.status) ?? fields.get('status');
  const lines = written === undefined ? listed(section ?? '') : [written];
  return lines.map((each) => (UNFILLED.test(each) ? 'draft' : each));
}

const listed = (text: string) =>
  text
    .split('\n')
    .map((each) => each.replace(/^\s*[-*]\s+/, '').trim())
    .filter((each) => each !== '');

/** Links in front matter, as they would stand in words. */
function linked(values: Record<string, unknown>): string[] {
  const words = {
    supersedes: 'supersedes',
    superseded_by: 'superseded by',
    'superseded-by': 'superseded by',
  };
  const told = Object.entries(words).flatMap(([key, word]) =>
    namesIn(values[key]).map((each) => `${word} ${each}`),
  );
  const named = (key: string, word: string) => namesIn(values[key]).map((each) => `${word} ${each}`);
  return [
    ...told,
    ...named('builds_on', 'refines'),
    ...named('debates', 'debates'),
    ...named('synthesizes', 'synthesizes'),
  ];
}

/** What was decided, in its first paragraph: that of the section, or the one that says so. */
function decisionOf(body: string, sections: { heading: string; body: string }[]): string {
  const section = sections.find(({ heading }) => DECISION.test(heading))?.body;
  const [, said] = /^\*\*Decision\.\*\*\s+([\s\S]*?)(?:\n\n|$)/m.exec(body) ?? [];
  const [first = ''] = (section ?? said ?? '').split(/\n\s*\n|\n#/);
  const plain = first.replace(/\s*\n\s*/g, ' ').trim();
  const chosen = /^Chosen option:\s*["“*`]*(.*?)["”*`]*\s*,\s*(because\b.*)$/i.exec(plain);
  if (!chosen) return plain;
  const [, option = '', because = ''] = chosen;
  return UNFILLED.test(option) ? '' : `${option}, ${because}`;
}

/** The decision in Korean, where it stands under the one in English: it is searched with the reasons. */
function translated(body: string): { heading: string; body: string }[] {
  const [, said] = /^\*\*Decision\.\*\* [\s\S]*?^\*\*결정\.\*\*\s+([\s\S]*?)(?:\n\n|$)/m.exec(body) ?? [];
  return said === undefined ? [] : [{ heading: '결정', body: said.trim() }];
}

function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  const text = filled(value)?.replace(DAY, (_, year, month, day) =>
    [year, month.padStart(2, '0'), day.padStart(2, '0')].join('-'),
  );
  return text !== undefined && /^\d{4}-\d{2}-\d{2}([T ]|$)/.test(text)
    ? Date.parse(text) || undefined
    : undefined;
}
