import type * as z from 'zod';
import { type Operations, operations } from '../operations/index.ts';
import type { JsonSchema } from '../operations/json-schema.ts';
import { methodOf } from '../operations/names.ts';
import type { Operation } from '../operations/operation.ts';
import { toolsOf } from '../operations/tools.ts';
import { atCaller, type CallOptions, type TransactionOptions, unlessAborted } from './caller.ts';
import type { MemoryCore } from './core.ts';
import { forModel } from './for-model.ts';
import { checkCallOptions } from './options.ts';
import { told } from './theirs.ts';

type AnyOperation = Operations[number];

type Camel<Text extends string> = Text extends `${infer Head}_${infer Tail}`
  ? `${Head}${Capitalize<Camel<Tail>>}`
  : Text;
type Method<O> =
  O extends Operation<string, infer Input, infer Output>
    ? Record<string, never> extends z.input<Input>
      ? (input?: z.input<Input>, options?: CallOptions) => Promise<z.output<Output>>
      : (input: z.input<Input>, options?: CallOptions) => Promise<z.output<Output>>
    : never;
type GroupOf<Name extends string> = Name extends `${infer Group}_${string}` ? Group : never;
/** Every operation as a method: `mama_load_checkpoint` as `mama.loadCheckpoint`; a name of one word is at the root. */
export type OperationMethods = {
  [Group in GroupOf<AnyOperation['name']>]: {
    [O in AnyOperation as O['name'] extends `${Group}_${infer Rest}` ? Camel<Rest> : never]: Method<O>;
  };
} & {
  [O in AnyOperation as O['name'] extends `${string}_${string}` ? never : O['name']]: Method<O>;
};

/** An operation for a model: its name, description and JSON Schema as a server of MCP offers them. */
export interface MemoryTool {
  /** Its name, such as `mama_save`. */
  name: string;
  /** Its effect and when to use it, for the model that chooses a tool. */
  description: string;
  /** JSON Schema of an object, as a model sees it: without the fields that are for people and programs. */
  inputSchema: { type: 'object' } & Record<string, unknown>;
  /** Whether it only reads, so that it needs no approval. */
  readOnly: boolean;
  /** Whether it may remove something. */
  destructive: boolean;
  /**
   * Runs it with what the model gave, as a value or as a text of JSON.
   * @returns the short form of the result that models read; `notes`, if there are any, are for the model, too
   * @throws PrecedentError whose message says to the model what to do next: hand it back as the result
   */
  run(input: unknown, options?: CallOptions): Promise<Record<string, unknown>>;
}

/** The parts of a memory for programs, besides the methods of its operations. */
export interface Library {
  /**
   * The operations to hand to a model.
   * @param which `all`, or some of the families `decisions`, `observations` and `memos`, separated by commas. Default: those
   *   that an agent needs every day
   */
  tools(which?: string): MemoryTool[];
  /**
   * Runs several calls as one: all that they save is there when it returns, or nothing is, and one undo takes all of it back.
   * Meanwhile nobody else can write to the memory, so do not wait in it for a model or a network.
   * @param work is given the operations, which here see what was saved before them; they run one after the other. It is run
   *   once. A save that is refused in it ends the transaction, also where the error is caught; a read that is refused does not
   * @returns what `work` returns
   * @throws what `work` throws; PrecedentError `unavailable` when it takes longer than `timeout`
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>, options?: TransactionOptions): Promise<T>;
}

/**
 * The operations inside a transaction, and as tools what a model called. Searches there go by words alone, and none asks about
 * the past.
 */
export type Transaction = Omit<OperationMethods, 'undo'> & Pick<Library, 'tools'>;

/** Calls an operation. */
export type LibraryCall = (
  name: string,
  input: unknown,
  options?: CallOptions,
) => Promise<Record<string, unknown>>;

/** The calls of methods and tools, over those of the memory. */
export function libraryCall(call: MemoryCore['call']): LibraryCall {
  return async (name, input, options = {}) => {
    checkCallOptions(name, options);
    const { writer, signal, tell, ...how } = options;
    signal?.throwIfAborted();
    const running = call(name, input, writer, tell && told(tell), how);
    return signal ? unlessAborted(running, signal) : running;
  };
}

/** Every operation as a method: `mama_load_checkpoint` as `mama.loadCheckpoint`, `recall` at the root; and as tools. */
export function methodsOf(call: LibraryCall, asGiven = atCaller): OperationMethods & Pick<Library, 'tools'> {
  const root: Record<string, unknown> = { tools: (which?: string) => libraryTools(call, asGiven, which) };
  for (const { name } of operations) {
    const [group = name, method] = methodOf(name);
    const run = asGiven((input: unknown, options?: CallOptions) => call(name, input, options));
    root[group] = method === undefined ? run : { ...(root[group] as object), [method]: run };
  }
  return root as ReturnType<typeof methodsOf>;
}

/** As {@link atCaller}, in a transaction: that reports a refusal, so one that nobody awaits ends no process. */
export const inTransaction: typeof atCaller = (method) => {
  const called = atCaller(method);
  return (...given) => {
    const running = called(...given);
    running.catch(() => {});
    return running;
  };
};

/** The tools that {@link Library.tools} gives. */
function libraryTools(call: LibraryCall, asGiven: typeof atCaller, which?: string): MemoryTool[] {
  return toolsOf(which).map(({ name, summary, input, access, destructive }) => ({
    name,
    description: summary,
    inputSchema: structuredClone(input) as JsonSchema & MemoryTool['inputSchema'],
    readOnly: access === 'read',
    destructive,
    run: asGiven(async (given: unknown, options?: CallOptions) => {
      const notes: string[] = [];
      const result = await call(name, given, { tell: (note) => notes.push(note), ...options });
      const shown = forModel(name, result);
      return notes.length > 0 ? { ...shown, notes } : shown;
    }),
  }));
}
