import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Memory, openMemory } from '../../src/index.ts';
import { LAST_UNRELEASED } from '../../src/store/migrations/migrations.ts';
import { TABLE_NAMES } from '../../src/store/tables.ts';
import { type EngineUnderTest, isTriedOn } from '../support/engines.ts';
import { furnish, withVectors } from '../support/everything.ts';
import { refuses } from '../support/expect.ts';
import { inTurn, ONE_OF } from '../support/part.ts';
import { exported, type Header, type Row, withHeader, withRows } from '../support/stream.ts';

/** Finds a row of a stream. */
type Find = (table: string, where?: Partial<Row>) => Row;
/** What a forger changes in the rows, and words that the refusal must have. */
type Forgery = [what: string, edit: (find: Find, rows: Row[]) => void, ...words: string[]];

type Change = Record<string, unknown>;
const set =
  (table: string, change: Change | ((find: Find) => Change), where?: Partial<Row>) =>
  (find: Find): void =>
    void Object.assign(find(table, where), typeof change === 'function' ? change(find) : change);
const remove =
  (table: string, where?: Partial<Row>) =>
  (find: Find, rows: Row[]): void =>
    void rows.splice(rows.indexOf(find(table, where)), 1);
const copyOf =
  (table: string, change: Record<string, unknown>) =>
  (find: Find, rows: Row[]): void => {
    const row = find(table);
    rows.splice(rows.lastIndexOf(rows.findLast((each) => each.table === table) as Row) + 1, 0, {
      ...row,
      ...change,
    });
  };
const FAR = 9e15;
const LONG = 'x'.repeat(1_000_000);

