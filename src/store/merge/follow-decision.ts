import { contentOf, type Decision, decidedId, FIELD_NAMES, type Field } from '../../domain/decision.ts';
import type { Origin } from '../../domain/import/origin.ts';
import { sha256 } from '../../domain/text/digest.ts';
import { REDACTED } from '../../domain/text/redaction.ts';
import { findDecisionRows, toDecision } from '../decisions/decision.ts';
import { loadChain } from '../decisions/loaded.ts';
import { mirrorOutcome } from '../decisions/outcome.ts';
import { findRow, findRows, requireRow } from '../rows.ts';
import { query } from '../statements.ts';
import {
  addEvidence,
  addOutcome,
  addWithdrawal,
  evidenceId,
  type Fact,
  freeId,
  idOf,
  type NewVersion,
  newVersion,
  outcomeState,
  scopeFor,
  withdrawalOf,
} from './decisions.ts';
import { type MergePlan, stateHash } from './merge-plan.ts';
import { isRedacted, keyOf, OLDER, saysAgain, whyNotHere } from './origins.ts';

/**
 * Follows what changed in the source of a decision (I-2): another text is the next version, another outcome an entry of its
 * log. Where it changed here too, neither side is touched.
 * @returns versions to add to its chain
 */
export async function followDecision(plan: MergePlan, fact: Fact, before: Origin): Promise<NewVersion[]> {
  const { merged } = plan;
  const row = await findRow(plan.tx, 'decisions', { seq: before.recordSeq ?? 0 });
  if (!row) {
    plan.conflict(called(fact), await whyNotHere(plan.tx, 'decision', before));
    return [];
  }
  const current = toDecision(row);
  const differing = await differingFields(plan, fact, current);
  if (differing.some((name) => String(fact[name]).includes(REDACTED)))
    merged.warnings.push(
      `${current.topic ?? current.id} was redacted there, and is whole here: "precedent redact ${current.id}" blanks it.`,
    );
  // How sure somebody was of what is no longer active changes nothing.
  const isOther = differing.some((name) => name !== 'confidence' || current.isActive);
  const outcome = outcomeState(fact.outcome);
  const hasOutcome = fact.outcome !== undefined && stateHash(outcome) !== before.written;
  const isWithdrawn = fact.withdrawn !== undefined && !plan.origins.has(withdrawalOf(plan.source, fact));
  const { versions: chain } = await loadChain(plan.tx, current.rootId, 'all');
  const isOlder =
    (isOther && saysOlder(fact, current, chain)) || (hasOutcome && (await hadOutcome(plan, fact, current)));
  const why = isOlder
    ? OLDER
    : await inTheWay(plan, current, before, { isOther: isOther || isWithdrawn, hasOutcome, chain });
  if (why !== undefined) {
    plan.conflict(called(fact), why);
    return [];
  }
  const versions: NewVersion[] = [];
  const written = hasOutcome ? stateHash(outcome) : before.written;
  let recordSeq = before.recordSeq;
  if (hasOutcome && !isOther) await giveOutcome(plan, fact, current);
  if (isOther) {
    const { tx } = plan;
    const hasDates = fact.updatedAt !== undefined;
    if (!hasDates && saidBefore(fact, current, chain)) merged.warnings.push(saysAgain(called(fact)));
    const changed = fact.updatedAt ?? fact.at;
    const at = changed > current.createdAt ? changed : Math.max(tx.now, current.createdAt);
    // The outcome that it had is that of the version before, unless it is new with the text.
    const said = hasOutcome ? fact : { ...fact, outcome: undefined };
    const next = await newVersion(plan, said, await freeId(plan, `${fact.name}/${fact.hash}`), at);
    if (said.outcome) await addOutcome(plan, fact, next.id, said.outcome);
    plan.recordPartOrigin(keyOf(plan.source, `${fact.name}/${before.recordSeq}`), before.recordSeq as number);
    recordSeq = next.seq;
    plan.followed.set(fact.importKey, current.rootId);
    versions.push(next);
  }
  if (isWithdrawn) {
    const base = versions[0] ?? baseOf(current);
    versions.push(await addWithdrawal(plan, fact, base));
  }
  const evidence = await addEvidence(plan, fact, isOther ? (versions[0] as NewVersion).id : current.id);
  plan.recordOrigin(fact, { recordSeq }, null);
  plan.setOrigin({ ...(plan.origins.get(fact.importKey) as Origin), written });
  merged.decisions[versions.length > 0 || hasOutcome || evidence > 0 ? 'changed' : 'same']++;
  return versions;
}

