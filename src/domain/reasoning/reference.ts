import type { Reference, Relationship } from '../edge.ts';

/** A reference as it was written; what it means is for the store to say (U-1). */
export interface Words {
  /** Without the signs around it. A Korean particle may still be glued to a topic. */
  written: string;
  /** Whether it may be a topic: it holds a colon, or is in backquotes or brackets (U-1). */
  mayBeTopic: boolean;
}

/** A decision that reasoning text links. */
export interface WrittenReference extends Words {
  relationship: Reference;
  /** Whether both hold, and neither depends on the other: `alongside:` (T-6). */
  isAside?: true;
}

/** A word that makes no link, before references (G-10): `build_on: <id>`, `supersedes: infra:cdn`. */
export interface NearLink {
  /** As it was written. */
  word: string;
  meant: Relationship;
  references: Words[];
  /** Whether it can be nothing else. "We are based on: node:22" is one only when there is such a topic. */
  isCertain: boolean;
}
