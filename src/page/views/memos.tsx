import type { Result } from '../data/operations.ts';
import { useHref, useLoad, usePages, useRead, useSession } from '../data/session.ts';
import { Correcting } from '../parts/correction.tsx';
import { Markdown } from '../parts/markdown.tsx';
import { KindMark } from '../parts/marks.tsx';
import { EarlierTexts, Facts, Row } from '../parts/rows.tsx';
import { Await, Heading, Paged, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** Memos, the newest first, all or those about one keyword, with related keywords. */
export function MemosView() {
  const { t } = useSpeech();
  const { query } = useSession().route;
  const keyword = query.get('keyword') || undefined;
  const pages = usePages('memo_list', keyword === undefined ? {} : { keyword }, ({ memos }) => memos);
  return (
    <>
      <Heading>{keyword === undefined ? t.memos : t.aboutKeyword(keyword)}</Heading>
      <div class="sides">
        <div>
          <Paged pages={pages}>{(memo) => <MemoRow key={memo.infoId} memo={memo} />}</Paged>
        </div>
        <Part id="keywords" title={keyword === undefined ? t.keywords : t.relatedKeywords}>
          <Keywords around={keyword} />
        </Part>
      </div>
    </>
  );
}

function MemoRow({ memo }: { memo: Result<'memo_list'>['memos'][number] }) {
  const { day } = useSpeech();
  const href = useHref();
  return (
    <Row href={href('m', memo.infoId)} title={memo.summary} mark={<KindMark kind="memo" />}>
      <KeywordLinks names={memo.keywords} />
      <Facts of={[day(memo.createdAt)]} />
    </Row>
  );
}

function KeywordLinks({ names }: { names: string[] }) {
  const href = useHref();
  return (
    <p class="badges">
      {names.map((name) => (
        <a key={name} class="keyword" href={href('memos', '', { keyword: name })}>
          {name}
        </a>
      ))}
    </p>
  );
}

/** Keywords that a list has at most. */
const MOST = 24;

/** The most frequent keywords, or those nearest to one. */
function Keywords({ around }: { around: string | undefined }) {
  const { t } = useSpeech();
  const { client, workspace, route } = useSession();
  const href = useHref();
  const input = { limit: MOST, ...(around !== undefined && { around }) };
  const graph = useLoad(() => client.call(workspace, 'keyword_graph', input), ['keywords', around]);
  return (
    <Await of={graph}>
      {({ nodes }) =>
        nodes.length === 0 ? (
          <p class="quiet">{t.nothing}</p>
        ) : (
          <>
            {route.query.has('at') && <p class="quiet">{t.notInPast}</p>}
            <ul class="columns">
              {nodes.map(({ keyword, visits, memos }) => (
                <li key={keyword}>
                  <a href={href('memos', '', { keyword })}>{keyword}</a>{' '}
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

/** One memo with its keywords, grouped by the step that found them. */
export function MemoView() {
  const { t, time, number } = useSpeech();
  const { route } = useSession();
  const shown = useRead('memo_list', { infoId: route.id });
  return (
    <Await of={shown}>
      {({ memos: [memo], links }) =>
        memo && (
          <article>
            <Heading>{memo.summary}</Heading>
            {memo.deleted && <span class="badge deleted">{t.deleted}</span>}
            <Markdown text={memo.fullText ?? ''} />
            <Facts of={[time(memo.createdAt), memo.source && `${t.source}: ${memo.source}`]} />
            {!memo.deleted && <Correcting of={memo.infoId} />}
            <Part id="keywords" title={t.keywords} note={number(links.length)}>
              {[...Map.groupBy(links, ({ depth }) => depth)].map(([depth, found]) => (
                <div key={depth}>
                  {depth > 0 && <h3>{t.foundAt(depth)}</h3>}
                  <KeywordLinks names={found.map(({ keyword }) => keyword)} />
                </div>
              ))}
            </Part>
            <EarlierTexts of={(memo.revisions ?? []).map(({ fullText: text, until }) => ({ text, until }))} />
            {memo.keywords[0] !== undefined && (
              <Part id="related" title={t.relatedKeywords}>
                <Keywords around={memo.keywords[0]} />
              </Part>
            )}
          </article>
        )
      }
    </Await>
  );
}
