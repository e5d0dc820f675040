/** The closed vocabulary of the reasoning graph (G-1 … G-4, ADR of the seeds: edge types). */
export const RELATIONSHIPS = ['supersedes', 'builds_on', 'debates', 'synthesizes'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** What reasoning text can say; `supersedes` is written by the chain alone. */
export type Reference = Exclude<Relationship, 'supersedes'>;

/** A directed link from a newer decision to one it speaks of. `createdAt` is in milliseconds UTC. */
export interface Edge {
  fromId: string;
  toId: string;
  relationship: Relationship;
  createdAt: number;
}
