import { readDatabase, type SourceRow } from '../source-database.ts';
import { restOf } from '../values.ts';
import { requireDatabaseOf } from '../whose.ts';

/** Under which names of its settings it keeps what it was told to remember. */
const MEMORY = 'kv.memory.';

/** The rows of `beads.db`, where beads kept its truth before 0.50, as its lines have them. */
export function rowsIn(path: string): Record<string, unknown>[] {
  return readDatabase(path, (database) => {
    requireDatabaseOf('beads', database);
    const of = (table: string) =>
      Map.groupBy(database.rows(table, 'rowid').map(filled), ({ issue_id: id }) => String(id));
    const [dependencies, labels, comments] = [of('dependencies'), of('labels'), of('comments')];
    const issues = database.rows('issues', 'rowid').map((row) => ({
      ...filled(row),
      dependencies: dependencies.get(String(row.id)),
      labels: labels.get(String(row.id))?.map(({ label }) => label),
      comments: comments.get(String(row.id)),
    }));
    const memories = database.rows('config', 'key').flatMap(({ key, value }) => {
      const name = String(key);
      return name.startsWith(MEMORY) ? [{ _type: 'memory', key: name.slice(MEMORY.length), value }] : [];
    });
    return [...issues, ...memories];
  });
}

/** A row without what its lines leave out: what is empty, and what only serves the database. */
function filled(row: SourceRow): SourceRow {
  const all = Object.entries(restOf(row, ['content_hash']));
  return Object.fromEntries(all.filter(([name, value]) => value !== 0 || name === 'priority'));
}
