import { type RawBuilder, sql } from 'kysely';
import { unnamedConversations } from '../../domain/conversation.ts';
import { ATTRIBUTES, FIELDS } from '../../domain/decision.ts';
import { type KeywordRelation, weightOf } from '../../domain/keyword.ts';
import { RECORD_KINDS, type RecordKind } from '../../domain/kinds.ts';
import { capitalize } from '../../domain/text/text.ts';
import { numbersIn, textsIn } from '../../store/json-list.ts';
import { STORED } from '../../store/kinds/kinds.ts';
import { keywordsAt } from '../../store/memos/keyword.ts';
import { newestRecord } from '../../store/record.ts';
import { rowsOf } from '../../store/rows.ts';
import { query } from '../../store/statements.ts';
import type { Tx } from '../../store/tx.ts';
import type { ExportTerms } from '../exporters/exporter.ts';
import {
  type GraphRelation,
  type Label,
  mergeNamedNode,
  mergeNode,
  mergeRelation,
  type NodeKey,
  type Property,
  uniqueKey,
} from './statement.ts';

/** Records in one range, and rows read at once: texts may be megabytes long, and an export never holds all of them. */
const PAGE = 200;
const ROWS = 25;

/**
 * The whole memory as Cypher statements, one a line (M-10): names of keywords, constraints, nodes, relations. Running them
 * again changes nothing. Times are milliseconds UTC. Changes, and the names of topics and scopes, are in the other
 * format alone.
 *
 * A keyword has its own name as a label, too (M-13), and `labels(k)[0]` in the published queries means that one. Neo4j
 * promises no order of labels. In practice a node shows them in the order in which the database first met each, so that
 * the names come before `Keyword` when they are made before anything mentions it: in a database that is empty at first.
 * `k.name` is the name in any.
 */
export async function* cypherOf(tx: Tx, { authors }: Pick<ExportTerms, 'authors'>): AsyncGenerator<string> {
  const end = await newestRecord(tx);
  yield* statements(tx, [KEYWORD_NAMES], end);
  for (const [label, key] of Object.entries(KEYS)) yield uniqueKey(label as Label, key);
  yield* writers(tx, authors);
  yield* statements(tx, [...NODES, ...RELATIONS], end);
  yield* sessions(tx, authors);
}

/** The statements of these parts, for the records up to a number. */
async function* statements(tx: Tx, parts: Part[], end: number): AsyncGenerator<string> {
  for (const part of parts) {
    for (let start = 0; start < end; start += PAGE) {
      const within = (column: string) =>
        sql`${sql.ref(column)} > ${start} and ${sql.ref(column)} <= ${start + PAGE}`;
      for (let offset = 0; ; offset += ROWS) {
        const rows = await query<Row>(tx)`${part.rows(within)} limit ${ROWS} offset ${offset}`;
        for (const row of rows) yield part.write(row);
        if (rows.length < ROWS) break;
      }
    }
  }
}

/** The kinds that have nodes: that something was redacted is in no graph. */
const GRAPH_KINDS = RECORD_KINDS.filter((kind) => kind !== 'redaction');

/** The label of a kind: its name, but for memos. */
function labelOf(kind: RecordKind): Label {
  return kind === 'memo' ? '_Info' : (capitalize(kind) as Label);
}

/** The property that identifies the nodes of each label. */
const KEYS = {
  ...(Object.fromEntries(GRAPH_KINDS.map((kind) => [labelOf(kind), 'id'])) as Record<Label, string>),
  Keyword: 'name',
  Session: 'id',
  Writer: 'id',
  Revision: 'id',
};

/** A row of a table, its columns in camel case. */
type Row = Record<string, string | number | null | undefined>;

/** One part of the export: the rows of a range of records, and the statement for each row. */
interface Part {
  rows(within: (column: string) => RawBuilder<unknown>): RawBuilder<unknown>;
  write(row: Row): string;
}

/** A node of a label, by what identifies it. */
function node(label: Label, value: string | number | null | undefined): NodeKey {
  return { label, key: KEYS[label], value: value as string | number };
}

/** The earlier texts of observations: `where` they are read, as the query of each part continues. */
const OF_OBSERVATIONS = sql`observation_revisions as r join observations as o on o.id = r.observation_id`;
/** The earlier texts of memos. */
const OF_MEMOS = sql`memo_revisions as r join memos as m on m.seq = r.memo_seq`;

/** An earlier text of a record. */
const revision = (of: Row[string], number: Row[string]): NodeKey => node('Revision', `${of}/${number}`);

const KEYWORD_NAMES: Part = {
  rows: (within) => sql`select name from keywords where ${within('seq')} order by seq`,
  write: ({ name }) => mergeNamedNode(node('Keyword', name)),
};

