import { existsSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import type { Side } from '../domain/chain.ts';
import { settling, sidesOf } from '../domain/decided-twice.ts';
import type { Decision } from '../domain/decision.ts';
import { invalid, notFound, unavailable } from '../domain/error.ts';
import { sha256 } from '../domain/text/digest.ts';
import { countedForms, maskDeep } from '../domain/text/masking.ts';
import { iso } from '../domain/text/moment.ts';
import { isOnServer } from '../domain/workspace.ts';
import { namesIn } from '../files/bounded.ts';
import { Branch, GIT } from '../git/branch.ts';
import { holds } from '../store/maintenance/redact-blank.ts';
import type { Transactions } from '../store/merge/merge.ts';
import { readMeta, writeMeta } from '../store/meta.ts';
import type { Tx } from '../store/tx.ts';
import { blankedBy, blankedIn, remainderOf } from './blank.ts';
import { countsOf, factsSince, isTold } from './counts.ts';
import {
  awaitedBy,
  type Counts,
  type Fact,
  type Facts,
  factsLike,
  factsOf,
  isInDoubt,
  isLater,
  type KeptFact,
  mayChange,
  nameOf,
  nameOfKept,
  seenBy,
} from './facts.ts';
import { Folder, SEGMENTS, segmentsIn } from './folder.ts';
import { hear } from './hear.ts';
import { keep, tooMany } from './kept.ts';
import type { Heard, Newcomer, OtherMemory, Place } from './place.ts';
import { nothingSaid } from './segment.ts';
import { Server } from './server.ts';
import { readKept } from './updated.ts';

/** The result of a sync, or of its dry run. */
export interface Synced {
  /** The folder, `git:` and the address of a repository, or the address of a memory on a server. */
  folder: string;
  /** The name of this machine there. */
  machine: string;
  machines: string[];
  /** Machines that are new; `isApart` while nothing of them is taken in (Y-8). */
  newcomers: (Newcomer & { isApart: boolean })[];
  /** Other memories of the server, where it knows none of this name yet (Y-5). */
  others: OtherMemory[] | undefined;
  /** Records that came, by what their authors call themselves. */
  came: { author: string; records: number }[];
  /** Facts that went, or would go. */
  said: number;
  /** The same by kind, the authors whose names are in them, and what looks like secrets (Y-5). */
  kinds: Record<string, number>;
  authors: string[];
  secrets: string | undefined;
  /** Topics that are decided twice, until somebody settles them (Y-2). */
  decidedTwice: {
    topic: string | null;
    heads: Pick<Decision, 'id' | 'text' | 'strength' | 'withdrawn'>[];
    /** The heads in words, and the command that settles it. */
    sides: string[];
    settle: string;
  }[];
  /** Topics that were decided twice and settled elsewhere; `author` is empty when nobody said. */
  settled: (Named & { topic: string | null; author: string })[];
  /** Axes and locks that what came replaced: they wait in a review until somebody decides again (D-20). */
  overridden: { topic: string | null; was: Named; by: Named & { author: string } }[];
  /** Texts redacted here as on another machine, as `redact` finds them (Y-7). */
  blanked: string[];
  warnings: string[];
}

const FOLDER = 'sync_folder';
export const MACHINE = 'sync_machine';
/** Names of machines that are trusted, and given warnings, each a list; whether newcomers are kept apart. */
const TRUSTED = 'sync_trusted';
const WARNED = 'sync_warned';
const ASK = 'sync_ask';
/** The state of folder and memory after the last sync: {@link State} as JSON. */
const STATE = 'sync_state';
/** A date so far ahead means a wrong clock: it is reported, and nothing is held back (Y-6). */
const FAR = 24 * 60 * 60 * 1000;

/** How a memory is synced once. */
export interface Syncing {
  /** Only reports what would be received and sent. */
  dryRun?: boolean;
  /** Where a branch of git is kept as a folder: one of this machine, for each address. */
  copies?: string | undefined;
  /** The token that a server is shown. */
  token?: string | undefined;
  /** Reaches nothing: it is not confirmed yet. */
  offline?: boolean;
  /** Called before a memory is begun on a server that has others (Y-5); what it throws prevents that. */
  begins?: ((others: OtherMemory[]) => void) | undefined;
  /**
   * Whether newcomers are kept apart until they are trusted, from now on (Y-8). Machines that are there
   * when a place is named are not; a server is one machine, whose tokens decide who may write there.
   */
  ask?: boolean | undefined;
  /** A machine that is trusted from now on. */
  trust?: string | undefined;
}

/** How often it is begun again where others are quicker. */
const ATTEMPTS = 3;

/**
 * Receives the facts of others, and sends those that they do not know (Y-5). It may be killed at any step and begun again:
 * facts that were not written are sent the next time.
 * @param given a folder; {@link GIT} and the address of a repository; or the address of a memory on a server, as
 *   `https://memory.example/api/v1/shop/sync`; default: the one of last time; null forgets it
 */
export async function sync(
  transactions: Transactions,
  given: string | null | undefined,
  how: Syncing = {},
): Promise<Synced | undefined> {
  const before = given === undefined ? await transactions.read((tx) => readMeta(tx, FOLDER)) : undefined;
  // A drive that is not there looks like an empty folder.
  const isFolder = (place: string) => !place.startsWith(GIT) && !isOnServer(place);
  if (before && isFolder(before) && !existsSync(before))
    throw unavailable.folder_gone(
      `Expected the folder ${before}, which this memory is synced with; it is not there. Bring it back, or name another one with "precedent sync --init FOLDER".`,
    );
  if (given && isFolder(given)) requireShared(given);
  const named = given ?? before;
  const isFirst = given !== undefined;
  const { state, ...synced } = named ? await syncPlace(transactions, named, { ...how, isFirst }) : {};
  if (given === null) {
    const left = await transactions.read((tx) => readMeta(tx, FOLDER));
    if (!left) throw notFound.not_synced('Expected a memory that is synced, found one that is not.');
    if (left.startsWith(GIT) && how.copies !== undefined)
      rmSync(copyOf(how.copies, left), { recursive: true, force: true });
  }
  if ((isFirst || named) && !how.dryRun)
    await transactions.write(async (tx) => {
      if (isFirst) await writeMeta(tx, FOLDER, given ?? '');
      await writeMeta(tx, STATE, JSON.stringify({ ...state, at: tx.entered }));
    });
  return named ? { ...(synced as SyncedPlace), folder: named } : undefined;
}

/** The place that a memory is synced with, and when it was last. */
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
    throw invalid.wrong_folder(
      `Expected a folder that the machines share, found neither ${folder} nor ${dirname(folder)}. Make that one first, or name one below a folder that is there.`,
    );
  }
  const others = namesIn(folder).filter((name) => !/^\.|^desktop\.ini$/.test(name));
  if (others.length === 0 || segmentsIn(folder).size > 0) return;
  throw invalid.wrong_folder(
    `Expected an empty folder, or one that a memory is synced with; found ${JSON.stringify(others[0])} in ${folder}. Name a folder in it: ${join(folder, 'precedent')}.`,
  );
}

