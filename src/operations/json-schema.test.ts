import assert from 'node:assert/strict';
import { it } from 'node:test';
import { operations } from './index.ts';
import { jsonSchemaOf } from './json-schema.ts';

it('a default is in the schema alone: help and reference add it to what a field says', () => {
  const fields = operations.flatMap((operation) =>
    Object.entries(jsonSchemaOf(operation, 'input').properties ?? {}).map(([name, schema]) => ({
      field: `${operation.name} ${name}`,
      ...schema,
    })),
  );
  const withDefault = fields.filter((each) => each.default !== undefined);
  assert(withDefault.length > 10, `${withDefault.length} fields with a default`);
  const twice = withDefault.filter(({ description = '' }) => /default|when left out/i.test(description));
  assert.deepEqual(
    twice.map(({ field, description }) => `${field}: ${description}`),
    [],
  );
});
