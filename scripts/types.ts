import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { parseSync } from 'rolldown/utils';
import type * as z from 'zod';
import { operations } from '../src/operations/index.ts';
import { parseInput } from '../src/operations/input.ts';
import { type JsonSchema, jsonSchemaOf } from '../src/operations/json-schema.ts';
import { methodOf, typeNameOf } from '../src/operations/names.ts';
import type { Operation } from '../src/operations/operation.ts';
import { NamedTypes } from './named-types.ts';

/** Parts of the declarations that are not exported: a program names none of them. */
const PRIVATE: Record<string, string[]> = {
  'src/domain/error.ts': ['KeysOf', 'REFUSALS'],
  'src/memory/core.ts': ['MemoryCore'],
  'src/memory/library.ts': ['Library'],
  'src/memory/import-used.ts': ['MergedExport'],
  'src/memory/maintenance.ts': ['Maintenance'],
  'src/memory/receive.ts': ['Keeping'],
  'src/sync/place.ts': ['Newcomer', 'OtherMemory', 'Taken'],
  'src/sync/sync.ts': ['Named'],
  'src/memory/exporting.ts': ['Exporting', 'Wanted'],
  'src/store/decisions/imported.ts': ['Brought'],
  'src/domain/text/lines.ts': ['Chunks'],
  'src/domain/decision.ts': ['Content'],
  'src/domain/edge.ts': ['REFERENCES', 'Reference'],
  'src/domain/outcome.ts': ['OUTCOMES'],
  'src/domain/import/facts.ts': [
    'ExtraFields',
    'FactOf',
    'OutcomeFact',
    'DecisionFact',
    'ObservationFact',
    'CheckpointFact',
    'RelationFact',
    'Tally',
  ],
};

/**
 * The library's declarations, plain TypeScript without a trace of zod or Kysely: an interface for each operation's
 * input and result, the memory whose methods they are, and what else src/index.ts exports, word for word.
 */
export async function libraryTypes(): Promise<string> {
  return [
    '// Made from the operations and the sources by `npm run build`.',
    GLOBALS,
    await declarations(),
    memoryInterface(),
    ...fromSources(),
    // With this line, only what is marked as exported can be imported.
    'export {};\n',
  ].join('\n\n');
}

/** What the declarations use and es2022 alone does not have; where something declares it, this says the same (U-10). */
const GLOBALS = `declare global {
  interface AbortSignal {}
  interface SymbolConstructor {
    readonly asyncDispose: unique symbol;
  }
}`;

/** A named type for every input, result and record. */
async function declarations(): Promise<string> {
  const types = new NamedTypes();
  for (const operation of operations) {
    const input = schemaOf(operation, 'input');
    const name = typeName(operation, 'input');
    const { variants: kinds } = operation;
    types.add(name, kinds ? { ...input, kinds } : input);
    types.add(typeName(operation, 'output'), schemaOf(operation, 'output'));
  }
  const written = await compile({ definitions: types.definitions } as JSONSchema, 'Unused', {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    unreachableDefinitions: true,
    style: { singleQuote: true, printWidth: 110 },
  });
  // The generator wants a type of the whole, and says of each part that it is one of it.
  return written
    .replace(/export interface Unused \{[^}]*\}\n*/, '')
    .replace(/\/\*\*\n \* This interface was referenced by[\s\S]*?\*\/\n/g, '')
    .replace(/ \*\n \* This (?:interface|type) was referenced by[\s\S]*?(?= \*\/)/g, '')
    .replace(/^export interface \w+Input \{\n[\s\S]*?^\}/gm, takingUndefined)
    .trim();
}

/** A declaration whose optional fields may be given as undefined, also with `exactOptionalPropertyTypes`. */
function takingUndefined(declaration: string): string {
  return declaration.replace(/^( +\w+\?: )([^;]*);$/gm, (_, field: string, type: string) =>
    type.includes('=>') ? `${field}(${type}) | undefined;` : `${field}${type} | undefined;`,
  );
}

function schemaOf(operation: Operation, io: 'input' | 'output'): JSONSchema {
  // The generator reads enums and formats, not every nicety of the newest drafts.
  const schema = jsonSchemaOf(operation, io, { target: 'draft-7' }) as JSONSchema;
  if (io === 'output') return schema;
  const properties = Object.entries(schema.properties ?? {}).map(([field, of]) => {
    const tsType = wider(of as JsonSchema, operation.input.shape[field]);
    return [field, tsType ? { ...of, tsType } : of];
  });
  return { ...schema, properties: Object.fromEntries(properties) };
}

