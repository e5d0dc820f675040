import { randomBytes } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Side, settling, sidesOf } from '../domain/decided-twice.ts';
import type { Decision } from '../domain/decision.ts';
import { invalid, notFound, unavailable } from '../domain/error.ts';
import { sha256 } from '../domain/text/digest.ts';
import { countedForms, maskDeep } from '../domain/text/masking.ts';
import { iso } from '../domain/text/moment.ts';
import { namesIn } from '../files/bounded.ts';
import { Branch, GIT } from '../git/branch.ts';
import { holds } from '../store/maintenance/redact-blank.ts';
import type { Transactions } from '../store/merge/merge.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import type { Tx } from '../store/tx.ts';
import { blankedBy, remainderOf } from './blank.ts';
import { type Counts, countsOf, type Facts, factsOf, isLater, nameOf } from './facts.ts';
import {
  type Newcomer,
  readFolder,
  rewriteSegments,
  type Said,
  SEGMENTS,
  segmentsIn,
  writeSegments,
} from './folder.ts';
import { type Heard, hear } from './hear.ts';

/** What a sync did, or would do. */
export interface Synced {
  /** The folder, or `git:` and the address of a repository. */
  folder: string;
  /** What this machine is called there. */
  machine: string;
  machines: string[];
  /** Who was not there before; `isApart` while nothing of them is taken in (Y-8). */
  newcomers: (Newcomer & { isApart: boolean })[];
  /** Records that came, by what their authors call themselves. */
  came: { author: string; records: number }[];
  /** Facts that went, or would go. */
  said: number;
  /** The same by kind, the authors whose names are in them, and what looks like secrets (Y-5). */
  kinds: Record<string, number>;
  authors: string[];
  secrets: string | undefined;
  /** What is decided twice, until somebody settles it (Y-2). */
  decidedTwice: {
    topic: string | null;
    heads: Pick<Decision, 'id' | 'text' | 'strength' | 'withdrawn'>[];
    /** The heads in words, and the command that settles it. */
    sides: string[];
    settle: string;
  }[];
  /** What was decided twice, and was settled elsewhere; `author` is empty when nobody said. */
  settled: (Named & { topic: string | null; author: string })[];
  /** Axes and locks that what came replaced: they wait in a review until somebody decides again (D-20). */
  overridden: { topic: string | null; was: Named; by: Named & { author: string } }[];
  /** What was blanked here as it was on another machine, as `redact` finds it (Y-7). */
  blanked: string[];
  warnings: string[];
}

const FOLDER = 'sync_folder';
const MACHINE = 'sync_machine';
/** Names of machines that may speak, and what was warned of, each a list; whether newcomers are kept apart. */
const TRUSTED = 'sync_trusted';
const WARNED = 'sync_warned';
const ASK = 'sync_ask';
/** What folder and memory were like after the last sync: {@link State} as JSON. */
const STATE = 'sync_state';
/** A date so far ahead is a clock that is wrong: it is said, and nothing is held back (Y-6). */
const FAR = 24 * 60 * 60 * 1000;

/** How a memory is synced once. */
export interface Syncing {
  /** Only says what would come and go. */
  dryRun?: boolean;
  /** Where a branch of git is kept as a folder: one of this machine, for each address. */
  copies?: string | undefined;
  /** Reaches nothing: it is not confirmed yet. */
  offline?: boolean;
  /** Whether newcomers are kept apart until they are trusted, from now on (Y-8). Who is there when a place is named is not. */
  ask?: boolean | undefined;
  /** A machine that is trusted from now on. */
  trust?: string | undefined;
}

/** How often it is begun again where others are quicker. */
const ATTEMPTS = 3;

/**
 * Takes in what others said, and says what they do not know (Y-5). It may be ended at any step and begun again: what was
 * not written is said the next time.
 * @param given a folder; or {@link GIT} and the address of a repository; default: the one of last time; null forgets it
 */
export async function sync(
  transactions: Transactions,
  given: string | null | undefined,
  how: Syncing = {},
): Promise<Synced | undefined> {
  const before = given === undefined ? await transactions.read((tx) => readMeta(tx, FOLDER)) : undefined;
  // A drive that is not there looks like a folder in which nobody ever said anything.
  if (before && !before.startsWith(GIT) && !existsSync(before))
    throw unavailable(
      `Expected the folder ${before}, which this memory is synced with; it is not there. Bring it back, or name another one with "precedent sync --init FOLDER".`,
    );
  if (given && !given.startsWith(GIT)) requireShared(given);
  const named = given ?? before;
  const by = named?.startsWith(GIT) ? syncBranch : syncFolder;
  const isFirst = given !== undefined;
  const { state, ...synced } = named ? await by(transactions, named, { ...how, isFirst }) : {};
  if (given === null && how.copies !== undefined) {
    const left = await transactions.read((tx) => readMeta(tx, FOLDER));
    if (left?.startsWith(GIT)) rmSync(copyOf(how.copies, left), { recursive: true, force: true });
  }
  if ((isFirst || named) && !how.dryRun)
    await transactions.write(async (tx) => {
      if (isFirst) await writeMeta(tx, FOLDER, given ?? '');
      await writeMeta(tx, STATE, JSON.stringify({ ...state, at: tx.entered }));
    });
  return named ? { ...(synced as SyncedFolder), folder: named } : undefined;
}

