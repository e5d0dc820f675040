import * as z from 'zod';
import { restingOn } from '../../store/decisions/evidence.ts';
import { revisionsOf } from '../../store/observations/revision.ts';
import type { Tx } from '../../store/tx.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import {
  briefSpans,
  observationRecord,
  requireObservation,
  toObservationRecord,
} from '../results/observation.ts';
import { relationBranches, relationLists, relationsAround, relationTotals } from '../results/relations.ts';
import { author, shownAuthor, toAuthor } from '../results/writer.ts';
import { dim, indented, line, strong, tree, type View } from '../view.ts';
import { briefsOfDecisions, decisionLine, namedDecision } from './named-decision.ts';

/** Relations shown in each direction; mem_relations lists all. */
const RELATIONS = 50;

/** An observation as a person reads it whole (U-2), in snake case as the operations of its family have it. */
export const shownObservation = observationRecord.extend({
  revisions: z
    .array(
      z.object({
        revision: z.int(),
        title: z.string(),
        content: z.string(),
        until: resultDate(),
        author: author(),
      }),
    )
    .meta({ description: 'Its earlier texts, oldest first' }),
  relations: relationLists,
  relation_count: relationTotals,
  rest_on_it: z.array(namedDecision).meta({ description: 'Decisions with a snapshot of it for evidence' }),
});
type ShownObservation = z.infer<typeof shownObservation>;

export async function showObservation(tx: Tx, id: number): Promise<ShownObservation> {
  const { relations, total } = await relationsAround(tx, id, RELATIONS);
  return {
    ...toObservationRecord(await requireObservation(tx, id)),
    revisions: (await revisionsOf(tx, id)).map(({ revision, title, content, replacedAt, author }) => ({
      revision,
      title,
      content,
      until: iso(replacedAt),
      ...toAuthor({ author }),
    })),
    relations,
    relation_count: total,
    rest_on_it: await briefsOfDecisions(tx, await restingOn(tx, id)),
  };
}

export function viewShownObservation(shown: ShownObservation): View {
  const { content, created_at, updated_at, author, project, scope, revisions, relations, rest_on_it } = shown;
  const changed = updated_at === created_at ? '' : ` · changed ${dayOf(updated_at)}`;
  const facts = [dayOf(created_at) + changed, author && shownAuthor(author), project ?? 'no project', scope];
  const branches = relationBranches(
    relations,
    shown.relation_count,
    'are not shown: mem_relations lists them',
  );
  return [
    line(...briefSpans(shown)),
    indented(content),
    indented(dim(facts.filter(Boolean).join(' · '))),
    ...revisions.map(({ revision, content, until }) =>
      indented(dim(`text ${revision}, until ${dayOf(until)}: `), content),
    ),
    ...(branches.length > 0 ? [tree({ label: [dim('relations')], children: branches })] : []),
    ...(rest_on_it.length > 0 ? [line(strong('rest on it'))] : []),
    ...rest_on_it.map((each) => indented(...decisionLine(each))),
  ];
}