/** The type of a field that takes more than its schema for models says: lists of files, an id as answers write it. */
function wider({ type, lines }: JsonSchema, field: z.ZodType | undefined): string | undefined {
  if (lines) return 'string | readonly string[]';
  const isId =
    type === 'integer' ? field?.safeParse('#5').success : type === 'string' && field?.safeParse(5).success;
  return isId ? 'number | string' : undefined;
}

/** The memory with a method for each operation: in the sources that is a mapped type, which needs zod to be read. */
function memoryInterface(): string {
  const groups = new Map<string, string[]>();
  for (const operation of operations) {
    const [group = '', method = group] = methodOf(operation.name);
    const mark = takesNothing(operation) ? '?' : '';
    const member = [...kindsOfBoth(operation), '']
      .map((kind) => {
        const input = `input${mark}: ${typeName(operation, 'input', kind)}, options?: CallOptions`;
        const line = `${method}(${input}): Promise<${typeName(operation, 'output', kind)}>;`;
        return `  /** ${operation.summary} */\n  ${line}`;
      })
      .join('\n');
    groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  const members = [...groups].map(([group, lines]) => {
    const isRoot = operations.some((operation) => operation.name === group);
    return isRoot ? lines.join('\n') : `${group}: {\n${lines.join('\n')}\n};`;
  });
  const inBatch = operations.filter(({ access, input }) => access === 'write' && 'date' in input.shape);
  const named = operations.map((operation) => {
    const [input, result] = [typeName(operation, 'input'), typeName(operation, 'output')];
    return `  ${operation.name}: { input: ${input}; result: ${result} };`;
  });
  return `/** What each operation is asked and what it answers, by its name. */
export interface Operations {
${named.join('\n')}
}

/**
 * One save of a batch: the operation's name, the fields of its input, and the author where that is somebody else. An id may be
 * \`line 3\`: what the third entry saved.
 */
export type BatchEntry = {
  [Name in ${inBatch.map(({ name }) => `'${name}'`).join(' | ')}]: {
    operation: Name;
    author?: string | undefined;
  } & LinesIn<Operations[Name]['input']>;
}[${inBatch.map(({ name }) => `'${name}'`).join(' | ')}];
type LinesIn<Input> = {
  [Field in keyof Input]: Field extends \`\${string}_id\` ? Input[Field] | \`line \${number}\` : Input[Field];
};

/** Every operation as a method. */
export interface OperationMethods {
${members.join('\n')}
}

/** An open memory: every operation as a method, and what programs need around them. */
export interface Memory extends OperationMethods, Library, Omit<MemoryCore, 'call' | 'transact'> {
  /**
   * Runs an operation by its name, such as \`mama_save\`; of a name known only at run time the input is checked then.
   * @throws PrecedentError \`invalid\` also for an unknown name
   * @param writer who asks, as far as that differs from the writer of the memory
   * @param tell receives what the answer has no room for. Default: the log
   */
  call<Name extends string>(
    name: Name,
    input: Name extends keyof Operations ? Operations[Name]['input'] : string extends Name ? unknown : never,
    writer?: Partial<Writer>,
    tell?: (note: string) => void,
    how?: Keeping,
  ): Promise<Name extends keyof Operations ? Operations[Name]['result'] : Record<string, unknown>>;
}`;
}

/** The kinds by which both input and result differ: each has a signature of its own. */
function kindsOfBoth(operation: Operation): string[] {
  const { variants } = operation;
  const isOfBoth = variants && schemaOf(operation, 'output').kinds?.field === variants.field;
  return isOfBoth ? Object.keys(variants.kinds) : [];
}

function takesNothing(operation: Operation): boolean {
  try {
    return Boolean(parseInput(operation, {}));
  } catch {
    return false;
  }
}

function typeName(operation: Operation, io: 'input' | 'output', kind = ''): string {
  return typeNameOf(`${operation.name}_${kind}`) + (io === 'input' ? 'Input' : 'Result');
}

/** The declarations that stand in the sources: what src/index.ts exports, then what those refer to, not exported. */
function fromSources(): string[] {
  const exported = exportsOf('src/index.ts');
  const files = [...Object.keys(exported), ...Object.keys(PRIVATE)];
  const written = declarationsOf([...new Set(files)]);
  const all = (names: Record<string, string[]>) =>
    Object.entries(names).flatMap(([file, list]) =>
      list.map((name) => pick(name, written[file] ?? '', file)),
    );
  const open = all(exported).map((declaration) =>
    /^export interface \w+Options\b/m.test(declaration)
      ? takingUndefined(declaration)
      : /^export declare class PrecedentError/m.test(declaration)
        ? byCode(declaration)
        : declaration,
  );
  return [...open, ...all(PRIVATE).map((declaration) => declaration.replace(/^export /m, ''))].map(
    // The ids of requirements are for those who have the sources.
    (declaration) => declaration.replace(/ \((?:[A-Z]{1,2}-\d+(?:, | … )?)+\)/g, ''),
  );
}

/** The class of errors as a type for each code, so that a reason is one of its code (LB-7). */
function byCode(declaration: string): string {
  const [comment, body = ''] = declaration.split('export declare class PrecedentError extends Error ');
  const ofCode = body
    .replace('code: ErrorCode;', 'code: Code;')
    .replace('reason: ErrorReason;', 'reason: keyof (typeof REFUSALS)[Code];')
    .replace(/^ +constructor.*\n/m, '')
    .replace(/^ +\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n +static (fromJSON.*)\n/m, '');
  const [fromJson] = body.match(/ +\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n +static fromJSON.*\n/) ?? [];
  const [made] = body.match(/constructor(.*);/)?.slice(1) ?? [];
  if (ofCode.includes('static') || !fromJson || !made)
    throw new Error('PrecedentError is declared otherwise');
  return `declare class ErrorOf<Code extends ErrorCode> extends Error ${ofCode}

${comment}export type PrecedentError = { [Code in ErrorCode]: ErrorOf<Code> }[ErrorCode];
export declare const PrecedentError: {
  new ${made}: PrecedentError;
${fromJson.replace('static ', '')}};`;
}

/** The exports of a file of others, by their paths, but for the memory and its batch, which are written from the operations. */
function exportsOf(index: string): Record<string, string[]> {
  const clauses = readFileSync(index, 'utf8').matchAll(/^export (?:type )?\{([^}]*)\} from '\.\/(.*)';$/gm);
  return Object.fromEntries(
    [...clauses].map(([, names = '', file = '']) => [
      `src/${file}`,
      names
        .split(',')
        .map((name) => name.trim().replace(/^type /, ''))
        .filter((name) => name !== 'Memory' && name !== 'BatchEntry'),
    ]),
  );
}