async function syncPlace(transactions: Transactions, named: string, how: Within): Promise<SyncedPlace> {
  if (named.startsWith(GIT)) return syncBranch(transactions, named, how);
  const place = isOnServer(named) ? new Server(named, how.token) : new Folder(named);
  return exchange(transactions, place, isOnServer(named) ? how : { ...how, offline: false });
}

/** Only the branch counts: facts that a rewritten one has lost are sent again. */
async function syncBranch(transactions: Transactions, named: string, how: Within): Promise<SyncedPlace> {
  if (how.copies === undefined)
    throw invalid.missing('Expected a folder for copies of branches, found none.');
  const folder = copyOf(how.copies, named);
  const branch = new Branch(folder, named.slice(GIT.length), SEGMENTS);
  const all: SyncedPlace[] = [];
  while (all.length < ATTEMPTS) {
    if (!how.offline) await branch.receive();
    const synced = await exchange(transactions, new Folder(folder, branch.left), { ...how, offline: false });
    all.push(synced);
    if (how.dryRun || (await branch.send(synced.machine)))
      return {
        ...synced,
        came: all.flatMap(({ came }) => came),
        newcomers: all.flatMap(({ newcomers }) => newcomers),
        warnings: [...new Set(all.flatMap(({ warnings }) => warnings))],
      };
  }
  throw unavailable.busy(
    `Expected to push to the branch, found that other machines pushed first, ${ATTEMPTS} times. Their records were received. Sync again.`,
  );
}