/** The fields that a source says otherwise than they are here; one that it does not know stays as it is. */
async function differingFields(plan: MergePlan, fact: Fact, current: Decision): Promise<Field[]> {
  const scope = fact.scope === undefined ? undefined : await scopeFor(plan, fact.scope);
  const said = { ...fact, scope };
  return FIELD_NAMES.filter((name) => said[name] !== undefined && said[name] !== current[name]);
}

/** Why a change of the source is not applied; undefined when it is. */
async function inTheWay(
  { tx, origins }: MergePlan,
  current: Decision,
  before: Origin,
  { isOther, hasOutcome, chain }: { isOther: boolean; hasOutcome: boolean; chain: Decision[] },
): Promise<string | undefined> {
  if (!isOther && !hasOutcome) return undefined;
  if (await isRedacted(tx, before.recordSeq as number)) return 'it changed there, and was redacted here';
  const mirrored = stateHash(outcomeState({ outcome: current.outcome, reason: current.outcomeReason }));
  if (hasOutcome && mirrored !== before.written) {
    return `its outcome changed there and here (${current.id}): neither was touched`;
  }
  if (!isOther) return undefined;
  const newest = chain.at(-1) as Decision;
  if (newest.id === current.id) return undefined;
  const { seq } = await requireRow(tx, 'decisions', { id: newest.id });
  return [...origins.values()].some(({ recordSeq }) => recordSeq === seq)
    ? `an earlier version (${current.id}) changed there: what was decided then is not written over`
    : `it changed there, and version ${newest.version} was decided here since: neither was touched`;
}

/** Whether a decision is from a copy of its source that was made before the one that came: then it is not a change. */
function saysOlder({ updatedAt, ...fact }: Fact, current: Decision, chain: Decision[]): boolean {
  if (updatedAt === undefined || updatedAt > current.createdAt) return false;
  const last = beforeIt(current, chain).at(-1)?.createdAt ?? updatedAt;
  return saidBefore(fact, current, chain) || (updatedAt < current.createdAt && updatedAt > last);
}

/** Whether an earlier version of its chain says just this; a scope may be called otherwise here. */
const saidBefore = (fact: Omit<Fact, 'updatedAt'>, current: Decision, chain: Decision[]) =>
  beforeIt(current, chain).some((each) =>
    FIELD_NAMES.every((name) => name === 'scope' || fact[name] === undefined || fact[name] === each[name]),
  );

const beforeIt = ({ id }: Decision, chain: Decision[]) =>
  chain.slice(
    0,
    chain.findIndex((each) => each.id === id),
  );

/** The same of its outcome, which changes without its text. */
async function hadOutcome({ tx }: MergePlan, fact: Fact, decision: Decision): Promise<boolean> {
  const { updatedAt, outcome: now } = fact;
  const said = (await findRows(tx, 'outcomes', { decisionId: decidedId(decision) }, 'createdAt')).reverse();
  const last = said[0]?.createdAt ?? 0;
  if (updatedAt === undefined || updatedAt > last) return false;
  const isSaid = said.some(({ outcome, reason }) => outcome === now?.outcome && reason === now?.reason);
  return isSaid || (updatedAt < last && updatedAt > (said[1]?.createdAt ?? updatedAt));
}

