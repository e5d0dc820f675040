import { randomBytes } from 'node:crypto';
import { unavailable } from '../../domain/error.ts';
import { together } from '../statements.ts';
import { CommitUnknown } from './fault.ts';
import { OWN } from './rows.ts';
import type { Mark, Session } from './session.ts';

/**
 * How long a writer waits for the one before it, and one that has no time: 0 would mean without end. How long one may do
 * nothing while others wait for it.
 */
const LOCK_TIMEOUT = '10s';
const NO_TIME = '1ms';
const IDLE_TIMEOUT = '60s';

/** The row of `meta` that a writer holds, which is never changed: only the lock on it is. */
export const WRITER = 'writer';
/** Under it and a number each writer leaves its mark in `meta`; the writer after it takes the next number. */
const MARK = `${WRITER}.`;
/** A text that sorts directly after every mark. */
const BEHIND = `${WRITER}/`;
/** Digits of a number in a key, so that keys sort as their numbers do. */
const DIGITS = 15;
/** Marks that are kept, and how many are removed at once. */
const KEPT = 1_000;
const REMOVED = 100;
/** Settings under which an acknowledged save is lost when the server, or the primary, loses its power. */
const WEAK = ['off', 'local'];

/** Holds the workspace's turn to write until the transaction ends; a row says that there is one to hold. */
function hold(session: Session, isHurried = false) {
  return [
    session.query(`set local lock_timeout to '${isHurried ? NO_TIME : LOCK_TIMEOUT}'`),
    session.query(
      `select current_setting('synchronous_commit') as durability from all_meta
        where workspace = ${OWN} and key = $1 for update`,
      [WRITER],
    ),
  ] as const;
}

/**
 * Takes the workspace's turn to write, and leaves a mark. Rows are inserted and removed by their keys, and nobody else's is
 * updated: while anybody keeps an old snapshot, each update of a row makes the next one slower (ADR 0026).
 * @param isHurried whether it is given up when another one has it
 */
export async function takeTurn(session: Session, isHurried = false): Promise<Mark> {
  const value = randomBytes(6).toString('base64url');
  // Sent one after the other without waiting in between, each with a snapshot of its own: the mark is made in the turn.
  const [, held, made] = await together(
    ...hold(session, isHurried),
    session.query(
      `insert into all_meta (workspace, key, value)
      select last.workspace, $1::text || lpad((last.number + 1)::text, ${DIGITS}, '0'), $3 || '|' || split_part(last.value, '|', 2)
      from (
        select workspace, value, case when key = '${WRITER}' then 0 else right(key, ${DIGITS})::bigint end as number
        from all_meta where workspace = ${OWN} and (key = '${WRITER}' or key > $1) and key < $2
        order by key desc limit 1
      ) as last
      returning key`,
      [MARK, BEHIND, value],
    ),
    // By itself: a node of Citus, which makes the mark, neither gives numbers out nor keeps anybody waiting.
    session.query(
      `select load_numbers(), pg_catalog.set_config('idle_in_transaction_session_timeout', '${IDLE_TIMEOUT}', true)`,
    ),
  );
  const [turn] = held.rows;
  if (!turn) {
    throw unavailable.damaged(
      `Expected the row of the table meta by which writers take turns (key "${WRITER}"), found it deleted. Nothing was written. Insert it again.`,
    );
  }
  // Settings of a role or a database for other programs must not weaken what is acknowledged here (D-9).
  if (WEAK.includes(turn.durability)) await session.query('set local synchronous_commit to on');
  const number = Number(String(made.rows[0]?.key).slice(-DIGITS));
  if (number % REMOVED === 0) {
    const old = Array.from({ length: REMOVED }, (_, n) => keyOf(number - KEPT - n));
    await session.query(`delete from all_meta where workspace = ${OWN} and key = any($1)`, [old]);
  }
  return { number, value };
}

/**
 * Whether the transaction that left this mark has committed. Waits for the turn like a writer: what is still being
 * committed has ended then, one way or the other.
 * @throws CommitUnknown when so many writers came after it that its mark is not kept any more
 */
export async function isThere(session: Session, { number, value }: Mark): Promise<boolean> {
  const [, held, made] = await together(
    ...hold(session),
    session.query('select key, value from meta where key >= $1 and key < $2 order by key limit 1', [
      keyOf(number),
      BEHIND,
    ]),
  );
  const [found] = made.rows;
  if (held.rows.length === 0 || (found && found.key !== keyOf(number))) throw new CommitUnknown();
  // Without a mark of this number, or with that of the writer that took the number after it, it was rolled back.
  return found?.value.startsWith(`${value}|`) === true;
}

/** Keeps with the mark which numbers were given out last, for the writer after this one. Sent before the commit. */
export function keepNumbers(session: Session, { number, value }: Mark) {
  return session.query(
    `update all_meta set value = $2 || '|' || numbers() where workspace = ${OWN} and key = $1`,
    [keyOf(number), value],
  );
}

function keyOf(number: number): string {
  return MARK + String(number).padStart(DIGITS, '0');
}
