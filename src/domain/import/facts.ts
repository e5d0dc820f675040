import type { Content } from '../decision.ts';
import type { Reference } from '../edge.ts';

/** Fields of a source that have no place in a record, by their names there: kept with the record (I-2). */
export type ExtraFields = Record<string, unknown>;

/** The fields of every fact. Times are milliseconds UTC. */
interface FactOf {
  /** The name of the row in its source, which never changes there, and by which it is known again. */
  key: string;
  /** When it was saved there. */
  at: number;
  /** When it was changed there last. Default: `at`. */
  updatedAt?: number | undefined;
  /** The source has no times: `at` is a guess, and another one does not mean that the row changed. */
  isUndated?: true;
  /** Its author, as git names authors; nobody by default. */
  author?: string | undefined;
  /** The session it was written in. */
  session?: string | undefined;
  rest?: ExtraFields;
}

/** One version of a decision. Facts of one topic are versions of one chain, in the order in which the reader gives them. */
export interface DecisionFact extends FactOf, Partial<Content> {
  /** The id that it has there and keeps; without one it is made of the key. */
  id?: string;
  topic: string;
  /** Which of several sources of its tool it is from: what has one name in two of them is two records. */
  of?: string;
  /** Keys that it had before it was known which source it is from, the newest first. */
  formerKeys?: string[];
  /** Topics to try in turn where its own is that of another source. */
  otherTopics?: string[];
  /** The ids of the versions that its author saw; by default the one before it (Y-6). */
  basedOn?: string[];
  /** The id of the version of its chain that it only rewords (TR-3). */
  tidies?: string;
  /** Its topic only says which versions are of one chain: it has none itself. */
  isNameless?: true;
  text: string;
  outcome?: OutcomeFact | undefined;
  /** It was exported from here: what it holds was kept on purpose, and no secret in it is masked (Z-9). */
  isOwn?: true;
  /** Its earlier outcomes, oldest first; only with a decision that has not come before. */
  earlierOutcomes?: OutcomeFact[];
  evidence?: { text: string; at: number }[];
  /** It was retracted there without a next version on its topic, by a version with this id. */
  withdrawn?: { id?: string; reason: string; at: number; tidies?: string } | undefined;
  /** By key; `at` is the date of the fact by default. */
  links?: { relationship: Reference; to: string; at?: number }[];
}

export interface OutcomeFact {
  outcome: 'success' | 'failed' | 'partial';
  reason: string | null;
  at: number;
}

export interface ObservationFact extends FactOf {
  title: string;
  content: string;
  type: string;
  project: string | null;
  scope: string;
  topicKey: string | null;
  deletedAt?: number | undefined;
  lastSeenAt?: number | undefined;
  /** How often it was saved again with the same text. */
  repeats?: number;
  /** Its earlier texts, oldest first. */
  revisions?: { title: string; content: string; type: string; replacedAt: number }[];
}

export interface CheckpointFact extends FactOf {
  summary: string;
  nextSteps: string | null;
  openFiles: string[];
}

/** A link between two observations, by their keys. */
export interface RelationFact extends FactOf {
  from: string;
  to: string;
  type: string;
  note: string | null;
}

/** The kinds of facts of a source, each as a list. */
export const FACT_KINDS = ['decisions', 'observations', 'checkpoints', 'relations'] as const;
export type FactKind = (typeof FACT_KINDS)[number];

/** An object with a value that `make` gives for each kind. */
export function byFactKind<Value>(make: (kind: FactKind) => Value): Record<FactKind, Value> {
  return Object.fromEntries(FACT_KINDS.map((kind) => [kind, make(kind)])) as Record<FactKind, Value>;
}

/** The result of reading a source (I-1). A reader knows no memory, and changes nothing in its source. */
export interface Facts {
  /** The name of the importer, which is part of the row's key. */
  source: string;
  decisions: DecisionFact[];
  observations: ObservationFact[];
  checkpoints: CheckpointFact[];
  relations: RelationFact[];
  /** Records that were left out, and why: `2 prompts`, `no record of ours`. */
  skipped: { what: string; why: string }[];
  /** Of a source of files, what each of the others becomes. */
  read?: { what: string; becomes: string }[];
  /** Notes for the person about what was read. */
  warnings: string[];
}

export type AnyFact = DecisionFact | ObservationFact | CheckpointFact | RelationFact;

/** Whether there is nothing to take in. */
export function isEmpty(facts: Facts): boolean {
  return FACT_KINDS.every((kind) => facts[kind].length === 0);
}

/** A source in which nothing was found yet. */
export function noFacts(source: string): Facts {
  return { source, ...byFactKind(() => []), skipped: [], warnings: [] };
}

/** How many of something were new, changed there since the last import, or known as they are. */
export interface Tally {
  new: number;
  changed: number;
  same: number;
}

/** The result of an import, or of its dry run (I-3). */
export interface Merged {
  source: string;
  decisions: Tally;
  observations: Tally;
  checkpoints: Tally;
  relations: Tally;
  /** How many of the decisions are axes and locks that are active now: they wait for review (Z-14). */
  binding: { axes: number; locks: number };
  /** Changed both there and here: neither side was touched. */
  conflicts: { what: string; why: string }[];
  /** Versions whose number is another one now, since earlier ones came in between (D-22). */
  renumbered: { topic: string; id: string; from: number; to: number }[];
  /** Links whose other end is missing; the next import tries them again. */
  unresolved: string[];
  read: { what: string; becomes: string }[];
  skipped: { what: string; why: string }[];
  warnings: string[];
}
