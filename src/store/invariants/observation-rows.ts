import { LIMITS } from '../../domain/text/text.ts';
import { hashOf } from '../observations/observation.ts';
import type { TableRules } from './rule.ts';
import { count, id, name, nameOrEmpty, number, optional, sha256, time, words } from './value.ts';

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
