import type { Log } from '../domain/log.ts';

/** An audit line: who did what to which memory, and the result. Never a text, never a token. */
export interface AuditEntry {
  /** Milliseconds UTC. */
  at: number;
  /** The token's name; undefined without a valid token. */
  token?: string;
  face: string;
  workspace?: string;
  operation?: string;
  /** `ok`, or the code of the error; `too_many` for calls beyond the rate, logged once a minute. */
  code: string;
  /** How long it took, in milliseconds. */
  ms?: number;
  /** The reason why a token was rejected, without anything of it. */
  why?: string;
  /** The address of a rejected request. */
  peer?: string;
  /** The address of the proxy that reported it. */
  via?: string;
}

export type Audit = (entry: AuditEntry) => void;

/**
 * An audit as lines of JSON: a name with a line break in it cannot forge a second line. A call is answered even when its line
 * cannot be written: a save that took place must not look like one that failed.
 * @param write takes a line; may throw, as on a full disk
 * @param log receives when lines begin to be lost, and how many were when they no longer are
 */
export function auditLines(write: (line: string) => void, log: Log = () => {}): Audit {
  let lost = 0;
  return ({ at, ...entry }) => {
    try {
      write(`${JSON.stringify({ at: new Date(at).toISOString(), ...entry })}\n`);
      if (lost > 0) log(`The audit can be written again; ${lost} lines are missing.`, 'error');
      lost = 0;
    } catch (error) {
      if (lost++ === 0)
        log(`The audit cannot be written (${(error as NodeJS.ErrnoException).code}).`, 'error');
    }
  };
}
