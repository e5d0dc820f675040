import { PrecedentError } from '../../domain/error.ts';
import type { SourceDatabase } from './source-database.ts';

/** By which columns the database of a tool is known: its version and its path say less. The first one that is there counts. */
const MARKS: readonly [source: string, table: string, column: string][] = [
  ['mama', 'decisions', 'failure_reason'],
  ['7-division', 'decisions', 'outcome_reason'],
  ['claude-mem', 'sdk_sessions', 'project'],
  ['claude-mem', 'memories', 'archive_basename'],
  ['mcp-memory-service', 'memories', 'content_hash'],
  ['beads', 'issues', 'issue_type'],
  ['mem0', 'vectors', 'payload'],
  ['mem0', 'memory_history', 'new_value'],
  ['mem0', 'history', 'memory_id'],
  ['engram', 'sync_chunks', 'chunk_id'],
  ['engram', 'observations', 'sync_id'],
  ['hoofy', 'observations', 'namespace'],
  // Before it had namespaces.
  ['hoofy', 'observations', 'topic_key'],
];

/** Databases that no reader takes, and what does bring their memory here. */
const OTHERS: readonly [table: string, column: string, found: string][] = [
  ['records', 'writer', 'a memory of Precedent; "precedent copy" takes it as it is'],
  ['entity', 'permalink', 'the index of basic-memory; --from basic-memory reads the folder of its notes'],
];

/** How a tool is called in a message, where it is not as in `--from`. */
const CALLED: Record<string, string> = { mama: 'MAMA', hoofy: 'Hoofy' };

/**
 * Makes sure that a database is of the tool that was named.
 * @throws PrecedentError `invalid` where it is another's, or holds nothing, and says whose it is
 */
export function requireDatabaseOf(source: string, database: SourceDatabase): void {
  const other = OTHERS.find(([table, column]) => database.has(table, column))?.[2];
  const found = MARKS.find(([, table, column]) => database.has(table, column))?.[0];
  if (found === source && other === undefined) return;
  throw new PrecedentError(
    'invalid',
    `Expected the database of ${CALLED[source] ?? source}, found ${other ?? whose(database, found)}. Nothing was imported.`,
  );
}

function whose(database: SourceDatabase, found: string | undefined): string {
  if (found !== undefined) return `that of ${CALLED[found] ?? found}; --from ${found} reads it`;
  if (database.columns.size === 0) {
    return 'no table. Its log (the same name and -wal) has them when its owner did not end well: keep both together';
  }
  return 'that of another program';
}
