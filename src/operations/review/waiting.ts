import * as z from 'zod';
import { STRENGTHS } from '../../domain/decision.ts';
import { invalid } from '../../domain/error.ts';
import { LISTED_KINDS } from '../../domain/filter/filter.ts';
import { requireTime } from '../../domain/filter/moment.ts';
import { OUTCOMES } from '../../domain/outcome.ts';
import type { Vanished } from '../../domain/place.ts';
import type { AgentSave } from '../../store/lists/agent-saves.ts';
import { beginsAt, type Reviewed } from '../../store/reviewed.ts';
import type { Tx } from '../../store/tx.ts';
import { chosenSave } from '../fields/decision.ts';
import { resultDate } from '../results/fields.ts';
import { wordChange } from '../results/word-changes.ts';
import { by, reviewedBy } from '../results/writer.ts';
import { GROUPS, type Words } from './words.ts';

/** What can be done with what waits: `keep` does nothing, and what is due comes again in a month; an outcome is recorded. */
const ACTS = ['keep', 'edit', 'undo', 'withdraw', 'bind', 'hints', ...OUTCOMES] as const;
export type Act = (typeof ACTS)[number];

/** Something that waits for a person (V-3). */
const waitingItem = z.object({
  key: z.string().describe('Give it to reviewed'),
  kind: z.enum(LISTED_KINDS),
  what: z.string().describe('What happened, such as decided, revised, noted'),
  id: z.string().describe('Its name for show; #38 for an observation'),
  ref: z.string(),
  title: z.string().optional().describe('Its topic or title'),
  text: z.string(),
  why: z.string().optional(),
  changes: z
    .array(wordChange)
    .optional()
    .describe('Of a decision that replaced another text: what differs, word by word'),
  strength: z.enum(STRENGTHS).optional().describe('Of an axis or a lock'),
  at: resultDate(),
  ...by(),
  reviewed_by: reviewedBy(),
  branch: z.string().optional().describe('The git branch it was decided on'),
  session: z.string().optional(),
  undo: chosenSave.optional().describe('Give it to undo, in saves'),
  others: z.int().optional().describe('How many other records were saved with it'),
  beware: z
    .array(z.string())
    .describe(
      'In the requested language: what it contradicts, overrides, binds or repeats, and why it failed',
    ),
  contradicts: z
    .array(z.string())
    .optional()
    .describe('What it may contradict: ids of decisions, and notes by a hash of what they say'),
  acts: z.array(z.enum(ACTS)).describe('What can be done with it'),
});
export type WaitingItem = z.infer<typeof waitingItem>;

export const waitingGroup = z.object({
  kind: z.enum(GROUPS),
  title: z.string(),
  session: z.string().optional(),
  count: z.int().describe('How many there are, shown or not'),
  items: z.array(waitingItem),
});
export type WaitingGroup = z.infer<typeof waitingGroup>;

/** What a review looks at. */
export interface Looking {
  reviewed: Reviewed;
  /** What agents saved, the newest first. */
  saves: AgentSave[];
  /** Decisions of agents that are compared with all others, the newest: each takes milliseconds. */
  compared: number;
  /** What names files that are gone, as git has it: no operation asks git. */
  vanished: Vanished[];
  /** Sentences of files that still say what these decisions replaced: no operation reads files. */
  stale: { id: string; note: string }[];
  words: Words;
}

/** A group, of which only what is shown is read. */
export interface Waiting extends Pick<WaitingGroup, 'kind' | 'title' | 'session' | 'count'> {
  /** The first of its items. */
  first(most: number): Promise<WaitingItem[]>;
}

/** A kind of what waits for a person, a line in `kinds.ts`: its groups, also empty ones. */
export type WaitingKind = (tx: Tx, looking: Looking) => Promise<Waiting | Waiting[]>;

/** From when on it is shown what agents saved. @throws PrecedentError `invalid` for a time to come @returns milliseconds UTC */
export function beginOf(tx: Tx, reviewed: Reviewed, since: string | undefined): number {
  const from = since === undefined ? beginsAt(tx, reviewed) : requireTime('since', since, tx.now).from;
  if (from <= tx.now) return from;
  throw invalid.wrong_time(`review: Expected "since" to be in the past, found ${JSON.stringify(since)}.`);
}

/** The keys of what waits: of a save its number, of a record that is due its id. */
export const keyOfSave = (id: number) => `s${id}`;
export const keyOfRecord = (id: string) => `r:${id}`;
export const KEY = /^(?:s(\d{1,15})|r:(\S+))$/;
