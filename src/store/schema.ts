import type { Generated } from 'kysely';
import type { Anchor } from '../domain/anchor.ts';
import type { ChangeKind, Save } from '../domain/change.ts';
import type { Checkpoint } from '../domain/checkpoint.ts';
import type { Decision } from '../domain/decision.ts';
import type { Edge } from '../domain/edge.ts';
import type { Evidence } from '../domain/evidence.ts';
import type { Origin } from '../domain/import/origin.ts';
import type { KeywordRelation } from '../domain/keyword.ts';
import type { RecordKind } from '../domain/kinds.ts';
import type { Memo } from '../domain/memo.ts';
import type { Observation, ObservationText } from '../domain/observation.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Relation } from '../domain/relation.ts';

/** 0 or 1: the two engines share no boolean that both drivers can bind. */
type Flag = 0 | 1;

/**
 * The tables, in camel case; the database has them in snake case (D-6), mapped by Kysely's CamelCasePlugin.
 * Every record has one row in `records`: its `seq` gives all kinds one order and is the text index's
 * document id, and it says who saved it (D-14). Times are milliseconds UTC. What each text column holds is
 * listed in texts.ts.
 */
export interface Schema {
  /** A row for each process and session that wrote (K-4). */
  writers: {
    id: Generated<number>;
    author: string;
    host: string;
    client: string;
    session: string;
  };
  records: {
    seq: Generated<number>;
    kind: RecordKind;
    /** Who saved it first. */
    writer: number;
    /** Its session, whoever wrote in it: the first writer who did, by number. */
    session: number;
    /** When it was retracted (K-6), or a memo deleted, and is found by its id alone; null while it counts. */
    retractedAt: number | null;
    uid: string | null;
  };
  decisions: Omit<Decision, 'isActive' | 'withdrawn'> & {
    seq: number;
    previousVersion: number | null;
    /**
     * The ids of the versions that its author saw as the newest, a line each: the one that it was made from,
     * and what else it settles; null for one that followed nothing. Written once (Y-6).
     */
    basedOn: string | null;
    isActive: Flag;
    withdrawn: Flag;
  };
  /** D-19: the names of chains, each as it was written first. */
  topics: {
    name: string;
    /** The folded name, by which every spelling finds it; null where another name, saved earlier, has it. */
    key: string | null;
    /** The chain that it leads to. */
    rootId: string;
    since: number;
  };
  /** D-19: the names of scopes, as in `topics`. */
  scopes: {
    name: string;
    key: string | null;
    /** The scope that it leads to, as decisions carry it. */
    scope: string;
    since: number;
  };
  decisionEdges: Edge;
  outcomes: {
    seq: number;
    decisionId: string;
    outcome: Outcome;
    reason: string | null;
    createdAt: number;
  };
  evidence: Evidence & { seq: number };
  anchors: Omit<Anchor, 'targetRef'> & {
    seq: number;
    decisionRef: string | null;
    evidenceRef: string | null;
  };
  checkpoints: Omit<Checkpoint, 'openFiles'> & {
    seq: number;
    /** A JSON list of strings. */
    openFiles: string;
  };
  observations: Omit<Observation, 'id' | 'project'> & {
    id: Generated<number>;
    seq: number;
    /** SHA-256 in hexadecimal: finds a repeat without comparing long texts. */
    contentHash: string;
    /** Empty when there is none. */
    project: string;
    lastSeenAt: number;
    /** Who wrote the present text. */
    writer: number;
  };
  observationRevisions: ObservationText & {
    observationId: number;
    revision: number;
    replacedAt: number;
    /** Who wrote this text. */
    writer: number;
  };
  relations: Omit<Relation, 'id'> & {
    id: Generated<number>;
    writer: number;
    uid: string | null;
  };
  keywords: {
    seq: number;
    name: string;
    visits: number;
    createdAt: number;
    lastVisited: number;
  };
  keywordRelations: {
    fromSeq: number;
    toSeq: number;
    type: KeywordRelation;
    /** How often it was recorded; its weight follows from that. */
    times: number;
    createdAt: number;
    lastAt: number;
  };
  /** Derived from the relations, once from each end: what a step of exploration reads, strongest first. */
  keywordConnections: {
    keywordSeq: number;
    neighbourSeq: number;
    /** The sum of the weights of all relations between the two, in tenths. */
    strength: number;
    lastAt: number;
  };
  memos: Memo & { seq: number };
  /** Earlier texts of memos. */
  memoRevisions: {
    memoSeq: number;
    revision: number;
    summary: string;
    fullText: string;
    replacedAt: number;
  };
  memoLinks: {
    memoSeq: number;
    keywordSeq: number;
    /** 0: the memo is ABOUT it; else the step that found it, RELATED_TO. */
    depth: number;
    /** The keyword whose neighbour it is; null when the memo is about it. */
    viaSeq: number | null;
    createdAt: number;
  };
  /** Where a conversation is: what its next message follows, and which memo "more" means. */
  conversations: {
    sessionId: string;
    /** A JSON list of keywords' numbers. */
    previousKeywords: string;
    lastMemoSeq: number | null;
    updatedAt: number;
  };
  /** What a record means to a model. The engine says how a vector is stored. */
  vectors: {
    seq: number;
    /** Vectors of different models are never compared. */
    model: string;
    dimensions: number;
    vector: unknown;
  };
  /** Texts that an operator blanked. */
  redactions: {
    seq: number;
    /** The record that held them; it may be gone since. */
    recordSeq: number;
    createdAt: number;
  };
  /** What changed that no record tells of, oldest first; rows are only added (U-5). */
  changes: {
    seq: Generated<number>;
    /** The record that changed; it may be gone since. Null when it is about none. */
    recordSeq: number | null;
    kind: ChangeKind;
    /** JSON objects of names and numbers. */
    before: string | null;
    after: string | null;
    createdAt: number;
    writer: number;
  };
  /** What was saved together (K-6). */
  saves: Omit<Save, 'id'> & { id: Generated<number> };
  origins: Origin;
  meta: {
    key: string;
    value: string;
  };
}
