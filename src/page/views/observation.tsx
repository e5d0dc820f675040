import type { Result } from '../data/operations.ts';
import { useHref, useRead, useSession } from '../data/session.ts';
import { Correcting } from '../parts/correction.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { DecisionRow, EarlierTexts, Facts } from '../parts/rows.tsx';
import { Await, Heading, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Shown = NonNullable<Result<'show'>['observation']>;
type Around = Result<'mem_build_context'>;
type Branch = Around['root']['children'][number];

/** One observation with its earlier texts, the decisions that depend on it, and the tree of related ones. */
export function ObservationView() {
  const { route } = useSession();
  const shown = useRead('show', { ref: `#${route.id}` });
  const around = useRead('mem_build_context', { observation_id: Number(route.id), depth: 2 });
  return (
    <Await of={shown}>
      {({ observation }) => observation && <Whole observation={observation} around={around} />}
    </Await>
  );
}

function Whole({
  observation,
  around,
}: {
  observation: Shown;
  around: Parameters<typeof Await<Around>>[0]['of'];
}) {
  const { t, time, number, by } = useSpeech();
  const { revision, revisions = [], dependents } = observation;
  return (
    <article>
      <Facts of={[`#${observation.id}`, observation.project, observation.topic_key]} />
      <Heading>{observation.title}</Heading>
      <p class="badges">
        <span class="badge">{observation.type}</span>
        {observation.deleted && <span class="badge deleted">{t.deleted}</span>}
      </p>
      <Markdown text={observation.content} />
      <Facts of={[time(observation.updated_at), by(observation)]} />
      {!observation.deleted && <Correcting of={`#${observation.id}`} />}
      {dependents.length > 0 && (
        <Part id="used" title={t.usedBy} note={number(dependents.length)}>
          <ul class="rows">
            {dependents.map((decision) => (
              <DecisionRow key={decision.id} {...decision} />
            ))}
          </ul>
        </Part>
      )}
      <Part id="related" title={t.related}>
        <Await of={around}>{(data) => <Tree around={data} />}</Await>
      </Part>
      <EarlierTexts
        of={revisions.toReversed().map(({ content, ...rest }) => ({ text: content, ...rest }))}
        total={revision - 1}
      />
    </article>
  );
}

function Tree({ around: { root, total, other_relations, other_relations_total } }: { around: Around }) {
  const { t, number } = useSpeech();
  if (root.children.length === 0) return <p class="quiet">{t.relatedNone}</p>;
  return (
    <>
      <p class="quiet" role="status">
        {t.nOfM(number(countOf(root.children) + 1), number(total))}
      </p>
      <Branches of={root.children} />
      {other_relations.length > 0 && (
        <>
          <h3>{t.relationsAmong(number(other_relations.length), number(other_relations_total))}</h3>
          <ul>
            {other_relations.map(({ id, from_id, to_id, type }) => (
              <li key={id} class="quiet">
                #{from_id} {type} #{to_id}
              </li>
            ))}
          </ul>
        </>
      )}
    </>
  );
}

function Branches({ of }: { of: Branch[] }) {
  const { t } = useSpeech();
  const href = useHref();
  return (
    <ul class="branches">
      {of.map(({ relation, observation, children }) => (
        <li key={relation.id}>
          <span class="quiet">
            {relation.direction === 'outgoing' ? '→' : '←'} {relation.type}{' '}
          </span>
          <a href={href('o', String(observation.id))}>{observation.title}</a>{' '}
          <span class="badge">{observation.type}</span>
          {observation.deleted && <span class="badge deleted">{t.deleted}</span>}
          {relation.note && <span class="note"> {relation.note}</span>}
          {children.length > 0 && <Branches of={children} />}
        </li>
      ))}
    </ul>
  );
}

function countOf(branches: Branch[]): number {
  return branches.reduce((sum, { children }) => sum + 1 + countOf(children), 0);
}