async function giveOutcome(plan: MergePlan, fact: Fact, current: Decision): Promise<void> {
  const { outcome, reason, at } = fact.outcome as NonNullable<Fact['outcome']>;
  const { tx } = plan;
  const last = Math.max(current.createdAt, current.updatedAt);
  const when = at >= last ? at : Math.max(tx.now, current.createdAt);
  const of = decidedId(current);
  await addOutcome(plan, fact, of, { outcome, reason, at: when });
  plan.after.push(() => mirrorOutcome(plan.at(when, fact), of));
}

/** A version that is here, as a withdrawal is made of it. */
function baseOf(current: Decision): NewVersion {
  const { id, topic, createdAt, updatedAt } = current;
  const none = {
    seq: 0,
    withdrawn: 0,
    basedOn: null,
    tidies: null,
    outcome: null,
    outcomeReason: null,
  } as const;
  return { ...contentOf(current), ...none, id, topic, createdAt, updatedAt };
}

const called = ({ topic, key }: Fact) => `${topic} (${key})`;

/** A decision that was here before it came from a source, and what of it the source may bring as well. */
export interface Here {
  seq: number;
  decision: Decision;
  /** All outcomes that were ever given to it, as a hash. */
  outcomes: Set<string>;
  /** The numbers of its evidence, by text. */
  evidence: Map<string, number>;
  /** The number of the version that takes it back. */
  withdrawal: number | undefined;
}

/** Decisions that are here under the ids of facts that did not come before: the memory was made of a copy, or wrote the source. */
export async function existingDecisions({ tx }: MergePlan, facts: Fact[]): Promise<Map<string, Here>> {
  const keys = facts.flatMap((fact) => [idOf(fact), fact.importKey]);
  const found = await findDecisionRows(tx, keys);
  const here = new Map<string, Here>();
  for (const [id, row] of found)
    here.set(id, { ...row, outcomes: new Set(), evidence: new Map(), withdrawal: undefined });
  if (here.size === 0) return here;
  const ids = tx.lists.texts([...here.keys()]);
  const rows = await query<{ id: string; kind: string; seq: number; text: string; reason: string | null }>(
    tx,
  )`
    select d.id, 'outcome' as kind, x.seq, x.outcome as text, x.reason
      from (${ids}) as d join outcomes as x on x.decision_id = d.id
    union all select d.id, 'evidence', x.seq, x.content, null
      from (${ids}) as d join evidence as x on x.decision_ref = d.id
    union all select d.id, 'withdrawal', x.seq, x.id, null
      from (${ids}) as d join decisions as o on o.id = d.id
      join decisions as x on x.root_id = o.root_id and x.previous_version_id = d.id and x.withdrawn = 1`;
  for (const { id, kind, seq, text, reason } of rows) {
    const of = here.get(id) as Here;
    if (kind === 'outcome') of.outcomes.add(stateHash(outcomeState({ outcome: text, reason })));
    else if (kind === 'evidence') of.evidence.set(text, seq);
    else of.withdrawal = seq;
  }
  return here;
}

/**
 * Takes a decision that was here before as if this import had brought it: what a person has changed in the source since is
 * followed (I-2). An outcome that was ever said here is not new.
 * @returns versions to add to its chain
 */
export function matchExisting(plan: MergePlan, fact: Fact, here: Here): Promise<NewVersion[]> {
  const { seq, decision, outcomes, evidence, withdrawal } = here;
  for (const { text } of fact.evidence ?? []) {
    const known = evidence.get(text);
    if (known !== undefined) plan.recordPartOrigin(evidenceId(plan.source, fact, text), known);
  }
  if (withdrawal !== undefined && fact.withdrawn)
    plan.recordPartOrigin(withdrawalOf(plan.source, fact), withdrawal);
  const said = outcomeState(fact.outcome);
  const outcomeHere = outcomeState({ outcome: decision.outcome, reason: decision.outcomeReason });
  const before = {
    source: plan.source,
    key: fact.importKey,
    recordSeq: seq,
    relationId: null,
    hash: sha256(decision.id),
    written: stateHash(outcomes.has(stateHash(said)) ? said : outcomeHere),
    rest: null,
  };
  plan.setOrigin(before);
  return followDecision(plan, fact, before);
}