/** The properties of a record's node, where they are not the columns of its row. */
const PROPERTIES: Partial<Record<RecordKind, (row: Row) => Record<string, Property>>> = {
  decision: ({ seq: _, isActive, withdrawn, ...row }) => ({
    ...row,
    ...Object.fromEntries(
      ATTRIBUTES.filter((name) => FIELDS[name].kind === 'number' && row[name] !== null).map((name) => [
        name,
        { float: row[name] as number },
      ]),
    ),
    isActive: isActive === 1,
    withdrawn: withdrawn === 1,
  }),
  evidence: ({ seq: _, decisionRef: __, observationId: ___, ...row }) => row,
  anchor: ({ id, hint, type, createdAt }) => ({ id, hint, type, createdAt }),
  outcome: ({ seq, outcome, reason, createdAt }) => ({ id: seq, outcome, reason, createdAt }),
  checkpoint: ({ seq: _, openFiles, ...row }) => ({ ...row, openFiles: textsIn(openFiles) }),
  observation: ({ seq: _, contentHash: __, writer: ___, ...row }) => row,
};

const NODES: Part[] = [
  {
    rows: (within) => sql`select * from keywords where ${within('seq')} order by seq`,
    write: ({ seq: _, name, ...properties }) => mergeNamedNode(node('Keyword', name), properties),
  },
  ...GRAPH_KINDS.filter((kind) => kind !== 'keyword').map(nodes),
  // The earlier texts, a node each (U-6).
  {
    rows: (within) => sql`
      select r.* from ${OF_OBSERVATIONS} where ${within('o.seq')} order by r.observation_id, r.revision`,
    write: ({ observationId, writer: _, ...row }) => mergeNode(revision(observationId, row.revision), row),
  },
  {
    rows: (within) => sql`
      select r.*, m.id as memo_id from ${OF_MEMOS} where ${within('m.seq')} order by r.memo_seq, r.revision`,
    write: ({ memoId, memoSeq: _, ...row }) => mergeNode(revision(memoId, row.revision), row),
  },
];

const RELATIONS: Part[] = [
  ...GRAPH_KINDS.map(written),
  {
    rows: (within) => sql`
      select r.observation_id as id, r.revision, r.writer from ${OF_OBSERVATIONS}
      where ${within('o.seq')} order by r.observation_id, r.revision`,
    write: (row) => mergeRelation(revision(row.id, row.revision), 'WRITTEN_BY', node('Writer', row.writer)),
  },
  {
    rows: (within) => sql`
      select f.name as from_name, t.name as to_name, r.type, r.times, r.created_at, r.last_at
      from keyword_relations as r join keywords as f on f.seq = r.from_seq join keywords as t on t.seq = r.to_seq
      where ${within('r.from_seq')} order by r.from_seq, r.to_seq, r.type`,
    write: ({ fromName, toName, type, times, ...properties }) =>
      mergeRelation(node('Keyword', fromName), type as KeywordRelation, node('Keyword', toName), {
        weight: { float: weightOf(type as KeywordRelation, times as number) },
        ...properties,
      }),
  },
  {
    rows: (within) => sql`
      select m.id, k.name, l.depth, v.name as via_keyword, l.created_at
      from memo_links as l join memos as m on m.seq = l.memo_seq join keywords as k on k.seq = l.keyword_seq
      left join keywords as v on v.seq = l.via_seq
      where ${within('l.memo_seq')} order by l.memo_seq, l.depth, k.name`,
    write: ({ id, name, depth, viaKeyword, createdAt }) =>
      mergeRelation(
        node('_Info', id),
        depth === 0 ? 'ABOUT' : 'RELATED_TO',
        node('Keyword', name),
        depth === 0 ? { createdAt } : { discoveredAt: createdAt, depth, viaKeyword },
      ),
  },
  {
    rows: (within) => sql`
      select e.from_id, e.to_id, e.relationship, e.created_at
      from decision_edges as e join decisions as d on d.id = e.from_id
      where ${within('d.seq')} order by d.seq, e.to_id, e.relationship`,
    write: ({ fromId, toId, relationship, createdAt }) =>
      mergeRelation(
        node('Decision', fromId),
        String(relationship).toUpperCase() as GraphRelation,
        node('Decision', toId),
        { createdAt },
      ),
  },
  links('evidence', 'Evidence', 'EVIDENCE_OF', 'Decision', 'decision_ref'),
  {
    // Evidence keeps the number of an observation that was deleted for good.
    rows: (within) => sql`
      select e.id, o.id as target from evidence as e join observations as o on o.id = e.observation_id
      where ${within('e.seq')} order by e.seq`,
    write: ({ id, target }) => mergeRelation(node('Evidence', id), 'TAKEN_FROM', node('Observation', target)),
  },
  links('anchors', 'Anchor', 'POINTS_TO', 'Decision', 'decision_ref'),
  links('anchors', 'Anchor', 'POINTS_TO', 'Evidence', 'evidence_ref'),
  {
    rows: (within) => sql`select seq as id, decision_id from outcomes where ${within('seq')} order by seq`,
    write: ({ id, decisionId }) =>
      mergeRelation(node('Outcome', id), 'OUTCOME_OF', node('Decision', decisionId)),
  },
  {
    rows: (within) => sql`
      select r.observation_id as id, r.revision from ${OF_OBSERVATIONS}
      where ${within('o.seq')} order by r.observation_id, r.revision`,
    write: (row) => mergeRelation(revision(row.id, row.revision), 'REVISION_OF', node('Observation', row.id)),
  },
  {
    rows: (within) => sql`
      select m.id, r.revision from ${OF_MEMOS} where ${within('m.seq')} order by r.memo_seq, r.revision`,
    write: (row) => mergeRelation(revision(row.id, row.revision), 'REVISION_OF', node('_Info', row.id)),
  },
  {
    rows: (within) => sql`
      select r.from_id, r.to_id, r.id, r.type, r.note, r.created_at from relations as r
      join observations as o on o.id = r.from_id where ${within('o.seq')} order by r.id`,
    write: ({ fromId, toId, type, ...properties }) =>
      mergeRelation(node('Observation', fromId), 'RELATION', node('Observation', toId), properties, { type }),
  },
];

