import type { Chain, Side } from '../domain/chain.ts';
import type { Overridden } from '../store/decisions/overridden.ts';
import type { Blanked } from './blank-here.ts';
import type { Fact, Facts, KeptFact, KeptFacts } from './facts.ts';

/** The place where machines exchange facts. */
export interface Place {
  /**
   * Reads the facts of the place.
   * @param after what {@link Written} gave the last time, where less than all would do: the facts since
   * @param known machines that are not newcomers @param isApart whether facts of newcomers are left out (Y-8)
   */
  read(after: string | undefined, known: string[], isApart: boolean): Promise<Said> | Said;
  /**
   * Sends facts there (Y-1), and removes redacted or deleted ones (Y-7).
   * @param remainder of a fact; undefined where nothing is left of it. Left out where all of them are as they should be
   */
  write(
    machine: string,
    facts: (Fact | KeptFact)[],
    remainder?: (fact: Fact) => Fact | undefined,
  ): Promise<Written> | Written;
  /**
   * Where no memory has this name yet: what else could be meant there, those first that know the same (Y-5).
   * @returns undefined where one has it
   */
  others?(ours: Facts): Promise<OtherMemory[] | undefined>;
}

/** Another memory in a place, and how many decisions of this one it has. */
export interface OtherMemory {
  name: string;
  same: number;
}

/** The facts of a place. */
export interface Said {
  facts: Facts;
  /** Those that only a newer program knows (J-5). */
  kept: KeptFacts;
  /** False if these are only the facts since the last time; loose if they come in files, which have no order. */
  isWhole: boolean;
  isLoose?: boolean;
  machines: string[];
  /** Machines that were not reported before (Y-8). */
  newcomers: Newcomer[];
  /** Facts that were not taken in, with the reason (Y-4). */
  skipped: string[];
  /** Whether one file has a redaction of a text in another one (Y-7). */
  isMixed: boolean;
}

/** A machine that is new here: what it sent, by the names that it claims. */
export interface Newcomer {
  machine: string;
  authors: string[];
  /** Each once, however many versions it has. */
  decisions: number;
  /** How many of these are an axis or a lock. */
  binding: number;
}

/** The result of sending. */
export interface Written {
  /** Another text as soon as there is something to read. */
  after: string;
  /** Notes for the person. */
  warnings: string[];
}

/** The head of a server's answer, before its facts. */
export interface Sent {
  machine: string;
  /** How far it has come: whoever names it the next time gets what is new since. */
  after: string;
  isWhole: boolean;
}

/** The result for facts that a server received. */
export interface Taken {
  /** Its mark before and after; the same where it has more to send about these facts. */
  before: string;
  after: string;
  warnings: string[];
}

/** The result of a sync. */
export interface Heard {
  /** Facts that were new here, by author, as authors call themselves. */
  from: Map<string, number>;
  bringsNew: boolean;
  /** Topics that are decided twice now (Y-2). */
  forks: Chain[];
  /** The forks that are settled now, each with its newest version. */
  settled: Side[];
  /** Axes and locks that no longer bind, because another machine replaced them (D-20). */
  overridden: Overridden[];
  /** Texts redacted here because another machine redacted them, as references that `redact` takes (Y-7). */
  blanked: Blanked;
  /** Messages about names and notes that were changed on two machines. */
  warnings: string[];
}
