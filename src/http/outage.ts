import { type ErrorReason, PrecedentError, REFUSALS } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { buckets } from './access/bucket.ts';
import type { Access } from './access/grant.ts';

/** Receives how calls and probes end, for the operator (OP-2). */
export interface Outage {
  /** @returns the error as a client may see it: of the server no address, role or path (Z-9) */
  failed(error: PrecedentError, access?: Access): PrecedentError;
  /** A call or a probe succeeded. */
  worked(workspace: string, access: Access): void;
}

/** Reasons that are no outage: the client went away, or a person turned it off. */
const ORDINARY: ErrorReason[] = ['client_gone', 'off'];

/** Tells the operator of an outage, once a minute for each reason and memory, and of its end. */
export function outagesTo(log: Log, now: () => number): Outage {
  const limiter = buckets({ burst: 1, perSecond: 1 / 60 }, now);
  /** The memories whose failures were logged, and how they were used then. */
  const failing = new Map<string, Access>();
  const where = (workspace: string) => (workspace === '' ? '' : ` in workspace "${workspace}"`);
  return {
    failed(error, access = 'read') {
      const { code, reason, message, workspace = '' } = error;
      if (code !== 'unavailable' || ORDINARY.includes(reason)) return error;
      const text = `${REFUSALS.unavailable[reason as keyof typeof REFUSALS.unavailable]} The server’s log says more.`;
      // A call's error passes here twice.
      if (message === text) return error;
      if (limiter(`${reason} ${workspace}`) === 0) {
        failing.set(workspace, access);
        log(`Calls fail${where(workspace)} (${reason}). ${message}`, 'error');
      }
      if (reason === 'busy') return error;
      return Object.assign(new PrecedentError(code, reason, text), workspace !== '' && { workspace });
    },
    worked(workspace, access) {
      // Reads may succeed while saves fail.
      if (!failing.has(workspace) || (access === 'read' && failing.get(workspace) !== 'read')) return;
      failing.delete(workspace);
      log(`Calls are answered again${where(workspace)}.`, 'warning');
    },
  };
}
