import type { Version } from '../../domain/chain.ts';
import type { Decision, Override } from '../../domain/decision.ts';
import { conflict, PrecedentError } from '../../domain/error.ts';
import { idCandidates } from '../../domain/id.ts';
import { parseReasoning } from '../../domain/reasoning/reasoning.ts';
import { topicSpellings } from '../../domain/reasoning/spelling.ts';
import { dayOf, iso } from '../../domain/text/moment.ts';
import { normalizeName, quoted, quotedWhole } from '../../domain/text/text.ts';
import { isCommandLine, isPerson, shownBy, viaOf } from '../../domain/via.ts';
import { findName } from '../names.ts';
import { shortIds } from '../prefix.ts';
import { query } from '../statements.ts';
import type { Tx } from '../tx.ts';
import { writersOf } from '../writer.ts';
import { annotateOne } from './annotation.ts';
import { requireDecision, resolveDecision } from './reference.ts';

/** How a call says that it means what it overrides. */
export interface Naming {
  /** References of the locks that it means to override (T-6). */
  replaces?: string | readonly string[] | undefined;
  /** Why, as this call gives it (D-20). It may name the lock, too: `supersedes: <id>`. */
  reasoning?: string | undefined;
  /** Set where nobody reads a refusal in time, as in a batch: a lock need not be named. */
  isBatch?: boolean | undefined;
}

/** The version that a save replaced, and what was known of it (T-5). */
export interface Replaced {
  decision: Version;
  /** How many active decisions of other chains build on it, or on another version of its chain with the same text. */
  builtOnBy: number;
}

/** How a refusal asks for a name, and for a reason. */
interface Missing {
  name: boolean;
  reason: boolean;
}

/**
 * Refuses to override an axis or a lock without a reason (D-20), and a lock by a call that does not name the version
 * that is active now (T-6). A command line without a terminal does not override a person's lock at all (Z-14).
 * @param needsReason false for a change that needs none, such as another topic
 * @throws PrecedentError `conflict`, which quotes it and says what to give; with `lock` and `needsReason` for what is missing
 */
export async function requireMeant(
  tx: Tx,
  active: Decision,
  how: Override,
  naming: Naming,
  needsReason = true,
): Promise<void> {
  if (active.strength !== 'normal' && isCommandLine(tx.writer.client))
    await requireNoPersons(tx, active, how);
  const missing = {
    name: active.strength === 'lock' && !naming.isBatch && !(await isNamed(tx, active, naming)),
    reason: needsReason && naming.reasoning === undefined,
  };
  if (!missing.name && !missing.reason) return;
  const refusal = missing.name ? await unnamed(tx, active, how, missing, naming) : unreasoned(active, how);
  refusal.needsReason = missing.reason;
  throw refusal;
}

/**
 * No flag is named that would do: agents whose tools are not loaded use the command line. A version that says the same, as
 * with another day to come back to, leaves the lock a person's.
 */
async function requireNoPersons(tx: Tx, { id, rootId, text, topic }: Decision, how: Override): Promise<void> {
  const writers = await query<{ client: string }>(tx)`
    select distinct w.client from decisions as d ${writersOf('d')}
    where d.root_id = ${rootId} and d.text = ${text} and d.strength = 'lock'`;
  if (!writers.some(({ client }) => isPerson(client))) return;
  throw conflict.lock_of_person(
    `Expected a person, since a person made this lock; found a command line without a terminal. ${DOING[how]} ${topic === null ? id : quoted(topic, NAMED)} overrides: ${quotedWhole(text)} (${id}). Ask the person to do it at a terminal or on the page of a server. Nothing was changed.`,
  );
}

/** The refusal of {@link requireMeant}, for whoever reports it; undefined where it does not refuse. */
export async function refusalOf(meant: Promise<void>): Promise<PrecedentError | undefined> {
  return meant.then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof PrecedentError) return error;
      throw error;
    },
  );
}

/** Whether a call names this version as one that it means to override. */
export async function isNamed(tx: Tx, active: Decision, { replaces = [], reasoning = '' }: Naming) {
  const { nearLinks } = parseReasoning(reasoning);
  const inReasoning = nearLinks
    .filter(({ meant }) => meant === 'supersedes')
    .flatMap(({ references }) => references.flatMap((each) => [each.written, ...topicSpellings(each)]));
  const references = [...new Set([replaces, inReasoning].flat())];
  // An id needs no look: of many locks that are undone at once, each is one.
  if (references.some((each) => idCandidates(each).includes(active.id))) return true;
  for (const reference of references) if (await namesVersion(tx, reference, active)) return true;
  return false;
}

/**
 * Refuses a save that names as replaced what it does not replace, so that nobody believes that a lock of another topic has ended (T-6).
 * @param rootId of the chain that is saved to; undefined for a new topic
 * @throws PrecedentError `not_found`, `conflict`
 */
export async function requireOfTopic(
  tx: Tx,
  { replaces, isBatch }: Naming,
  rootId: string | undefined,
  saved = '',
): Promise<void> {
  if (typeof replaces !== 'string' || isBatch) return;
  const named = await requireDecision(tx, replaces);
  if (named.rootId === rootId) return;
  const topic = named.topic === null ? named.id : quoted(named.topic, NAMED);
  throw conflict.other_topic(
    `Expected in "replaces" a version of ${quoted(saved, NAMED)}, which this saves; found ${quoted(replaces, NAMED)}, which is ${withArticle(named.strength)} on ${topic}. Save on that topic to replace it, or withdraw it: decision_revise with withdrawn and replaces. Nothing was changed.`,
  );
}

