/** A typed, directed link between two observations. Any type string is valid. */
export interface Relation {
  id: number;
  fromId: number;
  toId: number;
  type: string;
  note: string | null;
  /** Milliseconds UTC. */
  createdAt: number;
}
