import { globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { namesIn } from '../src/interchange/importers/adr/fields.ts';
import { readRecord } from '../src/interchange/importers/adr/record.ts';
import { readText } from '../src/interchange/importers/source-text.ts';

/** Where the records of this project's own decisions are. */
export const RECORDS = 'docs/decisions';
/** Keys whose values are numbers of records: in quotes, since YAML takes 0011 for a number and drops its zeros. */
const NUMBERS = ['superseded_by', 'builds_on'];

/** One record in docs/decisions/, as its table and its rules see it. */
export interface DecisionRecord {
  file: string;
  number: string;
  title: string;
  date: string | undefined;
  status: string | undefined;
  supersededBy: string | undefined;
  topic: string;
  buildsOn: string[];
  /** What was decided, in a line; without its title. */
  decision: string;
  /** The number that the heading names. */
  heading: string | undefined;
  /** Keys whose values hold numbers without quotes. */
  unquoted: string[];
}

/** Every record, in the order of their numbers, as `precedent import --from adr` reads them. @param top of the project */
export function readRecords(top = '.'): DecisionRecord[] {
  const folder = join(top, RECORDS);
  return globSync(join(folder, '0*.md'))
    .sort()
    .map((path) => recordAt(path, folder));
}

function recordAt(path: string, folder: string): DecisionRecord {
  const file = basename(path);
  const read = readRecord(readText(path, folder), file, { folder: '.' });
  const record = typeof read === 'string' ? undefined : read;
  const { values = {}, text = '', decision = '' } = record ?? {};
  const said = (key: string) => (values[key] === undefined ? undefined : String(values[key]));
  const [, heading] = /^# (\d{4})\. /m.exec(text) ?? [];
  return {
    file,
    number: file.slice(0, 4),
    heading,
    unquoted: NUMBERS.filter((key) => new RegExp(`^${key}: *[^"\\s]`, 'm').test(text)),
    title: heading === undefined ? '' : (record?.title ?? ''),
    date: said('date'),
    status: said('status'),
    supersededBy: said('superseded_by'),
    topic: said('topic') ?? '',
    buildsOn: namesIn(values.builds_on),
    decision,
  };
}
