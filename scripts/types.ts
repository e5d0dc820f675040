import { readFileSync } from 'node:fs';
import { compile, type JSONSchema } from 'json-schema-to-typescript';
import { operations } from '../src/operations/index.ts';
import { jsonSchemaOf } from '../src/operations/json-schema.ts';
import { methodOf, typeNameOf } from '../src/operations/names.ts';
import type { Operation } from '../src/operations/operation.ts';

/**
 * The library's declarations, plain TypeScript without a trace of zod or Kysely: an interface for each
 * operation's input and result, and the memory whose methods they are.
 */
export async function libraryTypes(): Promise<string> {
  const schemas = await Promise.all(
    operations.flatMap((operation) => [declare(operation, 'input'), declare(operation, 'output')]),
  );
  return [
    '// Made from the operations by `npm run build`.',
    ...schemas,
    memoryInterface(),
    published(),
    CODE,
  ].join('\n');
}

async function declare(operation: Operation, io: 'input' | 'output'): Promise<string> {
  const schema = jsonSchemaOf(operation, io, {
    // The generator reads enums and formats, not every nicety of the newest drafts.
    target: 'draft-7',
  }) as JSONSchema;
  return compile({ ...schema, title: typeName(operation, io) }, typeName(operation, io), {
    bannerComment: '',
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    format: false,
  });
}

function memoryInterface(): string {
  const groups = new Map<string, string[]>();
  for (const operation of operations) {
    const [group = '', method = group] = methodOf(operation.name);
    const takesNothing = operation.input.safeParse({}).success;
    const input = `input${takesNothing ? '?' : ''}: ${typeName(operation, 'input')}`;
    const line = `${method}(${input}): Promise<${typeName(operation, 'output')}>;`;
    const member = `  /** ${operation.summary} */\n  ${line}`;
    groups.set(group, [...(groups.get(group) ?? []), member]);
  }
  const members = [...groups].map(([group, lines]) => {
    const isRoot = operations.some((operation) => operation.name === group);
    return isRoot ? lines.join('\n') : `${group}: {\n${lines.join('\n')}\n};`;
  });
  return `/** An open memory: every operation as a method. */\nexport interface Memory {\n${members.join('\n')}\n${AROUND}\n}`;
}

const AROUND = `/** The memory's name. */
readonly workspace: string;
/** Runs an operation by its name; \`author\` says who asks, when that differs from call to call. */
call(name: string, input: unknown, author?: Partial<Author>): Promise<Record<string, unknown>>;
/** Where the memory is, how large, and whether it is sound. Reads everything once and writes one row. */
inspect(): Promise<Health>;
/** Makes everything anew that follows from something else, such as the text index; texts are never touched. */
repair(): Promise<{ scrubbed: boolean }>;
/** Blanks the texts of a record, or one text in it, with its revisions and in every index; for an operator. */
redact(id: string, text?: string): Promise<{ kind: string; id: string; texts: number; remaining: { what: string; id: string }[]; warnings: string[] }>;
/** Writes the whole memory out, a statement at a time, in one snapshot; \`write\` must make no call of this memory. */
export(format: 'jsonl' | 'cypher', write: (line: string) => unknown): Promise<void>;
/** Takes in what was exported as \`jsonl\`: all of it or nothing, into an empty memory or in the place of what is there. */
import(
  lines: AsyncIterable<string> | Iterable<string>,
  progress?: (done: number, all: number) => void,
  options?: { replace?: boolean },
): Promise<{ rows: Record<string, number>; unchanged: boolean }>;
/** Gives every record that lacks one a vector; tells how many have one of how many. Begun again it goes on. */
embed(progress?: (done: number, all: number) => void, signal?: AbortSignal): Promise<{ missing: number }>;
close(): Promise<void>;`;

/** Declarations that stand in the sources as they are published. */
function published(): string {
  const declarations = [
    ['src/memory/memory.ts', 'MemoryOptions'],
    ['src/embedding/embedder.ts', 'Embedder'],
    ['src/embedding/embedder.ts', 'Purpose'],
    ['src/embedding/openai.ts', 'OpenAiOptions'],
    ['src/store/tx.ts', 'Author'],
    ['src/store/maintenance/health.ts', 'Health'],
    ['src/domain/error.ts', 'ErrorCode'],
    ['src/domain/error.ts', 'ErrorReason'],
    ['src/domain/log.ts', 'LogLevel'],
  ] as const;
  return declarations.map(([file, name]) => declarationOf(file, name)).join('\n\n');
}

/** An exported interface or type of a file, with its comment, word for word. */
function declarationOf(file: string, name: string): string {
  const source = readFileSync(file, 'utf8');
  const pattern = new RegExp(
    `(?:/\\*\\*(?:(?!\\*/)[\\s\\S])*\\*/\\n)?export (?:interface ${name} \\{[\\s\\S]*?\\n\\}|type ${name} =[^;]*;)`,
  );
  const found = source.match(pattern)?.[0];
  if (!found) throw new Error(`no declaration of ${name} in ${file}`);
  return found;
}

const CODE = `
/** Opens a memory. @throws PrecedentError \`unavailable\` when it cannot be opened, saying why */
export declare function openMemory(options: MemoryOptions): Promise<Memory>;

/** The only error that a memory throws; its message says what was expected, found, and what to do next. */
export declare class PrecedentError extends Error {
  readonly code: ErrorCode;
  readonly reason?: ErrorReason;
  constructor(code: ErrorCode, message: string, options?: ErrorOptions & { reason?: ErrorReason | undefined });
}
`;

function typeName(operation: Operation, io: 'input' | 'output'): string {
  return typeNameOf(operation.name) + (io === 'input' ? 'Input' : 'Result');
}
