/** The verbatim ground of exactly one decision (D-7). `timestamp` is in milliseconds UTC. */
export interface Evidence {
  id: string;
  content: string;
  decisionRef: string;
  timestamp: number;
  /** The observation whose content this is a snapshot of. */
  observationId: number | null;
}
