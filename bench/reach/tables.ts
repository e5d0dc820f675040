import type { Row } from './judge.ts';
import type { Memory } from './memory.ts';

/** The measurements of one memory, by kind of moment. */
export interface Measured {
  memory: Memory;
  rows: Map<string, Row>;
  /** Tokens of definitions of tools and instructions. */
  definitions: number;
  /** Tokens of the start of a session. */
  start: number;
}

/** The table of one memory. */
export function whole({ rows, definitions, start }: Measured): string[] {
  return [
    '',
    '| moment | cases | told | with why | something else | by the start | start or event | tokens a case |',
    '|---|---|---|---|---|---|---|---|',
    ...[...rows].map(([what, row]) =>
      line(what, row.cases, row.told, row.why, row.other, row.startWhy, row.eitherWhy, perCase(row)),
    ),
    '',
    `Tokens at the start of a session: ${start}; of tools and instructions: ${definitions}.`,
  ];
}

const REACH = {
  'prompt that breaks, near words': 'prompt, near words',
  'prompt that breaks, other words': 'other words',
  'prompt that breaks, other language': 'other language',
  'prompt that concerns a decision': 'prompt that concerns',
  'edit or command, breaking': 'edit or command',
  'error with a known cause': 'failing command',
  'file that is bound, before the change': 'bound file',
};
const INNOCENT = {
  'prompt about nothing': 'prompt',
  'edit or command, innocent': 'edit or command',
  'error without': 'failing command',
};

/** The tables of several memories beside each other. */
export function beside(all: Measured[]): string[] {
  const first = all[0]?.rows ?? new Map<string, Row>();
  const head = (names: { [row: string]: string }) =>
    Object.entries(names)
      .filter(([row]) => first.has(row))
      .map(([row, name]) => `${name}: ${first.get(row)?.cases}`);
  const of = (rows: Map<string, Row>, names: object, cell: (row: Row) => string | number) =>
    Object.keys(names).flatMap((name) => {
      const row = rows.get(name);
      return row ? [cell(row)] : [];
    });
  return [
    '',
    'Told · told with why: in the context by then, from the start of the session or from the moment itself',
    '',
    ...heading('memory', ...head(REACH)),
    ...all.flatMap(({ memory, rows }) => [
      line(memory.name, ...of(rows, REACH, (row) => `${row.eitherTold} · ${row.eitherWhy}`)),
      ...(sum(rows, REACH, 'eitherTold') > sum(rows, REACH, 'told')
        ? [line('– at the moment itself', ...of(rows, REACH, (row) => `${row.told} · ${row.why}`))]
        : []),
    ]),
    '',
    'Something else said: at moments that break something, and at innocent ones',
    '',
    ...heading('memory', `breaking: ${sum(first, REACH, 'cases')}`, ...head(INNOCENT)),
    ...all.map(({ memory, rows }) =>
      line(memory.name, sum(rows, REACH, 'other'), ...of(rows, INNOCENT, ({ other }) => other)),
    ),
    '',
    'Tokens: what each session has, and the mean of a moment, breaking · innocent',
    '',
    ...heading(
      'memory',
      'tools and instructions',
      'start',
      'prompt',
      'edit or command',
      'failing command',
      'bound file',
    ),
    ...all.map(({ memory, rows, definitions, start }) => {
      const pair = (...names: string[]) =>
        names
          .map((name) => rows.get(name))
          .map((row) => (row ? perCase(row) : '–'))
          .join(' · ');
      return line(
        ...[memory.name, definitions, start],
        pair('prompt that breaks, near words', 'prompt about nothing'),
        pair('edit or command, breaking', 'edit or command, innocent'),
        pair('error with a known cause', 'error without'),
        pair('file that is bound, before the change'),
      );
    }),
    '',
    ...all.map(
      ({ memory }) => `- ${memory.name}${memory.package ? ` (${memory.package})` : ''}: ${memory.rule}`,
    ),
  ];
}

const line = (...cells: (string | number)[]): string => `| ${cells.join(' | ')} |`;
const heading = (...cells: string[]): string[] => [line(...cells), line(...cells.map(() => '---'))];
const perCase = ({ tokens, cases }: Row): number => Math.round(tokens / cases);
const sum = (
  rows: Map<string, Row>,
  names: object,
  field: 'cases' | 'other' | 'told' | 'eitherTold',
): number => Object.keys(names).reduce((total, name) => total + (rows.get(name)?.[field] ?? 0), 0);
