import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { operations } from '../../src/operations/index.ts';
import { jsonSchemaOf } from '../../src/operations/json-schema.ts';
import { scratch } from '../support/engines.ts';
import { type Serving, serving } from '../support/serving.ts';

type Paths = Record<string, { post: { requestBody: Body; responses: { 200: Body } } }>;
interface Body {
  content: { 'application/json': { schema: object } };
}

describe('[H-1] the OpenAPI document', () => {
  const folder = scratch();
  let server: Serving;
  let document: Record<string, unknown>;
  // Once: a validator is busy for longer than an idle connection lives.
  before(async () => {
    server = await serving(folder);
    const answer = await fetch(`${server.url}/api/v1/openapi.json`);
    document = (await answer.json()) as Record<string, unknown>;
  });
  after(() => server.close());
  it('is valid, by the schema of OpenAPI 3.1, and every reference in it leads somewhere', async () => {
    const validator = new Validator();
    const { valid, errors } = await validator.validate(structuredClone(document));
    assert.ok(valid, JSON.stringify(errors, null, 1));
    assert.equal(validator.version, '3.1');
    assert.doesNotThrow(() => validator.resolveRefs());
  });

  it('[TR-6] has schemas that a strict validator accepts', async () => {
    const ajv = new Ajv2020({ strict: true, allowUnionTypes: true, validateFormats: false });
    ajv.addVocabulary(['components']);
    const text = JSON.stringify(document).replaceAll('"#/components/', '"shared#/components/');
    const { paths, components } = JSON.parse(text) as { paths: Paths; components: object };
    ajv.addSchema({ components }, 'shared');
    for (const { post } of Object.values(paths))
      for (const { content } of [post.requestBody, post.responses[200]])
        ajv.compile(content['application/json'].schema);
  });

  it('names each operation once', async () => {
    const { paths } = document as { paths: Record<string, { post: { operationId: string } }> };
    const ids = Object.values(paths).map(({ post }) => post.operationId);
    assert.deepEqual(
      ids,
      operations.map(({ name }) => name),
    );
    assert.equal(new Set(ids).size, ids.length);
  });

  it('shares a schema among operations under a name that means the same in each', () => {
    const known = new Map<string, unknown>();
    for (const operation of operations)
      for (const io of ['input', 'output'] as const) {
        const { $defs = {} } = jsonSchemaOf(operation, io) as { $defs?: Record<string, unknown> };
        for (const [name, schema] of Object.entries($defs)) {
          assert.deepEqual(schema, known.get(name) ?? schema, `${operation.name}: ${name}`);
          known.set(name, schema);
        }
      }
    assert.ok(known.size > 0 && !known.has('Error'));
  });
});
