import { type Content, type Decision, decidedId, GLOBAL_SCOPE } from './decision.ts';
import { idsOf } from './id.ts';
import { compareText, foldName } from './text/text.ts';

/** The versions of a long chain that are read at most: its newest ones. */
export const CHAIN_LOOKED_AT = 100;

/** A version in a chain, with the ids of those that its author saw, a line each. */
export interface Based extends Pick<Content, 'strength' | 'scope'> {
  id: string;
  createdAt: number;
  withdrawn: boolean | 0 | 1;
  basedOn: string | null;
  /** Whether it was undone (K-6). */
  isMistake: boolean;
}

type WrittenBy = Record<'author' | 'host' | 'client' | 'session', string>;

/** A version as its chain has it, with who wrote it. */
export interface Version extends Decision, Based, WrittenBy {
  withdrawn: boolean;
  /** When it was saved here, in milliseconds UTC, if it was given an earlier date (U-7). */
  recorded?: number | null;
}

/** A side of what was decided twice (Y-2): a version that no author of another side saw, by whom and on which machine. */
export interface Side extends Version {
  /** An earlier version that said the same, and failed (T-2). */
  failedAs?: Pick<Decision, 'version' | 'outcomeReason'> | undefined;
}

/** How a version tidies another one (TR-3). */
export const TIDYING = ['worded', 'linked', 'moved', 'brought back', 'joined'] as const;

/** A version that tidied another one. */
export interface Tidied {
  decided: Version;
  how: (typeof TIDYING)[number];
  /** The version that tidied it. */
  own: Version;
}

/** A failed decision of another chain that a version of this one depends on. */
export interface Ground {
  failure: Version;
  /** The number of that version. */
  version: number;
}

/** The versions that the author of a version saw. @param seen ids of versions besides the one before it */
export const basedOn = ({ previousVersionId }: Decision, seen: string[]): string | null =>
  [...new Set([previousVersionId, ...seen])].join('\n') || null;

export const basesOf = ({ basedOn }: Pick<Based, 'basedOn'>): string[] => basedOn?.split('\n') ?? [];

/** The heads: versions that no author of another version saw (Y-6). If settling it was undone, it is open again (K-6). */
function headsOf<Each extends Pick<Based, 'id' | 'basedOn' | 'isMistake'>>(
  versions: readonly Each[],
): Each[] {
  const seen = new Set(versions.flatMap((each) => basesOf(each).slice(0, each.isMistake ? 1 : undefined)));
  return versions.filter(({ id }) => !seen.has(id));
}

/** How much a version binds: a lock before an axis, of two of these the one that holds everywhere. */
export const reachOf = ({ strength, scope, withdrawn }: Pick<Based, 'strength' | 'scope' | 'withdrawn'>) =>
  withdrawn || strength === 'normal' ? 0 : (strength === 'lock' ? 4 : 2) + (scope === GLOBAL_SCOPE ? 1 : 0);

/** Whether versions say one thing, so that there is nothing to settle. */
export const areAgreed = (versions: Pick<Decision, 'text' | 'withdrawn' | 'strength'>[]) =>
  new Set(versions.map(({ text, withdrawn, strength }) => JSON.stringify([text, withdrawn, strength]))).size <
  2;

/**
 * The order of a chain, the same on every machine (Y-6): a version comes after those that its author saw. The last one is a head
 * that was neither withdrawn nor undone, where there is one: of several the one that binds most, so that what is a lock on one
 * machine binds on all until a person settles it (T-6). Those that it followed, one after the other, come late, so that a version
 * which is saved after it, or settles, changes the order of none. All else is by date and id.
 */
export function inOrder<Each extends Based>(versions: Each[]): Each[] {
  const here = new Map(versions.map((each) => [each.id, each]));
  const waiting = versions.toSorted((a, b) => a.createdAt - b.createdAt || compareText(a.id, b.id));
  const isLive = ({ withdrawn, isMistake }: Based) => Number(!withdrawn && !isMistake);
  const last = headsOf(waiting)
    .sort((a, b) => isLive(a) - isLive(b) || reachOf(a) - reachOf(b))
    .at(-1);
  const late = new Set<Each>();
  for (let at = last; at && !late.has(at); at = here.get(basesOf(at)[0] ?? '')) late.add(at);
  waiting.sort((a, b) => Number(late.has(a)) - Number(late.has(b)));
  const done = new Set<string>();
  const ordered: Each[] = [];
  while (waiting.length > 0) {
    const next = waiting.findIndex((each) => basesOf(each).every((id) => done.has(id) || !here.has(id)));
    const [version] = waiting.splice(Math.max(0, next), 1) as [Each];
    done.add(version.id);
    ordered.push(version);
  }
  return ordered;
}

