import { ITEM, withoutBlocks, withoutComments } from '../markdown.ts';
import type { Outline } from './outline.ts';
import { nameOf } from './words.ts';

/** An unfilled value of a template. */
export const UNFILLED = /^[[{<].*[\]}>]$/s;
/** `Name: value`, with a colon of any width. */
const FIELD = /^([^:：|]{1,40}?)\s*[:：]\s*(.*)$/s;
/** `Date 2024-05-06`: where a colon was forgotten. */
const BARE_DATE = /^(\p{L}[\p{L} ]{2,30}) (\d[\d./-]{5,}.*)$/u;
/** Characters of a value that may stand behind any name. */
const SHORT = 40;
/** Sections with fields. */
const OF_FIELDS = /^(metadata|meta|document info(rmation)?|information|info|status|메타데이터)$/i;

/** Whether a line is a field, and no sentence with a colon in it. */
export function isField(line: string): boolean {
  const [, name, value = ''] = FIELD.exec(plainLine(line)) ?? [];
  return name !== undefined && (nameOf(name) !== undefined || value.length <= SHORT);
}

/** A non-empty value. */
export function filled(value: unknown): string | undefined {
  if (value === null || value === undefined || typeof value === 'object') return undefined;
  const text = withoutComments(String(value)).trim();
  return text === '' || UNFILLED.test(text) ? undefined : text;
}

/** The names of a list, or of a text with commas. */
export function namesIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : (filled(value)?.split(/,\s*/) ?? []);
  return all.map(String).filter((each) => each.trim() !== '');
}

/** The lines of a text without list marks, quote marks and bold marks. */
export const plainLines = (text: string): string[] => withoutBlocks(text).split('\n').map(plainLine);

/** The same, where a sentence that goes on in the next line is one, and items belong to the words that announce them. */
export function plainSentences(text: string): string[] {
  const lines: string[] = [];
  let lead = '';
  let last = '';
  for (const raw of withoutBlocks(text).split('\n')) {
    const line = plainLine(raw);
    const isItem = ITEM.test(raw);
    const goesOn =
      /^(?:\p{Ll}|[^\w\s]+\p{Ll})/u.test(line) || /(?:^|\s)(?:of|by|with|in|the|and)$/i.test(last);
    if (
      last !== '' &&
      line !== '' &&
      !isItem &&
      !FIELD.test(line.replace(/\[.*/, '')) &&
      goesOn &&
      !/[.:;!?]$/.test(last)
    )
      lines.push(`${lines.pop()} ${line}`);
    else lines.push(isItem && lead !== '' ? `${lead} ${line}` : line);
    last = line;
    if (!isItem && line !== '') lead = /^[^.;]{1,40}[:：]$/.test(line) ? line : '';
  }
  return lines;
}

function plainLine(line: string): string {
  if (line === '') return line;
  return withoutComments(line)
    .replace(/^\s*(?:>\s*)*(?:[-*+]\s+)?/, '')
    .replace(/^(\*\*|__)([^*_:：]+)([:：]?)\1([:：]?)/, '$2$3$4')
    .trim();
}

/** The fields `Name: value` or of a table, above the first section or in a section for fields, by their English names. */
export function fieldsOf({ top, sections }: Outline): Map<string, string> {
  const texts = [top, ...sections.flatMap(({ heading, body }) => (OF_FIELDS.test(heading) ? body : []))];
  const pairs = texts.flatMap((text) => {
    const lines = plainLines(text);
    const stated = lines.flatMap((line) => {
      const [, said = '', day = ''] = BARE_DATE.exec(line) ?? [];
      const [, name = '', value = ''] = FIELD.exec(line) ?? [];
      return [isDate(nameOf(said)) ? [said, day] : [name, value.trim()]];
    });
    return [...stated, ...cellsOf(lines)];
  });
  // A section of its own, as some write their dates.
  const dates = sections.flatMap(({ heading, body }) =>
    isDate(nameOf(heading)) ? [[heading, plainLines(body).find((line) => line !== '') ?? '']] : [],
  );
  const known = [...pairs, ...dates].flatMap(([written = '', value = '']): [string, string][] => {
    const name = nameOf(written);
    return name === undefined ? [] : [[name, value]];
  });
  // The first of several counts.
  return new Map(known.reverse());
}

const isDate = (name: string | undefined) => name === 'date' || name === 'begun';

/** The fields of a table, with the names in the first row or in the first column. */
function cellsOf(lines: string[]): [name: string, value: string][] {
  const rows = lines.filter((line) => line.startsWith('|')).map(cellsIn);
  const data = rows.filter((cells) => !cells.every((cell) => /^:?-+:?$/.test(cell)));
  const [names = [], values = []] = data;
  const isHeader = names.filter((name) => nameOf(name) !== undefined).length > 1;
  if (isHeader) return names.map((name, index) => [name, values[index] ?? '']);
  return data.map(([name = '', value = '']) => [name, value]);
}

export const cellsIn = (row: string): string[] =>
  row
    .replace(/^\||\|$/g, '')
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim().replace(/^(\*\*|__)(.*)\1$/, '$2'));
