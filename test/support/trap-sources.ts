import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { gzipSync } from 'node:zlib';
import { scratch } from './engines.ts';
import { addRow, databaseOf, folderOf, IMPORTS, linesOf, type Rows } from './sources.ts';

const T = 1_770_000_000_000;
const ISO = '2026-03-01T00:00:00.000Z';
/** The two records of a source that lead to each other, and to one that is not there. */
type Two = [one: string, other: string];
const GONE = 'gone';

/** A source that is a database. Its records lead to each other in a circle, and to one that is not there. */
export interface DatabaseSource {
  make(texts: Two): string;
  /** Where its first text stands. */
  column: [table: string, column: string];
}

const madeOf = (schema: string, rows: (texts: Two) => Rows) => (texts: Two) =>
  databaseOf(schema, rows(texts));

const decisions = ([one, other]: Two): Rows => [
  ['decisions', { id: 'decision_1', topic: 'a', decision: one, created_at: T, updated_at: T }],
  ['decisions', { id: 'decision_2', topic: 'b', decision: other, created_at: T + 1, updated_at: T + 1 }],
  ...[
    ['decision_1', 'decision_2'],
    ['decision_2', 'decision_1'],
    ['decision_2', GONE],
    ['decision_1', 'decision_1'],
  ].map(([from = '', to = '']): Rows[number] => [
    'decision_edges',
    { from_id: from, to_id: to, relationship: 'builds_on', created_at: T },
  ]),
];

const observed = ([one, other]: Two, more: (id: number) => Record<string, string | null>): Rows =>
  [one, other].map((content, index) => [
    'observations',
    {
      id: 1000 + index,
      session_id: 's',
      type: 'note',
      title: '',
      content,
      scope: 'project',
      created_at: '2026-03-01 00:00:00',
      updated_at: '2026-03-01 00:00:00',
      ...more(index),
    },
  ]);

function hoofyOf(texts: Two): string {
  const path = join(scratch(), 'memory.db');
  copyFileSync(join(IMPORTS, 'hoofy', 'memory.db'), path);
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(
    `${[...database.prepare("select name from sqlite_master where type = 'trigger'").all()]
      .map(({ name }) => `drop trigger "${name}";`)
      .join('')}delete from observations; delete from relations;`,
  );
  for (const [table, row] of observed(texts, () => ({}))) addRow(database, table, row);
  for (const [from, to] of [
    [1000, 1001],
    [1001, 1000],
    [1001, 7],
  ] as const)
    addRow(database, 'relations', {
      from_id: from,
      to_id: to,
      type: 'follows',
      created_at: '2026-03-01 00:00:00',
    });
  database.close();
  return path;
}

export const DATABASES: Record<string, DatabaseSource> = {
  mama: { column: ['decisions', 'decision'], make: madeOf('mama/mama-2.2.0', decisions) },
  '7-division': { column: ['decisions', 'decision'], make: madeOf('mama/7-division-mama', decisions) },
  hoofy: { column: ['observations', 'content'], make: hoofyOf },
  engram: {
    column: ['observations', 'content'],
    make: madeOf('hoofy/engram-engram-2', (texts) => [
      ...observed(texts, (index) => ({ sync_id: `obs-${index}` })),
      ...[
        ['obs-0', 'obs-1'],
        ['obs-1', 'obs-0'],
        ['obs-1', GONE],
      ].map(([from = '', to = ''], index): Rows[number] => [
        'memory_relations',
        {
          sync_id: `rel-${index}`,
          source_id: from,
          target_id: to,
          relation: 'related',
          judgment_status: 'judged',
        },
      ]),
    ]),
  },
  'claude-mem': {
    column: ['observations', 'narrative'],
    make: madeOf('claude-mem/claude-mem-13.25', (texts) =>
      texts.map((narrative, index) => [
        'observations',
        {
          memory_session_id: GONE,
          project: 'p',
          type: 'change',
          narrative,
          content_hash: `h${index}`,
          created_at: ISO,
          created_at_epoch: T,
        },
      ]),
    ),
  },
};

/** The files of a source that is made of texts, in which `%` stands for what it says. */
export const TEXTS: Record<string, Record<string, string>> = {
  'server-memory': {
    'memory.jsonl': linesOf([
      { type: 'entity', name: 'A', entityType: 'x', observations: ['%'] },
      { type: 'entity', name: 'B', entityType: 'x', observations: [] },
      { type: 'relation', from: 'A', to: 'B', relationType: 'x' },
      { type: 'relation', from: 'B', to: 'A', relationType: 'x' },
      { type: 'relation', from: 'B', to: GONE, relationType: 'x' },
    ]),
  },
  'claude-mem': {
    'export.json': JSON.stringify(
      {
        query: 'x',
        observations: [
          { memory_session_id: 'm', project: 'p', type: 'x', narrative: '%', created_at_epoch: T },
        ],
        sessions: [],
      },
      null,
      1,
    ),
  },
  hoofy: {
    'export.json': JSON.stringify(
      {
        version: '0.1.0',
        sessions: [],
        observations: [
          { id: 1, session_id: 's', type: 'x', title: 't', content: '%', created_at: '2026-03-01 00:00:00' },
        ],
      },
      null,
      1,
    ),
  },
  'basic-memory': {
    'a.md': '---\ntitle: A\npermalink: a\n---\n%\n- follows [[B]]\n- follows [[gone]]\n',
    'b.md': '---\ntitle: B\npermalink: b\n---\n- follows [[A]]\n- follows [[B]]\n',
  },
  obsidian: { 'a.md': '---\ntags: [x]\n---\n%\n[[b]] [[a]] [[gone]]\n', 'b.md': '[[a]]\n' },
  okf: {
    'a.md': '---\ntype: x\n---\n%\n[b](b.md) [a](/a.md) [gone](gone.md)\n',
    'b.md': '---\ntype: x\n---\n[a](a.md)\n',
  },
  adr: {
    '0001-a.md':
      '# 1. A\n\n## Status\n\nSuperseded by [2](0002-b.md)\nSupersedes [2](0002-b.md)\n\n## Decision\n\n%\n\n## Consequences\n\nNone that is known.\n',
    '0002-b.md':
      '# 2. B\n\n## Status\n\nAccepted\nAmends [2](0002-b.md)\nAmends [9](0009-gone.md)\n\n## Decision\n\nB it is, as of now.\n',
  },
  agents: { 'CLAUDE.md': '# Shop\n\n%\n\n## Style\n\n@gone.md\n' },
};

/** Their folders, or the one file that a folder has. @param change what is done with the bytes of each file */
export function textSource(
  name: string,
  said: string,
  change: (text: string) => string | Uint8Array = (text) => text,
) {
  const files = Object.entries(TEXTS[name] ?? {}).map(([file, text]) => [
    file,
    change(text.replaceAll('%', said)),
  ]);
  const folder = folderOf(Object.fromEntries(files));
  const [[only = ''] = []] = files as [string, string][];
  return /\.jsonl?$/.test(only) ? join(folder, only) : folder;
}

/** A repository into which engram has shared this. */
export function chunkOf(text: string): string {
  const observations = [
    { id: 1, session_id: 's', type: 'x', title: 't', content: text, created_at: '2026-03-01 00:00:00' },
  ];
  const chunk = gzipSync(JSON.stringify({ sessions: [], observations }));
  return folderOf({ '.engram/chunks/00000001.jsonl.gz': chunk });
}
