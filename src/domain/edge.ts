/** The closed vocabulary of the reasoning graph (G-1 … G-4), as MAMA has it. */
export const RELATIONSHIPS = ['supersedes', 'builds_on', 'debates', 'synthesizes'] as const;
export type Relationship = (typeof RELATIONSHIPS)[number];

/** The relationships that reasoning text can name. Only store/decisions/chain.ts writes `supersedes`. */
export const REFERENCES = ['builds_on', 'debates', 'synthesizes'] as const satisfies readonly Relationship[];
export type Reference = (typeof REFERENCES)[number];

/** A relationship as a file for people has it. */
export const spoken = (kind: Relationship): string => kind.replace('_', ' ');

/** A directed link from a newer decision to one that it refers to. `createdAt` is in milliseconds UTC. */
export interface Edge {
  fromId: string;
  toId: string;
  relationship: Relationship;
  createdAt: number;
}