type SyncedPlace = Omit<Synced, 'folder'> & { state: State };
/**
 * The received and sent facts: kept once they were written, so that nothing counts as sent that was not. `awaited`: ids of {@link
 * awaitedBy}.
 */
type State = Counts & { place: string; awaited: string[] };
/** Earlier versions kept less in it. */
const NOTHING: Counts = { records: 0, changes: 0, relations: 0, rest: '' };
/** `isWhole`: all facts are read. */
type Within = Syncing & { isFirst: boolean; isWhole?: boolean };

async function exchange(transactions: Transactions, place: Place, how: Within): Promise<SyncedPlace> {
  const { dryRun, isFirst, ask, trust, offline, begins, isWhole } = how;
  const before = await transactions.read(async (tx) => {
    const state: Partial<State> = JSON.parse((await readMeta(tx, STATE)) || '{}');
    return {
      state,
      trusted: namesOf(await readMeta(tx, TRUSTED)),
      machine: await machineOf(tx),
      warned: namesOf(await readMeta(tx, WARNED)),
      ask: await readMeta(tx, ASK),
    };
  });
  const { machine, state } = before;
  const awaited = new Set(state.awaited);
  const isAsking = ask ?? (!isFirst && before.ask === '1');
  const isApart = isAsking && !isFirst;
  const trusted = [...before.trusted, ...(trust === undefined ? [] : [trust])];
  const after = !isFirst && !isWhole && trust === undefined ? state.place : undefined;
  const said = offline ? nothingSaid() : await place.read(after, [...trusted, machine], isApart);
  const { facts: theirs, machines, newcomers } = said;
  const skipped = [...new Set([...(said.isWhole ? [] : before.warned), ...said.skipped])];
  if (trust !== undefined && !machines.includes(trust))
    throw notFound.no_machine(`Expected one of ${machines.join(', ') || 'no machine'}, found "${trust}".`);
  const exchanged = await transactions.write(async (tx) => {
    await readKept(tx);
    const since = said.isWhole ? undefined : { ...NOTHING, ...state };
    // Where numbers do not tell what is new here, also meanwhile, place and memory are read whole.
    if (since && !(await isTold(tx, since))) return undefined;
    const fresh = since && (await factsSince(tx, since));
    const read = () => (since ? factsLike(tx, theirs, since) : factsOf(tx));
    const known = await read();
    // Facts that waited for one of these were read before. They may have come another way, as to a server.
    const news = [...theirs.values(), ...(fresh?.values() ?? [])];
    const isAwaited =
      !said.isWhole && news.some((fact) => [fact.id, ...seenBy(fact)].some((id) => awaited.has(id)));
    if (isAwaited || (said.isLoose && isInDoubt(theirs, known))) return undefined;
    const heard = await hear(tx, theirs, known, fresh);
    const now = heard.bringsNew ? await read() : known;
    const keeping = await keep(tx, said.kept, remainderOf([now, theirs]));
    // Changes that receiving made here are new, too.
    const made = new Set(fresh && newOf(now, known));
    const ours = fresh ? new Map([...now].filter(([name, fact]) => fresh.has(name) || made.has(fact))) : now;
    await writeMeta(tx, MACHINE, machine);
    const met = isApart ? [] : newcomers.map((each) => each.machine);
    await writeMeta(tx, TRUSTED, JSON.stringify([...trusted, ...met]));
    await writeMeta(tx, WARNED, JSON.stringify(skipped));
    await writeMeta(tx, ASK, isAsking ? '1' : '');
    const waits = new Set([...(said.isWhole ? [] : awaited), ...awaitedBy(theirs, now)]);
    // Saves made meanwhile are sent the next time.
    return { heard, ...keeping, ours, waits, here: now, now: tx.entered, counts: await countsOf(tx) };
  });
  if (!exchanged) return exchange(transactions, place, { ...how, isWhole: true });
  const { heard, kept, left, ours, waits, here, now, counts } = exchanged;
  const isBegun = offline || !said.isWhole || machines.length > 0;
  const others = isBegun ? undefined : await place.others?.(ours);
  if (others && others.length > 0 && !dryRun) begins?.(others);
  const { letters, remaining } = heard.blanked;
  const all = newOf(ours, theirs);
  // The machine that redacted it must not receive it again in a record that it did not know.
  const news = all.filter((fact) => !letters.some((each) => holds(JSON.stringify(fact), each)));
  const isUnsaid = (fact: KeptFact) => {
    const known = said.kept.get(nameOfKept(fact));
    return !known || fact.at > known.at || !isDeepStrictEqual(blankedIn(known, fact), known);
  };
  const sent = [...news, ...(said.isWhole ? [...kept.values()].filter(isUnsaid) : [])];
  const remainder = remainderOf([here, theirs], kept);
  const isStale =
    said.isMixed ||
    [...theirs.values(), ...(said.kept.values() as Iterable<Fact>)].some((fact) => remainder(fact) !== fact);
  const written = dryRun
    ? { after: '', warnings: [] }
    : await place.write(machine, sent, isStale ? remainder : undefined);
  const masked: string[] = [];
  maskDeep(sent, (form) => masked.push(form));
  const ahead = [...theirs.values()].filter(({ at }) => at > now + FAR).sort((a, b) => b.at - a.at)[0];
  const days = ahead && Math.round((ahead.at - now) / FAR);
  return {
    // Facts that were held back are tried again.
    state: { place: news.length < all.length ? '' : written.after, awaited: [...waits], ...counts },
    machine,
    machines,
    newcomers: newcomers.map((each) => ({ ...each, isApart })),
    others,
    ...heardOf(heard),
    said: sent.length,
    kinds: Object.fromEntries(
      [...Map.groupBy<string, Fact | KeptFact>(sent, ({ k }) => k)].map(([kind, of]) => [kind, of.length]),
    ),
    authors: [...new Set(news.flatMap((fact) => ('by' in fact ? [fact.by[0]] : [])))].filter(Boolean),
    secrets: masked.length > 0 ? countedForms(masked) : undefined,
    warnings: [
      ...heard.warnings,
      ...remaining.map(
        ({ what, id }) =>
          `${what} ${id} still holds a text that was blanked on another machine, and was not sent. Before the next sync: "precedent redact ${id} --text …".`,
      ),
      ...written.warnings,
      ...tooMany(left),
      // Report each once: nobody here can mend the file of another machine (Y-4).
      ...skipped.filter((each) => dryRun || !before.warned.includes(each)),
      ...(ahead
        ? [`A clock is ${days} days ahead: "${nameOf(ahead)}" is dated ${new Date(ahead.at).toISOString()}.`]
        : []),
    ],
  };
}

