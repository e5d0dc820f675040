import { CamelCasePlugin, type PluginTransformResultArgs, type QueryResult, type UnknownRow } from 'kysely';

/**
 * Kysely's plugin, with names looked up once for a result and not again for each row: rows of one result have the same
 * columns, and no value of a memory is an object with names of its own. It halves what Kysely costs a search (ADR 0046).
 */
export class CamelCase extends CamelCasePlugin {
  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (first === undefined) return result;
    const names = Object.keys(first).map((column) => [column, this.camelCase(column)] as const);
    const rows = result.rows.map((row) => {
      const mapped: UnknownRow = {};
      for (const [column, name] of names) mapped[name] = row[column];
      return mapped;
    });
    return { ...result, rows };
  }
}
