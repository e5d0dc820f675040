import { sql } from 'kysely';
import type { Anchor } from '../../domain/anchor.ts';
import type { Decision } from '../../domain/decision.ts';
import { notFound } from '../../domain/error.ts';
import type { Evidence } from '../../domain/evidence.ts';
import { didYouMean } from '../../domain/filter/near.ts';
import { tooShort } from '../../domain/id.ts';
import { KINDS, oneOfKind, PLAIN_KINDS, type PlainKind } from '../../domain/kinds.ts';
import { resolveAnchor } from '../../store/decisions/anchor.ts';
import { resolveEvidence } from '../../store/decisions/evidence.ts';
import { resolveDecision } from '../../store/decisions/reference.ts';
import { STORED } from '../../store/kinds/kinds.ts';
import { namesOf } from '../../store/names.ts';
import { findObservation } from '../../store/observations/observation.ts';
import { byIdOrPrefix } from '../../store/prefix.ts';
import type { Tx } from '../../store/tx.ts';

/** A record of any kind that a reference means. */
export type MeantRecord =
  | { kind: 'decision'; decision: Decision }
  | { kind: 'observation'; id: number }
  | { kind: 'evidence'; evidence: Evidence }
  | { kind: 'anchor'; anchor: Anchor }
  | { [Kind in PlainKind]: { kind: Kind; id: string } }[PlainKind];

/** As many digits as a number that is exact in every program has. */
const OBSERVATION = /^\s*(#?)(\d{1,15})\s*$/;

/**
 * The record that a reference means (U-1): a decision by its id or topic, then by the beginning of an id; then an
 * evidence, an anchor, a plain record; `#38` is an observation, and so is `38` where it means nothing else.
 * @param kinds only these
 * @throws PrecedentError `not_found`, with a topic that is near; `invalid` where several ids begin so
 */
export async function requireMeant<Kind extends MeantRecord['kind']>(
  tx: Tx,
  reference: string,
  kinds?: Kind[],
): Promise<Extract<MeantRecord, { kind: Kind }>> {
  const found = await resolveAny(tx, reference);
  if (found && (kinds === undefined || (kinds as string[]).includes(found.kind)))
    return found as Extract<MeantRecord, { kind: Kind }>;
  const wanted = kinds ? `a ${kinds.join(' or ')}` : 'a record';
  const is = found ? `which is ${oneOfKind(found.kind)}` : 'which does not exist';
  const near = found ? '' : didYouMean(reference, await namesOf(tx, 'topics'));
  const error = notFound.no_record(
    `Expected ${wanted}: an id, an id prefix, a topic, or #38 for an observation; found "${reference}", ${is}.${near || (found ? '' : tooShort(reference))}`,
  );
  throw Object.assign(error, { near });
}

async function resolveAny(tx: Tx, reference: string): Promise<MeantRecord | undefined> {
  const [, sign, digits] = OBSERVATION.exec(reference) ?? [];
  if (sign === '#') return observation(tx, Number(digits));
  const decision = await resolveDecision(tx, reference);
  if (decision) return { kind: 'decision', decision };
  const evidence = await resolveEvidence(tx, reference);
  if (evidence) return { kind: 'evidence', evidence };
  const anchor = await resolveAnchor(tx, reference);
  if (anchor) return { kind: 'anchor', anchor };
  for (const kind of PLAIN_KINDS) {
    const id = await plainId(tx, kind, reference);
    if (id !== undefined) return { kind, id } as MeantRecord;
  }
  return digits === undefined ? undefined : observation(tx, Number(digits));
}

/** The id of the plain record that a reference means. */
function plainId(tx: Tx, kind: PlainKind, reference: string): Promise<string | undefined> {
  const { table } = STORED[kind];
  return byIdOrPrefix(tx, table, reference, KINDS[kind].plural, async (id) => {
    const { rows } = await sql`select 1 from ${sql.table(table)} where id = ${id}`.execute(tx.db);
    return rows.length > 0 ? id : undefined;
  });
}

async function observation(tx: Tx, id: number): Promise<MeantRecord | undefined> {
  return (await findObservation(tx, id)) && { kind: 'observation', id };
}
