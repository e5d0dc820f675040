import { sql } from 'kysely';
import { node, type Part, type Row } from './node.ts';
import { mergeNode, mergeRelation, type NodeKey } from './statement.ts';

/** The earlier texts of observations: `where` they are read, as the query of each part continues. */
const OF_OBSERVATIONS = sql`observation_revisions as r join observations as o on o.id = r.observation_id`;
/** The earlier texts of memos. */
const OF_MEMOS = sql`memo_revisions as r join memos as m on m.seq = r.memo_seq`;

/** The earlier texts, a node each (U-6). */
export const REVISIONS: Part[] = [
  {
    rows: (within) => sql`
      select r.* from ${OF_OBSERVATIONS} where ${within('o.seq')} order by r.observation_id, r.revision`,
    write: ({ observationId, writer: _, ...row }) => mergeNode(revision({ observationId, ...row }), row),
  },
  {
    rows: (within) => sql`
      select r.*, m.id as memo_id from ${OF_MEMOS} where ${within('m.seq')} order by r.memo_seq, r.revision`,
    write: ({ memoId, memoSeq: _, ...row }) => mergeNode(memoRevision({ memoId, ...row }), row),
  },
];

/** Who wrote the earlier texts of observations. */
export const REVISIONS_WRITTEN: Part = {
  rows: (within) => sql`
    select r.observation_id, r.revision, r.writer from ${OF_OBSERVATIONS}
    where ${within('o.seq')} order by r.observation_id, r.revision`,
  write: (row) => mergeRelation(revision(row), 'WRITTEN_BY', node('Writer', row.writer)),
};

/** What each of them was a text of. */
export const REVISIONS_OF: Part[] = [
  {
    rows: (within) => sql`
      select r.observation_id, r.revision from ${OF_OBSERVATIONS}
      where ${within('o.seq')} order by r.observation_id, r.revision`,
    write: (row) => mergeRelation(revision(row), 'REVISION_OF', node('Observation', row.observationId)),
  },
  {
    rows: (within) => sql`
      select m.id as memo_id, r.revision from ${OF_MEMOS} where ${within('m.seq')} order by r.memo_seq, r.revision`,
    write: (row) => mergeRelation(memoRevision(row), 'REVISION_OF', node('_Info', row.memoId)),
  },
];

function revision({ observationId, revision }: Row): NodeKey {
  return node('Revision', `${observationId}/${revision}`);
}

function memoRevision({ memoId, revision }: Row): NodeKey {
  return node('Revision', `${memoId}/${revision}`);
}