/** What a memory is synced with, and when it was last. */
export async function lastSync(tx: Tx): Promise<{ folder: string; at: string } | undefined> {
  const [folder, state] = [await readMeta(tx, FOLDER), await readMeta(tx, STATE)];
  return folder ? { folder, at: iso(JSON.parse(state || '{}').at ?? 0) } : undefined;
}

/** Where a branch is kept as a folder. @param named {@link GIT} and the address */
const copyOf = (copies: string, named: string) => join(copies, sha256(named.slice(GIT.length)).slice(0, 16));

/** A folder that was mistyped is neither made nor filled (Y-5): it may be missing in one that is there, or be empty. @throws */
function requireShared(folder: string): void {
  if (!existsSync(folder)) {
    if (existsSync(dirname(folder))) return;
    throw invalid(
      `Expected a folder that the machines share, found neither ${folder} nor ${dirname(folder)}.`,
    );
  }
  const others = namesIn(folder).filter((name) => !/^\.|^desktop\.ini$/.test(name));
  if (others.length === 0 || segmentsIn(folder).size > 0) return;
  throw invalid(
    `Expected an empty folder, or one that a memory is synced with; found ${JSON.stringify(others[0])} in ${folder}. Name a folder in it: ${join(folder, 'precedent')}.`,
  );
}

/** The branch alone counts: what a rewritten one has lost is said again. */
async function syncBranch(transactions: Transactions, named: string, how: Within): Promise<SyncedFolder> {
  if (how.copies === undefined) throw invalid('Expected a folder for copies of branches, found none.');
  const folder = copyOf(how.copies, named);
  const branch = new Branch(folder, named.slice(GIT.length), SEGMENTS);
  const all: SyncedFolder[] = [];
  while (all.length < ATTEMPTS) {
    if (!how.offline) await branch.receive();
    const synced = await syncFolder(transactions, folder, how);
    all.push(synced);
    if (how.dryRun || (await branch.send(synced.machine)))
      return {
        ...synced,
        came: all.flatMap(({ came }) => came),
        newcomers: all.flatMap(({ newcomers }) => newcomers),
        warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
      };
  }
  throw unavailable(
    `Expected to add to the branch, found that others were quicker ${ATTEMPTS} times. What they said was taken in; sync again.`,
  );
}

type SyncedFolder = Omit<Synced, 'folder'> & { state: State };
/** What was heard and said: kept once it was written, so that nothing is held for said that was not. */
type State = Counts & { place: string };
type Within = Syncing & { isFirst: boolean };

