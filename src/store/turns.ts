import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as turn } from 'node:timers/promises';

/** The processor time that one caller of a process has used, in microseconds. */
export interface Share {
  used: number;
}

const shares = new AsyncLocalStorage<Share>();
const waiting: { share: Share; go: () => void }[] = [];
/** The processor time of the process when somebody was charged last. */
let charged = 0;

/** Runs work whose stretches between two turns are charged to a caller. */
export async function chargedTo<T>(share: Share, work: () => Promise<T>): Promise<T> {
  sinceLast();
  try {
    return await shares.run(share, work);
  } finally {
    share.used += sinceLast();
  }
}

/**
 * Lets the event loop go on. Of the callers that wait, one goes on with each turn of it: that which has used least of the
 * processor, so that a cheap call is never behind an expensive one (Z-12).
 */
export function giveWay(): Promise<void> {
  const share = shares.getStore();
  if (!share) return turn();
  share.used += sinceLast();
  return new Promise((go) => {
    waiting.push({ share, go });
    if (waiting.length === 1) setImmediate(next);
  });
}

/**
 * Begins work in a turn of the event loop of its own, so that many pieces begun at once let timers go on between them. Work
 * that somebody is charged for has turns already.
 */
export function inTurn<T>(share: Share, work: () => Promise<T>): Promise<T> {
  if (shares.getStore()) return work();
  return chargedTo(share, async () => {
    await giveWay();
    return work();
  });
}

function next(): void {
  const first = waiting.reduce((least, each) => (each.share.used < least.share.used ? each : least));
  waiting.splice(waiting.indexOf(first), 1);
  if (waiting.length > 0) setImmediate(next);
  sinceLast();
  first.go();
}

function sinceLast(): number {
  const { user, system } = process.cpuUsage();
  const spent = user + system - charged;
  charged += spent;
  return spent;
}
