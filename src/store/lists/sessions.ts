import { agentsHere } from '../reviewed.ts';
import { query } from '../statements.ts';
import type { Tx, Writer } from '../tx.ts';

/** What one session of an agent saved (V-4). */
export interface SessionSaves extends Pick<Writer, 'session' | 'client' | 'author'> {
  /** How many saves, and how many of them were undone. */
  saves: number;
  undone: number;
  /** Milliseconds UTC; null for a session that was talked in, and saved nothing. */
  first: number | null;
  last: number | null;
}

/** The sessions of agents, those that saved last first; after them those that saved nothing. */
export async function agentSessions(tx: Tx, limit: number): Promise<SessionSaves[]> {
  return query<SessionSaves>(tx)`
    select w.session, w.client, w.author, count(s.id) as saves, min(s.created_at) as "first", max(s.created_at) as "last",
      sum(case when exists (select 1 from saves as u where u.undoes = s.id) then 1 else 0 end) as undone
    from writers as w left join saves as s on s.writer = w.id and s.undoes is null
    where w.client in (${tx.lists.texts(await agentsHere(tx))})
    group by w.session, w.client, w.author
    order by coalesce(max(s.created_at), 0) desc, max(w.id) desc limit ${limit}`;
}
