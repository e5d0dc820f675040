import { ANCHOR_TYPES } from '../domain/anchor.ts';
import { CHANGE_KINDS } from '../domain/change.ts';
import { byField, type Content, FIELDS, type Field, type Held } from '../domain/decision.ts';
import { RELATIONSHIPS } from '../domain/edge.ts';
import { KEYWORD_RELATIONS } from '../domain/keyword.ts';
import { RECORD_KINDS } from '../domain/kinds.ts';
import { OUTCOMES } from '../domain/outcome.ts';
import { LIMITS } from '../domain/text/text.ts';
import type { Rule } from './columns.ts';
import * as is from './columns.ts';

/** The value of a field of a decision (B-1). */
function ruleOf(field: Field): Rule {
  const of = FIELDS[field];
  return of.first === null ? is.optional(held(of)) : held(of);
}

function held(of: Held): Rule {
  switch (of.kind) {
    case 'words':
      return is.words(of.limit);
    case 'name':
      return is.name(of.limit);
    case 'choice':
      return is.oneOf(of.of);
    case 'number':
      return is.amount(of.least, of.most);
    case 'day':
      return is.day;
    case 'places':
      return is.places;
  }
}

/**
 * Every table with its columns, in camel case; the database has them in snake case (D-6), mapped by Kysely's
 * CamelCasePlugin. Tables are in an order in which each row finds what it refers to, columns in that of an export. The
 * rule of a column gives its type, what import and doctor refuse in it, and what redaction does with it: no column is
 * described anywhere else but in the migration that makes it.
 *
 * Every record has one row in `records`: its `seq` gives all kinds one order and is the text index's document id, and it
 * says who saved it (D-14). Times are milliseconds UTC.
 */
