import { randomBytes } from 'node:crypto';
import type { Decision } from '../domain/decision.ts';
import { countedForms, maskDeep } from '../domain/text/masking.ts';
import type { Transactions } from '../store/merge/merge.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import { type Facts, factsOf, isLater, nameOf } from './facts.ts';
import { readFolder, writeSegment } from './folder.ts';
import { hear } from './hear.ts';

/** What a sync did, or would do. */
export interface Synced {
  folder: string;
  /** What this machine is called there. */
  machine: string;
  machines: string[];
  /** Records that came, by what their authors call themselves. */
  came: { author: string; records: number }[];
  /** Facts that went, or would go. */
  said: number;
  /** The same by kind, the authors whose names are in them, and what looks like secrets (Y-5). */
  kinds: Record<string, number>;
  authors: string[];
  secrets: string | undefined;
  /** What is decided twice, until somebody settles it (Y-2). */
  decidedTwice: { topic: string | null; heads: Pick<Decision, 'id' | 'text' | 'strength' | 'withdrawn'>[] }[];
  warnings: string[];
}

const FOLDER = 'sync_folder';
const MACHINE = 'sync_machine';
/** A date so far ahead is a clock that is wrong: it is said, and nothing is held back (Y-6). */
const FAR = 24 * 60 * 60 * 1000;

/** Where a memory is synced; undefined where nobody said so. */
export const syncFolder = async ({ read }: Transactions): Promise<string | undefined> =>
  (await read((tx) => readMeta(tx, FOLDER))) || undefined;

/** Names the folder of a memory, or forgets it. */
export const setSyncFolder = ({ write }: Transactions, folder: string | undefined): Promise<void> =>
  write((tx) => writeMeta(tx, FOLDER, folder ?? ''));

/**
 * Takes in what others said in a folder, and says what they do not know (Y-5). It may be ended at any step and begun
 * again: what was not written is said the next time.
 * @param dryRun only says what would come and go
 */
export async function sync(transactions: Transactions, folder: string, dryRun = false): Promise<Synced> {
  const { facts: theirs, machines, skipped } = readFolder(folder);
  const { heard, ours, machine, now } = await transactions.write(async (tx) => {
    const before = await factsOf(tx);
    const heard = await hear(tx, theirs, before);
    const ours = heard.isNews ? await factsOf(tx) : before;
    const machine = (await readMeta(tx, MACHINE)) ?? `m-${randomBytes(6).toString('hex')}`;
    await writeMeta(tx, MACHINE, machine);
    return { heard, ours, machine, now: tx.entered };
  });
  const news = newOf(ours, theirs);
  if (!dryRun) writeSegment(folder, machine, news);
  const masked: string[] = [];
  maskDeep(news, (form) => masked.push(form));
  const ahead = [...theirs.values()].filter(({ at }) => at > now + FAR).sort((a, b) => b.at - a.at)[0];
  const days = ahead && Math.round((ahead.at - now) / FAR);
  return {
    folder,
    machine,
    machines,
    came: [...heard.from].map(([author, records]) => ({ author, records })),
    said: news.length,
    kinds: Object.fromEntries([...Map.groupBy(news, ({ k }) => k)].map(([kind, of]) => [kind, of.length])),
    authors: [...new Set(news.flatMap((fact) => ('by' in fact ? [fact.by[0]] : [])))].filter(Boolean),
    secrets: masked.length > 0 ? countedForms(masked) : undefined,
    decidedTwice: heard.forks.map(({ heads }) => ({
      topic: heads[0]?.topic ?? null,
      heads: heads.map(({ id, text, strength, withdrawn }) => ({ id, text, strength, withdrawn })),
    })),
    warnings: [
      ...skipped,
      ...(ahead
        ? [`A clock is ${days} days ahead: "${nameOf(ahead)}" is of ${new Date(ahead.at).toISOString()}.`]
        : []),
    ],
  };
}

/** What others do not know yet. */
function newOf(ours: Facts, theirs: Facts) {
  return [...ours.values()].filter((fact) => {
    const known = theirs.get(nameOf(fact));
    return !known || (MAY_CHANGE.has(fact.k) && isLater(fact, known));
  });
}

/** Kinds of facts that may change later; all others are said once. */
const MAY_CHANGE = new Set(['evidence', 'place', 'mark', 'called']);
