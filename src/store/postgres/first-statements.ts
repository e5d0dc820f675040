import { type CompiledQuery, type DatabaseConnection, DummyDriver, Kysely, type QueryResult } from 'kysely';
import { Migrator } from 'kysely/migration';
import type { Migrations } from '../engine.ts';
import { ByteOrderCompiler, Unlocked } from './driver.ts';

/**
 * All that makes a new workspace: what the migrations, and the library that runs them, send where nothing is yet. They
 * are run without a server, so that their statements can be sent together: one after the other, each waits for a way to
 * the server and back, a hundred and thirty times.
 */
export async function firstStatements(all: Migrations, workspace: string): Promise<CompiledQuery[]> {
  const sent: CompiledQuery[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new Unlocked(),
      createDriver: () => new Recorder(sent),
      createIntrospector: () => ({ getSchemas: async () => [], getTables: async () => [] }),
      createQueryCompiler: () => new ByteOrderCompiler(),
    },
  });
  const { error } = await new Migrator({
    db,
    provider: { getMigrations: async () => all },
    migrationTableSchema: workspace,
  }).migrateToLatest();
  if (error) throw error;
  return sent;
}

/** Keeps each statement, and answers it as a schema does in which nothing is. */
class Recorder extends DummyDriver {
  readonly #sent: CompiledQuery[];

  constructor(sent: CompiledQuery[]) {
    super();
    this.#sent = sent;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    return {
      executeQuery: async <Row>(query: CompiledQuery): Promise<QueryResult<Row>> => {
        this.#sent.push(query);
        return { rows: [] };
      },
      // biome-ignore lint/correctness/useYield: nothing here reads row by row.
      async *streamQuery() {
        throw new Error('not supported');
      },
    };
  }
}
