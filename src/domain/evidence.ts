/** The ground of exactly one decision version, word for word (D-7). `timestamp` is in milliseconds UTC. */
export interface Evidence {
  id: string;
  content: string;
  decisionRef: string;
  timestamp: number;
  /** The observation of whose content this is a snapshot. */
  observationId: number | null;
}
