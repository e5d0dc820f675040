import {
  CamelCasePlugin,
  type PluginTransformQueryArgs,
  type PluginTransformResultArgs,
  type QueryResult,
  type RootOperationNode,
  type UnknownRow,
} from 'kysely';

/** A name as the database has it. */
export const snakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Set in a statement whose names are in camel case. */
const IS_CAMEL = Symbol('camel case');

/**
 * Kysely's plugin, without its copies. A statement is marked, and whoever writes it out puts its names in snake case
 * ({@link Names}): Kysely would make all of it anew for that, of frozen parts, which took as long as writing it out. Names of
 * a result are looked up once and not again for each row: rows of one result have the same columns, and no value of a memory
 * is an object with names of its own (ADR 0070).
 */
export class CamelCase extends CamelCasePlugin {
  override transformQuery({ node }: PluginTransformQueryArgs): RootOperationNode {
    return Object.assign({ ...node }, { [IS_CAMEL]: true });
  }

  override async transformResult({ result }: PluginTransformResultArgs): Promise<QueryResult<UnknownRow>> {
    const [first] = result.rows;
    if (first === undefined) return result;
    const columns = Object.keys(first);
    if (!columns.some((column) => column.includes('_'))) return result;
    const names = columns.map((column) => [column, this.camelCase(column)] as const);
    const rows = result.rows.map((row) => {
      const mapped: UnknownRow = {};
      for (const [column, name] of names) mapped[name] = row[column];
      return mapped;
    });
    return { ...result, rows };
  }
}

/** How the names of a statement are written: in snake case where {@link CamelCase} has marked it, as they are elsewhere. */
export class Names extends CamelCasePlugin {
  #isCamel = false;

  /** Called before a statement is written out. */
  of(statement: RootOperationNode): void {
    this.#isCamel = IS_CAMEL in statement;
  }

  written(name: string): string {
    return this.#isCamel ? this.snakeCase(name) : name;
  }
}
