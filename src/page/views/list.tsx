import { useMemo } from 'preact/hooks';
import { hasField } from '../data/filter.ts';
import type { Decision, Found } from '../data/operations.ts';
import { type Pages, usePages, useRead, useSession } from '../data/session.ts';
import { FoundRow, patternOf } from '../parts/found.tsx';
import { ListedDecision } from '../parts/rows.tsx';
import { Heading, Paged, Part } from '../parts/states.tsx';
import { useSpeech } from '../words/words.ts';

/** Decisions that pass the filter, the newest first. Words alone find records of every kind, the best first. */
export function ListView() {
  const { t } = useSpeech();
  const filter = useSession().route.query.get('q') ?? '';
  return (
    <>
      <Heading>{filter === '' ? t.decisions : `“${filter}”`}</Heading>
      {filter === '' || hasField(filter) ? <Decisions filter={filter} /> : <Search query={filter} />}
    </>
  );
}

/** What names a file or folder (F-1), where the words are a path and nothing else. */
const isPath = (words: string) => /^[^\s/*?][^\s*?]*\/[^\s*?]*$/.test(words);

const NO_MARKS = patternOf([]);

function Placed({ path }: { path: string }) {
  const { t } = useSpeech();
  const { data } = useRead('mama_files', { files: path });
  if (!data?.answered) return null;
  return (
    <Part id="placed" title={t.namesIt}>
      <ol class="rows">
        {data.results.map(
          ({ topic, decision, created_at, by, earlier_failure, failed_basis, outcome, status, ...row }) => (
            <FoundRow
              key={row.id}
              row={{
                ...row,
                ...{
                  kind: 'decision',
                  title: topic ?? row.ref,
                  text: decision,
                  when: created_at,
                  because: by,
                },
                ...(earlier_failure && { earlier_failure: earlier_failure.decision }),
                matched: by,
              }}
              isRanked={false}
              marks={NO_MARKS}
            />
          ),
        )}
      </ol>
    </Part>
  );
}

function Search({ query }: { query: string }) {
  const { t } = useSpeech();
  const pages = usePages('search', { query }, ({ results }) => results);
  const words = pages.first?.words ?? [];
  const marks = useMemo(() => patternOf(words), [words.join(' ')]);
  const isRanked = isRankedByShare(pages.data ?? []);
  const looked = pages.first?.answered === false ? pages.first.looked : undefined;
  const said = looked && t.unanswered(looked.records, looked.languages, (pages.data?.length ?? 0) > 0);
  return (
    <>
      {isPath(query) && <Placed path={query} />}
      {Object.entries(pages.first?.read_as ?? {}).map(([word, near]) => (
        <p class="quiet" key={word}>
          {t.readAs(word, near)}
        </p>
      ))}
      {pages.data && (said === undefined || pages.data.length > 0) && (
        <p class="quiet">{said ?? t.foundBy}</p>
      )}
      <Paged pages={pages} nothing={said ?? t.nothingFound}>
        {(row) => (
          <FoundRow
            key={row.kind + row.id}
            row={said === undefined ? row : nameOnly(row)}
            isRanked={isRanked}
            marks={marks}
          />
        )}
      </Paged>
    </>
  );
}

/** Characters of the first words of a record. */
const WORDS = 60;

/** What does not answer is not given whole (RE-8): its state, its name and its first words. */
function nameOnly({ kind, id, ref, because, title, text, status, strength, when }: Found): Found {
  const words = text.length > WORDS ? `${[...text].slice(0, WORDS).join('')}…` : text;
  return {
    ...{ kind, id, ref, because, text: words, when },
    ...(title !== undefined && { title }),
    ...(status && { status }),
    ...(strength && { strength }),
  };
}

function Decisions({ filter }: { filter: string }) {
  const input = filter === '' ? {} : { filter };
  const pages: Pages<Decision> = usePages('decision_list', input, ({ decisions }) => decisions);
  return <Paged pages={pages}>{(row) => <ListedDecision key={row.id} row={row} />}</Paged>;
}

/** Whether the rows are ordered by similarity. If not, it is not shown, as it would contradict the order (U-9). */
function isRankedByShare(rows: Found[]): boolean {
  const shares = rows.map(({ similarity }) => similarity ?? Number.NaN);
  const isOrdered = shares.every((each, at) => at === 0 || each <= (shares[at - 1] as number));
  return isOrdered && new Set(shares).size > 1;
}