/** Of who wrote, and of names, changes, saves and mistakes. */
const AROUND: Forgery[] = [
  ['NUL in the name of a client', set('writers', { client: 'a\0b' }), 'client', 'NUL', 'writer 1'],
  ['an author that is no text', set('writers', { author: null }), 'author', 'writer 1'],
  ['a record of nobody', set('records', { writer: 99 }), 'writer', 'refer', 'record 1'],
  ['a revision of nobody', set('observationRevisions', { writer: null }), 'writer', 'revision'],
  ['a change of nobody', set('changes', { writer: 99 }), 'writer', 'change 1'],
  ['a change of no kind', set('changes', { kind: 'other' }), 'kind', 'change 1'],
  ['a change with a text', set('changes', { after: JSON.stringify({ a: LONG }) }), 'after', 'names'],
  ['a change to a list', set('changes', { after: '[1]' }), 'after', 'object'],
  ['a change of a record to come', set('changes', { recordSeq: 9_999 }), 'recordSeq', 'change 1'],
  ['a topic under another key', set('topics', { key: 'other' }), 'key', 'topic "'],
  ['a topic that leads nowhere', set('topics', { rootId: 'nope' }), 'rootId', 'topic "'],
  [
    'a topic that leads into a chain',
    set('topics', (find) => ({ rootId: find('decisions', second).id })),
    'rootId',
    'topic "',
  ],
  ['a topic without a name', remove('topics'), 'names for its topic'],
  ['a scope without a name', remove('scopes'), 'names for its topic and its scope'],
  ['a scope under another key', set('scopes', { key: 'other' }), 'key', 'scope "'],
  ['a save of nobody', set('saves', { writer: 99 }), 'writer', 'save 1'],
  ['a save of records to come', set('saves', { lastRecord: 9_999 }), 'lastRecord', 'save 1'],
  ['a save without its first record', set('saves', { firstRecord: null }), 'first', 'save 1'],
  ['a save that took back one to come', set('saves', { undoes: 2 }), 'undoes', 'save 1'],
  [
    'a mistake that stands',
    (find) => {
      const { seq } = find('decisions', { isActive: 1 });
      Object.assign(find('records', { seq }), { retractedAt: 1 });
    },
    'mistake',
    'decision',
  ],
  ['a mistake of no time', set('records', { retractedAt: 'now' }), 'retractedAt', 'record 1'],
  ['a text of no memo', set('memoRevisions', { memoSeq: 1 }), 'memoSeq', 'revision'],
  ['a text of a memo too many', set('memoRevisions', { revision: 2 }), 'revisions', 'memo'],
];
/** One row each, of a value that no column of its type may hold. */
const VALUES: Forgery[] = [
  ['a date as a text', set('decisions', { createdAt: '2026-01-01' }), 'createdAt', 'time', '"2026-01-01"'],
  ['a date that no date can hold', set('decisions', { createdAt: FAR }), 'createdAt', 'time', 'decision '],
  [
    'a date that nothing can follow',
    set('outcomes', { createdAt: 8_640_000_000_000_000 }),
    'createdAt',
    'follow',
    'outcome',
  ],
  ['a date before all dates', set('decisions', { updatedAt: -FAR }), 'updatedAt'],
  ['a date with a fraction', set('decisions', { updatedAt: 1.5 }), 'updatedAt', 'whole'],
  ['a date of an observation', set('observations', { createdAt: FAR }), 'createdAt', 'observation 1'],
  ['a date as an object', set('observations', { lastSeenAt: {} }), 'lastSeenAt', 'an object'],
  ['a deletion at no date', set('observations', { deletedAt: 'never' }), 'deletedAt'],
  ['a date of a checkpoint', set('checkpoints', { createdAt: FAR }), 'createdAt', 'checkpoint'],
  ['a date of evidence', set('evidence', { timestamp: null }), 'timestamp', 'nothing'],
  ['a date of an outcome', set('outcomes', { createdAt: FAR }), 'createdAt', 'outcome'],
  ['a date of an anchor', set('anchors', { createdAt: FAR }), 'createdAt', 'anchor'],
  ['a date of a relation', set('relations', { createdAt: FAR }), 'createdAt', 'relation'],
  ['a date of a link', set('decisionEdges', { createdAt: '0' }), 'createdAt', 'link'],
  ['a date of a revision', set('observationRevisions', { replacedAt: FAR }), 'replacedAt', 'revision 1'],
  ['a date of a keyword', set('keywords', { lastVisited: FAR }), 'lastVisited', 'keyword:'],
  ['a date of a relation of keywords', set('keywordRelations', { lastAt: FAR }), 'lastAt'],
  ['a date of a connection', set('keywordConnections', { lastAt: FAR }), 'lastAt'],
  ['a date of a memo', set('memos', { createdAt: FAR }), 'createdAt', 'memo '],
  ['a date of a memo link', set('memoLinks', { createdAt: FAR }), 'createdAt', 'memo'],
  ['a date of a conversation', set('conversations', { updatedAt: FAR }), 'updatedAt', 'conversation'],
  ['a date of a redaction', set('redactions', { createdAt: FAR }), 'createdAt', 'redaction'],
  ['a text that is a number', set('decisions', { text: 5 }), 'text', 'found 5'],
  ['a text that is an object', set('decisions', { text: { a: 1 } }), 'text', 'an object'],
  ['a text that is a list', set('evidence', { content: ['a'] }), 'content', 'a list'],
  ['a text that is missing', set('decisions', { text: undefined }), 'text'],
  ['a text of a million characters', set('decisions', { text: LONG }), 'text', '2000'],
  ['a title of a million characters', set('observations', { title: LONG }), 'title', '200'],
  ['a reason that is too long', set('outcomes', { reason: LONG }), 'reason', '2000'],
  ['a hint that is too long', set('anchors', { hint: LONG }), 'hint', '200'],
  ['a summary that is too long', set('memos', { summary: 'x'.repeat(201) }), 'summary', '200'],
  ['a blank text', set('decisions', { text: ' ' }), 'text', 'blank'],
  ['NUL in a text', set('decisions', { text: 'a\0b' }), 'text', 'NUL'],
  ['half of a surrogate pair', set('decisions', { reasoning: 'a\ud800' }), 'reasoning', 'Unicode'],
  ['a private part', set('decisions', { text: 'a <private>b</private>' }), 'text', '<private>'],
  ['a private part in evidence', set('evidence', { content: '<PRIVATE>b' }), 'content', '<private>'],
  ['a topic with blanks around it', set('decisions', { topic: ' auth ' }), 'topic', 'NFC'],
  ['a topic that is not composed', set('decisions', { topic: 'e\u0301' }), 'topic', 'NFC'],
  ['a scope with a blank at its end', set('decisions', { scope: 'auth ' }), 'scope'],
  ['a keyword in capital letters', set('keywords', { name: 'UNITY' }), 'name', '"UNITY"'],
  ['a keyword in full width', set('keywords', { name: 'ｕnity' }), 'name', 'NFKC'],
  ['an id that is the number of an observation', set('decisions', { id: '1' }), 'id', 'number', '"1"'],
  ['an id with a sign before a number', set('anchors', { id: '#38' }), 'id', 'number'],
  ['an id that names a keyword', set('evidence', { id: 'keyword:1' }), 'id'],
  ['an id with ESC', set('checkpoints', { id: 'a\u001b[2Jb' }), 'id', 'control', '\\u001b'],
  ['an id that turns its direction', set('checkpoints', { id: 'a\u202eb' }), 'id', 'control'],
  ['an id that is empty', set('memos', { id: '' }), 'id', 'blank'],
  ['an id that is too long', set('memos', { id: 'a'.repeat(201) }), 'id', '200'],
  ['an unknown strength', set('decisions', { strength: 'hard' }), 'strength', 'axis, lock, normal'],
  ['an unknown outcome', set('outcomes', { outcome: 'FAILED' }), 'outcome', 'success'],
  ['an unknown kind', set('records', { kind: 'thing' }), 'kind', '"thing"', 'record 1'],
  ['an unknown link', set('decisionEdges', { relationship: 'refines' }), 'relationship'],
  ['an unknown type of anchor', set('anchors', { type: 'link' }), 'type', 'decision_link'],
  ['an unknown relation of keywords', set('keywordRelations', { type: 'LIKES' }), 'type', 'CO_OCCURS'],
  ['confidence above 1', set('decisions', { confidence: 1.01 }), 'confidence', '0 to 1'],
  ['a flag that is true', set('decisions', { withdrawn: true }), 'withdrawn', '0 or 1'],
  ['a version above what a column holds', set('decisions', { version: 3e9 }), 'version'],
  ['a count below zero', set('observations', { duplicateCount: -1 }), 'duplicateCount'],
  ['a number of a record that is not exact', set('redactions', { recordSeq: 2 ** 53 }), 'recordSeq'],
  ['open files that are no JSON', set('checkpoints', { openFiles: 'a.ts' }), 'openFiles', 'JSON'],
  ['open files that hold numbers', set('checkpoints', { openFiles: '[1]' }), 'openFiles', 'text'],
  [
    'last keywords that are no JSON',
    set('conversations', { previousKeywords: '[1' }),
    'previousKeywords',
    'JSON',
  ],
  ['last keywords that are texts', set('conversations', { previousKeywords: '["a"]' }), 'previousKeywords'],
  ['a hash that is none', set('observations', { contentHash: 'abc' }), 'contentHash', 'SHA-256'],
  ['a hash of another text', set('observations', { contentHash: '0'.repeat(64) }), 'contentHash', 'content'],
  ['a vector of three bytes', set('vectors', { vector: 'AAAA' }), 'four bytes', '3 bytes'],
  ['a vector of another size', set('vectors', { dimensions: 3 }), '3 dimensions', '8 bytes'],
  ['a vector that is no base64', set('vectors', { vector: '!' }), 'bytes'],
  ['a vector of no numbers', set('vectors', { vector: 'AADAfwAAwH8=' }), 'numbers', 'vector'],
  ['a column that there is not', set('decisions', { 'seq"; drop table records; --': 1 }), 'columns'],
  [
    'a column named __proto__',
    (find) => Object.defineProperty(find('memos'), '__proto__', { value: 1, enumerable: true }),
    'columns',
  ],
];