/** The name of this machine in any place; kept under {@link MACHINE} as soon as somebody received it. */
export const machineOf = async (tx: Tx): Promise<string> =>
  (await readMeta(tx, MACHINE)) ?? `m-${tx.newId().slice(-12)}`;

const namesOf = (list: string | undefined): string[] => JSON.parse(list || '[]');
/** A decision as it is shown. */
type Named = Pick<Decision, 'id' | 'text'>;
const namedOf = ({ id, text }: Named): Named => ({ id, text });

/** The received facts, as they are shown. */
export const heardOf = ({
  from,
  forks,
  settled,
  overridden,
  blanked,
}: Heard): Pick<Synced, 'came' | 'decidedTwice' | 'settled' | 'overridden' | 'blanked'> => ({
  came: [...from].map(([author, records]) => ({ author, records })),
  decidedTwice: forks.map(({ sides: heads }) => ({
    topic: heads[0]?.topic ?? null,
    heads: heads.map(({ id, text, strength, withdrawn }) => ({ id, text, strength, withdrawn })),
    sides: sidesOf(heads),
    settle: settling(heads.at(-1) as Side),
  })),
  settled: settled.map(({ topic, author, ...decision }) => ({ ...namedOf(decision), topic, author })),
  overridden: overridden.map(({ was, by }) => ({
    topic: by.topic,
    was: namedOf(was),
    by: { ...namedOf(by), author: by.author },
  })),
  blanked: blanked.records,
});

/** Facts that were not known, or not as they are. */
function newOf(ours: Facts, theirs: Facts): Fact[] {
  return [...ours.values()].filter((fact) => {
    const known = theirs.get(nameOf(fact));
    return !known || (mayChange(fact.k) && isLater(fact, known)) || blankedBy(known, fact) !== known;
  });
}
