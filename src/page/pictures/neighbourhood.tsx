import { useState } from 'preact/hooks';
import type { Graph, GraphNode, Link } from '../data/operations.ts';
import { useCall, useHref, useLoad, useSession } from '../data/session.ts';
import { SIGNS } from '../parts/marks.tsx';
import { eachOnce, LinkedDecisions } from '../parts/rows.tsx';
import { Await } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';
import { BOX, type Box, curve, layOut } from './around.ts';
import { cutTo, fontOf } from './measure.ts';

interface Props {
  id: string;
  topic: string;
  /** The version that is read. */
  asked: number;
  restsOn: Link[];
  restOnIt: Link[];
}

/** What a decision rests on and what rests on it, as a picture and as lists; a narrow screen has the lists alone. */
export function Neighbourhood({ id, topic, asked, ...links }: Props) {
  const [restsOn, restOnIt] = [eachOnce(links.restsOn), eachOnce(links.restOnIt)];
  const { t, number } = useSpeech();
  const [depth, setDepth] = useState(1);
  const call = useCall();
  const { route } = useSession();
  const graph = useLoad(
    () => call('decision_graph', { around: id, depth, limit: 200 }),
    ['graph', id, depth, route.query.get('at')],
  );
  if (restsOn.length + restOnIt.length === 0) return <p class="quiet">{t.restsNone}</p>;
  return (
    <>
      <div class="picture wide-only">
        <Await of={graph}>
          {(data) => (
            <>
              <label class="steps">
                {t.steps}
                <select value={depth} onChange={({ currentTarget }) => setDepth(Number(currentTarget.value))}>
                  {[1, 2, 3].map((each) => (
                    <option key={each}>{each}</option>
                  ))}
                </select>
                <span class="note">{t.nOfM(number(data.nodes.length), number(data.total))}</span>
                {data.replaced && <span class="note">{t.earlierOnly}</span>}
              </label>
              <Picture graph={data} label={t.picture(topic, restsOn.length, restOnIt.length)} />
            </>
          )}
        </Await>
      </div>
      <div class="two">
        {(
          [
            [t.restsOn, restsOn],
            [t.restOnIt, restOnIt],
          ] as const
        ).map(([title, links]) => (
          <div key={title}>
            <h3>
              {title} <span class="note">{number(links.filter(({ last }) => last >= asked).length)}</span>
            </h3>
            {links.length === 0 ? (
              <p class="quiet">{t.nothing}</p>
            ) : (
              <LinkedDecisions links={links} asked={asked} />
            )}
          </div>
        ))}
      </div>
    </>
  );
}

function Picture({ graph, label }: { graph: Graph; label: string }) {
  const { t } = useSpeech();
  const { boxes, links, hidden, width, height } = layOut(graph);
  const first = boxes.find(({ column }) => column === -1);
  const last = boxes.find(({ column }) => column === 1);
  return (
    <figure class="scroll" aria-label={label}>
      <svg class="around" width={width} height={height} viewBox={`0 0 ${width} ${height}`}>
        <title>{label}</title>
        <defs>
          <marker
            id="arrow"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 0L8 4L0 8Z" />
          </marker>
        </defs>
        {first && (
          <text class="column" x={first.x} y="18">
            {t.restsOn}
          </text>
        )}
        {last && (
          <text class="column" x={last.x} y="18">
            {t.restOnIt}
          </text>
        )}
        {links.map(({ from, to, how, isReplaced }) => (
          <path
            key={`${from.node} ${to.node} ${how}`}
            class={`link ${how} ${isReplaced ? 'replaced' : ''}`}
            d={curve(from, to)}
            marker-end="url(#arrow)"
          />
        ))}
        {boxes.map((box) => (
          <Node key={box.node} box={box} node={graph.nodes[box.node] as GraphNode} />
        ))}
        {hidden.map(({ x, y, count }) => (
          <text key={x} class="column" x={x} y={y + 12}>
            {t.moreN(count)}
          </text>
        ))}
      </svg>
    </figure>
  );
}

function Node({ box, node }: { box: Box; node: GraphNode }) {
  const { t } = useSpeech();
  const href = useHref();
  const title = node.topic ?? t.noTopic;
  const words = [title, node.text, t[node.status], node.outcome && t[node.outcome]]
    .filter(Boolean)
    .join('. ');
  const state = `${node.status} ${node.outcome ?? 'open'} ${box.node === 0 ? 'middle' : ''}`;
  return (
    <a class={`node ${state}`} href={href('d', node.id)}>
      <title>{words}</title>
      <rect x={box.x} y={box.y} width={BOX.width} height={BOX.height} rx="5" />
      <rect class="edge" x={box.x} y={box.y} width="4" height={BOX.height} rx="2" />
      <text class="title" x={box.x + 12} y={box.y + 19}>
        {cutTo(title, BOX.width - 38, fontOf(600, 13))}
      </text>
      <text class="words" x={box.x + 12} y={box.y + 36}>
        {cutTo(node.text, BOX.width - 20, fontOf(400, 12))}
      </text>
      {node.outcome && (
        <text class="sign" x={box.x + BOX.width - 18} y={box.y + 19}>
          {SIGNS[node.outcome]}
        </text>
      )}
    </a>
  );
}