const first = { version: 1, topic: 'auth' };
const second = { version: 2, topic: 'auth' };

/** Rows that are right by themselves, and do not fit each other. */
const TOGETHER: Forgery[] = [
  [
    'a decision of which the list of records says that it is a memo',
    set('records', { kind: 'memo' }, { kind: 'decision' }),
    'kind',
    'memo',
  ],
  ['a record without a row', remove('checkpoints'), 'checkpoints', 'record'],
  ['a record twice', copyOf('records', {}), 'records', 'order'],
  [
    'an id twice',
    set('decisions', (find) => ({ id: find('decisions', first).id, rootId: find('decisions', first).id }), {
      topic: 'cache',
    }),
    'id of its own',
    'decision',
  ],
  [
    'an id of two kinds',
    set('checkpoints', (find) => ({ id: find('decisions', first).id })),
    'id of its own',
  ],
  ['two chains on one topic', set('decisions', { topic: 'auth' }, { topic: 'cache' }), 'topic'],
  ['another topic within a chain', set('decisions', { topic: 'other' }, second), 'topic of its chain'],
  ['no topic within a chain', set('decisions', { topic: null }, second), 'topic of its chain'],
  ['a version left out', set('decisions', { version: 3, previousVersion: 2 }, second), 'previousVersionId'],
  [
    'a version before the wrong one',
    set('decisions', { previousVersion: 7 }, second),
    'version 1 before version 2',
  ],
  [
    'a version of another chain before it',
    set('decisions', (find) => ({ previousVersionId: find('decisions', { topic: 'cache' }).id }), second),
    'previousVersionId',
  ],
  [
    'a first version with another root',
    set('decisions', (find) => ({ rootId: find('decisions', first).id }), { topic: 'cache' }),
    'root',
  ],
  ['a root that is not there', set('decisions', { rootId: 'nobody' }, second), 'rootId', '"nobody"'],
  ['two active versions', set('decisions', { isActive: 1 }, first), 'active version'],
  [
    'no active version',
    set('decisions', { isActive: 0 }, { topic: 'cache' }),
    'newest version alone',
    'chain',
  ],
  [
    'an old version that is active',
    (find) => {
      find('decisions', first).isActive = 1;
      find('decisions', second).isActive = 0;
    },
    'newest version alone',
  ],
  ['a withdrawn version that is active', set('decisions', { withdrawn: 1 }, second), 'withdraws'],
  [
    'a first version that withdraws',
    set('decisions', { withdrawn: 1, isActive: 0 }, { topic: 'cache' }),
    'withdraws',
  ],
  [
    'a supersedes link that is missing',
    remove('decisionEdges', { relationship: 'supersedes' }),
    'supersedes',
    'none',
  ],
  [
    'a supersedes link between strangers',
    set('decisionEdges', { relationship: 'supersedes' }, { relationship: 'builds_on' }),
    'version before',
  ],
  [
    'a link to a decision that is not there',
    set('decisionEdges', { toId: 'zzz' }, { relationship: 'builds_on' }),
    'toId',
    '"zzz"',
  ],
  [
    'a link to itself',
    (find) => {
      const edge = find('decisionEdges', { relationship: 'builds_on' });
      edge.toId = edge.fromId;
    },
    'itself',
  ],
  [
    'an outcome that the log does not have',
    set('decisions', { outcome: 'success' }, first),
    'newest outcome',
  ],
  [
    'a reason that the log does not have',
    set('decisions', { outcomeReason: 'another' }, first),
    'newest outcome',
  ],
  ['an outcome without a log', set('decisions', { outcome: 'failed' }, second), 'newest outcome'],
  ['an outcome of a decision that is not there', set('outcomes', { decisionId: 'nobody' }), 'decisionId'],
  ['evidence of a decision that is not there', set('evidence', { decisionRef: 'nobody' }), 'decisionRef'],
  [
    'evidence of an observation that never was',
    set('evidence', { observationId: 99 }),
    'observationId',
    '99',
  ],
  ['an anchor without a target', set('anchors', { decisionRef: null }), 'target'],
  ['an anchor with two targets', set('anchors', (find) => ({ evidenceRef: find('evidence').id })), 'target'],
  ['an anchor of a decision that is not there', set('anchors', { decisionRef: 'nobody' }), 'decisionRef'],
  [
    'revisions that are fewer than counted',
    set('observations', { revisionCount: 3 }),
    'revisions 1 to 3',
    'observation 1',
  ],
  ['revisions that are not counted', set('observations', { revisionCount: 0 }), 'revisions'],
  ['a revision with another number', set('observationRevisions', { revision: 2 }), 'revisions 1 to 1'],
  ['a revision of no observation', set('observationRevisions', { observationId: 99 }), 'observationId'],
  ['two observations with one topic key', set('observations', { topicKey: 'k' }, { id: 2 }), 'topicKey'],
  [
    'two observations in one record',
    set('observations', (find) => ({ seq: find('observations').seq }), { id: 2 }),
    'seq',
  ],
  ['a relation to itself', set('relations', { toId: 1 }), 'itself'],
  ['a relation to nothing', set('relations', { toId: 99 }), 'toId', '99'],
  ['a relation twice', copyOf('relations', { id: 2 }), 'relation'],
  ['a keyword twice', set('keywords', { name: 'unity' }, { name: 'mirror' }), 'name of its own'],
  [
    'a relation of a keyword to itself',
    (find) => {
      const row = find('keywordRelations');
      row.toSeq = row.fromSeq;
    },
    'itself',
  ],
  [
    'a pair of keywords the wrong way round',
    (find) => {
      const row = find('keywordRelations');
      [row.fromSeq, row.toSeq] = [row.toSeq, row.fromSeq];
    },
    'CO_OCCURS',
  ],
  ['a connection that is too strong', set('keywordConnections', { strength: 999 }), 'connection', 'sum'],
  ['a connection that is missing', remove('keywordConnections'), 'connection'],
  ['a relation of keywords that no connection counts', set('keywordRelations', { times: 7 }), 'connection'],
  ['a last memo that is not there', set('conversations', { lastMemoSeq: 1 }), 'lastMemoSeq'],
  [
    'a memo link of a step that was not taken',
    (find) => Object.assign(find('memoLinks'), { depth: 9, viaSeq: find('memoLinks').keywordSeq }),
    'depth',
  ],
  [
    'a memo link at depth 0 over a keyword',
    set('memoLinks', (find) => ({ viaSeq: find('keywords').seq }), { depth: 0 }),
    'depth',
  ],
  ['a redaction of a record that never was', set('redactions', { recordSeq: 999 }), 'recordSeq', '999'],
  ['a vector of no record', set('vectors', { seq: 999 }), 'seq', 'vector'],
  [
    'a number above the last that the header names',
    (find, rows) => {
      const last = rows.filter(({ table }) => table === 'relations').at(-1);
      Object.assign(last ?? {}, { id: 50 });
      void find;
    },
    'at most 1',
    '50',
  ],
  [
    'rows in another order',
    (find, rows) => {
      const row = find('decisions');
      rows.splice(rows.indexOf(row), 1);
      rows.push(row);
    },
    'above',
  ],
  [
    'rows of a table in another order',
    (find, rows) => {
      const at = rows.indexOf(find('records'));
      rows.splice(at, 2, ...rows.slice(at, at + 2).reverse());
    },
    'order of seq',
  ],
];

