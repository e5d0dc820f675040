import { sql } from 'kysely';
import { isAgent } from '../../domain/via.ts';
import { undoneSaves } from '../record.ts';
import { countOf } from '../rows.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';
import { clientsHere } from '../writer.ts';

/** The saves of one session of an agent (V-4). */
export interface SessionSaves extends Pick<Writer, 'session' | 'client' | 'author'> {
  /** How many saves, and how many of them were undone. */
  saves: number;
  undone: number;
  /** Milliseconds UTC; null for a session that was talked in, and saved nothing. */
  first: number | null;
  last: number | null;
}

/** The sessions of agents, those that saved last first; after them those that saved nothing; and how many there are. */
export async function agentSessions(tx: Tx, limit: number): Promise<{ rows: SessionSaves[]; total: number }> {
  const ofAgents = sql`client in (${tx.lists.texts((await clientsHere(tx)).filter(isAgent))})`;
  const undone = tx.lists.numbers([...(await undoneSaves(tx))]);
  const rows = await query<SessionSaves>(tx)`
    select w.session, w.client, w.author, count(s.id) as saves, min(s.created_at) as "first", max(s.created_at) as "last",
      sum(case when s.id in (${undone}) then 1 else 0 end) as undone
    from writers as w left join saves as s on s.writer = w.id and s.undoes is null
    where w.${ofAgents}
    group by w.session, w.client, w.author
    order by coalesce(max(s.created_at), 0) desc, max(w.id) desc limit ${limit}`;
  const total = await countOf(
    tx,
    sql`(select distinct session, client, author from writers where ${ofAgents}) as there`,
  );
  return { rows, total };
}
