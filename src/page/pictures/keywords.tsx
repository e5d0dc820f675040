import type { Result } from '../data/operations.ts';
import { useHref, useLoad, useSession } from '../data/session.ts';
import { Await } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

type Drawn = Result<'keyword_graph'>;

const SIZE = { width: 640, height: 440 };
/** Keywords in the picture; the list has as many. */
const MOST = 24;
/** Lines drawn from each keyword at most: more would cover each other. */
const LINES = 2;

/** Keywords and how strongly they are connected, as a picture and as a list. */
export function Keywords({ around }: { around: string | undefined }) {
  const { t, number } = useSpeech();
  const { client, workspace, route } = useSession();
  const href = useHref();
  const input = { limit: MOST, ...(around !== undefined && { around }) };
  const graph = useLoad(() => client.call(workspace, 'keyword_graph', input), ['keywords', around]);
  return (
    <Await of={graph}>
      {(data) =>
        data.nodes.length === 0 ? (
          <p class="quiet">{t.nothing}</p>
        ) : (
          <>
            {route.query.has('at') && <p class="quiet">{t.notInPast}</p>}
            {data.nodes.length > 2 && (
              <Picture data={data} label={t.keywordPicture(number(data.nodes.length), number(data.total))} />
            )}
            <ul class="columns">
              {data.nodes.map(({ keyword, visits, memos }) => (
                <li key={keyword}>
                  <a href={href('memos', '', { keyword })} data-row>
                    {keyword}
                  </a>{' '}
                  <span class="note">
                    {t.memosN(memos)} · {t.visits(visits)}
                  </span>
                </li>
              ))}
            </ul>
          </>
        )
      }
    </Await>
  );
}

function Picture({ data: { nodes, links }, label }: { data: Drawn; label: string }) {
  const href = useHref();
  const places = ring(nodes.length, SIZE.width, SIZE.height);
  const strongest = Math.max(...links.map(([, , strength]) => strength));
  const drawn = strongestOf(links, nodes.length);
  return (
    <figure class="picture wide-only" aria-label={label}>
      <p class="quiet">{label}</p>
      <svg class="keywords" viewBox={`0 0 ${SIZE.width} ${SIZE.height}`}>
        <title>{label}</title>
        {drawn.map(([from, to, strength]) => {
          const [a, b] = [places[from], places[to]];
          return (
            a &&
            b && (
              <line
                key={`${from} ${to}`}
                x1={a.x}
                y1={a.y}
                x2={b.x}
                y2={b.y}
                stroke-width={0.5 + (3 * strength) / strongest}
              />
            )
          );
        })}
        {nodes.map(({ keyword }, place) => {
          const at = places[place];
          return (
            at && (
              <a key={keyword} href={href('memos', '', { keyword })}>
                <text x={at.x} y={at.y + 4} text-anchor="middle">
                  {keyword.length > 14 ? `${keyword.slice(0, 13)}…` : keyword}
                </text>
              </a>
            )
          );
        })}
      </svg>
    </figure>
  );
}

/** The strongest links of each keyword. */
function strongestOf(links: Drawn['links'], count: number): Drawn['links'] {
  const sorted = links.toSorted(([, , a], [, , b]) => b - a);
  const own = Array.from({ length: count }, (_, place) =>
    sorted.filter(([from, to]) => from === place || to === place).slice(0, LINES),
  );
  return [...new Set(own.flat())];
}

/** A point of a picture. */
interface Point {
  x: number;
  y: number;
}

/**
 * Points for so many nodes: the first in the middle, the next eight on a small ellipse, the others on a larger one. The same
 * input gives the same picture.
 */
function ring(count: number, width: number, height: number): Point[] {
  const inner = Math.min(8, count - 1);
  const outer = count - 1 - inner;
  return Array.from({ length: count }, (_, place) => {
    if (place === 0) return { x: width / 2, y: height / 2 };
    const isInner = place <= inner;
    const [index, of, share] = isInner ? [place - 1, inner, 0.26] : [place - 1 - inner, outer, 0.44];
    const angle = (2 * Math.PI * (index + (isInner ? 0 : 0.5))) / of - Math.PI / 2;
    return {
      x: width / 2 + width * share * Math.cos(angle),
      y: height / 2 + height * share * Math.sin(angle),
    };
  });
}
