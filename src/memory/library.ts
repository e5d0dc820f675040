import { findOperation, operations } from '../operations/index.ts';
import type { JsonSchema } from '../operations/json-schema.ts';
import { methodOf } from '../operations/names.ts';
import { toolsOf } from '../operations/tools.ts';
import { atCaller, type CallOptions, unlessAborted } from './caller.ts';
import type { MemoryCore } from './core.ts';
import { checkCallOptions } from './options.ts';

/** An operation for a model: its name, description and JSON Schema as a server of MCP offers them. */
export interface MemoryTool {
  /** Its name, such as `mama_save`. */
  name: string;
  /** What it does and when to use it, for the model that chooses a tool. */
  description: string;
  /** JSON Schema of an object, as a model sees it: without the fields that are for people and programs. */
  inputSchema: { type: 'object' } & Record<string, unknown>;
  /** Whether it only reads, so that it needs no approval. */
  readOnly: boolean;
  /** Whether it may remove something. */
  destructive: boolean;
  /**
   * Runs it with what the model gave.
   * @returns the short form of the result that models read; `notes`, if there are any, are for the model, too
   * @throws PrecedentError whose message says to the model what to do next: hand it back as the result
   */
  run(input: unknown, options?: CallOptions): Promise<Record<string, unknown>>;
}

/** What a memory has for programs, besides the methods of its operations. */
export interface Library {
  /**
   * The operations to hand to a model.
   * @param which `all`, or some of the families `decisions`, `observations` and `memos`, separated by commas. Default: those
   *   that an agent needs every day
   */
  tools(which?: string): MemoryTool[];
}

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
    const running = call(name, input, writer, tell, how);
    return signal ? unlessAborted(running, signal) : running;
  };
}

/** Every operation as a method: `mama_load_checkpoint` as `mama.loadCheckpoint`, `recall` at the root. */
export function methodsOf(call: LibraryCall): Record<string, unknown> {
  const root: Record<string, unknown> = {};
  for (const { name } of operations) {
    const [group = name, method] = methodOf(name);
    const run = atCaller((input: unknown, options?: CallOptions) => call(name, input, options));
    root[group] = method === undefined ? run : { ...(root[group] as object), [method]: run };
  }
  return root;
}

/** What {@link Library.tools} gives. */
export function libraryTools(call: LibraryCall, which?: string): MemoryTool[] {
  return toolsOf(which).map(({ name, summary, input, access, destructive }) => ({
    name,
    description: summary,
    inputSchema: structuredClone(input) as JsonSchema & MemoryTool['inputSchema'],
    readOnly: access === 'read',
    destructive,
    run: atCaller(async (given: unknown, options?: CallOptions) => {
      const notes: string[] = [];
      const result = await call(name, given, { tell: (note) => notes.push(note), ...options });
      const shown = findOperation(name)?.toModel?.(result) ?? result;
      return notes.length > 0 ? { ...shown, notes } : shown;
    }),
  }));
}
