import * as z from 'zod';
import { restingOn } from '../../store/decisions/evidence.ts';
import { reviewersOf } from '../../store/reviewed.ts';
import type { Tx } from '../../store/tx.ts';
import { outdated, toOutdated, viewOutdated } from '../results/copies.ts';
import { dayOf } from '../results/fields.ts';
import { decisionLine, namedDecision, namedDecisions } from '../results/named-decision.ts';
import { briefSpans, shownNoted } from '../results/observation.ts';
import { readObservation, relationSpans, wholeObservation } from '../results/relations.ts';
import { reviewedBy, shownBy, toReviewed, viewReviewed } from '../results/writer.ts';
import { dim, indented, line, strong, type View } from '../view.ts';

/** Relations shown in each direction, which mem_relations lists all, and earlier texts, as history does. */
const MOST = { relations: 50, revisions: 20 };
/** Characters of a decision's text. */
const OTHERS = 200;

/** An observation as a person reads it whole (U-2). */
export const shownObservation = wholeObservation.extend({
  outdated: outdated(),
  reviewed_by: reviewedBy(),
  dependents: z.array(namedDecision).describe('Decisions that have a snapshot of it as evidence'),
});
type ShownObservation = z.infer<typeof shownObservation>;

export async function showObservation(tx: Tx, id: number): Promise<ShownObservation> {
  const whole = await readObservation(tx, id, MOST);
  const { title, content: text, deleted } = whole;
  return {
    ...whole,
    ...toReviewed(await reviewersOf(tx, 'observations', id)),
    ...(!deleted && (await toOutdated(tx, { observation: id, title, text }))),
    dependents: [...(await namedDecisions(tx, await restingOn(tx, id), OTHERS)).values()],
  };
}

export function viewShownObservation(shown: ShownObservation): View {
  const { content, created_at, updated_at, project, scope, relations, relation_count, dependents } = shown;
  const { revision, revisions = [] } = shown;
  const changed = updated_at !== (shown.rewritten_at ?? created_at) && `changed ${dayOf(updated_at)}`;
  const facts = [dayOf(created_at), shownNoted(shown), changed, project ?? 'no project', scope];
  const links = (['outgoing', 'incoming'] as const).flatMap((direction) =>
    relations[direction].map(({ observation, ...relation }) =>
      indented(...relationSpans(direction, relation, observation)),
    ),
  );
  const left = relation_count.outgoing + relation_count.incoming - links.length;
  const older = revision - 1 - revisions.length;
  return [
    line(...briefSpans(shown)),
    indented(content),
    indented(dim(facts.filter(Boolean).join(' · '))),
    ...viewReviewed(shown),
    ...viewOutdated(shown),
    ...(older > 0 ? [indented(dim(`${older} older texts are not shown: history lists them`))] : []),
    ...revisions.map(({ revision, content, until, ...by }) =>
      indented(
        dim(`${[`text ${revision}, until ${dayOf(until)}`, shownBy(by)].filter(Boolean).join(' · ')}: `),
        content,
      ),
    ),
    ...links,
    ...(left > 0 ? [indented(dim(`${left} more relations: "precedent show --related" lists them`))] : []),
    ...(dependents.length > 0 ? [line(strong('depend on it'))] : []),
    ...dependents.map((each) => indented(...decisionLine(each))),
  ];
}