export const COLUMNS = {
  /** A row for each process and session that wrote (K-4). */
  writers: { id: is.given, author: is.label, host: is.label, client: is.label, session: is.label },
  records: {
    seq: is.given,
    kind: is.oneOf(RECORD_KINDS),
    /** Its session, whoever wrote in it: the first writer who did, by number. */
    session: is.number,
    /** The writer of its first save. */
    writer: is.number,
    /** When it was retracted (K-6), or a memo deleted, and is found by its id alone; null while it counts. */
    retractedAt: is.optional(is.time),
    uid: is.optional(is.id),
  },
  decisions: {
    seq: is.number,
    id: is.id,
    rootId: is.id,
    version: is.count(1),
    previousVersion: is.optional(is.count(1)),
    previousVersionId: is.optional(is.id),
    topic: is.optional(is.name(LIMITS.topic)),
    ...byField<{ [Name in Field]: Rule<Content[Name]> }>(ruleOf),
    /**
     * The ids of the versions that its author saw as the newest, a line each: the one that it was made from,
     * and what else it settles; null for one that followed nothing. Written once (Y-6).
     */
    basedOn: is.optional(is.ids),
    /** The version of its chain whose author, date and outcome it keeps (TR-3); null for one that decides. */
    tidies: is.optional(is.id),
    isActive: is.flag,
    withdrawn: is.flag,
    outcome: is.optional(is.oneOf(OUTCOMES)),
    outcomeReason: is.optional(is.words(LIMITS.outcomeReason)),
    createdAt: is.time,
    updatedAt: is.time,
  },
  /** D-19: the names of chains, each as it was written first. */
  topics: {
    name: is.name(LIMITS.topic),
    /** The folded name, by which every spelling finds it; null where another name, saved earlier, has it. */
    key: is.optional(is.key),
    /** The chain that it leads to. */
    rootId: is.id,
    since: is.time,
  },
  /** D-19: the names of scopes, as in `topics`. */
  scopes: {
    name: is.name(LIMITS.scope),
    key: is.optional(is.key),
    /** The scope that it leads to, as decisions carry it. */
    scope: is.name(LIMITS.scope),
    since: is.time,
  },
  decisionEdges: { fromId: is.id, toId: is.id, relationship: is.oneOf(RELATIONSHIPS), createdAt: is.time },
  outcomes: {
    seq: is.number,
    decisionId: is.id,
    outcome: is.oneOf(OUTCOMES),
    reason: is.optional(is.words(LIMITS.outcomeReason)),
    createdAt: is.time,
  },
  evidence: {
    seq: is.number,
    id: is.id,
    decisionRef: is.id,
    content: is.words(LIMITS.evidence),
    timestamp: is.time,
    observationId: is.optional(is.number),
  },
  anchors: {
    seq: is.number,
    id: is.id,
    hint: is.anchorText,
    type: is.oneOf(ANCHOR_TYPES),
    decisionRef: is.optional(is.id),
    evidenceRef: is.optional(is.id),
    createdAt: is.time,
  },
  checkpoints: {
    seq: is.number,
    id: is.id,
    summary: is.words(LIMITS.summary),
    nextSteps: is.optional(is.words(LIMITS.nextSteps)),
    openFiles: is.listOf(LIMITS.openFile, LIMITS.openFiles),
    createdAt: is.time,
  },
  observations: {
    id: is.given,
    seq: is.number,
    title: is.words(LIMITS.title),
    content: is.words(LIMITS.contentKept),
    contentHash: is.contentHash,
    type: is.name(LIMITS.kind),
    /** Empty when there is none. */
    project: is.nameOrEmpty(LIMITS.scope),
    scope: is.name(LIMITS.scope),
    topicKey: is.optional(is.name(LIMITS.topic)),
    revisionCount: is.count(0),
    duplicateCount: is.count(0),
    createdAt: is.time,
    updatedAt: is.time,
    lastSeenAt: is.time,
    deletedAt: is.optional(is.time),
    /** The writer of the present text. */
    writer: is.number,
  },
  observationRevisions: {
    observationId: is.number,
    revision: is.count(1),
    title: is.words(LIMITS.title),
    content: is.words(LIMITS.contentKept),
    type: is.name(LIMITS.kind),
    replacedAt: is.time,
    /** The writer of this text. */
    writer: is.number,
  },
  relations: {
    id: is.given,
    fromId: is.number,
    toId: is.number,
    type: is.text('name', is.words(LIMITS.kind)),
    note: is.optional(is.words(LIMITS.note)),
    createdAt: is.time,
    writer: is.number,
    uid: is.optional(is.id),
  },
  keywords: {
    seq: is.number,
    name: is.keyword,
    visits: is.count(0),
    createdAt: is.time,
    lastVisited: is.time,
  },
  keywordRelations: {
    fromSeq: is.number,
    toSeq: is.number,
    type: is.oneOf(KEYWORD_RELATIONS),
    /** How often it was recorded; its weight follows from that. */
    times: is.count(1),
    createdAt: is.time,
    lastAt: is.time,
  },
  /** Derived from the relations, once from each end: what a step of exploration reads, strongest first. */
  keywordConnections: {
    keywordSeq: is.number,
    neighbourSeq: is.number,
    /** The sum of the weights of all relations between the two, in tenths. */
    strength: is.count(1),
    lastAt: is.time,
  },
  memos: {
    seq: is.number,
    id: is.id,
    summary: is.checkedWords(LIMITS.memoSummary),
    fullText: is.checkedWords(LIMITS.memoText),
    source: is.name(LIMITS.kind),
    searchDepth: is.count(0),
    createdAt: is.time,
  },
  /** Earlier texts of memos. */
  memoRevisions: {
    memoSeq: is.number,
    revision: is.count(1),
    summary: is.checkedWords(LIMITS.memoSummary),
    fullText: is.checkedWords(LIMITS.memoText),
    replacedAt: is.time,
  },
  memoLinks: {
    memoSeq: is.number,
    keywordSeq: is.number,
    /** 0: the memo is ABOUT it; else the step that found it, RELATED_TO. */
    depth: is.count(0),
    /** The keyword whose neighbour it is; null when the memo is about it. */
    viaSeq: is.optional(is.number),
    createdAt: is.time,
  },
  /** Where a conversation is: what its next message follows, and which memo "more" means. */
  conversations: {
    sessionId: is.label,
    previousKeywords: is.numbers,
    lastMemoSeq: is.optional(is.number),
    updatedAt: is.time,
  },
  /** Texts that an operator blanked. The record that held them may be gone since. */
  redactions: { seq: is.number, recordSeq: is.number, createdAt: is.time },
  /** Changes that no record tells of, oldest first; rows are only added (U-5). */
  changes: {
    seq: is.given,
    /** The record that changed; it may be gone since. Null when it is about none. */
    recordSeq: is.optional(is.number),
    kind: is.oneOf(CHANGE_KINDS),
    before: is.optional(is.values),
    after: is.optional(is.values),
    createdAt: is.time,
    writer: is.number,
  },
  /** Records and changes that were saved together (K-6). */
  saves: {
    id: is.given,
    writer: is.number,
    createdAt: is.time,
    firstRecord: is.optional(is.number),
    lastRecord: is.optional(is.number),
    firstChange: is.optional(is.number),
    lastChange: is.optional(is.number),
    undoes: is.optional(is.number),
  },
  origins: {
    source: is.id,
    key: is.id,
    recordSeq: is.optional(is.number),
    relationId: is.optional(is.number),
    hash: is.otherHash,
    written: is.otherHash,
    rest: is.optional(is.json),
  },
  /** The vector of a record by a model. Vectors of different models are never compared. */
  vectors: { seq: is.number, model: is.label, dimensions: is.count(1), vector: is.vector },
  /** Facts of a newer program (J-5); with the format 0, the fields that this one does not know of a fact that is here. */
  keptFacts: { format: is.count(0), kind: is.foreign, id: is.foreign, at: is.time, body: is.json },
} satisfies Record<string, Record<string, Rule>>;

type Columns = typeof COLUMNS;

/** The tables, as Kysely knows them. */
export type Schema = {
  [T in keyof Columns]: { [C in keyof Columns[T]]: Columns[T][C] extends Rule<infer Value> ? Value : never };
} & { meta: { key: string; value: string } };
