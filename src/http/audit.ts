/** What is kept of a call: who did what to which memory, and how it ended. Never a text, never a token. */
export interface AuditEntry {
  /** Milliseconds UTC. */
  at: number;
  /** The token's name; undefined for a call without a token that holds. */
  token?: string;
  face: string;
  workspace?: string;
  operation?: string;
  /** `ok`, or the code of the error. */
  code: string;
  /** How long it took, in milliseconds. */
  ms?: number;
  /** From where, for what was turned away. */
  peer?: string;
}

export type Audit = (entry: AuditEntry) => void;

/** An audit as lines of JSON: a name with a line break in it cannot forge a second line. @param write takes a line */
export function auditLines(write: (line: string) => void): Audit {
  return ({ at, ...entry }) => write(`${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`);
}
