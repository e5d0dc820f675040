import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as z from 'zod';
import { text, wholeNumber } from '../operations/fields/basic.ts';
import { tools } from '../operations/index.ts';
import { parseInput } from '../operations/input.ts';
import { jsonSchemaOf } from '../operations/json-schema.ts';
import { offered } from '../operations/offered.ts';
import { slim } from './published.ts';

describe('a published schema', () => {
  const input = z.strictObject({
    title: text(200, 'What it is about'),
    kinds: z.array(z.enum(['a', 'b']).meta({ description: 'A kind' })).max(3, 'to be short'),
    limit: wholeNumber(1, 50, 'Results at most').default(10),
    all: z.boolean().default(false),
    as_of: text(30, 'As it stood then').meta({ model: false }).optional(),
  });
  const operation = {
    access: 'read' as const,
    name: 'test',
    input,
    output: z.object({}),
  };

  it('[A-4] holds types, words, choices and what is required; bounds and defaults are words', () => {
    assert.deepEqual(slim(jsonSchemaOf(operation, 'input')), {
      type: 'object',
      properties: {
        title: { type: 'string', description: 'What it is about' },
        kinds: { type: 'array', items: { type: 'string', enum: ['a', 'b'], description: 'A kind' } },
        limit: { type: 'integer', description: 'Results at most (1 to 50; default 10)' },
        all: { type: 'boolean' },
      },
      required: ['title', 'kinds'],
    });
  });

  it('[A-4] is silent on fields for people, which are taken and checked nevertheless', () => {
    const given = { title: 'x', kinds: [] };
    assert.equal(parseInput(operation, { ...given, as_of: '2026-01-01' }).as_of, '2026-01-01');
    assert.throws(() => parseInput(operation, { ...given, as_of: 7 }), /"as_of" to be text, found 7/);
    assert.throws(
      () => parseInput(operation, { ...given, title: 'x'.repeat(201) }),
      /at most 200 characters/,
    );
  });

  it('[A-4] is data with all that a server tells of its tool: the build writes it down as JSON', () => {
    assert.deepEqual(JSON.parse(JSON.stringify(offered)), offered);
    assert.deepEqual(
      offered.map(({ name }) => name),
      tools.map(({ name }) => name),
    );
  });
});
