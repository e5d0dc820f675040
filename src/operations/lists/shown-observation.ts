import * as z from 'zod';
import { restingOn } from '../../store/decisions/evidence.ts';
import type { Tx } from '../../store/tx.ts';
import { outdated, toOutdated, viewOutdated } from '../results/copies.ts';
import { dayOf } from '../results/fields.ts';
import { decisionLine, namedDecision, namedDecisions } from '../results/named-decision.ts';
import {
  briefSpans,
  earlierText,
  earlierTexts,
  observationRecord,
  requireObservation,
  toObservationRecord,
} from '../results/observation.ts';
import { relationEnd, relationSpans, relationsAround } from '../results/relations.ts';
import { shownBy } from '../results/writer.ts';
import { dim, indented, line, strong, type View } from '../view.ts';

/** Relations shown in each direction; mem_relations lists all. */
const RELATIONS = 50;
/** Characters of a decision's text. */
const OTHERS = 200;
/** Earlier texts shown; history lists all. */
const REVISIONS = 20;

/** An observation as a person reads it whole (U-2). */
export const shownObservation = z.object({
  ...observationRecord.shape,
  revisions: z
    .array(earlierText.omit({ type: true }))
    .describe('The newest of its earlier texts, oldest first; history lists all'),
  revision_total: z.int().describe('All earlier texts, shown or not'),
  relations: z
    .array(relationEnd.omit({ created_at: true }).extend({ direction: z.enum(['outgoing', 'incoming']) }))
    .describe('The newest of each direction; mem_relations lists all'),
  relation_total: z.int().describe('All relations, shown or not'),
  outdated: outdated(),
  dependents: z.array(namedDecision).describe('Decisions with a snapshot of it for evidence'),
});
type ShownObservation = z.infer<typeof shownObservation>;

export async function showObservation(tx: Tx, id: number): Promise<ShownObservation> {
  const found = await requireObservation(tx, id);
  const { relations, total } = await relationsAround(tx, id, RELATIONS);
  const ends = (direction: 'outgoing' | 'incoming') =>
    relations[direction].map(({ created_at: _, ...end }) => ({ ...end, direction }));
  const revisions = await earlierTexts(tx, id, { newest: REVISIONS });
  return {
    ...toObservationRecord(found),
    revisions: revisions.map(({ type: _, ...text }) => text),
    revision_total: found.revisionCount,
    relations: [...ends('outgoing'), ...ends('incoming')],
    relation_total: total.outgoing + total.incoming,
    ...(found.deletedAt === null &&
      (await toOutdated(tx, { observation: id, title: found.title, text: found.content }))),
    dependents: [...(await namedDecisions(tx, await restingOn(tx, id), OTHERS)).values()],
  };
}

export function viewShownObservation(shown: ShownObservation): View {
  const { content, created_at, updated_at, project, scope, revisions, relations, dependents } = shown;
  const changed = updated_at === created_at ? '' : ` · changed ${dayOf(updated_at)}`;
  const facts = [dayOf(created_at) + changed, shownBy(shown), project ?? 'no project', scope];
  const left = shown.relation_total - relations.length;
  const older = shown.revision_total - revisions.length;
  return [
    line(...briefSpans(shown)),
    indented(content),
    indented(dim(facts.filter(Boolean).join(' · '))),
    ...viewOutdated(shown),
    ...(older > 0 ? [indented(dim(`${older} older texts are not shown: history lists them`))] : []),
    ...revisions.map(({ revision, content, until }) =>
      indented(dim(`text ${revision}, until ${dayOf(until)}: `), content),
    ),
    ...relations.map(({ direction, observation, ...relation }) =>
      indented(...relationSpans(direction, relation, observation)),
    ),
    ...(left > 0 ? [indented(dim(`${left} more relations: "precedent show --related" lists them`))] : []),
    ...(dependents.length > 0 ? [line(strong('depend on it'))] : []),
    ...dependents.map((each) => indented(...decisionLine(each))),
  ];
}
