import { frontMatter } from '../front-matter.ts';
import { readText } from '../source-text.ts';

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
}

/** A value of a template that nobody filled in. */
const UNFILLED = /^[[{<].*[\]}>]$/s;
const COMMENT = /<!--[\s\S]*?-->/g;
const FIELD = /^\s*(?:[-*]\s+)?(Status|Date|Deciders|Tags|Technical Story)\s*:\s*(.*)$/i;
const DECISION = /^(decision( outcome)?|결정)$/i;
const GROUNDS =
  /^(context|decision drivers|considered options|consequences|confirmation|validation|alternatives|what follows|맥락|배경|결과)/i;

/** Reads a file. @returns undefined where it is no decision record */
export function readRecord(path: string, file: string): AdrRecord | undefined {
  const { text, changedAt, isDamaged } = readText(path);
  const { values, body, problem } = frontMatter(text);
  const [, heading] = /^#\s+(.+)$/m.exec(body) ?? [];
  const sections = sectionsOf(body);
  const fields = fieldsOf(body);
  const state = sections.find(({ heading: name }) => /^status$/i.test(name));
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
  const stem = (file.split('/').at(-1) ?? file).replace(/\.md$/i, '').normalize('NFC');
  const written = values.date ?? fields.get('date');
  const date = dateOf(written);
  if (date === undefined && filled(written) !== undefined)
    warnings.push(`its date "${filled(written)}" is no ISO date`);
  return {
    file,
    stem,
    number: Number(/^\d+/.exec(stem)?.[0] ?? Number.MAX_SAFE_INTEGER),
    title: heading
      .replace(COMMENT, '')
      .replace(/^(ADR[- ]?)?\d+[.:]\s*/i, '')
      .trim(),
    date,
    status,
    decision: decisionOf(body, sections),
    sections: sections.filter(({ heading: name }) => GROUNDS.test(name)),
    links: [
      ...status,
      ...listed(sections.find(({ heading: name }) => /^links$/i.test(name))?.body ?? ''),
      ...linked(values),
    ],
    values: { ...Object.fromEntries(fields), ...values },
    text,
    changedAt,
    warnings,
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
  return body
    .split(/^##\s+/m)
    .slice(1)
    .map((part) => {
      const [first = '', ...lines] = part.split('\n');
      const kept = lines.filter(
        (each) =>
          !UNFILLED.test(
            each
              .replace(COMMENT, '')
              .replace(/^[-*\s]+/, '')
              .trim() || ' ',
          ),
      );
      return {
        heading: first.replace(COMMENT, '').trim(),
        body: kept.join('\n').replace(COMMENT, '').trim(),
      };
    });
}

/** What stands as `Name: value` above the first section. */
function fieldsOf(body: string): Map<string, string> {
  const [top = ''] = body.split(/^##\s+/m);
  const fields = top.split('\n').flatMap((each) => {
    const [, name, value = ''] = FIELD.exec(each) ?? [];
    return name === undefined ? [] : [[name.toLowerCase(), value.replace(COMMENT, '').trim()] as const];
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
  return [...told, ...namesIn(values.builds_on).map((each) => `refines ${each}`)];
}

/** What was decided, in its first paragraph: that of the section, or the one that says so. */
function decisionOf(body: string, sections: { heading: string; body: string }[]): string {
  const section = sections.find(({ heading }) => DECISION.test(heading))?.body;
  const [, said] = /^\*\*Decision\.\*\*\s+([\s\S]*?)(?:\n\n|$)/m.exec(body) ?? [];
  const [first = ''] = (section ?? said ?? '').split(/\n\s*\n|\n#/);
  const plain = first.replace(/\s*\n\s*/g, ' ').trim();
  const chosen = /^Chosen option:\s*["“]?(.*?)["”]?\s*,\s*(because\b.*)$/i.exec(plain);
  if (!chosen) return plain;
  const [, option = '', because = ''] = chosen;
  return UNFILLED.test(option) ? '' : `${option}, ${because}`;
}

function dateOf(value: unknown): number | undefined {
  if (value instanceof Date) return value.getTime();
  const text = filled(value);
  return text !== undefined && /^\d{4}-\d{2}-\d{2}([T ]|$)/.test(text)
    ? Date.parse(text) || undefined
    : undefined;
}