/** Whether a reference names this version. A topic alone names none: it says nothing of what is active there. */
async function namesVersion(tx: Tx, reference: string, { id }: Decision): Promise<boolean> {
  if (await findName(tx, 'topics', normalizeName(reference))) return false;
  return (await resolveDecision(tx, reference))?.id === id;
}

/** The facts about a version that another one replaces. */
export async function replacedBy(tx: Tx, decision: Version): Promise<Replaced> {
  const [counted] = await query<{ chains: number }>(tx)`
    select count(distinct other.root_id) as chains from decisions as own
    join decision_edges as e on e.to_id = own.id join decisions as other on other.id = e.from_id
    where own.root_id = ${decision.rootId} and own.text = ${decision.text} and e.relationship = 'builds_on'
      and other.is_active = 1 and other.root_id <> own.root_id`;
  return { decision, builtOnBy: counted?.chains ?? 0 };
}

const DOING: Record<Override, string> = {
  replace: 'Replacing',
  lower: 'Lowering',
  rescope: 'Moving',
  unbind: 'Taking files from',
  rename: 'Renaming',
  withdraw: 'Withdrawing',
};
const DONE: Record<Override, string> = {
  replace: 'replaced',
  lower: 'lowered',
  rescope: 'moved to another scope',
  unbind: 'taken from files that it bound',
  rename: 'moved to another topic',
  withdraw: 'withdrawn',
};

/** Characters of a name that others gave. */
const NAMED = 60;
/** Characters that are quoted of why a lock was decided: its first words say what breaks without it. */
const REASON = 120;

function unreasoned({ id, text, strength, topic }: Decision, how: Override): PrecedentError {
  return conflict.reasoning_missing(
    `Expected reasoning for a change of ${withArticle(strength)}, found none. ${DOING[how]} ${topic === null ? id : quoted(topic, NAMED)} needs a reason given in the same call. It says: ${quoted(text)} (${id}). Nothing was changed.`,
  );
}

async function unnamed(
  tx: Tx,
  active: Decision,
  how: Override,
  { reason }: Missing,
  { replaces = [] }: Naming,
): Promise<PrecedentError> {
  const { id, text, topic, reasoning } = active;
  const ref = (await shortIds(tx, 'decisions', [id]))(id);
  const { decidedTwice } = await annotateOne(tx, active);
  const given = [replaces].flat().join(', ');
  const found = given === '' ? 'none' : `${quoted(given, NAMED)}, which is not that version`;
  const why = reasoning === null ? '' : `; its reason: ${quoted(reasoning, REASON)}`;
  const twice = decidedTwice === undefined ? '' : ` It was decided twice: ${decidedTwice}.`;
  const narrower = how === 'replace' && topic !== null ? ' Give a narrower case its own topic.' : '';
  const error = conflict.lock_unnamed(
    `Expected the id of the active lock, since a lock must not be broken; found ${found}. ${DOING[how]} ${topic === null ? id : quoted(topic, NAMED)} overrides: ${quotedWhole(text)} (${id})${why}.${twice} Ask the person first. If they agree, give replaces: "${ref}"${reason ? ' and reasoning: "WHY"' : ''} in the same call.${narrower} Nothing was changed.`,
  );
  error.lock = id;
  return error;
}

/**
 * The warning that an axis or a lock was overridden (D-20), or that something else was replaced that matters: it had
 * succeeded, somebody else wrote it, or others build on it (T-5).
 * @param how undefined for what is not an axis or lock
 * @param isOtherText whether another text is active now
 */
export function overridingWarning(
  tx: Tx,
  { decision, builtOnBy }: Replaced,
  how: Override | undefined,
  isOtherText: boolean,
): string | undefined {
  const { id, text, strength, scope, outcome, createdAt, author, client } = decision;
  const isOther = author !== '' && tx.writer.author !== '' && author !== tx.writer.author;
  // Nobody wants back what failed; that it did is a warning of its own.
  const isLost = isOtherText && outcome !== 'failed';
  const matters = isLost && (outcome === 'success' || isOther || builtOnBy > 0);
  if (how === undefined && !matters) return undefined;
  const what =
    how === undefined
      ? 'replaced '
      : `${withArticle(strength)} of ${quoted(scope, NAMED)} was ${DONE[how]}: `;
  const facts = [outcome, isOther && shownBy({ author, via: viaOf(client) }), dayOf(iso(createdAt))]
    .filter(Boolean)
    .join(', ');
  const builtOn = builtOnBy === 0 ? '' : `; ${builtOnBy} build${builtOnBy === 1 ? 's' : ''} on it`;
  // A lock was named, by somebody who had read it.
  const narrower =
    isLost && strength !== 'lock'
      ? '. If a narrower case was meant: save it on a topic of its own and save the old text again'
      : '';
  return `⚠️ ${what}${how === undefined ? quoted(text) : quotedWhole(text)} (${id}; ${facts}${builtOn})${narrower}`;
}

function withArticle(strength: string): string {
  return strength === 'axis' ? 'an axis' : `a ${strength}`;
}
