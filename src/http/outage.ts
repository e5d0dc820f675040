import { type ErrorReason, PrecedentError } from '../domain/error.ts';
import type { Log } from '../domain/log.ts';
import { buckets } from './access/bucket.ts';

/** Receives why a call or a probe failed. */
export type Outage = (error: unknown) => void;

/** Reasons that are no outage: the server has much to do, or the client went away. */
const ORDINARY: ErrorReason[] = ['busy', 'client_gone', 'off'];

/** Tells the operator of an outage, once a minute for each reason and memory (OP-2). */
export function outagesTo(log: Log, now: () => number): Outage {
  const limiter = buckets({ burst: 1, perSecond: 1 / 60 }, now);
  return (error) => {
    if (!(error instanceof PrecedentError) || error.code !== 'unavailable') return;
    const { reason, message, workspace = '' } = error;
    if (ORDINARY.includes(reason) || limiter(`${reason} ${workspace}`) > 0) return;
    const where = workspace === '' ? '' : ` in workspace "${workspace}"`;
    log(`Calls fail${where} (${reason}). ${message}`, 'error');
  };
}
