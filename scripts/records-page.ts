import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type DecisionRecord, RECORDS, readRecords } from './records.ts';

const PAGE = join(RECORDS, 'README.md');
/** What is written by hand stands before and after these two lines. */
const [BEGIN, END] = ['<!-- records: written by npm run reference -->', '<!-- end of records -->'];
const STATUSES = ['accepted', 'superseded', 'withdrawn'];

/**
 * The page of docs/decisions/ with a table of every record.
 * @param top the folder of the project
 * @throws Error naming each record whose date or status is missing, or does not agree with the other records
 */
export function recordsPage(top = '.'): [path: string, text: string] {
  const records = readRecords(top);
  const problems = records.flatMap((record) => problemsOf(record, records));
  if (problems.length > 0) throw new Error(problems.join('\n'));
  const text = readFileSync(join(top, PAGE), 'utf8');
  const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (before < 0 || after < before) throw new Error(`${PAGE}: expected the lines "${BEGIN}" and "${END}".`);
  return [PAGE, `${text.slice(0, before)}${BEGIN}\n\n${table(records)}\n\n${text.slice(after)}`];
}

function problemsOf(record: DecisionRecord, records: DecisionRecord[]): string[] {
  const { number, status = '', supersededBy, topic, title } = record;
  const next = records.find((other) => other.number > number && other.topic === topic);
  const successor = records.find((other) => other.number === supersededBy);
  const unknown = record.buildsOn.filter(
    (ground) => !(ground < number && records.some((other) => other.number === ground)),
  );
  const wrong: [boolean, string][] = [
    [title === '', 'a title such as "# 0001. Title"'],
    [title !== '' && record.heading !== number, `the heading to begin with "# ${number}."`],
    [
      records.some((other) => other !== record && other.number === number),
      `${number} to be its number alone`,
    ],
    [!isDay(record.date ?? ''), 'a date such as 2026-11-21'],
    [!STATUSES.includes(status), `a status out of ${STATUSES.join(', ')}`],
    [record.unquoted.length > 0, `the numbers in ${record.unquoted.join(', ')} in double quotes`],
    [
      (status === 'superseded') !== (supersededBy !== undefined),
      'superseded_by when the status is superseded, and only then',
    ],
    [
      supersededBy !== undefined && successor === undefined,
      `a record ${supersededBy}, which superseded_by names`,
    ],
    [
      next === undefined && successor !== undefined,
      `superseded_by to name a later record on the topic ${topic}, not ${supersededBy}`,
    ],
    [
      next !== undefined && supersededBy !== next.number,
      `superseded_by: "${next?.number}", the next record on its topic`,
    ],
    [unknown.length > 0, `builds_on to name earlier records, not ${unknown.join(', ')}`],
  ];
  return wrong
    .filter(([isWrong]) => isWrong)
    .map(([, expected]) => `${RECORDS}/${record.file}: expected ${expected}.`);
}

/** Whether a text is a day of the calendar: JavaScript takes February 30 for March 2. */
function isDay(text: string): boolean {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function table(records: DecisionRecord[]): string {
  const link = (number: string | undefined) => {
    const record = records.find((each) => each.number === number);
    return record ? `[${number}](${record.file})` : '';
  };
  const rows = records.map(({ number, title, status, supersededBy, decision }) => {
    const ended = supersededBy ? `Superseded by ${link(supersededBy)}.` : 'Withdrawn.';
    return `| ${link(number)} | ${title} | ${status === 'accepted' ? firstSentence(decision) : ended} |`;
  });
  return ['| number | title | what was decided |', '|---|---|---|', ...rows].join('\n');
}

const firstSentence = (decision: string): string => /^.*?\.(?=\s|$)/s.exec(decision)?.[0] ?? decision;