async function syncFolder(
  transactions: Transactions,
  folder: string,
  { dryRun, isFirst, ask, trust }: Within,
): Promise<SyncedFolder> {
  const before = await transactions.read(async (tx) => {
    const state: Partial<State> = JSON.parse((await readMeta(tx, STATE)) || '{}');
    return {
      state,
      counts: await countsOf(tx),
      isSame: state.rest === (await countsOf(tx, state.records ?? 0)).rest,
      trusted: namesOf(await readMeta(tx, TRUSTED)),
      machine: (await readMeta(tx, MACHINE)) ?? `m-${randomBytes(6).toString('hex')}`,
      warned: namesOf(await readMeta(tx, WARNED)),
      ask: await readMeta(tx, ASK),
    };
  });
  const { machine, state } = before;
  const isAsking = ask ?? (!isFirst && before.ask === '1');
  const isApart = isAsking && !isFirst;
  const trusted = [...before.trusted, ...(trust === undefined ? [] : [trust])];
  const there = segmentsIn(folder);
  // Nothing to hear, and of this memory nothing but new records to say: neither the folder nor the memory is read whole.
  const isQuick =
    !isFirst &&
    trust === undefined &&
    state.place === digestOf(there) &&
    before.isSame &&
    before.counts.records >= (state.records ?? Number.POSITIVE_INFINITY);
  const said: Said = isQuick
    ? {
        facts: new Map(),
        machines: machinesOf(there),
        newcomers: [],
        skipped: before.warned,
        isMixed: false,
      }
    : readFolder(folder, [...trusted, machine], isApart);
  const { facts: theirs, machines, newcomers, skipped } = said;
  if (trust !== undefined && !machines.includes(trust))
    throw notFound(`Expected one of ${machines.join(', ') || 'no machine'}, found "${trust}".`);
  const { heard, ours, now, counts } = await transactions.write(async (tx) => {
    const known = await factsOf(tx, isQuick ? state.records : 0);
    const heard = await hear(tx, theirs, known);
    const ours = heard.isNews ? await factsOf(tx) : known;
    // What is saved meanwhile is said the next time, or once more.
    const counts = isQuick ? before.counts : await countsOf(tx);
    await writeMeta(tx, MACHINE, machine);
    const met = isApart ? [] : newcomers.map((each) => each.machine);
    await writeMeta(tx, TRUSTED, JSON.stringify([...trusted, ...met]));
    await writeMeta(tx, WARNED, JSON.stringify(skipped));
    await writeMeta(tx, ASK, isAsking ? '1' : '');
    return { heard, ours, now: tx.entered, counts };
  });
  const { letters, remaining } = heard.blanked;
  const all = newOf(ours, theirs);
  // Whoever blanked it elsewhere does not want to hear it again from a record that nobody there knew.
  const news = all.filter((fact) => !letters.some((each) => holds(JSON.stringify(fact), each)));
  const known = [ours, theirs];
  const isStale = said.isMixed || [...theirs.values()].some((fact) => remainderOf(fact, known) !== fact);
  const written = dryRun ? new Map() : writeSegments(folder, machine, news);
  const { rewritten, kept } =
    isStale && !dryRun
      ? rewriteSegments(folder, machines, (fact) => remainderOf(fact, known))
      : { rewritten: 0, kept: [] };
  const masked: string[] = [];
  maskDeep(news, (form) => masked.push(form));
  const ahead = [...theirs.values()].filter(({ at }) => at > now + FAR).sort((a, b) => b.at - a.at)[0];
  const days = ahead && Math.round((ahead.at - now) / FAR);
  return {
    // What could not be written anew, or was held back, is tried again.
    state: {
      place: kept.length > 0 || news.length < all.length ? '' : digestOf(new Map([...there, ...written])),
      ...counts,
    },
    machine,
    machines,
    newcomers: newcomers.map((each) => ({ ...each, isApart })),
    ...heardOf(heard),
    said: news.length,
    kinds: Object.fromEntries([...Map.groupBy(news, ({ k }) => k)].map(([kind, of]) => [kind, of.length])),
    authors: [...new Set(news.flatMap((fact) => ('by' in fact ? [fact.by[0]] : [])))].filter(Boolean),
    secrets: masked.length > 0 ? countedForms(masked) : undefined,
    warnings: [
      ...remaining.map(
        ({ what, id }) =>
          `${what} ${id} has what was blanked on another machine, too; it does not go this time. Before the next sync: "precedent redact ${id} --text …".`,
      ),
      ...(rewritten === 0 ? [] : [keptElsewhere(rewritten)]),
      ...kept.map((file) => `${file} still holds what was blanked or deleted: it cannot be written here.`),
      // Each is said once: nobody can mend what another machine wrote (Y-4).
      ...skipped.filter((each) => dryRun || !before.warned.includes(each)),
      ...(ahead
        ? [`A clock is ${days} days ahead: "${nameOf(ahead)}" is of ${new Date(ahead.at).toISOString()}.`]
        : []),
    ],
  };
}

const machinesOf = (segments: Map<string, string>) => [
  ...new Set([...segments.keys()].map((path) => path.slice(0, path.indexOf('/')))),
];

const digestOf = (segments: Map<string, string>) =>
  sha256(
    [...segments]
      .map((segment) => segment.join(' '))
      .sort()
      .join('\n'),
  );

const namesOf = (list: string | undefined): string[] => JSON.parse(list || '[]');
/** A decision as it is shown. */
type Named = Pick<Decision, 'id' | 'text'>;
const namedOf = ({ id, text }: Named): Named => ({ id, text });

/** What came, as it is shown. */
export const heardOf = ({
  from,
  forks,
  settled,
  overridden,
  blanked,
}: Heard): Pick<Synced, 'came' | 'decidedTwice' | 'settled' | 'overridden' | 'blanked'> => ({
  came: [...from].map(([author, records]) => ({ author, records })),
  decidedTwice: forks.map(({ heads }) => ({
    topic: heads[0]?.topic ?? null,
    heads: heads.map(({ id, text, strength, withdrawn }) => ({ id, text, strength, withdrawn })),
    sides: sidesOf(heads),
    settle: settling(heads.at(-1) as Side),
  })),
  settled: settled.map(({ topic, author, ...decision }) => ({ ...namedOf(decision), topic, author })),
  overridden: overridden.map(({ was, by, author }) => ({
    topic: by.topic,
    was: namedOf(was),
    by: { ...namedOf(by), author },
  })),
  blanked: blanked.records,
});

const keptElsewhere = (files: number) =>
  `${files === 1 ? 'A file was' : `${files} files were`} written anew without what was blanked or deleted. Backups, earlier versions that a service keeps, and the history of a branch in git still hold it; "git push --delete REMOTE precedent" and one more sync begin that history anew. Change a password or key that was in it.`;

/** What others do not know yet. */
function newOf(ours: Facts, theirs: Facts) {
  return [...ours.values()].filter((fact) => {
    const known = theirs.get(nameOf(fact));
    return !known || (MAY_CHANGE.has(fact.k) && isLater(fact, known)) || blankedBy(known, fact) !== known;
  });
}

/** Kinds of facts that may change later; all others are said once. */
const MAY_CHANGE = new Set(['evidence', 'place', 'mark', 'called']);
