import { REFUSALS } from '../domain/error.ts';
import { publishedSchemaOf } from '../operations/json-schema.ts';
import { typeNameOf } from '../operations/names.ts';
import type { Operation } from '../operations/operation.ts';

type Schemas = Record<string, unknown>;

const ERRORS = {
  400: 'Invalid input.',
  401: 'No token, or an invalid one.',
  403: 'The token may not do this.',
  404: 'No such record, workspace or operation.',
  409: 'It conflicts with an existing record.',
  413: 'The body is too long.',
  429: 'Too many calls. Try again after Retry-After.',
  500: 'Internal error.',
  503: 'The memory cannot be reached, or too many calls wait for it. Try again after Retry-After.',
} as const;

/** The API as an OpenAPI 3.1 document, derived from the definitions of the operations (H-1). */
export function openApiOf(operations: readonly Operation[], version: string): Record<string, unknown> {
  const shared: Schemas = {};
  return {
    openapi: '3.1.1',
    info: {
      title: 'Precedent',
      version,
      summary: 'The memory of why for LLM agents.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ token: [] }],
    tags: [...new Set(operations.map(({ family }) => family))].map((name) => ({ name })),
    paths: Object.fromEntries(
      operations.map((each) => [`/api/v1/{workspace}/${each.name}`, { post: pathOf(each, shared) }]),
    ),
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      parameters: {
        workspace: {
          name: 'workspace',
          in: 'path',
          required: true,
          description: 'The memory’s name.',
          schema: { type: 'string' },
        },
      },
      responses: Object.fromEntries(
        Object.entries(ERRORS).map(([status, text]) => [`e${status}`, refused(text)]),
      ),
      schemas: {
        ...shared,
        Error: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'reason', 'message'],
              properties: {
                code: { enum: Object.keys(REFUSALS) },
                reason: { type: 'string' },
                message: { type: 'string' },
                workspace: { type: 'string' },
              },
            },
          },
        },
      },
    },
  };
}

/** @param shared receives the shared schemas */
function pathOf(operation: Operation, shared: Schemas): Record<string, unknown> {
  const { name, title, summary, family, access } = operation;
  return {
    operationId: name,
    summary: title,
    description: summary,
    tags: [family],
    'x-access': access,
    parameters: [{ $ref: '#/components/parameters/workspace' }],
    requestBody: { required: true, content: json(schemaOf(operation, 'input', shared)) },
    responses: {
      200: { description: 'The result.', content: json(schemaOf(operation, 'output', shared)) },
      ...Object.fromEntries(
        Object.keys(ERRORS).map((status) => [status, { $ref: `#/components/responses/e${status}` }]),
      ),
    },
  };
}

/** The schema of an operation. Its parts move to the shared schemas, since references start at the document's root. */
function schemaOf(operation: Operation, io: 'input' | 'output', shared: Schemas) {
  const json = JSON.stringify(publishedSchemaOf(operation, io));
  const moved = JSON.parse(json.replaceAll('"$ref":"#/$defs/', '"$ref":"#/components/schemas/'));
  const { $schema: _, $defs = {}, ...schema } = moved as Record<string, unknown> & { $defs?: Schemas };
  Object.assign(shared, $defs);
  return { title: typeNameOf(operation.name) + (io === 'input' ? 'Input' : 'Result'), ...schema };
}

const json = (schema: unknown) => ({ 'application/json': { schema } });

const refused = (description: string) => ({
  description,
  content: json({ $ref: '#/components/schemas/Error' }),
});
