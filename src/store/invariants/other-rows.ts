import { KEYWORD_RELATIONS } from '../../domain/keyword.ts';
import { LIMITS } from '../../domain/text/text.ts';
import { hashOf } from '../observations/observation.ts';
import {
  type Broken,
  count,
  id,
  keyword,
  label,
  name,
  nameOrEmpty,
  number,
  numbers,
  oneOf,
  optional,
  type Row,
  sha256,
  type TableRules,
  time,
  words,
} from './value.ts';

export const observations: TableRules<'observations'> = {
  columns: {
    id: number,
    seq: number,
    title: words(LIMITS.title),
    content: words(LIMITS.contentKept),
    contentHash: sha256,
    type: name(LIMITS.kind),
    project: nameOrEmpty(LIMITS.scope),
    scope: name(LIMITS.scope),
    topicKey: optional(name(LIMITS.topic)),
    revisionCount: count(0),
    duplicateCount: count(0),
    createdAt: time,
    updatedAt: time,
    lastSeenAt: time,
    deletedAt: optional(time),
    writer: number,
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
    observationId: number,
    revision: count(1),
    title: words(LIMITS.title),
    content: words(LIMITS.contentKept),
    type: name(LIMITS.kind),
    replacedAt: time,
    writer: number,
  },
  called: ({ observationId, revision }) => `revision ${revision} of observation ${observationId}`,
  refers: { observationId: 'observations.id', writer: 'writers.id' },
};

export const relations: TableRules<'relations'> = {
  columns: {
    id: number,
    fromId: number,
    toId: number,
    type: words(LIMITS.kind),
    note: optional(words(LIMITS.note)),
    createdAt: time,
    writer: number,
    uid: optional(id),
  },
  called: (row) => `relation ${row.id}`,
  row: ({ fromId, toId }) =>
    fromId === toId ? { expected: 'a relation to another observation', found: 'one to itself' } : undefined,
  unique: { relation: ({ fromId, toId, type }) => `${fromId} ${toId} ${type}`, uid: ({ uid }) => uid },
  refers: { fromId: 'observations.id', toId: 'observations.id', writer: 'writers.id' },
};

export const keywords: TableRules<'keywords'> = {
  columns: { seq: number, name: keyword, visits: count(0), createdAt: time, lastVisited: time },
  called: ({ seq }) => `keyword:${seq}`,
  unique: { seq: ({ seq }) => seq, name: ({ name }) => name },
  refers: { seq: 'records.seq' },
};

export const keywordRelations: TableRules<'keywordRelations'> = {
  columns: {
    fromSeq: number,
    toSeq: number,
    type: oneOf(KEYWORD_RELATIONS),
    times: count(1),
    createdAt: time,
    lastAt: time,
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
  columns: { keywordSeq: number, neighbourSeq: number, strength: count(1), lastAt: time },
  derived: ['strength', 'lastAt'],
  called: ({ keywordSeq, neighbourSeq }) =>
    `the connection of keyword:${keywordSeq} to keyword:${neighbourSeq}`,
  refers: { keywordSeq: 'keywords.seq', neighbourSeq: 'keywords.seq' },
};

export const memos: TableRules<'memos'> = {
  columns: {
    seq: number,
    id,
    summary: words(LIMITS.memoSummary),
    fullText: words(LIMITS.memoText),
    source: name(LIMITS.kind),
    searchDepth: count(0),
    createdAt: time,
  },
  called: (row) => `memo ${row.id}`,
  unique: { id: ({ id }) => id, seq: ({ seq }) => seq },
  refers: { seq: 'records.seq' },
};

export const memoRevisions: TableRules<'memoRevisions'> = {
  columns: {
    memoSeq: number,
    revision: count(1),
    summary: words(LIMITS.memoSummary),
    fullText: words(LIMITS.memoText),
    replacedAt: time,
  },
  called: ({ memoSeq, revision }) => `revision ${revision} of memo record ${memoSeq}`,
  refers: { memoSeq: 'memos.seq' },
};

export const memoLinks: TableRules<'memoLinks'> = {
  columns: {
    memoSeq: number,
    keywordSeq: number,
    depth: count(0),
    viaSeq: optional(number),
    createdAt: time,
  },
  called: ({ memoSeq, keywordSeq }) => `the link of memo record ${memoSeq} to keyword:${keywordSeq}`,
  row: ({ depth, viaSeq }) =>
    (depth === 0) === (viaSeq === null)
      ? undefined
      : { expected: 'a keyword over which it was found, at every depth but 0', found: `depth ${depth}` },
  refers: { memoSeq: 'memos.seq', keywordSeq: 'keywords.seq', viaSeq: 'keywords.seq' },
};

export const conversations: TableRules<'conversations'> = {
  columns: { sessionId: label, previousKeywords: numbers, lastMemoSeq: optional(number), updatedAt: time },
  derived: ['previousKeywords'],
  called: ({ sessionId }) => `the conversation "${sessionId}"`,
  refers: { lastMemoSeq: 'memos.seq' },
};
