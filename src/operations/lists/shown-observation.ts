import * as z from 'zod';
import { restingOn } from '../../store/decisions/evidence.ts';
import { revisionsOf } from '../../store/observations/revision.ts';
import type { Tx } from '../../store/tx.ts';
import { dayOf, iso, resultDate } from '../results/fields.ts';
import { briefSpans, observationBrief, requireObservation } from '../results/observation.ts';
import { relationsAround } from '../results/relations.ts';
import { author, shownAuthor, toAuthor } from '../results/writer.ts';
import { dim, good, indented, line, strong, type View } from '../view.ts';
import { briefsOfDecisions, decisionLine, namedDecision } from './named-decision.ts';

/** Relations shown in each direction; mem_relations lists all. */
const RELATIONS = 50;
/** Earlier texts shown; history lists all. */
const REVISIONS = 20;

/** An observation as a person reads it whole (U-2). */
export const shownObservation = z.object({
  id: z.int(),
  title: z.string(),
  type: z.string(),
  content: z.string(),
  deleted: z.boolean(),
  project: z.string().nullable(),
  scope: z.string(),
  topicKey: z.string().nullable(),
  createdAt: resultDate(),
  updatedAt: resultDate(),
  author: author(),
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
    .meta({ description: 'The newest of its earlier texts, oldest first; history lists all' }),
  revisionTotal: z.int().meta({ description: 'All earlier texts, shown or not' }),
  relations: z
    .array(
      z.object({
        id: z.int().meta({ description: 'Id of the relation, for mem_unrelate' }),
        direction: z.enum(['outgoing', 'incoming']),
        type: z.string(),
        note: z.string().nullable(),
        observation: observationBrief,
      }),
    )
    .meta({ description: 'The newest of each direction; mem_relations lists all' }),
  relationTotal: z.int().meta({ description: 'All relations, shown or not' }),
  dependents: z.array(namedDecision).meta({ description: 'Decisions with a snapshot of it for evidence' }),
});
type ShownObservation = z.infer<typeof shownObservation>;

export async function showObservation(tx: Tx, id: number): Promise<ShownObservation> {
  const found = await requireObservation(tx, id);
  const { relations, total } = await relationsAround(tx, id, RELATIONS);
  const ends = (direction: 'outgoing' | 'incoming') =>
    relations[direction].map(({ id, type, note, observation }) => ({
      id,
      direction,
      type,
      note,
      observation,
    }));
  return {
    id,
    title: found.title,
    type: found.type,
    content: found.content,
    deleted: found.deletedAt !== null,
    project: found.project,
    scope: found.scope,
    topicKey: found.topicKey,
    createdAt: iso(found.createdAt),
    updatedAt: iso(found.updatedAt),
    ...toAuthor(found),
    revisions: (await revisionsOf(tx, id, { newest: REVISIONS })).map(
      ({ revision, title, content, replacedAt, author }) => ({
        revision,
        title,
        content,
        until: iso(replacedAt),
        ...toAuthor({ author }),
      }),
    ),
    revisionTotal: found.revisionCount,
    relations: [...ends('outgoing'), ...ends('incoming')],
    relationTotal: total.outgoing + total.incoming,
    dependents: await briefsOfDecisions(tx, await restingOn(tx, id)),
  };
}

export function viewShownObservation(shown: ShownObservation): View {
  const { content, createdAt, updatedAt, author, project, scope, revisions, relations, dependents } = shown;
  const changed = updatedAt === createdAt ? '' : ` · changed ${dayOf(updatedAt)}`;
  const facts = [dayOf(createdAt) + changed, author && shownAuthor(author), project ?? 'no project', scope];
  const left = shown.relationTotal - relations.length;
  const older = shown.revisionTotal - revisions.length;
  return [
    line(...briefSpans(shown)),
    indented(content),
    indented(dim(facts.filter(Boolean).join(' · '))),
    ...(older > 0 ? [indented(dim(`${older} older texts are not shown: history lists them`))] : []),
    ...revisions.map(({ revision, content, until }) =>
      indented(dim(`text ${revision}, until ${dayOf(until)}: `), content),
    ),
    ...relations.map(({ direction, type, note, observation }) =>
      indented(
        good(`${direction === 'outgoing' ? '→' : '←'} ${type} `),
        ...briefSpans(observation),
        dim(note ? `  ${note}` : ''),
      ),
    ),
    ...(left > 0 ? [indented(dim(`${left} more relations: "precedent related" lists them`))] : []),
    ...(dependents.length > 0 ? [line(strong('depend on it'))] : []),
    ...dependents.map((each) => indented(...decisionLine(each))),
  ];
}
