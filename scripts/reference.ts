import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { operations } from '../src/operations/index.ts';
import { type JsonSchema, jsonSchemaOf } from '../src/operations/json-schema.ts';
import { methodOf, optionOf } from '../src/operations/names.ts';
import type { Operation } from '../src/operations/operation.ts';
import { REQUIREMENTS } from '../test/requirements.ts';
import { catalogue, derivedSources } from './catalogue.ts';
import { errorsPage } from './errors-page.ts';
import { factPages } from './facts-page.ts';
import { limitsOf } from './limits.ts';
import { committed } from './manifests.ts';
import { recordsPage } from './records-page.ts';
import { schemaPages } from './schema-page.ts';

/**
 * Writes what is derived, or with --check names the files that are stale: docs/reference/ from the operations, the
 * migrations, the errors and the gate's list of promises, the table of docs/decisions/ from its records, the plugin from
 * the package, and what the command line and servers know of operations before they load one.
 */
const FOLDER = 'docs/reference';

const pages = new Map([
  ...operationPages(),
  ...(await schemaPages(FOLDER)),
  ...factPages(FOLDER),
  recordsPage(),
  errorsPage(),
  requirementsPage(),
  ...derivedSources(),
  ...committed(),
]);

if (process.argv.includes('--check')) {
  const stale = [...pages].filter(([path, text]) => read(path) !== text);
  for (const [path] of stale) process.stderr.write(`${path} is stale: run "npm run reference".\n`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const [path, text] of pages) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** One page for each family of operations. */
function operationPages(): [path: string, text: string][] {
  const families = [...new Set(operations.map(({ family }) => family))];
  return families.map((family) => [
    join(FOLDER, `${family}.md`),
    page(
      family,
      operations.filter((operation) => operation.family === family),
    ),
  ]);
}

/** The promises by the ids that comments, tests and commits cite. */
function requirementsPage(): [path: string, text: string] {
  const rows = Object.entries(REQUIREMENTS).map(([id, promise]) => `| ${id} | ${cell(promise)} |`);
  const text = [
    '# Reference: requirements',
    'Made from `test/requirements.ts` by `npm run reference`; `npm run check` fails when it is stale.',
    'Comments, tests and commits cite these ids.',
    ['| id | what is promised |', '|---|---|', ...rows].join('\n'),
    '',
  ].join('\n\n');
  return [join(FOLDER, 'requirements.md'), text];
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function page(family: string, members: Operation[]): string {
  return [
    `# Reference: ${family}`,
    'Made from the operations by `npm run reference`; `npm run check` fails when it is stale.',
    '| operation | what it is for |\n|---|---|\n' +
      members.map(({ name, title }) => `| [\`${name}\`](#${name}) | ${title} |`).join('\n'),
    ...members.map(section),
    '',
  ].join('\n\n');
}

function section(operation: Operation): string {
  const input = jsonSchemaOf(operation, 'input');
  const output = jsonSchemaOf(operation, 'output');
  return [
    `## ${operation.name}`,
    operation.summary,
    [
      tool(operation),
      `- command ${commands(operation)}`,
      `- method \`memory.${methodOf(operation.name).join('.')}({ … })\``,
    ].join('\n'),
    inputTable(input),
    `Result:\n\n${fields(output, 0)}`,
    ...Object.entries(output.$defs ?? {}).map(([name, schema]) => `A \`${name}\`:\n\n${fields(schema, 0)}`),
  ].join('\n\n');
}

function tool({ name, access, tool }: Operation): string {
  if (tool === false) return '- no MCP tool: models have one that serves them better';
  const asked = tool === 'optIn' ? '; offered with `--tools`' : '';
  return `- MCP tool \`${name}\`, ${access === 'read' ? 'reads only' : 'writes'}${asked}`;
}

function commands({ name, positional = [] }: Operation): string {
  const words = positional.map((field) => `[${optionOf(field)}]`);
  const plain = catalogue
    .filter(({ words }) => words[0] !== 'tool')
    .flatMap(({ words, operation, ways = [] }) => {
      const others = ways.filter((way) => way.operation.name === name && operation?.name !== name);
      const switches = others.map(({ when = [] }) => when.map((each) => ` --${each}`).join(''));
      return [...(operation?.name === name ? [''] : []), ...switches].map((end) => words.join(' ') + end);
    })
    .map((typed) => `\`precedent ${typed}\``);
  return [...plain, `\`${['precedent tool', name, ...words].join(' ')}\``].join(', ');
}

function inputTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties);
  if (rows.length === 0) return 'Takes nothing.';
  const cells = rows.map(([field, schema]) => {
    const name = required.includes(field) ? `**${field}**` : field;
    return `| ${name} | ${cell(type(schema))} | ${cell([schema.description, limits(schema)].filter(Boolean).join('. '))} |`;
  });
  return `| field (**required**) | type | meaning |\n|---|---|---|\n${cells.join('\n')}`;
}

function limits(schema: JsonSchema): string {
  const notes = [
    ...limitsOf(schema),
    ...(schema.model === false ? ['for people and programs: MCP takes it, and does not offer it'] : []),
  ];
  return notes.join('; ');
}

function type(schema: JsonSchema): string {
  if (schema.$ref) return `\`${schema.$ref.split('/').at(-1)}\``;
  if (schema.enum) return schema.enum.map((value) => `\`${value}\``).join(' \\| ');
  if (schema.anyOf) return schema.anyOf.map(type).join(' or ');
  if (schema.type === 'array') return `list of ${type(schema.items ?? {})}`;
  if (schema.format === 'date-time') return 'date';
  return [schema.type].flat().join(' or ');
}

/** The fields of a result, nested ones indented below. */
function fields({ properties = {}, required = [] }: JsonSchema, depth: number): string {
  return Object.entries(properties)
    .map(([field, schema]) => {
      const inner = inside(schema);
      const optional = required.includes(field) ? '' : '?';
      const meaning = schema.description ? `: ${schema.description}` : '';
      const line = `${'  '.repeat(depth)}- \`${field}${optional}\` ${type(schema)}${meaning}`;
      return inner ? `${line}\n${fields(inner, depth + 1)}` : line;
    })
    .join('\n');
}

function inside(schema: JsonSchema): JsonSchema | undefined {
  return [schema, schema.items, ...(schema.anyOf ?? [])].find((each) => each?.properties);
}

function cell(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll('<', '&lt;')
    .replace(/(?<!\\)\|/g, '\\|');
}
