import { KEYWORD_RELATIONS } from '../../domain/keyword.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { hashOf } from '../observations/observation.ts';
import type { Broken, Row, TableRules } from './value.ts';
import * as is from './value.ts';

export const observations: TableRules<'observations'> = {
  columns: {
    id: is.number,
    seq: is.number,
    title: is.words(LIMITS.title),
    content: is.words(LIMITS.contentKept),
    contentHash: is.sha256,
    type: is.name(LIMITS.kind),
    project: is.nameOrEmpty(LIMITS.scope),
    scope: is.name(LIMITS.scope),
    topicKey: is.optional(is.name(LIMITS.topic)),
    revisionCount: is.count(0),
    duplicateCount: is.count(0),
    createdAt: is.time,
    updatedAt: is.time,
    lastSeenAt: is.time,
    deletedAt: is.optional(is.time),
    writer: is.number,
  },
  derived: ['contentHash', 'revisionCount'],
  called: (row) => `observation ${row.id}`,
  row: ({ content, contentHash }) =>
    hashOf(String(content)) === contentHash
      ? undefined
      : { expected: 'contentHash to be the SHA-256 of the content', found: 'another', mended: true },
  unique: {
    id: ({ id }) => id,
    seq: ({ seq }) => seq,
    topicKey: ({ project, scope, topicKey, deletedAt }) =>
      topicKey === null || deletedAt !== null ? null : JSON.stringify([project, scope, topicKey]),
  },
  refers: { seq: 'records.seq', writer: 'writers.id' },
};

export const observationRevisions: TableRules<'observationRevisions'> = {
  columns: {
    observationId: is.number,
    revision: is.count(1),
    title: is.words(LIMITS.title),
    content: is.words(LIMITS.contentKept),
    type: is.name(LIMITS.kind),
    replacedAt: is.time,
    writer: is.number,
  },
  called: ({ observationId, revision }) => `revision ${revision} of observation ${observationId}`,
  refers: { observationId: 'observations.id', writer: 'writers.id' },
};

export const relations: TableRules<'relations'> = {
  columns: {
    id: is.number,
    fromId: is.number,
    toId: is.number,
    type: is.words(LIMITS.kind),
    note: is.optional(is.words(LIMITS.note)),
    createdAt: is.time,
    writer: is.number,
    uid: is.optional(is.id),
  },
  called: (row) => `relation ${row.id}`,
  row: ({ fromId, toId }) =>
    fromId === toId ? { expected: 'a relation to another observation', found: 'one to itself' } : undefined,
  unique: { relation: ({ fromId, toId, type }) => `${fromId} ${toId} ${type}`, uid: ({ uid }) => uid },
  refers: { fromId: 'observations.id', toId: 'observations.id', writer: 'writers.id' },
};

export const keywords: TableRules<'keywords'> = {
  columns: {
    seq: is.number,
    name: is.keyword,
    visits: is.count(0),
    createdAt: is.time,
    lastVisited: is.time,
  },
  called: ({ seq }) => `keyword:${seq}`,
  unique: { seq: ({ seq }) => seq, name: ({ name }) => name },
  refers: { seq: 'records.seq' },
};

export const keywordRelations: TableRules<'keywordRelations'> = {
  columns: {
    fromSeq: is.number,
    toSeq: is.number,
    type: is.oneOf(KEYWORD_RELATIONS),
    times: is.count(1),
    createdAt: is.time,
    lastAt: is.time,
  },
  called: ({ fromSeq, toSeq, type }) => `${type} from keyword:${fromSeq} to keyword:${toSeq}`,
  row: relationProblem,
  refers: { fromSeq: 'keywords.seq', toSeq: 'keywords.seq' },
};

function relationProblem({ fromSeq, toSeq, type }: Row): Broken | undefined {
  if (fromSeq === toSeq) return { expected: 'a relation to another keyword', found: 'one to itself' };
  if (type !== 'CO_OCCURS' || Number(fromSeq) < Number(toSeq)) return undefined;
  return { expected: 'CO_OCCURS from the keyword with the lower number', found: 'it from the higher one' };
}

export const keywordConnections: TableRules<'keywordConnections'> = {
  columns: { keywordSeq: is.number, neighbourSeq: is.number, strength: is.count(1), lastAt: is.time },
  derived: ['strength', 'lastAt'],
  called: ({ keywordSeq, neighbourSeq }) =>
    `the connection of keyword:${keywordSeq} to keyword:${neighbourSeq}`,
  refers: { keywordSeq: 'keywords.seq', neighbourSeq: 'keywords.seq' },
};

export const memos: TableRules<'memos'> = {
  columns: {
    seq: is.number,
    id: is.id,
    summary: is.words(LIMITS.memoSummary),
    fullText: is.words(LIMITS.memoText),
    source: is.name(LIMITS.kind),
    searchDepth: is.count(0),
    createdAt: is.time,
  },
  called: (row) => `memo ${row.id}`,
  unique: { id: ({ id }) => id, seq: ({ seq }) => seq },
  refers: { seq: 'records.seq' },
};

export const memoRevisions: TableRules<'memoRevisions'> = {
  columns: {
    memoSeq: is.number,
    revision: is.count(1),
    summary: is.words(LIMITS.memoSummary),
    fullText: is.words(LIMITS.memoText),
    replacedAt: is.time,
  },
  called: ({ memoSeq, revision }) => `revision ${revision} of memo record ${memoSeq}`,
  refers: { memoSeq: 'memos.seq' },
};

export const memoLinks: TableRules<'memoLinks'> = {
  columns: {
    memoSeq: is.number,
    keywordSeq: is.number,
    depth: is.count(0),
    viaSeq: is.optional(is.number),
    createdAt: is.time,
  },
  called: ({ memoSeq, keywordSeq }) => `the link of memo record ${memoSeq} to keyword:${keywordSeq}`,
  row: ({ depth, viaSeq }) =>
    (depth === 0) === (viaSeq === null)
      ? undefined
      : { expected: 'a keyword over which it was found, at every depth but 0', found: `depth ${depth}` },
  refers: { memoSeq: 'memos.seq', keywordSeq: 'keywords.seq', viaSeq: 'keywords.seq' },
};

export const conversations: TableRules<'conversations'> = {
  columns: {
    sessionId: is.label,
    previousKeywords: is.numbers,
    lastMemoSeq: is.optional(is.number),
    updatedAt: is.time,
  },
  derived: ['previousKeywords'],
  called: ({ sessionId }) => `the conversation "${sessionId}"`,
  refers: { lastMemoSeq: 'memos.seq' },
};