/** A chain that was loaded once, and the questions about it. */
export class Chain {
  /** Oldest first: all of them where the chain may have several heads, else at least the newest, the active and the failed ones. */
  readonly versions: Version[];
  /** The sides of a decision by people who did not see each other, without undone ones (Y-6). */
  readonly heads: Version[];
  /** The heads where they say different things, so that somebody has to settle it (Y-2); else none. */
  readonly sides: Side[];
  readonly #grounds: Ground[];

  constructor(versions: Version[], grounds: Ground[]) {
    this.versions = versions;
    this.#grounds = grounds;
    const isWhole = versions.length === this.newest.version;
    this.heads = (isWhole ? headsOf(versions) : [this.newest]).filter(({ isMistake }) => !isMistake);
    this.sides = areAgreed(this.heads) ? [] : this.heads.map((head) => this.#sideOf(head));
  }

  /** This chain with its next version. @param seen ids of versions that its author saw besides the newest */
  followedBy(decision: Decision, seen: string[], by: WrittenBy): Chain {
    const next = { ...by, ...decision, basedOn: basedOn(decision, seen), isMistake: false };
    const before = this.versions.map((each) => (each.isActive ? { ...each, isActive: false } : each));
    return new Chain([...before, next], this.#grounds);
  }

  /** Active or withdrawn. */
  get newest(): Version {
    return this.versions.at(-1) as Version;
  }

  get active(): Version | undefined {
    return this.versions.findLast(({ isActive, isMistake }) => isActive && !isMistake);
  }

  /** The versions that failed before this one and were not undone, oldest first (O-8), each in one wording. */
  failuresBefore(of: Decision): Version[] {
    return this.versions.filter(
      ({ id, version, tidies, outcome, isMistake }) =>
        version < of.version && outcome === 'failed' && !isMistake && !tidies && id !== decidedId(of),
    );
  }

  /** Of a version that tidies another one: the one that counts for author and date, and who tidied it how (TR-3). */
  tidiedBy({ id, tidies, text, scope, files, reasoning }: Decision): Tidied | undefined {
    const decided = this.versions.find((each) => each.id === tidies);
    const own = this.versions.find((each) => each.id === id);
    if (!decided || !own) return undefined;
    const isMoved = scope !== decided.scope || files !== decided.files;
    const before = this.versions.find((each) => each.version === own.version - 1);
    // A reason that only grew is one that was added to, as by "alongside", unless something else held in between.
    const isBack = !before || before.isMistake || decidedId(before) !== decided.id;
    const [said, grown] = [decided.reasoning ?? '', reasoning ?? ''];
    const how = () => {
      if (own.withdrawn && !decided.withdrawn) return 'joined';
      if (text !== decided.text) return 'worded';
      if (isMoved) return 'moved';
      if (!grown.startsWith(said)) return 'worded';
      if (isBack) return 'brought back';
      return grown.slice(said.length).includes('alongside:') ? 'linked' : 'worded';
    };
    return { decided, own, how: how() };
  }

  /** The failed grounds of the newest version that gives links, where that is an earlier one (T-7). */
  get failedGrounds(): Ground[] {
    return this.#grounds.filter(({ version }) => version !== this.active?.version);
  }

  /** The versions shortly before this one, the newest first: of a long chain no more is read. */
  recentBefore(before: number): Version[] {
    return this.versions
      .filter(({ version }) => version < before && version >= before - CHAIN_LOOKED_AT)
      .reverse();
  }

  /** The ids of the heads where they agree: a save sees all of them, and leaves none behind (Y-6). */
  get agreedHeads(): string[] {
    return this.sides.length > 0 ? [] : idsOf(this.heads);
  }

  #sideOf(head: Version): Side {
    // A withdrawal does not repeat the failure.
    if (head.outcome || head.withdrawn) return head;
    const isSame = ({ text }: Version) => foldName(text) === foldName(head.text);
    return { ...head, failedAs: this.failuresBefore(head).findLast(isSame) };
  }
}
