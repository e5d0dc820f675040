import { createHash } from 'node:crypto';

/** Statements that have names, at most: a server keeps each on each connection, with its plan. */
const MOST = 500;
/** The error of a pooler that does not keep prepared statements: PgBouncer before 1.21, or told not to. */
export const NOT_KEPT = new Set(['26000', '42P05']);
const NAMED = /^\s*(with|select|insert|update|delete)\b/i;

const names = new Map<string, string>();
/** Whether statements have names. On Citus none has: its plan would be kept for the next workspace of the connection (N-2). */
export const kept = { names: true };

/** The name by which a server keeps a statement and its plan, which takes longer to make than to run (OP-5). */
export function nameOf(text: string): string | undefined {
  if (!kept.names) return undefined;
  const known = names.get(text);
  if (known !== undefined || names.size >= MOST || !NAMED.test(text)) return known;
  const name = createHash('sha256').update(text).digest('base64url');
  names.set(text, name);
  return name;
}

/** Whether an error says that names are lost between two transactions: from now on no statement has one. */
export function areNamesLost(error: unknown): boolean {
  const isLost = error instanceof Error && 'code' in error && NOT_KEPT.has(String(error.code));
  if (isLost) kept.names = false;
  return isLost;
}