/** Sources as the compiler declares them: without the bodies of functions, and each file without those it imports. */
function declarationsOf(files: string[]): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'precedent-types-'));
  try {
    const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
    const kind =
      '--declaration --emitDeclarationOnly --ignoreConfig --noResolve --noCheck --target es2023 --lib es2024,esnext.disposable';
    const place = [
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--rootDir',
      '.',
      '--outDir',
      folder,
    ];
    execFileSync(process.execPath, [compiler, ...kind.split(' '), ...place, ...files]);
    const read = (file: string) => readFileSync(join(folder, file.replace(/\.ts$/, '.d.ts')), 'utf8');
    return Object.fromEntries(files.map((file) => [file, read(file).replace(/^( {4})+/gm, halved)]));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function halved(indent: string): string {
  return ' '.repeat(indent.length / 2);
}

/** A declaration with its comment, out of those of a file. */
function pick(name: string, written: string, file: string): string {
  const { program, comments } = parseSync('types.d.ts', written);
  const found = program.body.find((statement) => {
    const declared = ('declaration' in statement && statement.declaration) || statement;
    const named = 'declarations' in declared ? declared.declarations[0] : declared;
    return named && 'id' in named && named.id && 'name' in named.id && named.id.name === name;
  });
  if (!found) throw new Error(`no declaration of ${name} in ${file}`);
  const comment = comments.findLast(({ end }) => end < found.start);
  const isItsOwn = comment && written.slice(comment.end, found.start).trim() === '';
  return written.slice(isItsOwn ? comment.start : found.start, found.end);
}
