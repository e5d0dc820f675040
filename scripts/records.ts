import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';

/** Where the records of this project's own decisions are. */
export const RECORDS = 'docs/decisions';

/** One record in docs/decisions/. */
export interface DecisionRecord {
  file: string;
  number: string;
  title: string;
  date: string | undefined;
  status: string | undefined;
  supersededBy: string | undefined;
  topic: string;
  strength: string;
  scope: string;
  buildsOn: string[];
  outcome: string | undefined;
  decision: string;
  reasoning: string;
  evidence: string | undefined;
  /** The number that the heading names. */
  heading: string | undefined;
  /** Keys whose values hold numbers without quotes. */
  unquoted: string[];
}

/** Every record, in the order of their numbers. */
export function readRecords(): DecisionRecord[] {
  return globSync(join(RECORDS, '0*.md')).sort().map(readRecord);
}

function readRecord(path: string): DecisionRecord {
  const text = readFileSync(path, 'utf8');
  const [, front = ''] = text.match(/^---\n([\s\S]*?)\n---\n/) ?? [];
  // Numbers are quoted, since YAML takes 0011 for a number and drops its zeros.
  const head = (key: string) => front.match(new RegExp(`^${key}: "?(.*?)"?$`, 'm'))?.[1];
  const marked = (mark: string) => text.match(new RegExp(`^\\*\\*${mark}\\.\\*\\* (.*)$`, 'm'))?.[1] ?? '';
  const part = (heading: string) =>
    text.match(new RegExp(`^## ${heading}\\n\\n([\\s\\S]*?)(?=\\n## |$(?![\\s\\S]))`, 'm'))?.[1]?.trim();
  return {
    file: basename(path),
    number: basename(path).slice(0, 4),
    heading: text.match(/^# (\d{4})\. /m)?.[1],
    unquoted: ['superseded_by', 'builds_on'].filter((key) =>
      new RegExp(`^${key}: *[^"\\s]`, 'm').test(front),
    ),
    title: text.match(/^# \d{4}\. (.*)$/m)?.[1] ?? '',
    date: head('date'),
    status: head('status'),
    supersededBy: head('superseded_by'),
    topic: head('topic') ?? '',
    strength: head('strength') ?? 'normal',
    scope: head('scope') ?? 'global',
    buildsOn: head('builds_on')?.split(/,\s*/) ?? [],
    outcome: head('outcome'),
    decision: marked('Decision'),
    reasoning: `${part('Context') ?? ''}\n${marked('결정')}`,
    evidence: part('Evidence'),
  };
}