const HEADERS: [what: string, edit: (header: Header) => void][] = [
  ['a last number that leaves none', ({ last }) => Object.assign(last, { records: 9_007_199_254_740_991 })],
  ['a last number below what there is', ({ last }) => Object.assign(last, { records: 1 })],
  ['no last numbers', (header) => Object.assign(header, { last: {} })],
  ['a last number that is a text', ({ last }) => Object.assign(last, { observations: '1' })],
];

/** What a forger may write into a stream, with a checksum that is right. */
export function forged(engine: EngineUnderTest): void {
  describe('forged streams', () => {
    // Made here: what a hook makes is gone after the hook.
    const places = [engine.place(), engine.place()] as const;
    let lines: string[];
    let older: string[];
    let target: Memory;
    before(async () => {
      const source = await openMemory({ ...places[0], ...withVectors });
      await furnish(source);
      lines = await exported(source);
      older = withHeader(lines, (header) => Object.assign(header, { schema: LAST_UNRELEASED }));
      await source.close();
      target = await openMemory(places[1]);
    });
    after(() => target?.close());

    /** Forges a stream with a schema that a reader takes, each in turn, and wants it refused. */
    async function isRefused(
      index: number,
      change: (lines: string[]) => string[],
      words: string[],
    ): Promise<void> {
      // A group, and a case of it, come in turn, too.
      for (const stream of inTurn([lines, older], index, ONE_OF ** 2)) {
        await refuses(
          target.import(change(stream)),
          'invalid',
          'Line ',
          'Expected',
          'Nothing was imported',
          ...words,
        );
      }
      assert.deepEqual((await target.inspect()).records, {});
    }

    for (const [index, [what, edit, ...words]] of [...AROUND, ...VALUES, ...TOGETHER].entries()) {
      // Rows are checked alike, whatever engine takes them.
      if (!isTriedOn(engine, index, ONE_OF)) continue;
      it(`[E-4] ${what} is refused`, async () => {
        const change = (stream: string[]) => withRows(stream, (rows) => edit(finderIn(rows), rows));
        const whole = (stream: string[]) =>
          withHeader(change(stream), (header) => Object.assign(header.rows, counted(change(stream))));
        await isRefused(index, whole, words);
      });
    }

    for (const [index, [what, edit]] of HEADERS.entries()) {
      it(`[E-4] a header with ${what} is refused`, async () => {
        await isRefused(index, (stream) => withHeader(stream, edit), []);
      });
    }

    it('[E-4] the line that is named is the one of the row', async () => {
      for (const [table, change, where] of [
        ['observations', { revisionCount: 5 }, { id: 2 }],
        ['decisions', { createdAt: FAR }, second],
      ] as const) {
        const at = lines.findIndex((line) => {
          const row = JSON.parse(line) as Row;
          return row.table === table && Object.entries(where).every(([key, value]) => row[key] === value);
        });
        const stream = withRows(lines, (rows) => Object.assign(finderIn(rows)(table, where), change));
        await refuses(target.import(stream), 'invalid', `Line ${at + 1}: `);
      }
    });

    it('[E-4] nor does a forged stream take the place of what a memory holds', async () => {
      const memory = await engine.openFast();
      await memory.mem.save({ title: 'mine', content: 'mine' });
      const before = await exported(memory);
      for (const [, edit] of [VALUES[0], TOGETHER[0]] as Forgery[]) {
        const stream = withRows(lines, (rows) => edit(finderIn(rows), rows));
        await refuses(memory.import(stream, undefined, { replace: true }), 'invalid');
        assert.deepEqual(await exported(memory), before);
      }
    });

    it('[E-1] what was not forged is taken', async () => {
      for (const stream of [lines, older]) {
        const memory = await engine.openFast();
        await memory.import(stream);
        assert.deepEqual((await memory.inspect()).problems, []);
        assert.deepEqual((await exported(memory)).slice(1, -1), lines.slice(1, -1));
      }
    });
  });
}

function finderIn(rows: Row[]): Find {
  return (table, where = {}) => {
    const found = rows.find(
      (row) => row.table === table && Object.entries(where).every(([key, value]) => row[key] === value),
    );
    assert(found, `no row of ${table} with ${JSON.stringify(where)}`);
    return found;
  };
}

/** How many rows of each table a stream has. */
function counted(lines: string[]): Record<string, number> {
  const counts = Object.fromEntries(TABLE_NAMES.map((table) => [table as string, 0]));
  for (const line of lines.slice(1, -1)) {
    const { table } = JSON.parse(line) as Row;
    counts[table] = (counts[table] ?? 0) + 1;
  }
  return counts;
}
