import { PrecedentError } from '../../../domain/error.ts';
import type { ExtraFields } from '../../../domain/import/facts.ts';
import type { SourceDatabase } from '../source-database.ts';

/** Under which scopes a MAMA 2.x has filed its rows: one file is for all projects. */
export interface Scopes {
  isWanted(id: string): boolean;
  restOf(id: string): ExtraFields;
  projectOf(id: string): string | null;
}

/**
 * @param wanted only what is filed under this, as `project=/home/kim/shop`
 * @throws PrecedentError `invalid` where nothing is filed under it
 */
export function scopesOf(database: SourceDatabase, wanted: string | undefined): Scopes {
  const names = new Map(
    database
      .rows('memory_scopes', 'id')
      .map(({ id, kind, external_id }) => [String(id), { kind: String(kind), name: String(external_id) }]),
  );
  const filed = new Map<string, { kind: string; name: string }[]>();
  for (const { memory_id, scope_id } of database.rows('memory_scope_bindings', 'memory_id, scope_id')) {
    const scope = names.get(String(scope_id));
    if (scope) filed.set(String(memory_id), [...(filed.get(String(memory_id)) ?? []), scope]);
  }
  const written = ({ kind, name }: { kind: string; name: string }) => `${kind}=${name}`;
  const known = [...new Set([...filed.values()].flat().map(written))];
  if (wanted !== undefined && !known.includes(wanted)) {
    const found = known.length > 0 ? known.slice(0, 20).join(', ') : 'none in this file';
    throw new PrecedentError('invalid', `Expected a scope out of ${found}, found "${wanted}".`);
  }
  const of = (id: string) => filed.get(id) ?? [];
  return {
    isWanted: (id) => wanted === undefined || of(id).map(written).includes(wanted),
    restOf: (id) => (of(id).length > 0 ? { scopes: of(id).map(written) } : {}),
    projectOf: (id) => of(id).find(({ kind }) => kind === 'project')?.name ?? null,
  };
}
