import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openMemory } from '../src/index.ts';
import { findOperation } from '../src/operations/index.ts';
import { type JsonSchema, jsonSchemaOf } from '../src/operations/json-schema.ts';
import { recordedLives, recordingOf } from './support/recording.ts';

/** Where a result is of none of the kinds that its type has. @param seen counts the kinds that were met */
function strays(schema: JsonSchema, value: unknown, path: string, seen: Set<string>): string[] {
  if (Array.isArray(value))
    return value.flatMap((each, n) => strays(schema.items ?? {}, each, `${path}.${n}`, seen));
  if (value === null || typeof value !== 'object') return [];
  const fields = value as Record<string, unknown>;
  const inside = Object.entries(schema.properties ?? {}).flatMap(([field, each]) =>
    strays(each, fields[field], `${path}.${field}`, seen),
  );
  if (!schema.kinds) return inside;
  const { field, kinds } = schema.kinds;
  const kind = String(fields[field]);
  seen.add(`${path.replace(/\.\d+/g, '')} ${kind}`);
  const own = kinds[kind];
  if (!own) return [`${path}: no kind ${kind}`];
  const missing = own.required.filter((each) => fields[each] === undefined);
  const ofOthers = Object.values(kinds)
    .flatMap((other) => other.fields)
    .filter((each) => fields[each] !== undefined && !own.fields.includes(each));
  return [
    ...inside,
    ...missing.map((each) => `${path}: a ${kind} without ${each}`),
    ...ofOthers.map((each) => `${path}: a ${kind} with ${each}`),
  ];
}

describe('results that differ by kind', () => {
  const seen = new Set<string>();
  const schemas = new Map<string, JsonSchema>();
  const check = (name: string, result: unknown) => {
    const operation = findOperation(name);
    if (!operation || (result as { refused?: string } | null)?.refused) return;
    const schema = schemas.get(name) ?? jsonSchemaOf(operation, 'output');
    schemas.set(name, schema);
    assert.deepEqual(strays(schema, result, name, seen), []);
  };

  it('[LB-7] have the fields of their kind, and none of another one', async (test) => {
    for (const life of recordedLives())
      for (const { name, answer } of recordingOf(life)) {
        const { result = answer } = (answer ?? {}) as { result?: unknown };
        check(name, result);
      }
    const memory = await openMemory({ db: ':memory:' });
    test.after(() => memory.close());
    const { id } = await memory.mama.save({ topic: 'auth:token', decision: 'Cookies' });
    const { anchor } = await memory.anchor.save({ targetRef: id, type: 'decision_link', hint: 'cookies' });
    const { infoId } = await memory.memo.save({ fullText: 'Ask Kim', keywords: ['cookies'] });
    const checkpoint = await memory.mama.save({ type: 'checkpoint', summary: 'Half done' });
    for (const ref of [anchor.id, infoId, checkpoint.id]) check('show', await memory.show({ ref }));
    const of = (place: string, ...kinds: string[]) => kinds.map((kind) => `${place} ${kind}`);
    const found = ['checkpoint', 'decision', 'memo', 'observation'];
    assert.deepEqual(
      [...seen].sort(),
      [
        ...of('mama_save', 'checkpoint', 'decision'),
        ...of('recall.entries', ...found),
        ...of('search.results', ...found),
        ...of('show', 'anchor', 'evidence', ...found),
      ].sort(),
    );
  });
});
