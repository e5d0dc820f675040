import { sql } from 'kysely';
import { numbersIn } from '../json-list.ts';
import { wrongConnections } from '../memos/keyword.ts';
import { rowsOf } from '../rows.ts';
import type { Tx } from '../tx.ts';
import { type Finding, findingOf } from './finding.ts';
import type { Row } from './rule.ts';

/** Conversations looked at at once. */
const AT_ONCE = 500;

/** What keywords, memos and conversations ask of each other. */
export async function memosTogether(tx: Tx, limit: number): Promise<Finding[]> {
  const connections = await wrongConnections(tx, limit);
  const lost = await lostKeywords(tx);
  return [
    ...connections.map((row) =>
      findingOf(
        'keywordConnections',
        { ...row },
        {
          expected: 'its strength to be the sum of their relations',
          found: `it off by ${row.difference} tenths`,
          mended: true,
        },
      ),
    ),
    ...(await wrongDepths(tx, limit)),
    ...(await missingTexts(tx, limit)),
    ...lost.slice(0, limit).map(({ row, missing }) =>
      findingOf('conversations', row, {
        expected: 'previousKeywords to be keywords',
        found: `${missing.join(', ')}, which is not a key`,
        mended: true,
      }),
    ),
  ];
}

/** Memos with links of a step that they have not taken (M-5). */
async function wrongDepths(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select m.seq, m.id, m.search_depth, max(l.depth) as deepest from memos as m
    join memo_links as l on l.memo_seq = m.seq group by m.seq, m.id, m.search_depth
    having max(l.depth) > m.search_depth order by m.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('memos', row, {
      expected: `links of at most depth ${row.searchDepth}, as its searchDepth says`,
      found: `one of depth ${row.deepest}`,
    }),
  );
}

/** Memos whose earlier texts are not numbered from 1 on (U-6). */
async function missingTexts(tx: Tx, limit: number): Promise<Finding[]> {
  const { rows } = await sql<Row>`
    select m.seq, m.id, count(*) as texts, max(r.revision) as newest from memos as m
    join memo_revisions as r on r.memo_seq = m.seq group by m.seq, m.id
    having max(r.revision) <> count(*) order by m.seq limit ${limit}`.execute(tx.db);
  return rows.map((row) =>
    findingOf('memos', row, {
      expected: `revisions 1 to ${row.newest}`,
      found: `${row.texts} of them`,
    }),
  );
}

/** Conversations whose last keywords are not there: the next message could not follow them. */
async function lostKeywords(tx: Tx): Promise<{ row: Row; missing: number[] }[]> {
  const found: { row: Row; missing: number[] }[] = [];
  let waiting: { row: Row; numbers: number[] }[] = [];
  const look = async () => {
    const { rows } = await sql<{ id: number }>`
      select wanted.id from (${tx.lists.numbers([...new Set(waiting.flatMap(({ numbers }) => numbers))])}) as wanted
      where not exists (select 1 from keywords as k where k.seq = wanted.id)`.execute(tx.db);
    const missing = new Set(rows.map(({ id }) => id));
    for (const { row, numbers } of waiting) {
      const lost = numbers.filter((each) => missing.has(each));
      if (lost.length > 0) found.push({ row, missing: lost });
    }
    waiting = [];
  };
  for await (const row of rowsOf(tx, 'conversations', ['sessionId', 'previousKeywords'])) {
    waiting.push({ row, numbers: numbersIn(row.previousKeywords) });
    if (waiting.length === AT_ONCE) await look();
  }
  await look();
  return found;
}

/** Leaves out of a conversation what its next message cannot follow. */
export async function repairConversations(tx: Tx): Promise<void> {
  const lost = new Map((await lostKeywords(tx)).map(({ row, missing }) => [row.sessionId, missing]));
  for await (const row of rowsOf(tx, 'conversations', ['sessionId', 'previousKeywords'])) {
    const { sessionId, previousKeywords } = row;
    const missing = lost.get(sessionId) ?? [];
    const kept = JSON.stringify(numbersIn(previousKeywords).filter((each) => !missing.includes(each)));
    if (kept === previousKeywords) continue;
    await sql`update conversations set previous_keywords = ${kept} where session_id = ${sessionId}`.execute(
      tx.db,
    );
  }
}
