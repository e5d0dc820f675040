import type * as z from 'zod';
import { invalid } from '../domain/error.ts';
import { findOperation, type Operations, operations } from '../operations/index.ts';
import type { Operation } from '../operations/operation.ts';
import { atCaller, type CallOptions } from './caller.ts';
import { type MemoryCore, type MemoryOptions, openCore } from './core.ts';
import { describeDatabase } from './engines.ts';
import { type Library, libraryCall, libraryTools, methodsOf } from './library.ts';
import { requireOn } from './off.ts';
import { checkOptions, withCheckedArguments } from './options.ts';

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
/** `mama_load_checkpoint` as `mama.loadCheckpoint`; a name of one word is at the root. */
type Methods = {
  [Group in GroupOf<AnyOperation['name']>]: {
    [O in AnyOperation as O['name'] extends `${Group}_${infer Rest}` ? Camel<Rest> : never]: Method<O>;
  };
} & {
  [O in AnyOperation as O['name'] extends `${string}_${string}` ? never : O['name']]: Method<O>;
};

/** An open memory: every operation as a method, and what programs need around them. */
export type Memory = Methods & Library & MemoryCore;

/**
 * Opens a memory, and creates it where there is none.
 * @throws PrecedentError `unavailable` when it cannot be opened, or is off on this machine (V-6), saying why; `not_found` when
 *   there is none and `create` is false
 */
export const openMemory: (options: MemoryOptions) => Promise<Memory> = atCaller(async (options) => {
  checkOptions(options);
  const { db, workspace = describeDatabase(db).workspace } = options;
  requireOn({ db, workspace });
  return withMethods(withCheckedArguments(await openCore(options, operationNamed)));
});

/** A memory with a method for each operation. */
function withMethods(core: MemoryCore): Memory {
  const call = libraryCall(core.call);
  const library: Library = { tools: (which) => libraryTools(call, which) };
  return Object.assign(methodsOf(call) as Methods, core, library);
}

/** @throws PrecedentError `invalid` for an unknown name */
function operationNamed(name: string): Operation {
  const operation = findOperation(name);
  if (operation) return operation;
  const names = operations.map((each) => each.name).join(', ');
  throw invalid.not_one_of(`Expected one of these operations: ${names}; found "${name}".`);
}