function nodes(kind: RecordKind): Part {
  const label = labelOf(kind);
  const properties = PROPERTIES[kind] ?? (({ seq: _, ...row }: Row) => row);
  return {
    rows: (
      within,
    ) => sql`select t.*, r.retracted_at from ${sql.table(STORED[kind].table)} as t join records as r on r.seq = t.seq
      where ${within('t.seq')} order by t.seq`,
    write: ({ retractedAt, ...row }) => {
      const { [KEYS[label]]: value, ...others } = properties(row);
      // K-6: what was undone is there, and says so.
      const marked = retractedAt === null ? others : { ...others, retractedAt };
      return mergeNode(node(label, value as string | number), marked);
    },
  };
}

/** The writers of the records of a kind. */
function written(kind: RecordKind): Part {
  const label = labelOf(kind);
  const writer = kind === 'observation' ? sql`t.writer` : sql`r.writer`;
  const key = kind === 'outcome' ? 'seq' : KEYS[label];
  return {
    rows: (within) => sql`
      select ${sql.ref(`t.${key}`)} as id, ${writer} as writer
      from ${sql.table(STORED[kind].table)} as t join records as r on r.seq = t.seq
      where ${within('t.seq')} order by t.seq`,
    write: ({ id, writer }) => mergeRelation(node(label, id), 'WRITTEN_BY', node('Writer', writer)),
  };
}

/** The relations that a column of a table holds. */
function links(table: string, from: Label, type: GraphRelation, to: Label, column: string): Part {
  return {
    rows: (within) => sql`
      select id, ${sql.ref(column)} as target from ${sql.table(table)}
      where ${within('seq')} and ${sql.ref(column)} is not null order by seq`,
    write: ({ id, target }) => mergeRelation(node(from, id), type, node(to, target)),
  };
}

/** Writers, a node for each process and session (K-4). */
async function* writers(tx: Tx, authors: boolean): AsyncGenerator<string> {
  for await (const { id, author, host, ...row } of rowsOf(tx, 'writers')) {
    const names = authors ? { author: given(author), host: given(host) } : {};
    yield mergeNode(node('Writer', id as number), { ...names, ...(row as Record<string, string>) });
  }
}

/** An empty name is not a name. */
function given(name: unknown): string | undefined {
  return name === '' ? undefined : String(name);
}

/** The state of each conversation (M-6). */
async function* sessions(tx: Tx, authors: boolean): AsyncGenerator<string> {
  const shown = authors ? (name: string) => name : unnamedConversations();
  const rows = await query<{
    sessionId: string;
    previousKeywords: string;
    updatedAt: number;
    memoId: string | null;
  }>(tx)`
    select c.session_id, c.previous_keywords, c.updated_at, m.id as memo_id
    from conversations as c left join memos as m on m.seq = c.last_memo_seq order by c.session_id`;
  for (const { sessionId, previousKeywords, updatedAt, memoId } of rows) {
    const previous = (await keywordsAt(tx, numbersIn(previousKeywords))).map(({ name }) => name);
    const session = node('Session', shown(sessionId));
    yield mergeNode(session, { previousKeywords: previous, updatedAt });
    if (memoId !== null) yield mergeRelation(session, 'LAST_MEMO', node('_Info', memoId));
  }
}
